/* Sends back what it receives, from the interrupt, and sleeps otherwise. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

ISR(USART_RX_vect)
{
    UDR0 = UDR0;
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 7; /* 250 kBaud */
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
    sei();
    for (;;)
        sleep_mode();
}

/* Looks at its receiver only every millisecond, and then sends status and data of all that is there. */
#include <avr/io.h>
#include <util/delay.h>

static void send(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = byte;
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 7;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    for (;;) {
        _delay_ms(1);
        uint8_t status;
        while ((status = UCSR0A) & _BV(RXC0)) {
            uint8_t byte = UDR0;
            send(status & _BV(DOR0));
            send(byte);
        }
    }
}

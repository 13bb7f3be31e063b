/* Two chips on the SPI, on B2 and B1. Each byte received says what to do with them, right or wrong. D2 is high
 * while one byte is under way. */
#include <avr/io.h>

static uint8_t transfer(uint8_t byte)
{
    PORTD |= _BV(2);
    SPDR = byte;
    while (!(SPSR & _BV(SPIF)))
        ;
    PORTD &= ~_BV(2);
    return SPDR;
}

static void send(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = byte;
}

static void two_bytes(uint8_t chip)
{
    PORTB &= ~_BV(chip);
    send(transfer(0x12));
    send(transfer(0x34));
    PORTB |= _BV(chip);
}

static void obey(uint8_t command)
{
    switch (command) {
    case '0': two_bytes(2); break;
    case '1': two_bytes(1); break;
    case 'f': SPSR = _BV(SPI2X); break;
    case 's': SPCR |= _BV(SPR1); break;
    case 'm': SPCR |= _BV(CPOL) | _BV(CPHA); break;
    case 'b': PORTB &= ~_BV(1); two_bytes(2); PORTB |= _BV(1); break;
    case 'c': SPDR = 1; SPDR = 2; break;
    case 'x': PORTB &= ~_BV(2); SPDR = 1; PORTB |= _BV(2); break;
    case 'u': DDRB &= ~_BV(2); PORTB &= ~_BV(2); two_bytes(1); break;
    }
}

int main(void)
{
    PORTB = _BV(1) | _BV(2);
    DDRB = _BV(1) | _BV(2) | _BV(3) | _BV(5);
    DDRD = _BV(2);
    SPCR = _BV(SPE) | _BV(MSTR); /* 4 MHz */
    UCSR0A = _BV(U2X0);
    UBRR0 = 7;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    for (;;) {
        while (!(UCSR0A & _BV(RXC0)))
            ;
        obey(UDR0);
    }
}

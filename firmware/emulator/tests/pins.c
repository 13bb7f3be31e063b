/* D3 is an input with its pull-up; D5 shows what it reads. D4, on the same port, is toggled all the time. */
#include <avr/io.h>

int main(void)
{
    DDRD = _BV(4) | _BV(5);
    PORTD = _BV(3);
    for (;;) {
        PIND |= _BV(4); /* SBI: this bit only */
        if (PIND & _BV(3))
            PORTD |= _BV(5);
        else
            PORTD &= ~_BV(5);
    }
}

#include "clock.h"

#include <avr/interrupt.h>
#include <util/atomic.h>

#include "board.h"

static volatile uint32_t ms;

void clock_start(void)
{
    TCCR0A = 1 << WGM01;              /* count to OCR0A, then from 0 again */
    TCCR0B = 1 << CS01 | 1 << CS00;   /* prescaler 64 */
    OCR0A = BOARD_TICK_TOP;
    TIMSK0 = 1 << OCIE0A;
}

ISR(TIMER0_COMPA_vect)
{
    ms++;
}

uint32_t clock_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = ms;
    }
    return now;
}

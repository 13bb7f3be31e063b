#include "pins.h"

#include "board.h" /* before delay.h, which needs the clock's frequency */
#include "hal.h"

#include <util/delay.h>

#define SETTLE_US 2  /* a line falls through the diode at once … */
#define RECOVER_US 5 /* … and rises through 8.2 kΩ against some 700 pF of cable */

/* SBI and CBI: one instruction each, so no interrupt comes in between. */
#define SET_HIGH(port, bit) (PORT##port |= 1 << (bit))
#define SET_LOW(port, bit) (PORT##port &= ~(1 << (bit)))

#define BEGIN_INPUT(port, bit)
#define BEGIN_PULLED(port, bit) SET_HIGH(port, bit)
#define BEGIN_LOW(port, bit) (DDR##port |= 1 << (bit))
#define BEGIN_HIGH(port, bit) (SET_HIGH(port, bit), DDR##port |= 1 << (bit))

enum pin {
#define NAME(name, port, bit, label, begins, what) PIN_##name,
    BOARD_PINS(NAME)
};

static void set(enum pin pin, bool high)
{
    switch (pin) {
#define CASE(name, port, bit, label, begins, what)                                                                    \
    case PIN_##name:                                                                                                  \
        if (high)                                                                                                     \
            SET_HIGH(port, bit);                                                                                      \
        else                                                                                                          \
            SET_LOW(port, bit);                                                                                       \
        break;
        BOARD_PINS(CASE)
    }
}

static bool is_low(enum pin pin)
{
    switch (pin) {
#define LOW_CASE(name, port, bit, label, begins, what)                                                                \
    case PIN_##name:                                                                                                  \
        return !(PIN##port & 1 << (bit));
        BOARD_PINS(LOW_CASE)
    }
    return false;
}

static uint8_t selected;

void pins_start(void)
{
#define BEGIN(name, port, bit, label, begins, what) BEGIN_##begins(port, bit);
    BOARD_PINS(BEGIN)
}

void pins_release_readers(void)
{
    set(PIN_RESET, true);
}

void hal_select(uint8_t pad)
{
    selected = pad;
    set((enum pin)(PIN_SELECT0 + pad), false);
}

void hal_deselect(void)
{
    set((enum pin)(PIN_SELECT0 + selected), true);
}

uint8_t hal_buttons(uint8_t pad)
{
    hal_select(pad);
    _delay_us(SETTLE_US);
    uint8_t down = (uint8_t)(is_low(PIN_GREEN) | is_low(PIN_RED) << 1);
    hal_deselect();
    _delay_us(RECOVER_US);
    return down;
}

void hal_lamp(uint8_t pad, bool on)
{
    set((enum pin)(PIN_LAMP0 + pad), on);
}

void hal_buzzer(bool on)
{
    set(PIN_BUZZER, on);
}

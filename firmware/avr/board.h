/* The board: an ATmega328P at 16 MHz (Arduino Nano class). This is the only pin map; firmware/README.md and
 * hardware/full-kit.md show the same table, and a test keeps them alike.
 *
 * Twenty pins are not enough for 5 readers, 10 buttons and 5 lamps with a pin each, so the buttons are a matrix: the
 * green buttons of all pads share one line, the red ones another, both pulled up, and each button connects its line,
 * through a diode, with the chip-select of its own pad. A button is down when its line is low while its pad is
 * selected. A select without a clock means nothing to a reader.
 *
 *     line (D7 or D8) ──►|──[680 Ω]── button ── select of the pad (D2 … D6)
 *                     BAT85
 *
 * The resistor is for the moment of the press, in which the charged line would else lift the select of a reader that is
 * being spoken to (hardware/proofs/presses.py).
 */
#ifndef BOARD_H
#define BOARD_H

#include <avr/io.h>

#define F_CPU 16000000UL

/* PIN(name, port, bit, label, how it begins, what hangs there) */
#define BOARD_PINS(PIN)                                                                                               \
    PIN(RXD,     D, 0, "D0",  INPUT,  "USB serial, from the Pi")                                                      \
    PIN(TXD,     D, 1, "D1",  HIGH,   "USB serial, to the Pi")                                                        \
    PIN(SELECT0, D, 2, "D2",  HIGH,   "pad 0: reader SDA (NSS), and its buttons")                                     \
    PIN(SELECT1, D, 3, "D3",  HIGH,   "pad 1: reader SDA (NSS), and its buttons")                                     \
    PIN(SELECT2, D, 4, "D4",  HIGH,   "pad 2: reader SDA (NSS), and its buttons")                                     \
    PIN(SELECT3, D, 5, "D5",  HIGH,   "pad 3: reader SDA (NSS), and its buttons")                                     \
    PIN(SELECT4, D, 6, "D6",  HIGH,   "pad 4: reader SDA (NSS), and its buttons")                                     \
    PIN(GREEN,   D, 7, "D7",  PULLED, "all green buttons, each through a diode; 8.2 kΩ to 3.3 V")                     \
    PIN(RED,     B, 0, "D8",  PULLED, "all red buttons, each through a diode; 8.2 kΩ to 3.3 V")                       \
    PIN(BUZZER,  B, 1, "D9",  LOW,    "active buzzer, high = sounds")                                                 \
    PIN(RESET,   B, 2, "D10", LOW,    "all readers: RST")                                                             \
    PIN(MOSI,    B, 3, "D11", LOW,    "all readers: MOSI")                                                            \
    PIN(MISO,    B, 4, "D12", INPUT,  "all readers: MISO; 10 kΩ to ground")                                           \
    PIN(SCK,     B, 5, "D13", LOW,    "all readers: SCK")                                                             \
    PIN(LAMP0,   C, 0, "A0",  LOW,    "pad 0: lamp, high = on")                                                       \
    PIN(LAMP1,   C, 1, "A1",  LOW,    "pad 1: lamp, high = on")                                                       \
    PIN(LAMP2,   C, 2, "A2",  LOW,    "pad 2: lamp, high = on")                                                       \
    PIN(LAMP3,   C, 3, "A3",  LOW,    "pad 3: lamp, high = on")                                                       \
    PIN(LAMP4,   C, 4, "A4",  LOW,    "pad 4: lamp, high = on")                                                       \
    PIN(SPARE,   C, 5, "A5",  PULLED, "free")

/* The readers' clock: 2 MHz, or 1 MHz for wires that are worse than a flat cable with ground beside the clock
 * (make SPI_KHZ=1000). At 4 MHz an answer over a metre of cable comes too late: python -m hardware.proofs. */
#define BOARD_SPI_DIVIDER (1 << SPR0)                 /* a sixteenth of 16 MHz … */
#define BOARD_SPI_DOUBLE ((SPI_KHZ == 2000) << SPI2X) /* … or an eighth */

/* The USART at 250 000 baud: exact with double speed, 16 MHz / 8 / 8. */
#define BOARD_BAUD 250000UL
#define BOARD_UBRR (F_CPU / 8 / BOARD_BAUD - 1)

/* Timer 0 counts to this with a prescaler of 64: once a millisecond. */
#define BOARD_TICK_TOP (F_CPU / 64 / 1000 - 1)

#endif

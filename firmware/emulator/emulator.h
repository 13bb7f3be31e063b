/* The satellite's microcontroller, emulated: what a program outside may do with it.
 *
 * libsimavr runs the instructions, the timers and the watchdog. The pins, the SPI, the UART and the EEPROM are our own
 * (pins.c, spi.c, uart.c, eeprom.c), because libsimavr's are wrong where it matters; README.md says how.
 *
 * All times are clock cycles since power was switched on. One emulator knows nothing of another. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stdint.h>

typedef struct emulator emulator;

enum {
    EMULATOR_RUNS,
    EMULATOR_CRASHED,   /* an instruction that does not exist, or the program counter outside of the program */
    EMULATOR_STOPPED,   /* it sleeps with interrupts off: nothing but a reset could wake it */
    EMULATOR_BROKEN_OFF /* a chip on the bus wants the run to end */
};

/* A chip on the SPI bus. `fresh`: the first byte since its chip-select fell. Returns the byte that it sends at the
 * same time, or a negative number to break the run off. For chips with `emulator_registers` both may say more: see
 * firmware/host/standin.h. */
typedef int (*emulator_exchange)(int chip, int mosi, int fresh, double now_us);

typedef void (*emulator_line)(int level, double now_us);

/* What must never happen, counted. The layout is known to companion/devices/satellite/avr_emulator.py. */
typedef struct {
    uint32_t overruns;          /* bytes that the receiver lost because two were waiting already */
    uint32_t overruns_seen;     /* how often the firmware read a set DOR flag */
    uint32_t wrong_speed;       /* bytes lost because the UART's speed is not the line's */
    uint32_t two_selected;      /* two chip-selects low at a time */
    uint32_t wrong_mode;        /* SPI bytes sent in another mode than 0, or with the low bit first */
    uint32_t collisions;        /* SPI bytes written while another one was under way */
    uint32_t cut_short;         /* chip-selects moved while a byte was under way */
    uint32_t select_unguarded;  /* SPI bytes sent while SS is an input and low, which ends master mode */
    uint32_t resets;            /* of any kind, power-on not counted */
    uint32_t watchdog_resets;
    uint32_t spi_bytes;
    uint32_t wakeups;           /* times the processor was woken from sleep */
    uint32_t eeprom_writes;     /* bytes that the program has written */
} emulator_counts;

typedef struct {
    uint64_t cycle;
    uint8_t port; /* 'B', 'C' or 'D' */
    uint8_t bit;
    uint8_t level;
} emulator_edge;

/* Loads the program and switches power on. NULL if the file is no program; `why` then says what is wrong. */
emulator *emulator_open(const char *elf, uint32_t hz, uint32_t baud, char *why, uint32_t room);
void emulator_close(emulator *e);

/* Runs until a cycle, or until it cannot run any more. Returns one of the states above. */
int emulator_run(emulator *e, uint64_t until);
int emulator_state(const emulator *e);
uint64_t emulator_cycle(const emulator *e);
const char *emulator_last_words(const emulator *e);

/* A reset with these bits in MCUSR (data sheet, MCUSR). SRAM and EEPROM keep their content. */
enum { EMULATOR_POWER = 0x01, EMULATOR_RESET_PIN = 0x02, EMULATOR_BROWN_OUT = 0x04, EMULATOR_WATCHDOG = 0x08 };
void emulator_reset(emulator *e, int cause);

/* Power goes away, long enough for everything to be forgotten, and comes back. A byte of the EEPROM that was being
 * written is `torn` then: no source says what becomes of it. */
void emulator_cut_power(emulator *e, uint8_t torn);

/* Lets the main program loop for ever where it is, interrupts apart, until the next reset: work for a watchdog. */
void emulator_hang(emulator *e);

/* --- The line ------------------------------------------------------------------------------------------------- */

/* Bytes that the host sends, one after the other without a gap. Returns how many found room. */
uint32_t emulator_send(emulator *e, const uint8_t *bytes, uint32_t count);
/* Bytes that the satellite has sent, each with the cycle in which its stop bit ended. */
uint32_t emulator_received(emulator *e, uint8_t *bytes, uint64_t *cycles, uint32_t room);
/* What the firmware has set its UART to. */
double emulator_baud(const emulator *e);

/* --- Pins ----------------------------------------------------------------------------------------------------- */

/* Connects a chip-select; `exchange` is called for every byte while that pin is a low output. */
void emulator_on_bus(emulator *e, emulator_exchange exchange);
void emulator_chip_select(emulator *e, int chip, char port, int bit);
/* Where a chip keeps its 64 registers, and a bit for each that a look does not change: while it stands still, those are
 * read here. Whatever happens to it by other hands happens between two runs, or when the reset line changes. */
void emulator_registers(emulator *e, int chip, const uint8_t *registers, uint64_t plain);
/* Something outside holds a pin low (0) or high (1), or lets go of it (-1). */
void emulator_drive(emulator *e, char port, int bit, int level);
/* The level of a pin; -1 if it floats. */
int emulator_level(const emulator *e, char port, int bit);
/* Closes or opens a switch between two pins, with a diode: while it is closed and `to` is a low output, `from` reads
 * low. Buttons in a matrix are such switches. */
void emulator_switch(emulator *e, char from_port, int from_bit, char to_port, int to_bit, int closed);
/* A line that a chip listens to without being asked, a reset for example: told at once, and whenever the level changes.
 * A pin that is not an output leaves it low: on the board a resistor to ground does. */
void emulator_on_line(emulator *e, char port, int bit, emulator_line line);
/* Lets changes of this pin be kept; `emulator_edges` takes them away. */
void emulator_watch(emulator *e, char port, int bit);
uint32_t emulator_edges(emulator *e, emulator_edge *edges, uint32_t room);

/* --- Memory --------------------------------------------------------------------------------------------------- */

/* Bytes of SRAM behind the variables that the stack has never touched. */
uint32_t emulator_stack_margin(const emulator *e);
uint32_t emulator_static_ram(const emulator *e);
uint32_t emulator_ram(const emulator *e);
/* A register or variable gets another value, by its address: what a fault of the chip does. */
void emulator_poke(emulator *e, uint16_t at, uint8_t value);
void emulator_eeprom_write(emulator *e, uint16_t at, const uint8_t *bytes, uint16_t count);
void emulator_eeprom_read(emulator *e, uint16_t at, uint8_t *bytes, uint16_t count);

void emulator_count(const emulator *e, emulator_counts *counts);

#endif

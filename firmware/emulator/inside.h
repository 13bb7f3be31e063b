/* What the parts of the emulator share. Only for emulator.c, pins.c, spi.c, uart.c and eeprom.c. */
#ifndef INSIDE_H
#define INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "emulator.h"
#include "sim_avr.h"
#include "standin.h"

#define PORTS 3         /* B, C, D */
#define CHIPS 8         /* on the SPI bus */
#define SWITCHES 16     /* buttons in a matrix */
#define LINE_ROOM 8192  /* bytes on their way to the satellite; a power of two */
#define HEARD_ROOM 8192 /* bytes from it that were not taken yet; a power of two */
#define EDGES_ROOM 4096 /* a power of two */
#define EEPROM_BYTES 1024
#define PAINT 0xa5      /* what SRAM is filled with, to see how far the stack has come */

typedef struct {
    uint16_t pin_reg, ddr_reg, port_reg;
    uint8_t driven, drive; /* which pins something outside holds, and where */
    uint8_t watched;
    uint8_t levels; /* of outputs and held pins, as last seen */
} port_pins;

typedef struct {
    int port, bit; /* port −1: not connected */
    bool low, fresh;
    struct standin standin;
} chip_select;

typedef struct {
    int from_port, from_bit, to_port, to_bit;
} closed_switch;

typedef struct {
    avr_int_vector_t *done;
    bool busy, flag_was_read;
    uint8_t mosi, miso;
    int chip; /* that was selected when the byte began, −1: none */
} spi_port;

typedef struct {
    avr_int_vector_t *received, *room, *sent;
    struct {
        uint8_t byte;
        bool after_overrun, counted;
    } fifo[2];
    int filled;
    bool waiting, lost_one; /* a byte in the shift register; the next byte comes with DOR */
    uint8_t waits;
    bool shifting, held; /* the transmitter's shift register and its buffer */
    uint8_t shift, hold;
    bool line_busy;
    uint8_t line[LINE_ROOM];
    uint32_t line_put, line_taken;
    uint8_t heard[HEARD_ROOM];
    uint64_t heard_at[HEARD_ROOM];
    uint32_t heard_put, heard_taken;
    uint32_t line_byte_cycles; /* ten bits at the host's speed */
} uart_port;

typedef struct {
    uint8_t bytes[EEPROM_BYTES];
    uint64_t armed_until, done_at; /* cycles */
    bool busy;
    uint16_t at; /* what is being written */
    uint8_t byte;
} eeprom_memory;

struct emulator {
    avr_t *avr;
    avr_io_t module; /* tells us of resets */
    bool was_reset, complained;
    int state;
    port_pins ports[PORTS];
    chip_select chips[CHIPS];
    closed_switch switches[SWITCHES];
    int closed; /* how many of them */
    int line_port, line_bit;
    bool line_high;
    emulator_line line;
    emulator_exchange exchange;
    bool broken_off;
    spi_port spi;
    uart_port uart;
    eeprom_memory eeprom;
    emulator_edge edges[EDGES_ROOM];
    uint32_t edges_put, edges_taken;
    bool hangs;
    uint32_t hangs_at; /* in flash, and what stood there */
    uint8_t hangs_instead_of[2];
    uint32_t static_end; /* the address behind the variables */
    emulator_counts counts;
    char last_words[160];
};

/* Lets these functions answer for an I/O register, whichever did so before. */
void answer_register(emulator *e, uint16_t reg, avr_io_read_t read, avr_io_write_t write);
avr_int_vector_t *vector_of(emulator *e, int number);
/* An interrupt whose flag is a level: it stays until its cause has gone, whether it is served or not. */
void set_level(emulator *e, avr_int_vector_t *vector, bool level);

void pins_init(emulator *e);
void pins_after_reset(emulator *e);
void spi_init(emulator *e);
void spi_ask_anew(emulator *e); /* something may have happened to the chips */
void spi_after_reset(emulator *e);
void uart_init(emulator *e, uint32_t baud);
void uart_after_reset(emulator *e);
void eeprom_init(emulator *e);
void eeprom_after_reset(emulator *e);

#endif

/* The SPI, master only. A byte takes eight clocks of its own divider; libsimavr gives it 100 µs at any speed.
 * Register and bit numbers: ATmega328P datasheet, 19.5. */
#include "inside.h"

enum { SPCR = 0x4c, SPSR = 0x4d, SPDR = 0x4e };
enum { SPIE = 0x80, SPE = 0x40, DORD = 0x20, MSTR = 0x10, CPOL = 0x08, CPHA = 0x04, SPR = 0x03 }; /* SPCR */
enum { SPIF = 0x80, WCOL = 0x40, SPI2X = 0x01 };                                                  /* SPSR */
enum { SPI_VECTOR = 17, SS_PORT = 0, SS_BIT = 2 };

static uint32_t byte_cycles(const avr_t *avr)
{
    static const uint8_t SHIFTS[] = {2, 4, 6, 7}; /* table 19-5: 4, 16, 64, 128 */
    uint32_t divider = 1u << SHIFTS[avr->data[SPCR] & SPR];
    return 8 * (avr->data[SPSR] & SPI2X ? divider / 2 : divider);
}

static int selected(const emulator *e)
{
    for (int chip = 0; chip < CHIPS; chip++)
        if (e->chips[chip].port >= 0 && e->chips[chip].low)
            return chip;
    return -1;
}

static uint8_t ask_chip(emulator *e, int chip, uint8_t mosi)
{
    if (chip < 0 || !e->exchange)
        return 0x00; /* no chip drives MISO: the resistor to ground does */
    struct standin *standin = &e->chips[chip].standin;
    bool fresh = e->chips[chip].fresh;
    e->chips[chip].fresh = false;
    if (standin_can_answer(standin, fresh))
        return standin_answer(standin, fresh, mosi);
    double now_us = e->avr->cycle * 1e6 / e->avr->frequency;
    int answer = e->exchange(chip, mosi, standin_fresh(standin, fresh), now_us);
    e->broken_off |= answer < 0;
    return standin_heard(standin, fresh, mosi, answer);
}

void spi_ask_anew(emulator *e)
{
    for (int chip = 0; chip < CHIPS; chip++)
        e->chips[chip].standin.still = false;
}

void emulator_registers(emulator *e, int chip, const uint8_t *registers, uint64_t plain)
{
    if (chip >= 0 && chip < CHIPS)
        e->chips[chip].standin = (struct standin){.registers = registers, .plain = plain, .was_told = true};
}

static avr_cycle_count_t byte_is_over(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)when;
    emulator *e = param;
    e->spi.busy = false;
    e->spi.miso = ask_chip(e, e->spi.chip, e->spi.mosi);
    e->spi.flag_was_read = false;
    avr_raise_interrupt(e->avr, e->spi.done);
    return 0;
}

static void check_mode(emulator *e, uint8_t control)
{
    avr_t *avr = e->avr;
    if (control & (DORD | CPOL | CPHA))
        e->counts.wrong_mode++;
    const port_pins *p = &e->ports[SS_PORT];
    bool output = avr->data[p->ddr_reg] >> SS_BIT & 1, high = p->levels >> SS_BIT & 1;
    if (!output && !high)
        e->counts.select_unguarded++;
}

/* 19.5.2: reading SPSR with the flag set, then touching SPDR, clears the flag. */
static void clear_flag(emulator *e)
{
    if (e->spi.flag_was_read)
        avr_clear_interrupt(e->avr, e->spi.done);
    e->spi.flag_was_read = false;
}

static void write_data(avr_t *avr, avr_io_addr_t reg, uint8_t value, void *param)
{
    (void)reg;
    emulator *e = param;
    uint8_t control = avr->data[SPCR];
    if (!(control & SPE) || !(control & MSTR))
        return;
    if (e->spi.busy) {
        e->counts.collisions++;
        avr->data[SPSR] |= WCOL;
        return;
    }
    clear_flag(e);
    check_mode(e, control);
    e->counts.spi_bytes++;
    e->spi.busy = true;
    e->spi.mosi = value;
    e->spi.chip = selected(e);
    avr_cycle_timer_register(avr, byte_cycles(avr), byte_is_over, e);
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t reg, void *param)
{
    emulator *e = param;
    clear_flag(e);
    return avr->data[reg] = e->spi.miso;
}

/* Whether the program is at the first of `in r, SPSR; sbrs r, SPIF; rjmp` back: it only waits for a byte to be over. */
static bool waits_for_byte(const avr_t *avr)
{
    const uint8_t *at = avr->flash + avr->pc;
    uint16_t in = at[0] | at[1] << 8, skip = at[2] | at[3] << 8, jump = at[4] | at[5] << 8;
    return (in & 0xfe0f) == 0xb40d && skip == (0xfe07 | (in & 0x01f0)) && jump == 0xcffd;
}

/* Lets whole rounds of such a loop pass at once, as many as would end before anything else is due. */
static void skip_rounds(avr_t *avr)
{
    enum { ROUND = 4 }; /* cycles: 1 + 1 + 2 */
    if (avr->interrupt_state || avr->run_cycle_count <= ROUND || !waits_for_byte(avr))
        return;
    avr_cycle_count_t skipped = (avr->run_cycle_count - 1) / ROUND * ROUND;
    avr->cycle += skipped;
    avr->run_cycle_count -= skipped;
}

static uint8_t read_status(avr_t *avr, avr_io_addr_t reg, void *param)
{
    emulator *e = param;
    if (e->spi.busy)
        skip_rounds(avr);
    e->spi.flag_was_read = avr->data[reg] & SPIF;
    return avr->data[reg];
}

static void write_status(avr_t *avr, avr_io_addr_t reg, uint8_t value, void *param)
{
    (void)param;
    avr->data[reg] = (avr->data[reg] & ~SPI2X) | (value & SPI2X);
}

void spi_init(emulator *e)
{
    e->spi.done = vector_of(e, SPI_VECTOR);
    answer_register(e, SPDR, read_data, write_data);
    answer_register(e, SPSR, read_status, write_status);
}

void spi_after_reset(emulator *e)
{
    avr_cycle_timer_cancel(e->avr, byte_is_over, e);
    e->avr->data[SPCR] = e->avr->data[SPSR] = 0;
    e->spi.busy = e->spi.flag_was_read = false;
}

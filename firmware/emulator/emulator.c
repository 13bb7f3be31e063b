/* Power, reset, run, memory. */
#include "emulator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "sim_elf.h"

enum { MCUSR = 0x54 };
enum { FIRST_RAM = 0x100 };
enum { LONGEST_RUN = 4000 }; /* cycles between two looks at the clock: a quarter of a millisecond */

enum { INTERRUPT_CYCLES = 4 };

static emulator *running; /* whose run the logger hears of; there is one run at a time in a thread */

static void note_last_words(struct avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    if (!running || level > LOG_WARNING)
        return;
    vsnprintf(running->last_words, sizeof running->last_words, format, arguments);
    running->complained |= level == LOG_ERROR; /* an instruction that does not exist is logged, and passed over */
}

/* Asleep, time only passes: there is no need to wait for it. */
static void pass_time(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr, (void)cycles;
}

static void reset_module(avr_io_t *module)
{
    emulator *e = (emulator *)((char *)module - offsetof(emulator, module));
    e->was_reset = true;
}

void answer_register(emulator *e, uint16_t reg, avr_io_read_t read, avr_io_write_t write)
{
    typeof(e->avr->io[0]) *io = &e->avr->io[AVR_DATA_TO_IO(reg)];
    io->r.c = read;
    io->w.c = write;
    io->r.param = io->w.param = e;
}

avr_int_vector_t *vector_of(emulator *e, int number)
{
    for (int i = 0; i < e->avr->interrupts.vector_count; i++)
        if (e->avr->interrupts.vector[i]->vector == number)
            return e->avr->interrupts.vector[i];
    abort(); /* it is not the processor that this is written for */
}

void set_level(emulator *e, avr_int_vector_t *vector, bool level)
{
    if (level) {
        avr_raise_interrupt(e->avr, vector);
    } else {
        avr_clear_interrupt(e->avr, vector);
        avr_regbit_clear(e->avr, vector->raised);
    }
}

/* An interrupt begins, or has been served. To begin takes four cycles (7.7.1), which libsimavr leaves out. A level that
 * is still there in the end asks again. */
static void interrupt_runs(avr_irq_t *irq, uint32_t begins, void *param)
{
    (void)irq;
    emulator *e = param;
    avr_int_vector_t *levels[] = {e->uart.received, e->uart.room};
    e->avr->cycle += begins ? INTERRUPT_CYCLES : 0;
    for (int i = 0; i < 2 && !begins; i++)
        if (avr_regbit_get(e->avr, levels[i]->raised))
            avr_raise_interrupt(e->avr, levels[i]);
}

static void after_reset(emulator *e)
{
    e->was_reset = false;
    spi_after_reset(e); /* before the pins: a byte that a reset cuts short is not a fault */
    pins_after_reset(e);
    uart_after_reset(e);
    eeprom_after_reset(e);
}

/* The linker's name for the end of all variables, those included that a reset leaves alone. */
static uint32_t end_of_variables(const elf_firmware_t *firmware)
{
    for (uint32_t i = 0; i < firmware->symbolcount; i++)
        if (strcmp(firmware->symbol[i]->symbol, "_end") == 0)
            return firmware->symbol[i]->addr & 0xffff;
    return FIRST_RAM + firmware->datasize + firmware->bsssize;
}

static void switch_on(emulator *e, elf_firmware_t *firmware, uint32_t hz, uint32_t baud)
{
    avr_t *avr = e->avr;
    avr_init(avr);
    firmware->frequency = hz;
    avr_load_firmware(avr, firmware);
    avr->frequency = hz;
    avr->log = LOG_WARNING;
    avr->sleep = pass_time;
    avr->run_cycle_limit = LONGEST_RUN;
    pins_init(e);
    spi_init(e);
    uart_init(e, baud);
    eeprom_init(e);
    e->module.kind = "emulator";
    e->module.reset = reset_module;
    avr_register_io(avr, &e->module);
    for (int i = 0; i < avr->interrupts.vector_count; i++)
        avr_irq_register_notify(avr->interrupts.vector[i]->irq + AVR_INT_IRQ_RUNNING, interrupt_runs, e);
    e->static_end = end_of_variables(firmware);
    memset(avr->data + FIRST_RAM, PAINT, avr->ramend + 1 - FIRST_RAM);
    after_reset(e);
    avr->data[MCUSR] = EMULATOR_POWER;
}

emulator *emulator_open(const char *elf, uint32_t hz, uint32_t baud, char *why, uint32_t room)
{
    avr_global_logger_set(note_last_words);
    elf_firmware_t firmware = {0};
    if (elf_read_firmware(elf, &firmware) != 0 || !firmware.flashsize) {
        snprintf(why, room, "%s is no program for this processor", elf);
        return NULL;
    }
    emulator *e = calloc(1, sizeof *e);
    if (!e || !(e->avr = avr_make_mcu_by_name("atmega328p"))) {
        snprintf(why, room, "libsimavr knows no ATmega328P");
        free(e);
        return NULL;
    }
    switch_on(e, &firmware, hz, baud);
    return e;
}

void emulator_close(emulator *e)
{
    avr_terminate(e->avr);
    free(e->avr);
    free(e);
}

static int state_after(emulator *e, int avr_state)
{
    if (e->broken_off)
        return EMULATOR_BROKEN_OFF;
    return avr_state == cpu_Crashed || e->complained ? EMULATOR_CRASHED : avr_state == cpu_Done ? EMULATOR_STOPPED : EMULATOR_RUNS;
}

static void notice_reset(emulator *e)
{
    if (e->hangs)
        memcpy(e->avr->flash + e->hangs_at, e->hangs_instead_of, 2);
    e->hangs = false;
    e->counts.resets++;
    if (e->avr->data[MCUSR] & EMULATOR_WATCHDOG)
        e->counts.watchdog_resets++;
    after_reset(e);
}

int emulator_run(emulator *e, uint64_t until)
{
    running = e;
    e->broken_off = e->complained = false;
    spi_ask_anew(e);
    int state = e->state == EMULATOR_BROKEN_OFF ? EMULATOR_RUNS : e->state;
    while (state == EMULATOR_RUNS && e->avr->cycle < until) {
        bool slept = e->avr->state == cpu_Sleeping;
        state = state_after(e, avr_run(e->avr));
        e->counts.wakeups += slept && e->avr->state == cpu_Running;
        if (e->was_reset)
            notice_reset(e);
    }
    running = NULL;
    return e->state = state;
}

int emulator_state(const emulator *e)
{
    return e->state;
}

uint64_t emulator_cycle(const emulator *e)
{
    return e->avr->cycle;
}

const char *emulator_last_words(const emulator *e)
{
    return e->last_words;
}

void emulator_reset(emulator *e, int cause)
{
    avr_reset(e->avr);
    e->avr->state = cpu_Running;
    e->avr->data[MCUSR] = (uint8_t)cause;
    e->state = EMULATOR_RUNS;
    notice_reset(e);
}

void emulator_hang(emulator *e)
{
    static const uint8_t JUMP_TO_ITSELF[] = {0xff, 0xcf};
    if (e->hangs)
        return;
    e->hangs = true;
    e->hangs_at = e->avr->pc;
    memcpy(e->hangs_instead_of, e->avr->flash + e->avr->pc, 2);
    memcpy(e->avr->flash + e->avr->pc, JUMP_TO_ITSELF, 2);
}

uint32_t emulator_stack_margin(const emulator *e)
{
    uint32_t at = e->static_end;
    while (at <= e->avr->ramend && e->avr->data[at] == PAINT)
        at++;
    return at - e->static_end;
}

uint32_t emulator_static_ram(const emulator *e)
{
    return e->static_end - FIRST_RAM;
}

uint32_t emulator_ram(const emulator *e)
{
    return e->avr->ramend + 1 - FIRST_RAM;
}

void emulator_poke(emulator *e, uint16_t at, uint8_t value)
{
    e->avr->data[at] = value;
}

void emulator_count(const emulator *e, emulator_counts *counts)
{
    *counts = e->counts;
}

/* The EEPROM as the ATmega328P has it: libsimavr's takes no time to write. Source: its data sheet, which counts its
 * sections differently in each edition, so they are named here: the registers, and "Preventing EEPROM corruption". */
#include "inside.h"

enum { EECR = 0x3f, EEDR = 0x40, EEARL = 0x41, EEARH = 0x42 };
enum { EERE = 0x01, EEPE = 0x02, EEMPE = 0x04, MODES = 0x38 };
enum { WINDOW_CYCLES = 4, READ_HALTS = 4, WRITE_HALTS = 2 }; /* EECR: EEMPE, EERE and EEPE */
enum { WRITE_US = 3400 };                                    /* EECR, table of EEPM; another table has 3.3 ms */

static uint16_t address(const emulator *e)
{
    return (e->avr->data[EEARL] | e->avr->data[EEARH] << 8) % EEPROM_BYTES;
}

static avr_cycle_count_t is_written(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)when;
    eeprom_memory *m = &((emulator *)param)->eeprom;
    m->bytes[m->at] = m->byte;
    m->busy = false;
    return 0;
}

static uint8_t read_control(avr_t *avr, avr_io_addr_t reg, void *param)
{
    const eeprom_memory *m = &((emulator *)param)->eeprom;
    uint8_t modes = avr->data[reg] & MODES;
    return modes | (m->busy ? EEPE : 0) | (avr->cycle <= m->armed_until ? EEMPE : 0);
}

/* While a byte is being written nothing can be read, and no other one written (EECR, EERE). */
static void write_control(avr_t *avr, avr_io_addr_t reg, uint8_t value, void *param)
{
    emulator *e = param;
    eeprom_memory *m = &e->eeprom;
    bool armed = avr->cycle <= m->armed_until;
    avr->data[reg] = value & MODES;
    if (value & EEPE && armed && !m->busy) {
        m->at = address(e);
        m->byte = avr->data[EEDR];
        m->busy = true;
        m->armed_until = 0;
        m->done_at = avr->cycle + (avr_cycle_count_t)WRITE_US * avr->frequency / 1000000;
        avr_cycle_timer_register(avr, m->done_at - avr->cycle, is_written, e);
        avr->cycle += WRITE_HALTS;
        e->counts.eeprom_writes++;
    } else if (value & EEMPE && !armed) {
        m->armed_until = avr->cycle + WINDOW_CYCLES;
    }
    if (value & EERE && !m->busy) {
        avr->data[EEDR] = m->bytes[address(e)];
        avr->cycle += READ_HALTS;
    }
}

void eeprom_init(emulator *e)
{
    memset(e->eeprom.bytes, 0xff, sizeof e->eeprom.bytes);
    answer_register(e, EECR, read_control, write_control);
}

/* A byte that is being written is written to its end, unless the power has gone ("Preventing EEPROM corruption"). */
void eeprom_after_reset(emulator *e)
{
    eeprom_memory *m = &e->eeprom;
    m->armed_until = 0;
    if (m->busy)
        avr_cycle_timer_register(e->avr, m->done_at > e->avr->cycle ? m->done_at - e->avr->cycle : 1, is_written, e);
}

void emulator_cut_power(emulator *e, uint8_t torn)
{
    if (e->eeprom.busy)
        e->eeprom.bytes[e->eeprom.at] = torn;
    e->eeprom.busy = false;
    memset(e->avr->data + e->avr->ioend + 1, PAINT, e->avr->ramend - e->avr->ioend);
    emulator_reset(e, EMULATOR_POWER);
}

void emulator_eeprom_write(emulator *e, uint16_t at, const uint8_t *bytes, uint16_t count)
{
    memcpy(e->eeprom.bytes + at, bytes, count);
}

void emulator_eeprom_read(emulator *e, uint16_t at, uint8_t *bytes, uint16_t count)
{
    memcpy(bytes, e->eeprom.bytes + at, count);
}

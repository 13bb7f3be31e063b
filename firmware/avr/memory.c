#include "memory.h"

#include <avr/eeprom.h>
#include <stddef.h>

#include "hal.h"
#include "wire.h"

/* A number that is kept, and its CRC: bytes that were never written, or half written when the power went away, are no
 * number. Each is kept twice. The first bytes of the EEPROM stay free: an address register that is not set yet, while
 * the power comes or goes, points there. */
struct record {
    uint32_t value;
    uint16_t crc;
};

struct twice {
    struct record record[2];
};

#define SERIAL ((struct twice *)16)
#define BOOT ((struct twice *)32)

/* A CRC of zeros is not zero, nor is that of ones all ones: an erased EEPROM holds no record. */
static uint16_t crc_of(const struct record *record)
{
    return wire_crc((const uint8_t *)&record->value, sizeof record->value);
}

static bool get(const struct record *place, uint32_t *value)
{
    struct record record;
    eeprom_read_block(&record, place, sizeof record);
    if (crc_of(&record) != record.crc)
        return false;
    *value = record.value;
    return true;
}

static void put(struct record *place, uint32_t value)
{
    struct record record = {.value = value};
    record.crc = crc_of(&record);
    eeprom_update_block(&record, place, sizeof record);
}

/* --- The serial number: the same in both places, each of which is mended by the other --------------------------- */

static uint32_t serial_number(void)
{
    uint32_t serial = SATELLITE_SERIAL; /* make flash SERIAL=… */
    if (serial == 0 && !get(&SERIAL->record[0], &serial) && !get(&SERIAL->record[1], &serial))
        return 0;
    put(&SERIAL->record[0], serial);
    put(&SERIAL->record[1], serial);
    return serial;
}

/* --- The count of starts: in both places in turn, so that the one before stays until the next one is whole -------- */

void hal_keep_boot(uint16_t boot)
{
    put(&BOOT->record[boot & 1], boot);
}

static uint16_t count_start(void)
{
    uint32_t even = 0, odd = 0;
    bool has_even = get(&BOOT->record[0], &even), has_odd = get(&BOOT->record[1], &odd);
    uint16_t boot = (uint16_t)(has_even ? even : has_odd ? odd : 0xFFFF);
    if (has_odd && (int16_t)((uint16_t)odd - boot) > 0)
        boot = (uint16_t)odd;
    hal_keep_boot(++boot);
    return boot;
}

struct link_identity memory_start(void)
{
    return (struct link_identity){.serial = serial_number(), .boot = count_start()};
}

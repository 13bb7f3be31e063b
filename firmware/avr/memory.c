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
#define BOOT ((struct record *)32)
#define BOOTS 32 /* places, used in turn: a byte bears 100 000 writes (data sheet), so all bear 3 million starts */

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

/* --- What is being written -------------------------------------------------------------------------------------- */

static uint32_t serial; /* 0: none */
static uint16_t new_boot;
static uint8_t left; /* bytes to write: the record of the count, and before that the serial number's, in both places */

/* A byte takes 3.4 ms (data sheet, EECR), and one that is right already takes none. */
void memory_step(void)
{
    while (left && eeprom_is_ready()) {
        uint8_t at = --left % sizeof(struct record);
        bool is_boot = left < sizeof(struct record);
        struct record *place = is_boot ? &BOOT[new_boot % BOOTS] : &SERIAL->record[left >= 2 * sizeof(struct record)];
        struct record record = {.value = is_boot ? new_boot : serial};
        record.crc = crc_of(&record);
        eeprom_update_byte((uint8_t *)place + at, ((const uint8_t *)&record)[at]);
    }
}

void hal_keep_boot(uint16_t boot)
{
    new_boot = boot;
    left = sizeof(struct record) + (serial ? sizeof(struct twice) : 0);
}

bool hal_boot_is_kept(void)
{
    return left == 0 && eeprom_is_ready();
}

/* --- The serial number: the same in both places, each of which is mended by the other --------------------------- */

static uint32_t serial_number(void)
{
    uint32_t number = SATELLITE_SERIAL; /* make flash SERIAL=… */
    if (number == 0 && !get(&SERIAL->record[0], &number) && !get(&SERIAL->record[1], &number))
        return 0;
    return number;
}

/* --- The count of starts: in all places in turn, so that the one before stays until the next one is whole --------- */

static uint16_t next_boot(void)
{
    uint16_t next = 0;
    uint32_t kept;
    bool any = false;
    for (uint8_t place = 0; place < BOOTS; place++)
        if (get(&BOOT[place], &kept) && (!any || (int16_t)((uint16_t)kept - next) >= 0)) {
            next = (uint16_t)(kept + 1);
            any = true;
        }
    return next;
}

struct link_identity memory_start(void)
{
    serial = serial_number();
    return (struct link_identity){.serial = serial, .boot = next_boot()};
}

#include "memory.h"

#include <avr/eeprom.h>

/* Addresses; the bytes of an EEPROM that was never written are 0xFF. */
#define SERIAL ((uint32_t *)0)
#define BOOT_LOW ((uint8_t *)4)
#define BOOT_HIGH ((uint8_t *)5)

#define NEVER_GIVEN 0xFFFFFFFFUL

/* The high byte first: if the power goes away in between, the count has jumped ahead by up to 255, and no number comes
 * twice. It does after 65,536 starts, and if the power goes away while the EEPROM writes a byte (about 4 ms), that byte
 * may be anything. */
static uint16_t count_start(void)
{
    uint16_t boot = (uint16_t)(eeprom_read_byte(BOOT_LOW) | eeprom_read_byte(BOOT_HIGH) << 8);
    boot++;
    eeprom_update_byte(BOOT_HIGH, (uint8_t)(boot >> 8));
    eeprom_update_byte(BOOT_LOW, (uint8_t)boot);
    return boot;
}

struct link_identity memory_start(void)
{
    if (SATELLITE_SERIAL != 0) /* make flash SERIAL=… */
        eeprom_update_dword(SERIAL, SATELLITE_SERIAL);
    uint32_t serial = eeprom_read_dword(SERIAL);
    return (struct link_identity){
        .serial = serial == NEVER_GIVEN ? 0 : serial,
        .boot = count_start(),
    };
}

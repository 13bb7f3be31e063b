#include "iso14443.h"

#include <string.h>

#define NVB_SELECT 0x70 /* seven whole bytes */

static uint8_t command(uint8_t level)
{
    return (uint8_t)(0x93 + 2 * level);
}

static uint8_t check_byte(const uint8_t *bytes)
{
    return bytes[0] ^ bytes[1] ^ bytes[2] ^ bytes[3];
}

/* CRC_A (ISO 14443-3, annex B): polynomial 0x8408 reflected, start 0x6363. */
uint16_t iso14443_crc(const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = 0x6363;
    while (count--) {
        crc ^= *bytes++;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1;
    }
    return crc;
}

static uint8_t add_crc(uint8_t *frame, uint8_t count)
{
    uint16_t crc = iso14443_crc(frame, count);
    frame[count] = (uint8_t)crc;
    frame[count + 1] = (uint8_t)(crc >> 8);
    return (uint8_t)(count + 2);
}

void iso14443_level(const uint8_t *uid, uint8_t size, uint8_t level, uint8_t bytes[ISO14443_LEVEL])
{
    const uint8_t *part = uid + 3 * level;
    if (part + 4 < uid + size) {
        bytes[0] = ISO14443_CASCADE;
        memcpy(bytes + 1, part, 3);
    } else {
        memcpy(bytes, part, 4);
    }
    bytes[4] = check_byte(bytes);
}

bool iso14443_is_level(const uint8_t bytes[ISO14443_LEVEL])
{
    return bytes[4] == check_byte(bytes);
}

uint8_t iso14443_anticollision(uint8_t *frame, uint8_t level, const uint8_t *known, uint8_t bits)
{
    uint8_t whole = bits / 8, rest = bits % 8;
    frame[0] = command(level);
    frame[1] = (uint8_t)((2 + whole) << 4 | rest);
    memcpy(frame + 2, known, (size_t)(whole + (rest != 0)));
    return (uint8_t)(2 + whole + (rest != 0));
}

uint8_t iso14443_select(uint8_t *frame, uint8_t level, const uint8_t bytes[ISO14443_LEVEL])
{
    frame[0] = command(level);
    frame[1] = NVB_SELECT;
    memcpy(frame + 2, bytes, ISO14443_LEVEL);
    return add_crc(frame, 2 + ISO14443_LEVEL);
}

uint8_t iso14443_halt(uint8_t *frame)
{
    frame[0] = 0x50;
    frame[1] = 0x00;
    return add_crc(frame, 2);
}

bool iso14443_is_sak(const uint8_t *answer, uint8_t count)
{
    return count == 3 && iso14443_crc(answer, 3) == 0;
}

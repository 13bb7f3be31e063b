/* ISO 14443-3 type A: the frames that find, select and halt a tag. Pure byte work. */
#ifndef ISO14443_H
#define ISO14443_H

#include <stdbool.h>
#include <stdint.h>

#define ISO14443_REQA 0x26 /* short frames of 7 bits: wakes tags that are idle */
#define ISO14443_WUPA 0x52 /* … and those that are halted */
#define ISO14443_SHORT 7

#define ISO14443_LEVELS 3
#define ISO14443_LEVEL 5       /* bytes of a cascade level: four, and their check byte */
#define ISO14443_LEVEL_BITS 40
#define ISO14443_FRAME 9       /* bytes of the longest frame: SELECT */
#define ISO14443_CASCADE 0x88  /* first byte of a level that is not the last */
#define ISO14443_MORE 0x04     /* bit of SAK: the UID goes on */

uint16_t iso14443_crc(const uint8_t *bytes, uint8_t count);

/* Four bytes and their check byte of a level (from 0) of a UID of 4, 7 or 10 bytes. */
void iso14443_level(const uint8_t *uid, uint8_t size, uint8_t level, uint8_t bytes[ISO14443_LEVEL]);
bool iso14443_is_level(const uint8_t bytes[ISO14443_LEVEL]); /* whether the check byte is right */

/* Frames. Each returns its length in bytes; of the last one of ANTICOLLISION only `bits % 8` bits count, if not 0. */
uint8_t iso14443_anticollision(uint8_t *frame, uint8_t level, const uint8_t *known, uint8_t bits);
uint8_t iso14443_select(uint8_t *frame, uint8_t level, const uint8_t bytes[ISO14443_LEVEL]);
uint8_t iso14443_halt(uint8_t *frame);

/* Whether this is an answer to SELECT with a right CRC. */
bool iso14443_is_sak(const uint8_t *answer, uint8_t count);

#endif

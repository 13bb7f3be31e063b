#include "search.h"

#include <string.h>

/* Only of the first two levels the first byte may be the cascade tag; in the third it is a byte like any other. */
static bool is_last_level(const struct search *search)
{
    return search->level == ISO14443_LEVELS - 1 || search->bytes[0] != ISO14443_CASCADE;
}

uint8_t search_question(const struct search *search, uint8_t frame[ISO14443_FRAME])
{
    if (search->bits < ISO14443_LEVEL_BITS)
        return iso14443_anticollision(frame, search->level, search->bytes, search->bits);
    return iso14443_select(frame, search->level, search->bytes);
}

/* --- A newcomer ------------------------------------------------------------------------------------------------ */

static void begin_level(struct search *search, uint8_t level)
{
    memset(search, 0, sizeof *search);
    search->level = level;
}

void search_begin(struct search *search, struct tag *tag)
{
    tag->size = 0;
    begin_level(search, 0);
}

/* How many bits are known after this answer; 0: it makes no sense. */
static uint8_t bits_after(const struct search *search, const struct rc522_answer *answer)
{
    uint8_t skipped = search->bits % 8, whole = search->bits - skipped;
    uint8_t stored = whole + 8 * answer->count;
    uint8_t bits = answer->last_bits ? stored - 8 + answer->last_bits : stored;
    if (answer->collision)
        bits = whole + answer->collision + (answer->collision > skipped ? 0 : skipped);
    return bits > search->bits && bits <= ISO14443_LEVEL_BITS && bits <= stored ? bits : 0;
}

/* Takes over the bits that have come, up to the one that collided. That one is taken as it was stored: both values
 * have an owner. The data sheet leaves open whether the position of a collision counts the bits that RxAlign skips. It
 * is read as if it did, unless it lies within those. If that was wrong, the collision was further on, the bit there was
 * received as it is, and the next question finds the collision again. */
static bool merge(struct search *search, const struct rc522_answer *answer)
{
    uint8_t first = search->bits / 8, bits = bits_after(search, answer);
    if (bits == 0)
        return false;
    for (uint8_t bit = search->bits; bit < bits; bit++)
        search->bytes[bit / 8] |= answer->bytes[bit / 8 - first] & 1 << bit % 8;
    search->bits = bits;
    return bits < ISO14443_LEVEL_BITS || iso14443_is_level(search->bytes);
}

static enum search_state selected(struct search *search, struct tag *tag, uint8_t sak)
{
    bool last = is_last_level(search);
    if (last == !!(sak & ISO14443_MORE))
        return SEARCH_FAILED;
    uint8_t size = last ? 4 : 3;
    memcpy(tag->uid + tag->size, search->bytes + 4 - size, size);
    tag->size += size;
    if (last)
        return SEARCH_FOUND;
    begin_level(search, search->level + 1);
    return SEARCH_ASKS;
}

enum search_state search_goes_on(struct search *search, struct tag *tag, const struct rc522_answer *answer)
{
    if (search->bits < ISO14443_LEVEL_BITS)
        return merge(search, answer) ? SEARCH_ASKS : SEARCH_FAILED;
    if (answer->collision || !iso14443_is_sak(answer->bytes, answer->count))
        return SEARCH_FAILED;
    return selected(search, tag, answer->bytes[0]);
}

/* --- A tag that is known --------------------------------------------------------------------------------------- */

static void begin_known_level(struct search *search, const struct tag *tag, uint8_t level)
{
    search->level = level;
    search->bits = ISO14443_LEVEL_BITS;
    iso14443_level(tag->uid, tag->size, level, search->bytes);
}

void search_begin_known(struct search *search, const struct tag *tag)
{
    begin_known_level(search, tag, 0);
}

enum search_state search_known_goes_on(struct search *search, const struct tag *tag, const struct rc522_answer *answer)
{
    if (answer->collision || !iso14443_is_sak(answer->bytes, answer->count))
        return SEARCH_FAILED;
    if (is_last_level(search))
        return SEARCH_FOUND;
    begin_known_level(search, tag, search->level + 1);
    return SEARCH_ASKS;
}

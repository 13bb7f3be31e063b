#include "search.h"

#include <string.h>

/* As far as its bytes tell: in the last level 0x88 is a byte like any other. */
static bool goes_on(const struct search *search)
{
    return search->level < ISO14443_LEVELS - 1 && search->bytes[0] == ISO14443_CASCADE;
}

uint8_t search_question(const struct search *search, uint8_t frame[ISO14443_FRAME])
{
    if (!search_selects(search))
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

static void take_over(struct search *search, struct tag *tag, uint8_t size)
{
    memcpy(tag->uid + tag->size, search->bytes + 4 - size, size);
    tag->size += size;
}

/* The tag itself says whether this was its last level: so that one may begin with 0x88, though no maker should give
 * such a number (ISO 14443-3, 6.4.4). */
static enum search_state selected(struct search *search, struct tag *tag, uint8_t sak)
{
    if (!(sak & ISO14443_MORE)) {
        take_over(search, tag, 4);
        return SEARCH_FOUND;
    }
    return search_skips(search, tag) ? SEARCH_ASKS : SEARCH_FAILED;
}

bool search_selects(const struct search *search)
{
    return search->bits == ISO14443_LEVEL_BITS;
}

bool search_skips(struct search *search, struct tag *tag)
{
    if (!search_selects(search) || !goes_on(search))
        return false;
    take_over(search, tag, 3);
    begin_level(search, search->level + 1);
    return true;
}

enum search_state search_goes_on(struct search *search, struct tag *tag, const struct rc522_answer *answer)
{
    if (!search_selects(search))
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
    return search_known_skips(search, tag) ? SEARCH_ASKS : SEARCH_FOUND;
}

bool search_known_skips(struct search *search, const struct tag *tag)
{
    if (3 * search->level + 4 >= tag->size)
        return false;
    begin_known_level(search, tag, search->level + 1);
    return true;
}

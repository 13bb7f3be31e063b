/* Answers for an MFRC522 that stands still: reads those of its registers that a look does not change, as 8.1.2 of its
 * data sheet says, so that the chip itself, which may be far away and slow, is asked for the rest only.
 *
 * A chip says with an answer that nothing in it will change until it is asked again. Code that
 * changes chips in another way, by a fault or a reset, has to clear `still`. */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stdint.h>

struct standin {
    const uint8_t *registers; /* 64 of them; NULL: the chip is asked for every byte */
    uint64_t plain;           /* a bit for each that a look does not change */
    bool still;
    bool reads;    /* what goes on is a read, each byte of which is the next address */
    bool was_told; /* the chip itself has heard the address */
    uint8_t address;
};

/* In an answer: nothing changes. In `fresh`: the chip was selected and told an address, which follows in the low byte,
 * without having been asked. */
enum { STANDIN_STILL = 0x100, STANDIN_BEGUN = 0x100 };

static inline uint8_t standin_register(const struct standin *s)
{
    return s->address >> 1 & 0x3f;
}

static inline bool standin_can_answer(const struct standin *s, bool fresh)
{
    return s->still && (fresh || (s->reads && s->plain >> standin_register(s) & 1));
}

static inline void standin_note(struct standin *s, bool fresh, uint8_t mosi, bool was_told)
{
    if (fresh)
        s->reads = mosi & 0x80;
    if (fresh || s->reads)
        s->address = mosi;
    s->was_told = was_told;
}

static inline uint8_t standin_answer(struct standin *s, bool fresh, uint8_t mosi)
{
    uint8_t miso = fresh ? 0x00 : s->registers[standin_register(s)];
    standin_note(s, fresh, mosi, false);
    return miso;
}

/* What a chip that is asked again has to know first. */
static inline int standin_fresh(const struct standin *s, bool fresh)
{
    if (fresh || s->was_told)
        return fresh;
    return STANDIN_BEGUN | s->address | (s->reads ? 0x80 : 0);
}

static inline uint8_t standin_heard(struct standin *s, bool fresh, uint8_t mosi, int answer)
{
    s->still = s->registers && answer >= 0 && answer & STANDIN_STILL;
    standin_note(s, fresh, mosi, true);
    return (uint8_t)answer;
}

#endif

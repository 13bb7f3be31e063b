/* The tags that lie on one pad, and when they are believed to be gone. Pure: no chip and no line. */
#ifndef TAGS_H
#define TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

#define TAGS_ROOM 4            /* the bound: more are told as UNCLEAR. A reader sees about two stacked ones. */
#define TAGS_MISSES 5          /* a tag is gone when it was silent so often in a row … */
#define TAGS_GONE_MS 300       /* … and for so long, … */
#define TAGS_GONE_WEAK_MS 1000 /* … or so long, as long as it is not proven: it may be weak */
#define TAGS_PROVING 8         /* calls in a row that a newcomer has answered, and all of each: it is proven, … */
#define TAGS_PROVING_LATER 100 /* … and so many, if it was missed more than once in a row */

struct tag {
    uint8_t uid[WIRE_UID];
    uint8_t size : 4, misses : 3;
    uint8_t anew : 1;     /* it lost its power since it was last seen: the field was switched off and on */
    uint8_t to_prove : 7; /* calls until it is proven; while it is missed: as it was before */
    uint8_t doubted : 1;  /* its last call proves nothing. That counts when it is seen again: so a hand begins, too */
    uint16_t missing_ms;  /* when it was missed for the first time in a row */
};

struct tags {
    struct tag tag[TAGS_ROOM + 1]; /* behind the last one there may stand one that is being read */
    uint8_t count;
};

/* Which tag has the UID of another one; TAGS_ROOM: none. */
uint8_t tags_find(const struct tags *tags, const struct tag *tag);

/* The one that is being read is one of them now. There must be room. It has yet to prove that it always answers. */
void tags_add(struct tags *tags);
void tags_remove(struct tags *tags, uint8_t which);

void tags_seen(struct tag *tag, bool hardly); /* `hardly`: it left a question unanswered, or had lost its power */
void tags_missed(struct tag *tag, uint16_t now_ms); /* only silence of a reader that works may be told here */

/* A tag could not be read, and may have drowned any of them: what was missed so far does not count. */
void tags_excuse(struct tags *tags);

/* The field was switched off and on: a missing tag has to be missed again. */
void tags_ask_anew(struct tags *tags);

/* The next one behind this one that is missing; TAGS_ROOM: none. */
uint8_t tags_missing(const struct tags *tags, uint8_t behind);

/* One that was silent often enough and for long enough; TAGS_ROOM: none. */
uint8_t tags_overdue(const struct tags *tags, uint16_t now_ms);

#endif

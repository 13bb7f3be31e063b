/* The tags that lie on one pad, and when they are believed to be gone. Pure: no chip and no line. */
#ifndef TAGS_H
#define TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

#define TAGS_ROOM 4               /* the bound: more are told as UNCLEAR. A reader sees about two stacked ones. */
#define TAGS_MISSES 3             /* a tag is gone when it was silent so often in a row … */
#define TAGS_GONE_MS 300          /* … and was last seen so long ago, … */
#define TAGS_GONE_UNCLEAR_MS 3000 /* … or so long while its pad is unclear */

struct tag {
    uint8_t uid[WIRE_UID];
    uint8_t size : 4, misses : 4;
    uint16_t seen_ms;
};

struct tags {
    struct tag tag[TAGS_ROOM]; /* behind the last one there may stand one that is being read */
    uint8_t count;
};

/* Which tag has the UID of another one; TAGS_ROOM: none. */
uint8_t tags_find(const struct tags *tags, const struct tag *tag);
void tags_seen(struct tag *tag, uint16_t now_ms);

/* It was silent. True if it is gone by now: for `gone_ms`. Only silence of a reader that works may be told here. */
bool tags_missed(struct tag *tag, uint16_t now_ms, uint16_t gone_ms);
void tags_remove(struct tags *tags, uint8_t which);

#endif

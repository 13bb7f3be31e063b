#include "tags.h"

#include <string.h>

uint8_t tags_find(const struct tags *tags, const struct tag *tag)
{
    for (uint8_t i = 0; i < tags->count; i++)
        if (tags->tag[i].size == tag->size && memcmp(tags->tag[i].uid, tag->uid, tag->size) == 0)
            return i;
    return TAGS_ROOM;
}

void tags_seen(struct tag *tag, uint16_t now_ms)
{
    tag->misses = 0;
    tag->seen_ms = now_ms;
}

bool tags_missed(struct tag *tag, uint16_t now_ms, uint16_t gone_ms)
{
    if (tag->misses < TAGS_MISSES)
        tag->misses++;
    return tag->misses == TAGS_MISSES && (uint16_t)(now_ms - tag->seen_ms) >= gone_ms;
}

void tags_remove(struct tags *tags, uint8_t which)
{
    tags->count--;
    memmove(&tags->tag[which], &tags->tag[which + 1], (size_t)(tags->count - which) * sizeof(struct tag));
}

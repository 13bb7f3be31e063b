#include "tags.h"

#include <string.h>

uint8_t tags_find(const struct tags *tags, const struct tag *tag)
{
    for (uint8_t i = 0; i < tags->count; i++)
        if (tags->tag[i].size == tag->size && memcmp(tags->tag[i].uid, tag->uid, tag->size) == 0)
            return i;
    return TAGS_ROOM;
}

void tags_add(struct tags *tags)
{
    struct tag *tag = &tags->tag[tags->count++];
    tag->misses = tag->anew = tag->doubted = 0;
    tag->to_prove = TAGS_PROVING;
}

void tags_remove(struct tags *tags, uint8_t which)
{
    tags->count--;
    memmove(&tags->tag[which], &tags->tag[which + 1], (size_t)(tags->count - which) * sizeof(struct tag));
}

void tags_seen(struct tag *tag, bool hardly)
{
    if (tag->misses > 1)
        tag->to_prove = TAGS_PROVING_LATER;
    else if ((tag->doubted || tag->misses) && tag->to_prove < TAGS_PROVING)
        tag->to_prove = TAGS_PROVING;
    else if (!hardly && tag->to_prove)
        tag->to_prove--;
    tag->doubted = hardly;
    tag->misses = tag->anew = 0;
}

void tags_missed(struct tag *tag, uint16_t now_ms)
{
    if (tag->misses == 0)
        tag->missing_ms = now_ms;
    if (tag->misses < TAGS_MISSES)
        tag->misses++;
}

void tags_excuse(struct tags *tags)
{
    for (uint8_t i = 0; i < tags->count; i++) {
        tags->tag[i].misses = 0;
        tags->tag[i].doubted = 1;
    }
}

void tags_ask_anew(struct tags *tags)
{
    for (uint8_t i = 0; i < tags->count; i++) {
        if (tags->tag[i].misses)
            tags->tag[i].misses = 1;
        tags->tag[i].anew = 1;
    }
}

uint8_t tags_missing(const struct tags *tags, uint8_t behind)
{
    for (uint8_t step = 1; step <= tags->count; step++) {
        uint8_t which = (uint8_t)(behind + step) % tags->count;
        if (tags->tag[which].misses)
            return which;
    }
    return TAGS_ROOM;
}

uint8_t tags_overdue(const struct tags *tags, uint16_t now_ms)
{
    for (uint8_t i = 0; i < tags->count; i++) {
        const struct tag *tag = &tags->tag[i];
        uint16_t gone_ms = tag->to_prove ? TAGS_GONE_WEAK_MS : TAGS_GONE_MS;
        if (tag->misses == TAGS_MISSES && (uint16_t)(now_ms - tag->missing_ms) >= gone_ms)
            return i;
    }
    return TAGS_ROOM;
}

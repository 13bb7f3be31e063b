#include "events.h"

#include <string.h>

static struct {
    struct wire_event ring[EVENTS_ROOM];
    uint8_t oldest; /* index in the ring */
    uint8_t kept;
    uint16_t first; /* number of the oldest one */
    uint16_t dropped;
} events;

void events_start(void)
{
    memset(&events, 0, sizeof events);
}

void events_tell(uint32_t at_ms, uint8_t pad, uint8_t kind, const uint8_t *content, uint8_t size)
{
    if (events.kept == EVENTS_ROOM) {
        if (events.dropped < 0xFFFF)
            events.dropped++;
        return;
    }
    struct wire_event *event = &events.ring[(uint8_t)(events.oldest + events.kept) % EVENTS_ROOM];
    event->at_ms = at_ms;
    event->pad = pad;
    event->kind = kind;
    event->size = size;
    if (size)
        memcpy(event->content, content, size);
    events.kept++;
}

uint8_t events_kept(void)
{
    return events.kept;
}

uint8_t events_free(void)
{
    return (uint8_t)(EVENTS_ROOM - events.kept);
}

uint16_t events_first(void)
{
    return events.first;
}

uint16_t events_next(void)
{
    return (uint16_t)(events.first + events.kept);
}

const struct wire_event *events_at(uint8_t age)
{
    return &events.ring[(uint8_t)(events.oldest + age) % EVENTS_ROOM];
}

bool events_forget(uint8_t count, uint32_t now_ms)
{
    events.oldest = (uint8_t)(events.oldest + count) % EVENTS_ROOM;
    events.kept = (uint8_t)(events.kept - count);
    events.first = (uint16_t)(events.first + count);
    if (events.dropped == 0 || count == 0)
        return false;
    uint8_t lost[2] = {(uint8_t)events.dropped, (uint8_t)(events.dropped >> 8)};
    events.dropped = 0;
    events_tell(now_ms, WIRE_WHOLE, WIRE_LOST, lost, sizeof lost);
    return true;
}

#include "events.h"

#include <string.h>

static struct {
    struct wire_event ring[EVENTS_ROOM];
    uint8_t oldest; /* index in the ring */
    uint8_t kept;
    uint16_t first; /* number of the oldest one */
    uint16_t dropped;
    bool listened;
} events;

void events_start(void)
{
    memset(&events, 0, sizeof events);
}

static bool outlasts_a_session(uint8_t kind)
{
    return kind == WIRE_PLACED || kind == WIRE_PRESSED || kind == WIRE_HELD || kind == WIRE_LOST ||
           kind == WIRE_STARTED;
}

static struct wire_event *place(uint8_t age)
{
    return &events.ring[(uint8_t)(events.oldest + age) % EVENTS_ROOM];
}

void events_listened(bool listened, uint8_t sent)
{
    events.listened = listened;
    uint8_t kept = sent;
    for (uint8_t age = sent; age < events.kept; age++)
        if (outlasts_a_session(place(age)->kind))
            *place(kept++) = *place(age);
    events.kept = kept;
}

void events_tell(uint32_t at_ms, uint8_t pad, uint8_t kind, const uint8_t *content, uint8_t size)
{
    if (!events.listened && !outlasts_a_session(kind))
        return;
    if (events.kept == EVENTS_ROOM) {
        if (events.dropped < 0xFFFF)
            events.dropped++;
        return;
    }
    struct wire_event *event = place(events.kept);
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
    return place(age);
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

#include "pad.h"

#include <string.h>

#include "events.h"

static struct pad pads[WIRE_PADS];
static uint32_t step_ms;

void pad_forget_all(void)
{
    memset(pads, 0, sizeof pads);
}

struct pad *pad_at(uint8_t number)
{
    return &pads[number];
}

uint8_t pad_number(const struct pad *pad)
{
    return (uint8_t)(pad - pads);
}

void pad_set_time(uint32_t now_ms)
{
    step_ms = now_ms;
}

uint16_t pad_now(void)
{
    return (uint16_t)step_ms;
}

void pad_enter(struct pad *pad, enum pad_state state)
{
    pad->state = state;
    pad->since_ms = pad_now();
}

bool pad_has_lasted(const struct pad *pad, uint16_t ms)
{
    return (uint16_t)(pad_now() - pad->since_ms) >= ms;
}

void pad_tell(const struct pad *pad, enum wire_kind kind, const uint8_t *content, uint8_t size)
{
    events_tell(step_ms, pad_number(pad), kind, content, size);
}

#include "wire.h"

#include <string.h>

#define TOO_LONG WIRE_FRAME

/* --- Frames ---------------------------------------------------------------------------------------------------- */

uint16_t wire_crc(const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = 0xFFFF;
    while (count--) {
        crc ^= (uint16_t)((uint16_t)*bytes++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

/* COBS: each zero becomes the distance to the next one. So little data never needs a second overhead byte. */
static uint8_t stuff(const uint8_t *bytes, uint8_t count, uint8_t *stuffed)
{
    uint8_t distance_at = 0, at = 1;
    for (uint8_t i = 0; i < count; i++) {
        if (bytes[i]) {
            stuffed[at++] = bytes[i];
        } else {
            stuffed[distance_at] = (uint8_t)(at - distance_at);
            distance_at = at++;
        }
    }
    stuffed[distance_at] = (uint8_t)(at - distance_at);
    return at;
}

uint8_t wire_frame(const uint8_t *payload, uint8_t count, uint8_t frame[WIRE_FRAME])
{
    uint8_t whole[WIRE_PAYLOAD + 2];
    uint16_t crc = wire_crc(payload, count);
    memcpy(whole, payload, count);
    whole[count] = (uint8_t)crc;
    whole[count + 1] = (uint8_t)(crc >> 8);
    uint8_t length = stuff(whole, (uint8_t)(count + 2), frame);
    frame[length] = 0;
    return (uint8_t)(length + 1);
}

/* Undoes the stuffing where it stands. Returns the new length, or WIRE_BAD. */
static uint8_t unstuff(uint8_t *bytes, uint8_t count)
{
    uint8_t from = 0, to = 0;
    while (from < count) {
        if (from > 0)
            bytes[to++] = 0;
        uint8_t distance = bytes[from++];
        if (distance - 1 > count - from)
            return WIRE_BAD;
        for (uint8_t i = 1; i < distance; i++)
            bytes[to++] = bytes[from++];
    }
    return to;
}

static uint8_t end(struct wire_splitter *splitter)
{
    uint8_t count = splitter->count;
    splitter->count = 0;
    if (count == 0)
        return 0;
    if (count == TOO_LONG)
        return WIRE_BAD;
    count = unstuff(splitter->held, count);
    if (count == WIRE_BAD || count < 3)
        return WIRE_BAD;
    count = (uint8_t)(count - 2);
    const uint8_t *crc = splitter->held + count;
    return wire_crc(splitter->held, count) == (crc[0] | (uint16_t)crc[1] << 8) ? count : WIRE_BAD;
}

uint8_t wire_take(struct wire_splitter *splitter, uint8_t byte)
{
    if (byte == 0)
        return end(splitter);
    if (splitter->count < sizeof splitter->held)
        splitter->held[splitter->count++] = byte;
    else
        splitter->count = TOO_LONG;
    return 0;
}

/* --- Messages -------------------------------------------------------------------------------------------------- */

static uint16_t get16(const uint8_t *from)
{
    return (uint16_t)(from[0] | (uint16_t)from[1] << 8); /* an int of 16 bits has no room for the highest one */
}

static uint32_t get32(const uint8_t *from)
{
    return get16(from) | (uint32_t)get16(from + 2) << 16;
}

static uint8_t *put16(uint8_t *to, uint16_t value)
{
    *to++ = (uint8_t)value;
    *to++ = (uint8_t)(value >> 8);
    return to;
}

static uint8_t *put32(uint8_t *to, uint32_t value)
{
    return put16(put16(to, (uint16_t)value), (uint16_t)(value >> 16));
}

bool wire_read(const uint8_t *payload, uint8_t count, struct wire_message *message)
{
    const uint8_t *content = payload + 1;
    *message = (struct wire_message){.type = payload[0]};
    switch (message->type) {
    case WIRE_HELLO: /* in every version it begins with version and session */
        if (count < 6)
            return false;
        message->version = content[0];
        message->session = get32(content + 1);
        return count == 6 || message->version != WIRE_VERSION;
    case WIRE_PING:
        return count == 1;
    case WIRE_ACK:
        if (count != 3)
            return false;
        message->next = get16(content);
        return true;
    case WIRE_ORDER:
        if (count != 5)
            return false;
        message->number = content[0];
        message->command = content[1];
        message->pad = content[2];
        message->value = content[3];
        return true;
    default:
        return false;
    }
}

uint8_t wire_write_welcome(uint8_t *payload, const struct wire_welcome *welcome)
{
    uint8_t *to = payload;
    *to++ = WIRE_WELCOME;
    *to++ = WIRE_VERSION;
    to = put32(to, welcome->session);
    to = put32(to, welcome->serial);
    to = put16(to, welcome->boot);
    *to++ = welcome->major;
    *to++ = welcome->minor;
    *to++ = WIRE_PADS;
    *to++ = WIRE_READERS | WIRE_BUTTONS | WIRE_LAMPS | WIRE_BUZZER;
    to = put16(to, welcome->next);
    to = put16(to, welcome->fresh);
    *to++ = welcome->room;
    return (uint8_t)(to - payload);
}

uint8_t wire_write_status(uint8_t *payload, uint8_t kept, uint16_t overruns, uint16_t bad)
{
    payload[0] = WIRE_STATUS;
    payload[1] = kept;
    put16(put16(payload + 2, overruns), bad);
    return 6;
}

uint8_t wire_write_event(uint8_t *payload, uint16_t number, uint16_t age_ms, const struct wire_event *event)
{
    payload[0] = WIRE_EVENT;
    uint8_t *to = put16(put16(payload + 1, number), age_ms);
    *to++ = event->pad;
    *to++ = event->kind;
    memcpy(to, event->content, event->size);
    return (uint8_t)(7 + event->size);
}

uint8_t wire_write_done(uint8_t *payload, uint8_t number, uint8_t result)
{
    payload[0] = WIRE_DONE;
    payload[1] = number;
    payload[2] = result;
    return 3;
}

uint8_t wire_write_stranger(uint8_t *payload)
{
    payload[0] = WIRE_STRANGER;
    return 1;
}

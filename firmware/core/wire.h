/* The wire to the host, as in docs/wire.md: frames and messages. Bytes in, bytes out; no line and no clock. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stdint.h>

#define WIRE_VERSION 1
#define WIRE_PAYLOAD 24
#define WIRE_FRAME (WIRE_PAYLOAD + 4) /* two bytes of CRC, one of COBS, and the zero */
#define WIRE_PADS 5
#define WIRE_WHOLE 0xFF               /* in place of a pad: the whole satellite */
#define WIRE_UID 10                   /* bytes of the longest UID, and of the longest content of an event */

enum wire_type {
    WIRE_HELLO = 0x01,
    WIRE_PING,
    WIRE_ACK,
    WIRE_ORDER,
    WIRE_WELCOME = 0x41,
    WIRE_STATUS,
    WIRE_EVENT,
    WIRE_DONE,
    WIRE_STRANGER
};

enum wire_kind {
    WIRE_PLACED = 0x01,
    WIRE_REMOVED,
    WIRE_FOUND,
    WIRE_READY,
    WIRE_FAULT,
    WIRE_UNCLEAR,
    WIRE_PRESSED,
    WIRE_HELD,
    WIRE_STUCK,
    WIRE_LOST,
    WIRE_STARTED,
    WIRE_COPY
};

enum wire_fault { WIRE_WELL = 0, WIRE_NO_CHIP, WIRE_HANGS, WIRE_WRONG };
enum wire_cause { WIRE_POWER = 1, WIRE_RESET = 2, WIRE_BROWN_OUT = 4, WIRE_WATCHDOG = 8, WIRE_CAUSES = 15 };
enum wire_command { WIRE_LIGHT = 0x01, WIRE_SOUND };
enum wire_result { WIRE_OBEYED = 0, WIRE_UNKNOWN, WIRE_OUT_OF_RANGE };
enum wire_feature { WIRE_READERS = 1, WIRE_BUTTONS = 2, WIRE_LAMPS = 4, WIRE_BUZZER = 8 };

/* --- Frames ---------------------------------------------------------------------------------------------------- */

/* CRC-16/CCITT-FALSE. */
uint16_t wire_crc(const uint8_t *bytes, uint8_t count);

/* A payload of 1 to WIRE_PAYLOAD bytes as it goes over the line. Returns the length, with the zero. */
uint8_t wire_frame(const uint8_t *payload, uint8_t count, uint8_t frame[WIRE_FRAME]);

/* Cuts a stream of bytes into payloads. All zero at the start. */
struct wire_splitter {
    uint8_t held[WIRE_FRAME - 1]; /* what has come of a frame; when it is whole, its payload */
    uint8_t count;                /* WIRE_FRAME: too long already */
};

#define WIRE_BAD 0xFF

/* Takes one byte. Returns 0 if no frame ends with it, WIRE_BAD if one ends that cannot be read, else the length of
 * the payload, which stands in `held` until the next byte is taken. */
uint8_t wire_take(struct wire_splitter *splitter, uint8_t byte);

/* --- Messages -------------------------------------------------------------------------------------------------- */

/* What a host says. Fields of other types are 0. */
struct wire_message {
    uint8_t type;
    uint8_t version;  /* HELLO */
    uint32_t session;
    uint16_t next;    /* ACK */
    uint8_t number;   /* ORDER */
    uint8_t command;
    uint8_t pad;
    uint8_t value;
};

/* False if it is no message of a host: unknown type or wrong length. */
bool wire_read(const uint8_t *payload, uint8_t count, struct wire_message *message);

struct wire_welcome {
    uint32_t session, serial;
    uint16_t boot, next, fresh;
    uint8_t major, minor, room;
};

struct wire_event {
    uint32_t at_ms;
    uint8_t pad;
    uint8_t kind : 4, size : 4;
    uint8_t content[WIRE_UID];
};

/* What a satellite says: each writes a payload of at most WIRE_PAYLOAD bytes and returns its length. */
uint8_t wire_write_welcome(uint8_t *payload, const struct wire_welcome *welcome);
uint8_t wire_write_status(uint8_t *payload, uint8_t kept, uint16_t overruns, uint16_t bad);
uint8_t wire_write_event(uint8_t *payload, uint16_t number, uint16_t age_ms, const struct wire_event *event);
uint8_t wire_write_done(uint8_t *payload, uint8_t number, uint8_t result);
uint8_t wire_write_stranger(uint8_t *payload);

#endif

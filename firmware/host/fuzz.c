/* Bytes of chance into the whole core: the line, the readers' chips, the buttons and the time all come from them. What
 * is looked for is found by ASan and UBSan; besides, the core must not misuse its surroundings (host_mistakes), and
 * whatever it sends must be frames that it could read itself.
 *
 * With libFuzzer: make fuzz. Without: fuzz_once.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "host.h"
#include "iso14443.h"
#include "rc522.h"
#include "satellite.h"
#include "wire.h"

static struct {
    const uint8_t *at, *end;
} input;

static uint8_t chance(void)
{
    return input.at < input.end ? *input.at++ : 0;
}

/* --- Chips that remember what was written, so that the core believes in them; their tags say anything ------------ */

enum { COMMAND = 0x01, COM_IRQ = 0x04, ERROR = 0x06, FIFO = 0x09, LEVEL = 0x0A, MODE = 0x11, VERSION = 0x37 };
enum { CONTROL = 0x0C, FRAMING = 0x0D, COLL = 0x0E, COLLIDED = 0x08, SELECT = 0x70, SOFT_RESET = 0x0F, SENT = 0x40 };

/* What they hold after a reset, from MODE on. */
static const uint8_t AFTER_RESET[] = {0x3F, 0,    0, 0x80, 0, 0x10, 0x84, 0x84, 0x4D, 0,    0,    0x62, 0,
                                      0,    0xEB, 0, 0,    0, 0,    0x26, 0,    0x48, 0x88, 0x20, 0x20};

static struct chip {
    uint8_t registers[64], address;
    uint8_t answer[RC522_ANSWER], size, level;
    uint8_t asked, selects; /* bytes of the question, and whether it is SELECT */
    uint8_t started;        /* it was sent */
    uint8_t gone;           /* says nothing when it is asked for its version */
} chips[WIRE_PADS];

static uint8_t well_formed(uint8_t *answer, uint8_t what, bool sak)
{
    uint8_t uid[WIRE_UID];
    if (sak) {
        answer[0] = what & 2 ? ISO14443_MORE : 0;
        uint16_t crc = iso14443_crc(answer, 1);
        answer[1] = (uint8_t)crc;
        answer[2] = (uint8_t)(crc >> 8);
        return 3;
    }
    for (uint8_t i = 0; i < sizeof uid; i++)
        uid[i] = chance() & 1; /* few, so that the same tag is often met again */
    iso14443_level(uid, what & 2 ? 10 : 4, 0, answer);
    return ISO14443_LEVEL;
}

/* Decides what comes of a question when the core asks for the first time. */
static uint8_t outcome(struct chip *chip)
{
    uint8_t what = chance();
    chip->registers[ERROR] = chip->registers[CONTROL] = 0;
    chip->gone = what == 0xFA; /* now and then a plug is pulled */
    chip->level = 0;
    switch (what & 7) {
    case 0:
        return chance(); /* anything */
    case 1: /* so many bits, with any error, or with a collision at any bit */
        chip->registers[ERROR] = what & 8 ? chance() : COLLIDED;
        chip->registers[CONTROL] = what & 16 ? chance() : 0;
        chip->size = chip->level = chance() % (RC522_ANSWER + 1);
        return SENT | 0x20;
    case 2:
    case 3:
        return SENT | 0x01; /* silence */
    default:
        chip->size = chip->level = well_formed(chip->answer, what >> 3, what >> 5 ? chip->selects : what & 8);
        return SENT | 0x20;
    }
}

static uint8_t value_of(struct chip *chip, uint8_t number)
{
    switch (number) {
    case VERSION:
        return chip->gone ? chip->gone = 0 : 0x92;
    case COM_IRQ:
        return chip->started ? outcome(chip) : 0;
    case LEVEL:
        return chip->started ? chip->level : chip->asked;
    case FIFO:
        return chip->level ? chip->answer[chip->size - chip->level--] : chance();
    case ERROR:
    case CONTROL:
        return chip->registers[number];
    case COLL:
        return chance();
    default:
        return number > COMMAND && number < MODE ? chance() & 0xF8 : chip->registers[number];
    }
}

static void reset(struct chip *chip)
{
    memset(chip, 0, sizeof *chip);
    memcpy(chip->registers + MODE, AFTER_RESET, sizeof AFTER_RESET);
}

static void note_question(struct chip *chip, uint8_t number, uint8_t byte)
{
    if (number == COMMAND && byte == SOFT_RESET)
        reset(chip);
    else if (number == LEVEL)
        chip->asked = chip->started = 0; /* flushed */
    else if (number == FIFO && ++chip->asked == 2)
        chip->selects = byte == SELECT;
    else if (number == FRAMING && byte & 0x80)
        chip->started = 1;
}

static int exchange(int pad, int mosi, int fresh, uint32_t octets)
{
    (void)octets;
    struct chip *chip = &chips[pad];
    uint8_t before = chip->address;
    if (fresh || before & 0x80)
        chip->address = (uint8_t)(fresh ? mosi : mosi | 0x80);
    if (fresh)
        return 0;
    if (before & 0x80)
        return value_of(chip, before >> 1 & 0x3F);
    chip->registers[before >> 1 & 0x3F] = (uint8_t)mosi;
    note_question(chip, before >> 1 & 0x3F, (uint8_t)mosi);
    return 0;
}

/* --- The line --------------------------------------------------------------------------------------------------- */

struct fuzz_counts fuzz_counts;
static uint8_t newest[2]; /* the number behind the newest event, as an acknowledgement has it */

static void give_frame(void)
{
    uint8_t payload[WIRE_PAYLOAD], frame[WIRE_FRAME];
    uint8_t count = 1 + chance() % WIRE_PAYLOAD;
    for (uint8_t i = 0; i < count; i++)
        payload[i] = chance();
    if (payload[0] & 0x80) { /* often enough a message */
        static const uint8_t LENGTHS[] = {6, 1, 3, 5};
        payload[0] = (uint8_t)(WIRE_HELLO + payload[0] % 4);
        count = LENGTHS[payload[0] - WIRE_HELLO];
        if (payload[0] == WIRE_HELLO && payload[1] & 3)
            payload[1] = WIRE_VERSION;
        if (payload[0] == WIRE_ACK && payload[1] & 3)
            memcpy(payload + 1, newest, sizeof newest);
        if (payload[0] == WIRE_ORDER && payload[2] & 3)
            payload[2] = 1 + payload[2] % 2, payload[3] %= WIRE_PADS + 1, payload[4] %= 6;
    }
    fuzz_counts.line += host_give(frame, wire_frame(payload, count, frame));
}

static void take_frames(void)
{
    static struct wire_splitter splitter;
    uint8_t bytes[64];
    uint32_t count = host_take(bytes, sizeof bytes);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t length = wire_take(&splitter, bytes[i]);
        if (length == WIRE_BAD) {
            fputs("the core has sent a frame that cannot be read\n", stderr);
            abort();
        }
        fuzz_counts.answers += length && splitter.held[0] != WIRE_EVENT;
        if (length && splitter.held[0] == WIRE_EVENT) {
            fuzz_counts.events++;
            uint16_t next = (uint16_t)((splitter.held[1] | splitter.held[2] << 8) + 1);
            newest[0] = (uint8_t)next;
            newest[1] = (uint8_t)(next >> 8);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input.at = data;
    input.end = data + size;
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++)
        reset(&chips[pad]);
    take_frames(); /* what the one before has left */
    uint32_t now_ms = (uint32_t)chance() << 24 | 0xFFFF00;
    host_start(exchange, 1, 1, WIRE_POWER | WIRE_BROWN_OUT, now_ms);
    while (input.at < input.end) {
        uint8_t what = chance();
        uint8_t byte = chance();
        switch (what & 7) {
        case 0:
            fuzz_counts.line += host_give(&byte, 1);
            break;
        case 1:
            give_frame();
            break;
        case 2:
            host_buttons(byte % WIRE_PADS, byte >> 6);
            break;
        case 3:
            now_ms += byte * 8u;
            break;
        default:
            now_ms += byte & 15;
        }
        satellite_step(now_ms);
        if (what & 0x10)
            take_frames();
    }
    if (host_mistakes())
        abort();
    return 0;
}

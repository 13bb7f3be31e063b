/* The session with the host, as in docs/wire.md: shaking hands, events until they are acknowledged, orders once. */
#ifndef LINK_H
#define LINK_H

#include <stdint.h>

#define LINK_MAJOR 1 /* the firmware's version, told in WELCOME */
#define LINK_MINOR 0

#define LINK_WINDOW 4       /* events under way without an acknowledgement */
#define LINK_RESEND_MS 100
#define LINK_AGAIN_MS 5     /* how often an acknowledgement of nothing new is heeded */
#define LINK_SILENCE_MS 3000

struct link_identity {
    uint32_t serial;
    uint16_t boot; /* not kept yet: it is counted when a host comes */
    uint8_t cause; /* of this start: enum wire_cause, several of them if it is not clear; 0: unknown */
};

void link_start(const struct link_identity *identity);
void link_take(uint8_t byte, uint32_t now_ms);
void link_send(uint32_t now_ms); /* as much as there is room for; also ends a session that has fallen silent */

#endif

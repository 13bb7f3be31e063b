/* Events, kept in order until the host has acknowledged them. */
#ifndef EVENTS_H
#define EVENTS_H

#include "wire.h"

#define EVENTS_ROOM 15 /* the bound: what does not fit is dropped, counted, and told as LOST */

void events_start(void);

/* Whether a host listens. While none does only what it will want to know later is kept: tags that were laid, and
 * buttons that were pressed. What lies there is told anew to the next one. When one begins to listen, `sent` of the
 * oldest events may have reached it before and keep their numbers; of the others only the same kinds are kept. */
void events_listened(bool listened, uint8_t sent);

/* Keeps an event, or drops and counts it. `content` has `size` bytes, at most WIRE_UID. */
void events_tell(uint32_t at_ms, uint8_t pad, uint8_t kind, const uint8_t *content, uint8_t size);

uint8_t events_kept(void);
uint8_t events_free(void);
uint16_t events_first(void);                    /* the number of the oldest one */
uint16_t events_next(void);                     /* the number that the next one will have */
const struct wire_event *events_at(uint8_t age); /* 0: the oldest one; below events_kept() */

/* The oldest ones have been taken. True if LOST took a place: then one of those dropped may have been a tag's. */
bool events_forget(uint8_t count, uint32_t now_ms);

#endif

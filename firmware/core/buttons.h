/* Buttons: sampled in every step, debounced, and told as PRESSED (on release), HELD or STUCK. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

#define BUTTONS_STEADY_MS 10   /* equal samples for so long, and a level counts: contacts bounce for up to 10 ms */
#define BUTTONS_GAP_MS 3       /* a longer time between two samples counts as this: what was in between is unknown */
#define BUTTONS_HELD_MS 2000
#define BUTTONS_STUCK_MS 10000

void buttons_start(uint32_t now_ms);
void buttons_look(uint32_t now_ms); /* those that are stuck are told again */
void buttons_step(uint32_t now_ms, uint16_t passed_ms); /* since the step before */

#endif

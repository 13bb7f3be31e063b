/* Buttons: sampled every millisecond, debounced, and told as PRESSED (on release), HELD or STUCK. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

#define BUTTONS_STEADY 10      /* equal samples until a level counts: contacts bounce for up to 10 ms */
#define BUTTONS_HELD_MS 2000
#define BUTTONS_STUCK_MS 10000

void buttons_start(uint32_t now_ms);
void buttons_step(uint32_t now_ms); /* once a millisecond */

#endif

/* The whole satellite: what firmware/avr/main.c, and the tests on a PC, call. */
#ifndef SATELLITE_H
#define SATELLITE_H

#include <stdbool.h>

#include "link.h"

void satellite_start(const struct link_identity *identity, uint32_t now_ms);

/* Called whenever something may have happened, and once a millisecond, unless a step takes longer: up to 2.5 ms on
 * the board. It waits for nothing. True when all is well: time has gone on, and a round is complete in which each pad
 * has had its turn. Only then is the watchdog fed: a live host wakes a satellite whose clock stands still, too. */
bool satellite_step(uint32_t now_ms);

#endif

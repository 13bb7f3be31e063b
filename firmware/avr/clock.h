/* Milliseconds since the start, counted by timer 0. They wrap after 49 days; only differences are looked at. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
uint32_t clock_ms(void);

#endif

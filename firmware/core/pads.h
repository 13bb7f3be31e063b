/* The pads: which tags come and go, and whether their readers work. All readers work at the same time: in
 * each millisecond some of the pads take one short step, in turn, and no pad waits for another. */
#ifndef PADS_H
#define PADS_H

#include <stdbool.h>
#include <stdint.h>

#define PADS_AT_A_TIME 2  /* pads that take a step in each millisecond, in turn: so the buttons wait for no more */
#define PADS_FIELD_MS 6   /* off, so that tags forget; on, until they hear: 5 ms each (ISO 14443-3, 5.1) */
#define PADS_HANGS_MS 5   /* the longest question is answered after 2.2 ms */
#define PADS_REST_MS 5    /* between two rounds */
#define PADS_RETRY_MS 100 /* after a fault; twice as long each time, … */
#define PADS_RETRIES 2    /* … up to 0.4 s: soon after it is over, what lies there is known */
#define PADS_CALM 250     /* rounds until a reader that has failed is trusted as before */
#define PADS_RESERVE 2    /* events that looking leaves room for, so that a press is not lost */

void pads_start(void);           /* asleep until the first look */
void pads_look(uint32_t now_ms); /* look at all of them anew: FAULT, or FOUND for each tag and READY */
bool pads_step(uint32_t now_ms); /* the next pad, in turn; true: all of them have had theirs */

#endif

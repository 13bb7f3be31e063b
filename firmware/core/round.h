/* A round of one pad: are there newcomers, and is one of the known tags still there? Tags that are known are halted, so
 * they do not answer a request; those that are woken and not selected halt again by themselves (ISO 14443-3, 6.3). */
#ifndef ROUND_H
#define ROUND_H

#include "pad.h"

#define ROUND_QUIET 3    /* requests in a row without an answer, and what lies there is clear */
#define ROUND_SETTLED 40 /* requests that bring nothing new, a fifth of a second, and a look is over */
#define ROUND_SETBACK 4  /* so many of them are taken back by a tag that answers and then falls silent */
#define ROUND_ASKS 3     /* so often a question of a search is put: a tag that was not heard still waits */
#define ROUND_TROUBLE 20 /* failed attempts until what lies there is unclear: about a third of a second */

void round_begin(struct pad *pad);

/* What came of the last question, put to a reader that is well. Ends in PAD_RESTING, or with another question. */
void round_goes_on(struct pad *pad, enum rc522_outcome outcome, const struct rc522_answer *answer);

#endif

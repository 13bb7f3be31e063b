/* Reads the UID of one tag, level by level: anticollision bit by bit, then SELECT (ISO 14443-3, 6.5.3). Pure: it says
 * what to ask, and is told what was answered. The tag must be in the state READY. */
#ifndef SEARCH_H
#define SEARCH_H

#include "iso14443.h"
#include "rc522.h"
#include "tags.h"

struct search {
    uint8_t bytes[ISO14443_LEVEL]; /* of the level that is being read */
    uint8_t bits : 6;              /* how many of them are known; all: the next question is SELECT */
    uint8_t level : 2;
};

enum search_state { SEARCH_ASKS, SEARCH_FOUND, SEARCH_FAILED };

/* For a tag that is not known yet; its UID grows while it is read. */
void search_begin(struct search *search, struct tag *tag);
enum search_state search_goes_on(struct search *search, struct tag *tag, const struct rc522_answer *answer);

/* Whether the last question was SELECT. A tag that was selected and not heard has gone on to the next level: true if
 * there is one, and the search goes on there, too. */
bool search_selects(const struct search *search);
bool search_skips(struct search *search, struct tag *tag);

/* For a tag that is known: it is selected without anticollision. */
void search_begin_known(struct search *search, const struct tag *tag);
enum search_state search_known_goes_on(struct search *search, const struct tag *tag, const struct rc522_answer *answer);
bool search_known_skips(struct search *search, const struct tag *tag);

/* The next question. Returns its length; of its last byte `bits % 8` bits count, if not 0. */
uint8_t search_question(const struct search *search, uint8_t frame[ISO14443_FRAME]);

#endif

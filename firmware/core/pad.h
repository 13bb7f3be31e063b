/* One pad, for pads.c (reader and looking) and round.c (tags). No other file looks inside. */
#ifndef PAD_H
#define PAD_H

#include "search.h"
#include "tags.h"

/* What a pad waits for. A round: REQUESTING, and for each newcomer SEARCHING and HALTING; then one of the tags that are
 * known is asked for: WAKING, CHECKING, DISMISSING. Before one is told as gone the field is DARK for a moment. */
enum pad_state {
    PAD_ASLEEP,
    PAD_RESETTING,
    PAD_DARK,
    PAD_WARMING,
    PAD_RESTING,
    PAD_REQUESTING,
    PAD_SEARCHING,
    PAD_HALTING,
    PAD_WAKING,
    PAD_CHECKING,
    PAD_DISMISSING,
    PAD_FAULTY
};

struct pad {
    struct tags tags;
    struct search search;
    uint16_t since_ms; /* when this state began */
    uint8_t state : 4;
    uint8_t called : 2;  /* which of the known tags is asked for */
    uint8_t looking : 1, unclear : 1;
    uint8_t turn : 2;    /* the one whose turn it was last */
    uint8_t insists : 1; /* the last call was for one that is missing */
    uint8_t hardly : 1;  /* the one that is asked for has left a question unanswered */
    uint8_t quiet : 2;   /* requests in a row without an answer */
    uint8_t asked : 2;   /* how often the same question of a search has met silence */
    uint8_t settled : 6; /* requests that have brought nothing new, in a look */
    uint8_t retries : 2;
    uint8_t trouble : 5; /* attempts to read a newcomer that have failed */
    uint8_t fault : 2;
    uint8_t named : 1;   /* its chip is a copy, and that has been told */
    uint8_t calm;        /* rounds since the last fault */
};

void pad_forget_all(void); /* all of them are asleep */
struct pad *pad_at(uint8_t number);
uint8_t pad_number(const struct pad *pad);

void pad_set_time(uint32_t now_ms); /* of the step that is under way */
uint16_t pad_now(void);             /* the same; of differences only */
void pad_enter(struct pad *pad, enum pad_state state);
bool pad_has_lasted(const struct pad *pad, uint16_t ms); /* the state in which it is */
void pad_tell(const struct pad *pad, enum wire_kind kind, const uint8_t *content, uint8_t size);

#endif

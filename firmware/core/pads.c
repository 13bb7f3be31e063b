#include "pads.h"

#include <string.h>

#include "events.h"
#include "search.h"

/* What a pad waits for. A round: REQUESTING, and for each newcomer SEARCHING and HALTING; then one of the tags that are
 * known is asked for: WAKING, CHECKING, DISMISSING. Tags that are known are halted, so they do not answer a request, and
 * those that are woken and not selected halt again by themselves. */
enum state { ASLEEP, RESETTING, WARMING, RESTING, REQUESTING, SEARCHING, HALTING, WAKING, CHECKING, DISMISSING, FAULTY };

static struct pad {
    struct tags tags;
    struct search search;
    uint16_t since_ms; /* when this state began */
    uint8_t state;
    uint8_t next;      /* which of the known tags is asked for */
    uint8_t quiet;     /* requests in a row that nobody has answered */
    uint8_t trouble;   /* attempts in a row to read a newcomer that have failed */
    uint8_t calm;      /* rounds since the last fault */
    uint8_t fault : 2, retries : 4, looking : 1, unclear : 1;
} pads[WIRE_PADS];

static uint32_t now_ms; /* of the step that is under way */

static uint8_t number_of(const struct pad *pad)
{
    return (uint8_t)(pad - pads);
}

static void tell(const struct pad *pad, uint8_t kind, const uint8_t *content, uint8_t size)
{
    events_tell(now_ms, number_of(pad), kind, content, size);
}

static void enter(struct pad *pad, enum state state)
{
    pad->state = (uint8_t)state;
    pad->since_ms = (uint16_t)now_ms;
}

static bool has_lasted(const struct pad *pad, uint16_t ms)
{
    return (uint16_t)((uint16_t)now_ms - pad->since_ms) >= ms;
}

/* --- Faults and beginnings ------------------------------------------------------------------------------------- */

static void begin_look(struct pad *pad)
{
    pad->tags.count = 0;
    pad->next = pad->quiet = pad->trouble = 0;
    pad->looking = 1;
    pad->unclear = 0;
    rc522_reset(number_of(pad));
    enter(pad, RESETTING);
}

/* A fault never takes a tag away: what is known of them is forgotten, and told anew when the reader works again. */
static void fail(struct pad *pad, uint8_t fault)
{
    if (pad->fault != fault)
        tell(pad, WIRE_FAULT, &fault, 1);
    pad->fault = fault;
    pad->looking = 1;
    pad->calm = 0;
    enter(pad, FAULTY);
}

static void retry(struct pad *pad)
{
    if (!has_lasted(pad, (uint16_t)(PADS_RETRY_MS << pad->retries)))
        return;
    if (pad->retries < PADS_RETRIES)
        pad->retries++;
    begin_look(pad);
}

static void set_up(struct pad *pad)
{
    rc522_configure(number_of(pad));
    uint8_t fault = rc522_fault(number_of(pad));
    if (fault)
        fail(pad, fault);
    else
        enter(pad, WARMING);
}

/* --- Questions ------------------------------------------------------------------------------------------------- */

static void request(struct pad *pad)
{
    rc522_ask_short(number_of(pad), ISO14443_REQA);
    enter(pad, REQUESTING);
}

static void search(struct pad *pad, enum state state)
{
    uint8_t frame[ISO14443_FRAME];
    uint8_t count = search_question(&pad->search, frame);
    rc522_ask(number_of(pad), frame, count, pad->search.bits % 8);
    enter(pad, state);
}

static void halt(struct pad *pad, enum state state)
{
    uint8_t frame[ISO14443_FRAME];
    rc522_ask(number_of(pad), frame, iso14443_halt(frame), 0);
    enter(pad, state);
}

static void wake_or_rest(struct pad *pad)
{
    if (pad->looking || pad->tags.count == 0) {
        enter(pad, RESTING);
        return;
    }
    pad->next = (uint8_t)((pad->next + 1) % pad->tags.count);
    rc522_ask_short(number_of(pad), ISO14443_WUPA);
    enter(pad, WAKING);
}

/* --- Newcomers ------------------------------------------------------------------------------------------------- */

static struct tag *newcomer(struct pad *pad)
{
    return &pad->tags.tag[pad->tags.count];
}

static void attempt_fails(struct pad *pad)
{
    if (pad->trouble < PADS_TROUBLE && ++pad->trouble == PADS_TROUBLE && !pad->unclear) {
        pad->unclear = 1;
        tell(pad, WIRE_UNCLEAR, 0, 0);
    }
    wake_or_rest(pad);
}

static void nobody_new(struct pad *pad)
{
    if (pad->quiet < PADS_QUIET)
        pad->quiet++;
    if (pad->quiet == PADS_QUIET) {
        pad->trouble = pad->unclear = 0;
        if (pad->looking) {
            pad->looking = 0;
            pad->fault = WIRE_WELL;
            tell(pad, WIRE_READY, 0, 0);
        }
    }
    wake_or_rest(pad);
}

static void somebody_new(struct pad *pad)
{
    pad->quiet = 0;
    if (pad->tags.count == TAGS_ROOM) { /* one too many, unless a known one has lost its power for a moment */
        attempt_fails(pad);
        return;
    }
    search_begin(&pad->search, newcomer(pad));
    search(pad, SEARCHING);
}

static void searched(struct pad *pad, enum rc522_outcome outcome, const struct rc522_answer *answer)
{
    enum search_state state = SEARCH_FAILED;
    if (outcome == RC522_ANSWERED || outcome == RC522_COLLISION)
        state = search_goes_on(&pad->search, newcomer(pad), answer);
    if (state == SEARCH_ASKS)
        search(pad, SEARCHING);
    else if (state == SEARCH_FOUND)
        halt(pad, HALTING);
    else
        attempt_fails(pad);
}

static void halted(struct pad *pad)
{
    struct tag *tag = newcomer(pad);
    uint8_t known = tags_find(&pad->tags, tag);
    pad->trouble = 0;
    if (known < TAGS_ROOM) { /* it had lost its power for a moment */
        tags_seen(&pad->tags.tag[known], (uint16_t)now_ms);
        wake_or_rest(pad);
        return;
    }
    tags_seen(tag, (uint16_t)now_ms);
    pad->tags.count++;
    tell(pad, pad->looking ? WIRE_FOUND : WIRE_PLACED, tag->uid, tag->size);
    request(pad);
}

/* --- Tags that are known --------------------------------------------------------------------------------------- */

static void missed(struct pad *pad, uint8_t which)
{
    struct tag *tag = &pad->tags.tag[which];
    if (pad->unclear || !tags_missed(tag, (uint16_t)now_ms))
        return;
    tell(pad, WIRE_REMOVED, tag->uid, tag->size);
    tags_remove(&pad->tags, which);
}

static void woken(struct pad *pad, enum rc522_outcome outcome)
{
    if (outcome != RC522_SILENCE) {
        search_begin_known(&pad->search, &pad->tags.tag[pad->next]);
        search(pad, CHECKING);
        return;
    }
    for (uint8_t which = pad->tags.count; which-- > 0;)
        missed(pad, which);
    enter(pad, RESTING);
}

static void checked(struct pad *pad, enum rc522_outcome outcome, const struct rc522_answer *answer)
{
    struct tag *tag = &pad->tags.tag[pad->next];
    enum search_state state = SEARCH_FAILED;
    if (outcome == RC522_SILENCE)
        missed(pad, pad->next);
    else if (outcome == RC522_ANSWERED)
        state = search_known_goes_on(&pad->search, tag, answer);
    if (state == SEARCH_ASKS) {
        search(pad, CHECKING);
    } else if (state == SEARCH_FOUND) {
        tags_seen(tag, (uint16_t)now_ms);
        halt(pad, DISMISSING);
    } else {
        enter(pad, RESTING);
    }
}

/* --- Steps ----------------------------------------------------------------------------------------------------- */

static void begin_round(struct pad *pad)
{
    if (pad->calm < PADS_CALM)
        pad->calm++;
    else
        pad->retries = 0;
    request(pad);
}

/* The chip is asked how the question went. Whatever was no answer is believed only of a chip that is well. */
static void ask_chip(struct pad *pad)
{
    struct rc522_answer answer;
    enum rc522_outcome outcome = rc522_outcome(number_of(pad), &answer);
    bool hangs = outcome == RC522_BUSY && has_lasted(pad, PADS_HANGS_MS);
    if (outcome == RC522_BUSY && !hangs)
        return;
    uint8_t fault = outcome == RC522_ANSWERED ? WIRE_WELL : rc522_fault(number_of(pad));
    if (fault || hangs) {
        fail(pad, fault ? fault : WIRE_HANGS);
        return;
    }
    switch (pad->state) {
    case REQUESTING:
        if (outcome == RC522_SILENCE)
            nobody_new(pad);
        else
            somebody_new(pad);
        break;
    case SEARCHING:
        searched(pad, outcome, &answer);
        break;
    case HALTING:
        halted(pad);
        break;
    case WAKING:
        woken(pad, outcome);
        break;
    case CHECKING:
        checked(pad, outcome, &answer);
        break;
    default: /* DISMISSING */
        enter(pad, RESTING);
    }
}

static void step(struct pad *pad)
{
    if (pad->looking && events_free() <= PADS_RESERVE)
        return;
    switch (pad->state) {
    case ASLEEP:
        break;
    case RESETTING:
        if (has_lasted(pad, PADS_FIELD_MS))
            set_up(pad);
        break;
    case WARMING:
        if (has_lasted(pad, PADS_FIELD_MS))
            begin_round(pad);
        break;
    case RESTING:
        if (pad->looking || has_lasted(pad, PADS_REST_MS))
            begin_round(pad);
        break;
    case FAULTY:
        retry(pad);
        break;
    default:
        ask_chip(pad);
    }
}

void pads_start(void)
{
    memset(pads, 0, sizeof pads);
}

void pads_look(uint32_t at_ms)
{
    now_ms = at_ms;
    for (struct pad *pad = pads; pad < pads + WIRE_PADS; pad++) {
        pad->fault = 0;
        begin_look(pad);
    }
}

void pads_step(uint32_t at_ms)
{
    now_ms = at_ms;
    for (struct pad *pad = pads; pad < pads + WIRE_PADS; pad++)
        step(pad);
}

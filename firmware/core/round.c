#include "round.h"

/* --- Questions ------------------------------------------------------------------------------------------------- */

void round_begin(struct pad *pad)
{
    rc522_ask_short(pad_number(pad), ISO14443_REQA);
    pad_enter(pad, PAD_REQUESTING);
}

static void search(struct pad *pad, enum pad_state state)
{
    uint8_t frame[ISO14443_FRAME];
    uint8_t count = search_question(&pad->search, frame);
    rc522_ask(pad_number(pad), frame, count, pad->search.bits % 8);
    pad_enter(pad, state);
}

static void halt(struct pad *pad, enum pad_state state)
{
    uint8_t frame[ISO14443_FRAME];
    rc522_ask(pad_number(pad), frame, iso14443_halt(frame), 0);
    pad_enter(pad, state);
}

/* A look first finds all that lies there. One that cannot end, because what lies there is unclear, goes on like a round
 * that is no look: tags that are known may go, and so make it clear. */
static void wake_or_rest(struct pad *pad)
{
    if ((pad->looking && !pad->unclear) || pad->tags.count == 0) {
        pad_enter(pad, PAD_RESTING);
        return;
    }
    pad->next = (uint8_t)(pad->next + 1) % pad->tags.count;
    rc522_ask_short(pad_number(pad), ISO14443_WUPA);
    pad_enter(pad, PAD_WAKING);
}

/* --- Newcomers ------------------------------------------------------------------------------------------------- */

static struct tag *newcomer(struct pad *pad)
{
    return &pad->tags.tag[pad->tags.count];
}

static void is_in_trouble(struct pad *pad)
{
    if (pad->trouble < ROUND_TROUBLE)
        pad->trouble++;
    if (pad->trouble == ROUND_TROUBLE && !pad->unclear) {
        pad->unclear = 1;
        pad_tell(pad, WIRE_UNCLEAR, 0, 0);
    }
}

static void is_quiet(struct pad *pad)
{
    if (pad->quiet < ROUND_QUIET)
        pad->quiet++;
    if (pad->quiet < ROUND_QUIET)
        return;
    pad->trouble = 0;
    pad->unclear = 0;
    if (pad->looking) {
        pad->looking = 0;
        pad->fault = WIRE_WELL;
        pad_tell(pad, WIRE_READY, 0, 0);
    }
}

static void requested(struct pad *pad, bool answered)
{
    if (!answered) {
        is_quiet(pad);
        wake_or_rest(pad);
        return;
    }
    pad->quiet = 0;
    if (pad->tags.count == TAGS_ROOM) { /* one too many, unless a known one has lost its power for a moment */
        is_in_trouble(pad);
        wake_or_rest(pad);
        return;
    }
    search_begin(&pad->search, newcomer(pad));
    search(pad, PAD_SEARCHING);
}

/* Silence is a tag that is coming or going; everything else that cannot be read is trouble. In a look silence is
 * trouble, too: if somebody answers every request and then falls silent, the look does not end, and that is told. */
static void searched(struct pad *pad, enum rc522_outcome outcome, const struct rc522_answer *answer)
{
    enum search_state state = SEARCH_FAILED;
    if (outcome == RC522_ANSWERED || outcome == RC522_COLLISION)
        state = search_goes_on(&pad->search, newcomer(pad), answer);
    if (state == SEARCH_ASKS) {
        search(pad, PAD_SEARCHING);
    } else if (state == SEARCH_FOUND) {
        halt(pad, PAD_HALTING);
    } else {
        if (outcome != RC522_SILENCE || pad->looking)
            is_in_trouble(pad);
        wake_or_rest(pad);
    }
}

static void halted(struct pad *pad)
{
    struct tag *tag = newcomer(pad);
    uint8_t known = tags_find(&pad->tags, tag);
    pad->trouble = 0;
    if (known < TAGS_ROOM) { /* it had lost its power for a moment */
        tags_seen(&pad->tags.tag[known], pad_now());
        wake_or_rest(pad);
        return;
    }
    tags_seen(tag, pad_now());
    pad->tags.count++;
    pad_tell(pad, pad->looking ? WIRE_FOUND : WIRE_PLACED, tag->uid, tag->size);
    round_begin(pad);
}

/* --- Tags that are known --------------------------------------------------------------------------------------- */

/* Tags that cannot be told apart may drown a known one: it is given longer, but not for ever. True if that was told. */
static bool missed(struct pad *pad, uint8_t which)
{
    struct tag *tag = &pad->tags.tag[which];
    if (!tags_missed(tag, pad_now(), pad->unclear ? TAGS_GONE_UNCLEAR_MS : TAGS_GONE_MS))
        return false;
    pad_tell(pad, WIRE_REMOVED, tag->uid, tag->size);
    tags_remove(&pad->tags, which);
    return true;
}

static void woken(struct pad *pad, bool answered)
{
    if (answered) {
        search_begin_known(&pad->search, &pad->tags.tag[pad->next]);
        search(pad, PAD_CHECKING);
        return;
    }
    bool told = false; /* one at most: see pads.c */
    for (uint8_t which = pad->tags.count; which-- > 0 && !told;)
        told = missed(pad, which);
    pad_enter(pad, PAD_RESTING);
}

/* Only silence is a miss: whatever was garbled was somebody. */
static void checked(struct pad *pad, enum rc522_outcome outcome, const struct rc522_answer *answer)
{
    struct tag *tag = &pad->tags.tag[pad->next];
    enum search_state state = SEARCH_FAILED;
    if (outcome == RC522_SILENCE)
        missed(pad, pad->next);
    else if (outcome == RC522_ANSWERED)
        state = search_known_goes_on(&pad->search, tag, answer);
    if (state == SEARCH_ASKS) {
        search(pad, PAD_CHECKING);
    } else if (state == SEARCH_FOUND) {
        tags_seen(tag, pad_now());
        halt(pad, PAD_DISMISSING);
    } else {
        pad_enter(pad, PAD_RESTING);
    }
}

void round_goes_on(struct pad *pad, enum rc522_outcome outcome, const struct rc522_answer *answer)
{
    switch (pad->state) {
    case PAD_REQUESTING:
        requested(pad, outcome != RC522_SILENCE);
        break;
    case PAD_SEARCHING:
        searched(pad, outcome, answer);
        break;
    case PAD_HALTING:
        halted(pad);
        break;
    case PAD_WAKING:
        woken(pad, outcome != RC522_SILENCE);
        break;
    case PAD_CHECKING:
        checked(pad, outcome, answer);
        break;
    default: /* PAD_DISMISSING */
        pad_enter(pad, PAD_RESTING);
    }
}

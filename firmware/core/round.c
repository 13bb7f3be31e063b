#include "round.h"

/* --- Questions ------------------------------------------------------------------------------------------------- */

/* While no tag is known all may be woken: so a tag that was halted by mistake is not lost. */
void round_begin(struct pad *pad)
{
    rc522_ask_short(pad_number(pad), pad->tags.count ? ISO14443_REQA : ISO14443_WUPA);
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

/* All in turn; but every second call is for one that is missing, so that it is soon known whether it is. */
static uint8_t whom_to_call(struct pad *pad)
{
    uint8_t missing = tags_missing(&pad->tags, pad->called);
    pad->insists = !pad->insists;
    if (missing < TAGS_ROOM && pad->insists)
        return missing;
    pad->turn = (uint8_t)(pad->turn + 1) % pad->tags.count & 3;
    return pad->turn;
}

/* A look first finds all that lies there. One that cannot end, because what lies there is unclear, goes on like a round
 * that is no look: tags that are known may go, and so make it clear. */
static void wake_or_rest(struct pad *pad)
{
    if ((pad->looking && !pad->unclear) || pad->tags.count == 0) {
        pad_enter(pad, PAD_RESTING);
        return;
    }
    pad->called = whom_to_call(pad) & 3;
    rc522_ask_short(pad_number(pad), ISO14443_WUPA);
    pad_enter(pad, PAD_WAKING);
}

/* --- Newcomers ------------------------------------------------------------------------------------------------- */

static struct tag *newcomer(struct pad *pad)
{
    return &pad->tags.tag[pad->tags.count];
}

/* Full trouble has been told. From then on every attempt that fails makes it unclear, and nothing is told again. */
static void is_in_trouble(struct pad *pad)
{
    if (pad->trouble < ROUND_TROUBLE && ++pad->trouble == ROUND_TROUBLE)
        pad_tell(pad, WIRE_UNCLEAR, 0, 0);
    if (pad->trouble == ROUND_TROUBLE)
        pad->unclear = 1;
}

/* In a look trouble adds up until the look is over: what comes back again and again is not over, and is told once. */
static void is_quiet(struct pad *pad)
{
    if (pad->quiet < ROUND_QUIET)
        pad->quiet++;
    if (pad->quiet < ROUND_QUIET)
        return;
    pad->unclear = 0;
    if (pad->looking && pad->settled < ROUND_SETTLED)
        return;
    pad->trouble = 0;
    if (pad->looking) {
        pad->looking = 0;
        pad->fault = WIRE_WELL;
        pad_tell(pad, WIRE_READY, 0, 0);
    }
}

static void brings_nothing_new(struct pad *pad)
{
    if (pad->settled < ROUND_SETTLED)
        pad->settled++;
}

static void requested(struct pad *pad, bool answered)
{
    if (!answered) {
        brings_nothing_new(pad);
        is_quiet(pad);
        wake_or_rest(pad);
        return;
    }
    pad->quiet = pad->asked = 0;
    search_begin(&pad->search, newcomer(pad));
    search(pad, PAD_SEARCHING);
}

/* Silence is a tag that is coming or going, or too weak. A tag whose answer cannot be read may drown out others, and is
 * trouble: the look starts again, because a flickering tag may be away for most of it. In a look silence is trouble,
 * too: if a tag answers every request and then falls silent, the look does not end, and that is reported. */
static void not_made_out(struct pad *pad, enum rc522_outcome outcome)
{
    bool silent = outcome == RC522_SILENCE;
    if (!silent)
        tags_excuse(&pad->tags);
    pad->settled = silent && pad->settled > ROUND_SETBACK ? (pad->settled - ROUND_SETBACK) & 63 : 0;
    if (!silent || pad->looking)
        is_in_trouble(pad);
    wake_or_rest(pad);
}

/* One too many is not halted, so that it is met again when there is room. */
static void made_out(struct pad *pad)
{
    if (pad->tags.count < TAGS_ROOM || tags_find(&pad->tags, newcomer(pad)) < TAGS_ROOM) {
        halt(pad, PAD_HALTING);
        return;
    }
    pad->settled = 0;
    is_in_trouble(pad);
    wake_or_rest(pad);
}

/* A tag that has not heard a question, or was not heard, still waits for it, or has gone on to its next level. */
static enum search_state met_silence(struct pad *pad)
{
    if (search_skips(&pad->search, newcomer(pad)))
        return SEARCH_ASKS;
    return search_selects(&pad->search) || ++pad->asked == ROUND_ASKS ? SEARCH_FAILED : SEARCH_ASKS;
}

static void searched(struct pad *pad, enum rc522_outcome outcome, const struct rc522_answer *answer)
{
    enum search_state state = SEARCH_FAILED;
    if (outcome == RC522_SILENCE) {
        state = met_silence(pad);
    } else if (outcome != RC522_GARBLED) {
        pad->asked = 0;
        state = search_goes_on(&pad->search, newcomer(pad), answer);
    }
    if (state == SEARCH_ASKS)
        search(pad, PAD_SEARCHING);
    else if (state == SEARCH_FOUND)
        made_out(pad);
    else
        not_made_out(pad, outcome);
}

static void halted(struct pad *pad)
{
    struct tag *tag = newcomer(pad);
    uint8_t known = tags_find(&pad->tags, tag);
    if (pad->trouble < ROUND_TROUBLE)
        pad->trouble = 0;
    if (known < TAGS_ROOM) { /* it had lost its power for a moment */
        tags_seen(&pad->tags.tag[known], !pad->tags.tag[known].anew);
        brings_nothing_new(pad);
        wake_or_rest(pad);
        return;
    }
    tags_add(&pad->tags);
    pad->settled = 0;
    pad_tell(pad, pad->looking ? WIRE_FOUND : WIRE_PLACED, tag->uid, tag->size);
    round_begin(pad);
}

/* --- Tags that are known --------------------------------------------------------------------------------------- */

/* Before a tag is reported as gone, every tag has to answer again: one that is only halted is found then. At most one
 * is reported at a time: see pads.c. */
static void dismiss_overdue(struct pad *pad)
{
    uint8_t which = tags_overdue(&pad->tags, pad_now());
    if (which == TAGS_ROOM) {
        pad_enter(pad, PAD_RESTING);
        return;
    }
    struct tag *tag = &pad->tags.tag[which];
    if (tag->anew) {
        pad_tell(pad, WIRE_REMOVED, tag->uid, tag->size);
        tags_remove(&pad->tags, which);
        pad_enter(pad, PAD_RESTING);
        return;
    }
    tags_ask_anew(&pad->tags);
    rc522_field(pad_number(pad), false);
    pad_enter(pad, PAD_DARK);
}

static void woken(struct pad *pad, bool answered)
{
    if (answered) {
        pad->hardly = 0;
        search_begin_known(&pad->search, &pad->tags.tag[pad->called]);
        search(pad, PAD_CHECKING);
        return;
    }
    for (uint8_t which = 0; which < pad->tags.count; which++)
        tags_missed(&pad->tags.tag[which], pad_now());
    dismiss_overdue(pad);
}

/* Only silence is a miss, and only if another tag may have woken up in its place. A garbled answer came from a tag. The
 * last level counts: only this very tag answers there, and only if it has heard all the others. */
static void checked(struct pad *pad, enum rc522_outcome outcome, const struct rc522_answer *answer)
{
    struct tag *tag = &pad->tags.tag[pad->called];
    enum search_state state = SEARCH_FAILED;
    if (outcome == RC522_ANSWERED)
        state = search_known_goes_on(&pad->search, tag, answer);
    else if (outcome == RC522_SILENCE && search_known_skips(&pad->search, tag)) {
        pad->hardly = 1;
        state = SEARCH_ASKS;
    }
    if (state == SEARCH_ASKS) {
        search(pad, PAD_CHECKING);
    } else if (state == SEARCH_FOUND) {
        tags_seen(tag, pad->hardly);
        halt(pad, PAD_DISMISSING);
    } else {
        if (outcome == RC522_SILENCE && pad->tags.count > 1)
            tags_missed(tag, pad_now());
        else
            tags_excuse(&pad->tags);
        dismiss_overdue(pad);
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

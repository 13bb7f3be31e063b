#include "pads.h"

#include "events.h"
#include "round.h"
#include "settings.h"

static uint8_t turn; /* the pad that has taken a step last */

/* --- Looking and faults ---------------------------------------------------------------------------------------- */

/* Forgets what lies there. The same way leads to the first look, to a later one, and out of a fault. */
static void look(struct pad *pad)
{
    pad->tags.count = 0;
    pad->settled = pad->quiet = pad->trouble = 0;
    pad->looking = 1;
    pad->unclear = 0;
    rc522_reset(pad_number(pad));
    pad_enter(pad, PAD_RESETTING);
}

/* A fault takes no tag away: nothing more is told of them until the reader works, and then what lies there. The same
 * fault again is told if a look had begun to tell of tags: that is void now. */
static void fail(struct pad *pad, uint8_t fault)
{
    if (pad->fault != fault || pad->tags.count > 0)
        pad_tell(pad, WIRE_FAULT, &fault, 1);
    pad->fault = fault;
    if (fault == WIRE_WRONG) /* it may turn out to be an odd copy */
        pad->named = 0;
    pad->tags.count = 0;
    pad->looking = 1;
    pad->calm = 0;
    pad_enter(pad, PAD_FAULTY);
}

static void retry(struct pad *pad)
{
    if (!pad_has_lasted(pad, PADS_RETRY_MS << pad->retries))
        return;
    if (pad->retries < PADS_RETRIES)
        pad->retries++;
    look(pad);
}

/* Once in a session. */
static void name_copy(struct pad *pad)
{
    struct settings_make make;
    if (pad->named || !settings_copy(pad_number(pad), &make))
        return;
    uint8_t content[] = {make.version, make.odd};
    pad_tell(pad, WIRE_COPY, content, sizeof content);
    pad->named = 1;
}

static void set_up(struct pad *pad)
{
    uint8_t fault = settings_set_up(pad_number(pad));
    if (fault) {
        fail(pad, fault);
        return;
    }
    name_copy(pad);
    pad_enter(pad, PAD_WARMING);
}

static void light_up(struct pad *pad)
{
    if (rc522_field(pad_number(pad), true))
        pad_enter(pad, PAD_WARMING);
    else
        fail(pad, WIRE_WRONG);
}

/* --- Steps ----------------------------------------------------------------------------------------------------- */

static void begin_round(struct pad *pad)
{
    if (pad->calm < PADS_CALM)
        pad->calm++;
    else
        pad->retries = 0;
    round_begin(pad);
}

/* How did the question go? Whatever was no answer is believed only of a chip that is well. */
static void ask_chip(struct pad *pad)
{
    struct rc522_answer answer;
    bool late = pad_has_lasted(pad, PADS_HANGS_MS);
    enum rc522_outcome outcome = rc522_outcome(pad_number(pad), late, &answer);
    if (outcome == RC522_BUSY && !late)
        return;
    uint8_t fault = outcome == RC522_ANSWERED ? WIRE_WELL : settings_fault(pad_number(pad));
    if (fault || outcome == RC522_BUSY)
        fail(pad, fault ? fault : WIRE_HANGS);
    else
        round_goes_on(pad, outcome, &answer);
}

/* Looking stops while there is little room, and tells at most one event in a step: so none of them is dropped. */
static void step(struct pad *pad)
{
    if (pad->looking && events_free() <= PADS_RESERVE)
        return;
    switch (pad->state) {
    case PAD_ASLEEP:
        break;
    case PAD_RESETTING:
        if (pad_has_lasted(pad, PADS_FIELD_MS))
            set_up(pad);
        break;
    case PAD_DARK:
        if (pad_has_lasted(pad, PADS_FIELD_MS))
            light_up(pad);
        break;
    case PAD_WARMING:
        if (pad_has_lasted(pad, PADS_FIELD_MS))
            begin_round(pad);
        break;
    case PAD_RESTING:
        if (pad->looking || tags_missing(&pad->tags, 0) < TAGS_ROOM || pad_has_lasted(pad, PADS_REST_MS))
            begin_round(pad);
        break;
    case PAD_FAULTY:
        retry(pad);
        break;
    default:
        ask_chip(pad);
    }
}

void pads_start(void)
{
    pad_forget_all();
    settings_start();
    turn = 0;
}

void pads_look(uint32_t now_ms)
{
    pad_set_time(now_ms);
    for (uint8_t number = 0; number < WIRE_PADS; number++) {
        struct pad *pad = pad_at(number);
        pad->fault = WIRE_WELL;
        pad->named = 0;
        look(pad);
    }
}

bool pads_step(uint32_t now_ms)
{
    pad_set_time(now_ms);
    turn = (uint8_t)(turn + 1) % WIRE_PADS;
    step(pad_at(turn));
    return turn == 0;
}

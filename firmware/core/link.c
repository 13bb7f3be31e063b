#include "link.h"

#include <string.h>

#include "buttons.h"
#include "events.h"
#include "hal.h"
#include "lamps.h"
#include "pads.h"

/* Answers that are owed, sent as soon as there is room. */
enum { OWED_WELCOME = 1, OWED_STATUS = 2, OWED_DONE = 4, OWED_STRANGER = 8 };

static struct {
    struct link_identity identity;
    struct wire_splitter splitter;
    uint32_t session;              /* 0: none is open */
    uint32_t asked;                /* the session of the newest HELLO, for WELCOME */
    uint32_t heard_ms;             /* the newest whole frame */
    uint16_t fresh;                /* number of the first event of this session */
    uint16_t reached;              /* number behind the last event sent in this session */
    uint16_t told;                 /* the same for all sessions of this start */
    uint16_t sent_ms[LINK_WINDOW]; /* when each event under way was sent, by its number */
    uint16_t again_ms;             /* when an acknowledgement of nothing new was last heeded */
    uint16_t bad;                  /* frames that could not be read */
    uint8_t under_way;             /* events sent since the oldest one that is kept */
    uint8_t owed;
    uint8_t counted;               /* 1: `boot` is kept, or will be soon; 2: so is the number that follows it */
    uint8_t order, result;         /* the newest order of this session and what became of it; order 0: none yet */
    bool begun;                    /* a zero has been sent before the first frame */
} link;

void link_start(const struct link_identity *identity)
{
    memset(&link, 0, sizeof link);
    link.identity = *identity;
    lamps_show_all(LAMPS_LOST);
}

/* --- Hearing --------------------------------------------------------------------------------------------------- */

static void count_bad(void)
{
    if (link.bad < 0xFFFF)
        link.bad++;
}

/* How many of the events that are kept may have reached a host: their numbers are taken. */
static uint8_t may_be_known(void)
{
    uint16_t sent = (uint16_t)(link.told - events_first());
    return sent <= events_kept() ? (uint8_t)sent : 0;
}

static void close_session(void)
{
    link.session = 0;
    link.under_way = 0;
    link.owed = 0;
    events_listened(false, may_be_known());
    lamps_show_all(LAMPS_LOST);
}

/* Lets everything be told that may be so for longer. */
static void look(uint32_t now_ms)
{
    buttons_look(now_ms);
    pads_look(now_ms);
}

static void open_session(uint32_t session, uint32_t now_ms)
{
    events_listened(true, may_be_known());
    link.session = session;
    link.fresh = events_next();
    link.reached = events_first();
    link.under_way = 0;
    link.owed = 0;
    link.order = 0;
    lamps_show_all(LAMPS_OFF);
    look(now_ms);
}

static void hear_hello(const struct wire_message *hello, uint32_t now_ms)
{
    if (hello->session == 0) {
        count_bad();
        return;
    }
    link.asked = hello->session;
    if (hello->version != WIRE_VERSION)
        close_session();
    else if (hello->session != link.session)
        open_session(hello->session, now_ms);
    link.owed |= OWED_WELCOME;
}

static void hear_ack(uint16_t next, uint32_t now_ms)
{
    uint16_t taken = (uint16_t)(next - events_first());
    uint16_t sent = (uint16_t)(link.reached - events_first());
    if (taken == 0 || taken >= 0x8000) {
        if (link.under_way && (uint16_t)((uint16_t)now_ms - link.again_ms) >= LINK_AGAIN_MS) {
            link.again_ms = (uint16_t)now_ms;
            link.under_way = 0;
        }
    } else if (taken <= sent) {
        link.under_way = link.under_way > taken ? (uint8_t)(link.under_way - taken) : 0;
        uint16_t first = events_first();
        if (events_forget((uint8_t)taken, now_ms))
            look(now_ms);
        if (events_first() < first) { /* the numbers begin anew: a name must not come twice */
            link.identity.boot++;
            link.counted--;
        }
    }
}

static uint8_t obey(const struct wire_message *order)
{
    switch (order->command) {
    case WIRE_LIGHT:
        if (order->pad >= WIRE_PADS || order->value >= LAMPS_LIGHTS)
            return WIRE_OUT_OF_RANGE;
        lamps_show(order->pad, order->value);
        return WIRE_OBEYED;
    case WIRE_SOUND:
        if (order->pad >= WIRE_PADS || order->value >= LAMPS_CUES)
            return WIRE_OUT_OF_RANGE;
        lamps_cue(order->pad, order->value);
        return WIRE_OBEYED;
    default:
        return WIRE_UNKNOWN;
    }
}

static void hear_order(const struct wire_message *order)
{
    if (order->number == 0) {
        count_bad();
        return;
    }
    if (order->number != link.order) {
        link.order = order->number;
        link.result = obey(order);
    }
    link.owed |= OWED_DONE;
}

static void hear(const struct wire_message *message, uint32_t now_ms)
{
    link.heard_ms = now_ms;
    if (message->type == WIRE_HELLO)
        hear_hello(message, now_ms);
    else if (link.session == 0)
        link.owed |= OWED_STRANGER;
    else if (message->type == WIRE_PING)
        link.owed |= OWED_STATUS;
    else if (message->type == WIRE_ACK)
        hear_ack(message->next, now_ms);
    else
        hear_order(message);
}

void link_take(uint8_t byte, uint32_t now_ms)
{
    struct wire_message message;
    uint8_t count = wire_take(&link.splitter, byte);
    if (count == 0)
        return;
    if (count != WIRE_BAD && wire_read(link.splitter.held, count, &message))
        hear(&message, now_ms);
    else
        count_bad();
}

/* --- Saying ---------------------------------------------------------------------------------------------------- */

static void say(const uint8_t *payload, uint8_t count)
{
    uint8_t frame[WIRE_FRAME];
    uint8_t length = wire_frame(payload, count, frame);
    if (!link.begun)
        hal_send(0);
    link.begun = true;
    for (uint8_t i = 0; i < length; i++)
        hal_send(frame[i]);
}

static bool has_room(void)
{
    return hal_room() > WIRE_FRAME; /* and one for the zero before the first frame */
}

static uint8_t write_welcome(uint8_t *payload)
{
    struct wire_welcome welcome = {
        .session = link.asked,
        .serial = link.identity.serial,
        .boot = link.identity.boot,
        .next = events_first(),
        .fresh = link.fresh,
        .major = LINK_MAJOR,
        .minor = LINK_MINOR,
        .room = EVENTS_ROOM,
    };
    return wire_write_welcome(payload, &welcome);
}

static void answer(void)
{
    uint8_t payload[WIRE_PAYLOAD];
    uint8_t which = link.owed & (uint8_t)-link.owed; /* the lowest bit: WELCOME before all others */
    link.owed &= (uint8_t)~which;
    switch (which) {
    case OWED_WELCOME:
        say(payload, write_welcome(payload));
        break;
    case OWED_STATUS:
        say(payload, wire_write_status(payload, events_kept(), hal_overruns(), link.bad));
        break;
    case OWED_DONE:
        say(payload, wire_write_done(payload, link.order, link.result));
        break;
    default:
        say(payload, wire_write_stranger(payload));
    }
}

static void send_event(uint32_t now_ms)
{
    uint8_t payload[WIRE_PAYLOAD];
    const struct wire_event *event = events_at(link.under_way);
    uint16_t number = (uint16_t)(events_first() + link.under_way);
    uint32_t age_ms = now_ms - event->at_ms;
    say(payload, wire_write_event(payload, number, age_ms > 0xFFFF ? 0xFFFF : (uint16_t)age_ms, event));
    link.sent_ms[number % LINK_WINDOW] = (uint16_t)now_ms;
    link.under_way++;
    if ((uint16_t)(number - link.reached) < 0x8000)
        link.reached = (uint16_t)(number + 1);
    if ((uint16_t)(number - link.told) < 0x8000)
        link.told = (uint16_t)(number + 1);
}

static bool is_overdue(uint32_t now_ms)
{
    uint16_t sent_ms = link.sent_ms[events_first() % LINK_WINDOW];
    return link.under_way && (uint16_t)((uint16_t)now_ms - sent_ms) >= LINK_RESEND_MS;
}

/* Whether an event may have this number: a host makes its name of that and of the count of starts, so the count has to
 * be kept first, or two events might share a name after a loss of power. Numbers that have begun anew belong to the
 * next one. The first event of a start, which no host knows of before its HELLO, lets the start be counted. */
static bool is_counted(uint16_t number)
{
    uint8_t counted = number < events_first() ? 2 : 1;
    if (link.counted < counted) {
        link.counted = counted;
        hal_keep_boot((uint16_t)(link.identity.boot + counted - 1));
    }
    return hal_boot_is_kept();
}

/* Once in a start, as soon as there is room. */
static void tell_cause(uint32_t now_ms)
{
    if (link.identity.cause == 0 || events_free() == 0)
        return;
    events_tell(now_ms, WIRE_WHOLE, WIRE_STARTED, &link.identity.cause, 1);
    link.identity.cause = 0;
}

void link_send(uint32_t now_ms)
{
    if (link.session && now_ms - link.heard_ms >= LINK_SILENCE_MS)
        close_session();
    if (link.session && !is_counted(events_first()))
        return;
    while (link.owed && has_room())
        answer();
    if (link.session == 0 || link.owed)
        return;
    tell_cause(now_ms);
    if (is_overdue(now_ms))
        link.under_way = 0;
    while (link.under_way < LINK_WINDOW && link.under_way < events_kept() && has_room()) {
        if (!is_counted((uint16_t)(events_first() + link.under_way)))
            break;
        send_event(now_ms);
    }
}

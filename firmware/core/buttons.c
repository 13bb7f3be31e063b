#include "buttons.h"

#include "events.h"
#include "hal.h"

#define COLOURS 2

/* IGNORED: it was down before it was ever up, so it is unknown when it was pressed, or whether it is stuck. */
enum phase { UP, DOWN, HELD, IGNORED };

static struct button {
    uint16_t since_ms;   /* when it went down; differences only, they stay below 65 s */
    uint8_t wavering;    /* for how many ms its level has differed from what counts, the first sample is one */
    uint8_t phase : 2, stuck : 1;
} buttons[WIRE_PADS][COLOURS];

void buttons_start(uint32_t now_ms)
{
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++)
        for (uint8_t colour = 0; colour < COLOURS; colour++)
            buttons[pad][colour] = (struct button){.since_ms = (uint16_t)now_ms, .phase = IGNORED};
}

void buttons_look(uint32_t now_ms)
{
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++)
        for (uint8_t colour = 0; colour < COLOURS; colour++) {
            struct button *button = &buttons[pad][colour];
            if (button->stuck && button->phase != UP)
                button->since_ms = (uint16_t)(now_ms - BUTTONS_STUCK_MS); /* the difference may have wrapped */
            button->stuck = 0;
        }
}

static void changes(struct button *button, uint8_t pad, uint8_t colour, uint32_t edge_ms)
{
    if (button->phase == UP) {
        button->phase = DOWN;
        button->stuck = 0;
        button->since_ms = (uint16_t)edge_ms;
        return;
    }
    if (button->phase == DOWN)
        events_tell(edge_ms, pad, WIRE_PRESSED, &colour, 1);
    button->phase = UP;
}

static void stays_down(struct button *button, uint8_t pad, uint8_t colour, uint32_t now_ms)
{
    uint16_t down_ms = (uint16_t)((uint16_t)now_ms - button->since_ms);
    if (button->phase == DOWN && down_ms >= BUTTONS_HELD_MS) {
        button->phase = HELD;
        events_tell(now_ms, pad, WIRE_HELD, &colour, 1);
    } else if (!button->stuck && down_ms >= BUTTONS_STUCK_MS) {
        button->stuck = 1;
        events_tell(now_ms, pad, WIRE_STUCK, &colour, 1);
    }
}

static void sample(struct button *button, uint8_t pad, uint8_t colour, bool down, uint32_t now_ms, uint8_t passed_ms)
{
    if (down == (button->phase != UP)) {
        button->wavering = 0;
        if (down)
            stays_down(button, pad, colour, now_ms);
        return;
    }
    button->wavering = (uint8_t)(button->wavering + (button->wavering ? passed_ms : 1));
    if (button->wavering < BUTTONS_STEADY_MS)
        return;
    changes(button, pad, colour, now_ms - (button->wavering - 1));
    button->wavering = 0;
}

void buttons_step(uint32_t now_ms, uint16_t passed_ms)
{
    uint8_t counted_ms = passed_ms < BUTTONS_GAP_MS ? (uint8_t)passed_ms : BUTTONS_GAP_MS;
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++) {
        uint8_t down = hal_buttons(pad);
        for (uint8_t colour = 0; colour < COLOURS; colour++)
            sample(&buttons[pad][colour], pad, colour, down >> colour & 1, now_ms, counted_ms);
    }
}

#include "lamps.h"

#include "hal.h"
#include "wire.h"

#define GAP_MS 80U /* the dark before and after a cue */
#define NO_CUE LAMPS_CUES

struct blink {
    uint16_t on_ms, off_ms;
};

static const struct blink LIGHTS[LAMPS_LIGHTS] = {
    [LAMPS_OFF] = {0, 1},
    [LAMPS_TURN] = {1, 0},
    [LAMPS_DONE] = {50, 2950},
    [LAMPS_QUESTION] = {700, 700},
    [LAMPS_LOST] = {120, 380},
};

#define BEAT_MS 20U

static const struct cue {
    uint8_t on, off; /* in beats */
    uint8_t lasts;   /* from the first time on to the last time off */
} CUES[LAMPS_CUES] = {
    [LAMPS_ACCEPTED] = {3, 0, 3},
    [LAMPS_REFUSED] = {6, 6, 30},
    [LAMPS_YOUR_TURN] = {20, 0, 20},
};

static struct lamp {
    uint16_t light_ms; /* within the light's period */
    uint16_t cue_ms;   /* since the cue began, with its dark gap */
    uint8_t light : 4, cue : 4;
} lamps[WIRE_PADS];

static struct {
    uint16_t cue_ms;
    uint8_t cue;
} buzzer;

static bool cue_is_on(uint8_t cue, uint16_t ms)
{
    const struct cue *it = &CUES[cue];
    uint16_t beat = ms / BEAT_MS;
    return beat < it->lasts && beat % (it->on + it->off) < it->on;
}

static bool lamp_is_on(const struct lamp *lamp)
{
    if (lamp->cue != NO_CUE)
        return lamp->cue_ms >= GAP_MS && cue_is_on(lamp->cue, lamp->cue_ms - GAP_MS);
    return lamp->light_ms < LIGHTS[lamp->light].on_ms;
}

static void lamp_passes(struct lamp *lamp, uint16_t passed_ms)
{
    uint16_t period_ms = LIGHTS[lamp->light].on_ms + LIGHTS[lamp->light].off_ms;
    lamp->light_ms += passed_ms;
    while (lamp->light_ms >= period_ms) /* seldom more than once, and quicker than a division */
        lamp->light_ms -= period_ms;
    if (lamp->cue == NO_CUE)
        return;
    lamp->cue_ms += passed_ms;
    if (lamp->cue_ms >= GAP_MS + CUES[lamp->cue].lasts * BEAT_MS + GAP_MS)
        lamp->cue = NO_CUE;
}

void lamps_start(void)
{
    buzzer.cue = NO_CUE;
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++)
        lamps[pad] = (struct lamp){.light = LAMPS_OFF, .cue = NO_CUE};
    lamps_step(0);
}

void lamps_show(uint8_t pad, enum lamps_light light)
{
    if (lamps[pad].light == light)
        return;
    lamps[pad].light = light;
    lamps[pad].light_ms = 0;
}

void lamps_show_all(enum lamps_light light)
{
    buzzer.cue = NO_CUE;
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++) {
        lamps[pad].cue = NO_CUE;
        lamps_show(pad, light);
    }
}

void lamps_cue(uint8_t pad, enum lamps_cue cue)
{
    lamps[pad].cue = cue;
    lamps[pad].cue_ms = 0;
    buzzer.cue = cue;
    buzzer.cue_ms = 0;
}

void lamps_step(uint16_t passed_ms)
{
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++) {
        lamp_passes(&lamps[pad], passed_ms);
        hal_lamp(pad, lamp_is_on(&lamps[pad]));
    }
    if (buzzer.cue == NO_CUE) {
        hal_buzzer(false);
        return;
    }
    buzzer.cue_ms += passed_ms;
    hal_buzzer(cue_is_on(buzzer.cue, buzzer.cue_ms));
    if (buzzer.cue_ms >= CUES[buzzer.cue].lasts * BEAT_MS)
        buzzer.cue = NO_CUE;
}

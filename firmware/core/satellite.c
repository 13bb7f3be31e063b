#include "satellite.h"

#include "buttons.h"
#include "events.h"
#include "hal.h"
#include "lamps.h"
#include "pads.h"

static uint32_t last_ms;

void satellite_start(const struct link_identity *identity, uint32_t now_ms)
{
    last_ms = now_ms;
    events_start();
    lamps_start();
    buttons_start(now_ms);
    pads_start();
    link_start(identity);
}

static void hear(uint32_t now_ms)
{
    uint8_t byte;
    for (uint8_t count = 0; count < HAL_RING && hal_receive(&byte); count++)
        link_take(byte, now_ms);
}

bool satellite_step(uint32_t now_ms)
{
    bool made_a_round = false;
    hear(now_ms);
    if (now_ms != last_ms) {
        uint16_t passed_ms = (uint16_t)(now_ms - last_ms);
        buttons_step(now_ms, passed_ms);
        link_send(now_ms); /* a press does not wait for the readers */
        for (uint8_t count = 0; count < PADS_AT_A_TIME; count++) {
            made_a_round |= pads_step(now_ms);
            hear(now_ms); /* in between, too: the ring holds what comes in 2.5 ms, however slow the readers' clock */
        }
        lamps_step(passed_ms);
        last_ms = now_ms;
    }
    link_send(now_ms);
    return made_a_round;
}

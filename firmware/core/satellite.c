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

void satellite_step(uint32_t now_ms)
{
    uint8_t byte;
    for (uint8_t count = 0; count < HAL_RING && hal_receive(&byte); count++)
        link_take(byte, now_ms);
    if (now_ms != last_ms) {
        uint16_t passed_ms = (uint16_t)(now_ms - last_ms);
        buttons_step(now_ms, passed_ms);
        link_send(now_ms); /* a press does not wait for the readers */
        pads_step(now_ms);
        lamps_step(passed_ms);
        last_ms = now_ms;
    }
    link_send(now_ms);
}

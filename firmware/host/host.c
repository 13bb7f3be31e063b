#include "host.h"

#include <string.h>

#include "hal.h"
#include "satellite.h"
#include "standin.h"
#include "wire.h"

#define NOBODY 0xFF

static struct {
    host_exchange exchange;
    uint8_t selected, fresh;
    uint32_t octets;
    struct standin standins[WIRE_PADS];
    uint8_t buttons[WIRE_PADS], lamps[WIRE_PADS], buzzer;
    uint16_t overruns;
    uint8_t received[HAL_RING], sent[HAL_RING];
    uint32_t received_put, received_taken, sent_put, sent_taken;
    uint8_t blocked;
    uint16_t boot, new_boot;
    uint32_t boots_kept, keeps_ms, kept_ms, now_ms, rounds;
    uint32_t mistakes;
} host;

void host_start(host_exchange exchange, uint32_t serial, uint16_t boot, uint8_t cause, uint32_t now_ms)
{
    memset(&host, 0, sizeof host);
    host.exchange = exchange;
    host.selected = NOBODY;
    host.boot = host.new_boot = (uint16_t)(boot - 1);
    host.now_ms = host.kept_ms = now_ms;
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++)
        host_registers(pad, NULL, 0);
    struct link_identity identity = {.serial = serial, .boot = boot, .cause = cause};
    satellite_start(&identity, now_ms);
}

void host_registers(uint8_t pad, const uint8_t *registers, uint64_t plain)
{
    host.standins[pad] = (struct standin){.registers = registers, .plain = plain, .was_told = true};
}

uint32_t host_step(uint32_t now_ms)
{
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++)
        host.standins[pad].still = false;
    host.now_ms = now_ms;
    if (hal_boot_is_kept())
        host.boot = host.new_boot;
    host.rounds += satellite_step(now_ms);
    return host.mistakes;
}

uint32_t host_octets(void)
{
    return host.octets;
}

void host_buttons(uint8_t pad, uint8_t down)
{
    host.buttons[pad] = down;
}

uint8_t host_lamp(uint8_t pad)
{
    return host.lamps[pad];
}

uint8_t host_buzzer(void)
{
    return host.buzzer;
}

void host_overrun(uint16_t count)
{
    host.overruns = count;
}

void host_block(uint8_t blocked)
{
    host.blocked = blocked;
}

uint16_t host_boot(void)
{
    return host.boot;
}

uint32_t host_boots_kept(void)
{
    return host.boots_kept;
}

void host_keeps_within(uint32_t ms)
{
    host.keeps_ms = ms;
}

uint32_t host_rounds(void)
{
    return host.rounds;
}

uint32_t host_mistakes(void)
{
    return host.mistakes;
}

uint32_t host_give(const uint8_t *bytes, uint32_t count)
{
    uint32_t given = 0;
    while (given < count && host.received_put - host.received_taken < HAL_RING)
        host.received[host.received_put++ % HAL_RING] = bytes[given++];
    return given;
}

uint32_t host_take(uint8_t *bytes, uint32_t room)
{
    uint32_t taken = 0;
    while (taken < room && host.sent_taken != host.sent_put)
        bytes[taken++] = host.sent[host.sent_taken++ % HAL_RING];
    return taken;
}

/* --- hal.h ----------------------------------------------------------------------------------------------------- */

void hal_select(uint8_t pad)
{
    if (host.selected != NOBODY || pad >= WIRE_PADS)
        host.mistakes++;
    host.selected = pad;
    host.fresh = 1;
}

uint8_t hal_exchange(uint8_t byte)
{
    if (host.selected == NOBODY) {
        host.mistakes++;
        return 0xFF;
    }
    struct standin *standin = &host.standins[host.selected];
    bool fresh = host.fresh;
    host.fresh = 0;
    host.octets++;
    if (standin_can_answer(standin, fresh))
        return standin_answer(standin, fresh, byte);
    if (!host.exchange)
        return 0x00;
    int answer = host.exchange(host.selected, byte, standin_fresh(standin, fresh), host.octets);
    return standin_heard(standin, fresh, byte, answer);
}

void hal_deselect(void)
{
    host.selected = NOBODY;
}

uint8_t hal_buttons(uint8_t pad)
{
    if (host.selected != NOBODY)
        host.mistakes++;
    return host.buttons[pad];
}

void hal_lamp(uint8_t pad, bool on)
{
    host.lamps[pad] = on;
}

void hal_buzzer(bool on)
{
    host.buzzer = on;
}

void hal_keep_boot(uint16_t boot)
{
    host.new_boot = boot;
    host.kept_ms = host.now_ms + host.keeps_ms;
    host.boots_kept++;
    if (host.keeps_ms == 0)
        host.boot = boot;
}

bool hal_boot_is_kept(void)
{
    return host.keeps_ms == 0 || (int32_t)(host.now_ms - host.kept_ms) >= 0;
}

bool hal_receive(uint8_t *byte)
{
    if (host.received_taken == host.received_put)
        return false;
    *byte = host.received[host.received_taken++ % HAL_RING];
    return true;
}

uint8_t hal_room(void)
{
    return host.blocked ? 0 : (uint8_t)(HAL_RING - (host.sent_put - host.sent_taken));
}

void hal_send(uint8_t byte)
{
    if (hal_room() == 0) {
        host.mistakes++;
        return;
    }
    host.sent[host.sent_put++ % HAL_RING] = byte;
}

uint16_t hal_overruns(void)
{
    return host.overruns;
}

/* Ports B, C and D. A pin that something outside holds keeps that level whatever the firmware writes to its
 * neighbours, and over a reset; libsimavr raises it again with the next write to the port. */
#include <string.h>

#include "inside.h"

static const uint16_t PIN_REGISTERS[PORTS] = {0x23, 0x26, 0x29}; /* ATmega328P datasheet, 36 "Register Summary" */

static int port_number(char name)
{
    return name >= 'B' && name <= 'D' ? name - 'B' : -1;
}

static bool is_low_output(const emulator *e, int number, int bit)
{
    const port_pins *p = &e->ports[number];
    return (e->avr->data[p->ddr_reg] & ~e->avr->data[p->port_reg]) >> bit & 1;
}

static bool is_high_output(const emulator *e, int number, int bit)
{
    const port_pins *p = &e->ports[number];
    return (e->avr->data[p->ddr_reg] & e->avr->data[p->port_reg]) >> bit & 1;
}

static uint8_t pulled_low(const emulator *e, int number)
{
    uint8_t pulled = 0;
    for (const closed_switch *each = e->switches; each < e->switches + e->closed; each++)
        if (each->from_port == number && is_low_output(e, each->to_port, each->to_bit))
            pulled |= 1u << each->from_bit;
    return pulled;
}

static uint8_t level_of_all(const emulator *e, int number)
{
    const port_pins *p = &e->ports[number];
    uint8_t ddr = e->avr->data[p->ddr_reg], port = e->avr->data[p->port_reg];
    uint8_t inputs = (p->drive & p->driven) | (port & ~p->driven); /* held from outside, else pulled up or floating */
    return (port & ddr) | (inputs & ~ddr & ~pulled_low(e, number));
}

static void note_edges(emulator *e, int number, uint8_t changed, uint8_t levels)
{
    for (uint8_t bit = 0; bit < 8; bit++) {
        if (!(changed & 1u << bit))
            continue;
        emulator_edge edge = {e->avr->cycle, (uint8_t)('B' + number), bit, levels >> bit & 1};
        e->edges[e->edges_put++ % EDGES_ROOM] = edge;
        if (e->edges_put - e->edges_taken > EDGES_ROOM)
            e->edges_taken = e->edges_put - EDGES_ROOM;
    }
}

static void look_at_selects(emulator *e)
{
    int low = 0;
    for (int chip = 0; chip < CHIPS; chip++) {
        chip_select *select = &e->chips[chip];
        if (select->port < 0)
            continue;
        bool now = is_low_output(e, select->port, select->bit);
        if (now != select->low && e->spi.busy)
            e->counts.cut_short++;
        select->fresh |= now && !select->low;
        select->low = now;
        low += now;
    }
    if (low > 1)
        e->counts.two_selected++;
}

static void look_at_line(emulator *e)
{
    bool high = is_high_output(e, e->line_port, e->line_bit);
    if (e->line && high != e->line_high) {
        e->line(high, e->avr->cycle * 1e6 / e->avr->frequency);
        spi_ask_anew(e);
    }
    e->line_high = high;
}

static void look(emulator *e, int number)
{
    port_pins *p = &e->ports[number];
    uint8_t levels = level_of_all(e, number);
    note_edges(e, number, (levels ^ p->levels) & p->watched, levels);
    p->levels = levels;
    look_at_selects(e);
    look_at_line(e);
}

static int number_of(const emulator *e, avr_io_addr_t reg)
{
    for (int number = 0; number < PORTS; number++)
        if (reg >= e->ports[number].pin_reg && reg <= e->ports[number].port_reg)
            return number;
    return 0;
}

static uint8_t read_pins(avr_t *avr, avr_io_addr_t reg, void *param)
{
    emulator *e = param;
    return avr->data[reg] = level_of_all(e, number_of(e, reg));
}

static void write_port(avr_t *avr, avr_io_addr_t reg, uint8_t value, void *param)
{
    emulator *e = param;
    avr->data[reg] = value;
    look(e, number_of(e, reg));
}

/* 14.2.2: a one toggles the output. SBI touches its own bit only, though libsimavr reads and writes the whole byte. */
static void write_pins(avr_t *avr, avr_io_addr_t reg, uint8_t value, void *param)
{
    emulator *e = param;
    uint16_t opcode = avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8;
    if ((opcode & 0xff00) == 0x9a00)
        value = 1u << (opcode & 7);
    port_pins *p = &e->ports[number_of(e, reg)];
    write_port(avr, p->port_reg, avr->data[p->port_reg] ^ value, param);
}

void pins_init(emulator *e)
{
    for (int chip = 0; chip < CHIPS; chip++)
        e->chips[chip].port = -1;
    for (int number = 0; number < PORTS; number++) {
        port_pins *p = &e->ports[number];
        p->pin_reg = PIN_REGISTERS[number];
        p->ddr_reg = p->pin_reg + 1;
        p->port_reg = p->pin_reg + 2;
        answer_register(e, p->pin_reg, read_pins, write_pins);
        answer_register(e, p->ddr_reg, NULL, write_port);
        answer_register(e, p->port_reg, NULL, write_port);
    }
}

void pins_after_reset(emulator *e)
{
    for (int number = 0; number < PORTS; number++) {
        port_pins *p = &e->ports[number];
        e->avr->data[p->ddr_reg] = e->avr->data[p->port_reg] = 0;
        look(e, number);
    }
}

void emulator_on_bus(emulator *e, emulator_exchange exchange)
{
    e->exchange = exchange;
}

void emulator_chip_select(emulator *e, int chip, char port, int bit)
{
    if (chip >= 0 && chip < CHIPS && port_number(port) >= 0) {
        e->chips[chip].port = port_number(port);
        e->chips[chip].bit = bit & 7;
    }
}

void emulator_drive(emulator *e, char port, int bit, int level)
{
    int number = port_number(port);
    if (number < 0)
        return;
    port_pins *p = &e->ports[number];
    uint8_t mask = 1u << (bit & 7);
    p->driven = level < 0 ? p->driven & ~mask : p->driven | mask;
    p->drive = level > 0 ? p->drive | mask : p->drive & ~mask;
    look(e, number);
}

static bool is_switch(const closed_switch *one, const closed_switch *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

void emulator_switch(emulator *e, char from_port, int from_bit, char to_port, int to_bit, int closed)
{
    closed_switch wanted = {port_number(from_port), from_bit & 7, port_number(to_port), to_bit & 7};
    if (wanted.from_port < 0 || wanted.to_port < 0)
        return;
    for (int i = e->closed - 1; i >= 0; i--)
        if (is_switch(&e->switches[i], &wanted))
            e->switches[i] = e->switches[--e->closed];
    if (closed && e->closed < SWITCHES)
        e->switches[e->closed++] = wanted;
    look(e, wanted.from_port);
}

void emulator_on_line(emulator *e, char port, int bit, emulator_line line)
{
    if (port_number(port) < 0)
        return;
    e->line_port = port_number(port);
    e->line_bit = bit & 7;
    e->line_high = is_high_output(e, e->line_port, e->line_bit);
    e->line = line;
    line(e->line_high, e->avr->cycle * 1e6 / e->avr->frequency);
}

int emulator_level(const emulator *e, char port, int bit)
{
    int number = port_number(port);
    if (number < 0)
        return -1;
    const port_pins *p = &e->ports[number];
    uint8_t mask = 1u << (bit & 7), held = e->avr->data[p->ddr_reg] | e->avr->data[p->port_reg] | p->driven;
    return held & mask ? (level_of_all(e, number) & mask) != 0 : -1;
}

void emulator_watch(emulator *e, char port, int bit)
{
    int number = port_number(port);
    if (number >= 0)
        e->ports[number].watched |= 1u << (bit & 7);
}

uint32_t emulator_edges(emulator *e, emulator_edge *edges, uint32_t room)
{
    uint32_t count = 0;
    while (count < room && e->edges_taken != e->edges_put)
        edges[count++] = e->edges[e->edges_taken++ % EDGES_ROOM];
    return count;
}

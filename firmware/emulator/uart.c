/* The UART and the line behind it. Bytes take the time that they take: ten bits for 8N1. The receiver keeps two bytes
 * and one in its shift register; a start bit that finds all three taken loses a byte and sets DOR. libsimavr counts
 * eleven bits and keeps 64 bytes, so there no firmware is ever too slow.
 * Register and bit numbers: ATmega328P datasheet, 20.11. */
#include "inside.h"

enum { UCSRA = 0xc0, UCSRB = 0xc1, UCSRC = 0xc2, UBRRL = 0xc4, UBRRH = 0xc5, UDR = 0xc6 };
enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, DOR = 0x08, U2X = 0x02, MPCM = 0x01 }; /* UCSRA */
enum { RXCIE = 0x80, TXCIE = 0x40, UDRIE = 0x20, RXEN = 0x10, TXEN = 0x08, UCSZ2 = 0x04 }; /* UCSRB */
enum { UPM1 = 0x20, USBS = 0x08 };                                                         /* UCSRC */
enum { RECEIVED_VECTOR = 18, ROOM_VECTOR = 19, SENT_VECTOR = 20 };

static uint32_t bit_cycles(const avr_t *avr)
{
    uint32_t divider = (avr->data[UBRRL] | (avr->data[UBRRH] & 0x0f) << 8) + 1;
    return divider * (avr->data[UCSRA] & U2X ? 8 : 16);
}

static uint32_t frame_bits(const avr_t *avr)
{
    uint8_t format = avr->data[UCSRC];
    uint32_t data = avr->data[UCSRB] & UCSZ2 ? 9 : 5 + (format >> 1 & 3);
    return 1 + data + (format & UPM1 ? 1 : 0) + (format & USBS ? 2 : 1);
}

/* A timer is called a cycle or two late, when an instruction has ended. The line's time must not drift with that. */
static void line_goes_on(emulator *e, avr_cycle_count_t at, avr_cycle_timer_t what)
{
    avr_cycle_timer_register(e->avr, at > e->avr->cycle ? at - e->avr->cycle : 0, what, e);
}

/* --- Transmitter ---------------------------------------------------------------------------------------------- */

static avr_cycle_count_t byte_is_out(avr_t *avr, avr_cycle_count_t when, void *param)
{
    emulator *e = param;
    uart_port *u = &e->uart;
    u->heard[u->heard_put % HEARD_ROOM] = u->shift;
    u->heard_at[u->heard_put++ % HEARD_ROOM] = when;
    if (u->heard_put - u->heard_taken > HEARD_ROOM)
        u->heard_taken = u->heard_put - HEARD_ROOM;
    if (!u->held) {
        u->shifting = false;
        avr_raise_interrupt(avr, u->sent);
        return 0;
    }
    u->shift = u->hold;
    u->held = false;
    set_level(e, u->room, true);
    return when + frame_bits(avr) * bit_cycles(avr);
}

static void write_data(avr_t *avr, avr_io_addr_t reg, uint8_t value, void *param)
{
    (void)reg;
    emulator *e = param;
    uart_port *u = &e->uart;
    if (!(avr->data[UCSRB] & TXEN) || u->held)
        return;
    if (u->shifting) {
        u->hold = value;
        u->held = true;
    } else {
        u->shift = value;
        u->shifting = true;
        avr_cycle_timer_register(avr, frame_bits(avr) * bit_cycles(avr), byte_is_out, e);
    }
    set_level(e, u->room, !u->held);
}

/* --- Receiver ------------------------------------------------------------------------------------------------- */

static void show_fifo(emulator *e)
{
    uart_port *u = &e->uart;
    uint8_t *status = &e->avr->data[UCSRA];
    *status = u->filled && u->fifo[0].after_overrun ? *status | DOR : *status & ~DOR;
    set_level(e, u->received, u->filled > 0);
}

static void take_from_shift_register(emulator *e)
{
    uart_port *u = &e->uart;
    if (!u->waiting || u->filled == 2)
        return;
    u->fifo[u->filled].byte = u->waits;
    u->fifo[u->filled].after_overrun = u->lost_one;
    u->fifo[u->filled].counted = false;
    u->filled++;
    u->waiting = u->lost_one = false;
}

static bool speeds_agree(const emulator *e)
{
    double ours = 10.0 * bit_cycles(e->avr), theirs = e->uart.line_byte_cycles;
    return ours > 0.98 * theirs && ours < 1.02 * theirs && frame_bits(e->avr) == 10;
}

static avr_cycle_count_t byte_has_arrived(avr_t *avr, avr_cycle_count_t when, void *param);

/* Half a bit after the beginning of a start bit, where the receiver believes it. */
static avr_cycle_count_t byte_begins(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr;
    emulator *e = param;
    uart_port *u = &e->uart;
    if (u->waiting) {
        e->counts.overruns += !e->hangs; /* a program that was made to hang can read nothing and tell nothing */
        u->waiting = false;
        u->lost_one = true;
    }
    line_goes_on(e, when + u->line_byte_cycles - u->line_byte_cycles / 20, byte_has_arrived);
    return 0;
}

static avr_cycle_count_t byte_has_arrived(avr_t *avr, avr_cycle_count_t when, void *param)
{
    emulator *e = param;
    uart_port *u = &e->uart;
    uint8_t byte = u->line[u->line_taken++ % LINE_ROOM];
    u->line_busy = u->line_taken != u->line_put;
    if (u->line_busy)
        line_goes_on(e, when + u->line_byte_cycles / 20, byte_begins);
    bool listens = avr->data[UCSRB] & RXEN;
    if (listens && !speeds_agree(e)) {
        e->counts.wrong_speed++;
    } else if (listens) {
        u->waits = byte;
        u->waiting = true;
        take_from_shift_register(e);
        show_fifo(e);
    }
    return 0;
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t reg, void *param)
{
    emulator *e = param;
    uart_port *u = &e->uart;
    if (!u->filled)
        return avr->data[reg];
    avr->data[reg] = u->fifo[0].byte;
    u->fifo[0] = u->fifo[1];
    u->filled--;
    take_from_shift_register(e);
    show_fifo(e);
    return avr->data[reg];
}

/* --- Control -------------------------------------------------------------------------------------------------- */

static uint8_t read_status(avr_t *avr, avr_io_addr_t reg, void *param)
{
    emulator *e = param;
    if (avr->data[reg] & DOR && !e->uart.fifo[0].counted) {
        e->counts.overruns_seen++;
        e->uart.fifo[0].counted = true;
    }
    return avr->data[reg];
}

static void write_status(avr_t *avr, avr_io_addr_t reg, uint8_t value, void *param)
{
    emulator *e = param;
    if (value & TXC)
        avr_clear_interrupt(avr, e->uart.sent);
    avr->data[reg] = (avr->data[reg] & ~(U2X | MPCM)) | (value & (U2X | MPCM));
}

static void write_control(avr_t *avr, avr_io_addr_t reg, uint8_t value, void *param)
{
    emulator *e = param;
    uart_port *u = &e->uart;
    avr->data[reg] = value;
    if (!(value & RXEN))
        u->filled = u->waiting = u->lost_one = 0;
    show_fifo(e);
    set_level(e, u->room, !u->held);
}

void uart_init(emulator *e, uint32_t baud)
{
    uart_port *u = &e->uart;
    u->line_byte_cycles = (uint32_t)(10ull * e->avr->frequency / baud);
    u->received = vector_of(e, RECEIVED_VECTOR);
    u->room = vector_of(e, ROOM_VECTOR);
    u->sent = vector_of(e, SENT_VECTOR);
    u->received->raise_sticky = u->room->raise_sticky = 1;
    answer_register(e, UDR, read_data, write_data);
    answer_register(e, UCSRA, read_status, write_status);
    answer_register(e, UCSRB, NULL, write_control);
    answer_register(e, UCSRC, NULL, NULL);
    answer_register(e, UBRRL, NULL, NULL);
    answer_register(e, UBRRH, NULL, NULL);
}

/* The line knows nothing of a reset: what the host has sent still comes, to a receiver that is off. */
void uart_after_reset(emulator *e)
{
    uart_port *u = &e->uart;
    avr_cycle_timer_cancel(e->avr, byte_is_out, e);
    e->avr->data[UCSRA] = UDRE;
    e->avr->data[UCSRB] = e->avr->data[UBRRL] = e->avr->data[UBRRH] = 0;
    e->avr->data[UCSRC] = 0x06;
    u->filled = u->waiting = u->lost_one = u->shifting = u->held = 0;
    if (u->line_busy)
        line_goes_on(e, e->avr->cycle + u->line_byte_cycles / 20, byte_begins);
}

uint32_t emulator_send(emulator *e, const uint8_t *bytes, uint32_t count)
{
    uart_port *u = &e->uart;
    uint32_t sent = 0;
    while (sent < count && u->line_put - u->line_taken < LINE_ROOM)
        u->line[u->line_put++ % LINE_ROOM] = bytes[sent++];
    if (sent && !u->line_busy) {
        u->line_busy = true;
        line_goes_on(e, e->avr->cycle + u->line_byte_cycles / 20, byte_begins);
    }
    return sent;
}

uint32_t emulator_received(emulator *e, uint8_t *bytes, uint64_t *cycles, uint32_t room)
{
    uart_port *u = &e->uart;
    uint32_t count = 0;
    for (; count < room && u->heard_taken != u->heard_put; count++, u->heard_taken++) {
        bytes[count] = u->heard[u->heard_taken % HEARD_ROOM];
        cycles[count] = u->heard_at[u->heard_taken % HEARD_ROOM];
    }
    return count;
}

double emulator_baud(const emulator *e)
{
    return (double)e->avr->frequency / bit_cycles(e->avr);
}

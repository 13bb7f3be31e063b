#include "uart.h"

#include <avr/interrupt.h>
#include <util/atomic.h>

#include "board.h"
#include "hal.h"

/* One end of a ring is moved by the interrupt, the other one by the program. A position is one byte, so it is read
 * and written in one piece. HAL_RING is a power of two; one byte of it stays free. */
static volatile struct {
    uint8_t bytes[HAL_RING];
    uint8_t put, taken;
} received, sending;

static volatile uint16_t overruns;

static uint8_t behind(uint8_t position)
{
    return (uint8_t)(position + 1) % HAL_RING;
}

void uart_start(void)
{
    UCSR0A = 1 << U2X0; /* before the divisor, which counts differently without it */
    UBRR0 = BOARD_UBRR;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
}

static void count_overrun(void)
{
    if (overruns < 0xFFFF)
        overruns++;
}

ISR(USART_RX_vect)
{
    bool overrun = UCSR0A & 1 << DOR0; /* before the data: reading that clears it */
    uint8_t byte = UDR0;
    if (overrun)
        count_overrun();
    if (behind(received.put) == received.taken) {
        count_overrun();
        return;
    }
    received.bytes[received.put] = byte;
    received.put = behind(received.put);
}

ISR(USART_UDRE_vect)
{
    if (sending.taken == sending.put) {
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
        return;
    }
    UDR0 = sending.bytes[sending.taken];
    sending.taken = behind(sending.taken);
}

bool uart_has_received(void)
{
    return received.put != received.taken;
}

bool hal_receive(uint8_t *byte)
{
    if (!uart_has_received())
        return false;
    *byte = received.bytes[received.taken];
    received.taken = behind(received.taken);
    return true;
}

uint8_t hal_room(void)
{
    return (uint8_t)(sending.taken - sending.put - 1) % HAL_RING;
}

void hal_send(uint8_t byte)
{
    sending.bytes[sending.put] = byte;
    sending.put = behind(sending.put);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= 1 << UDRIE0;
    }
}

uint16_t hal_overruns(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = overruns;
    }
    return count;
}

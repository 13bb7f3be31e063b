/* The satellite: starts everything, then steps and sleeps in turn. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "clock.h"
#include "memory.h"
#include "pins.h"
#include "satellite.h"
#include "spi.h"
#include "uart.h"
#include "wire.h"

/* Why it started: MCUSR (data sheet), of which a boot loader may have left nothing. */
static uint8_t cause __attribute__((section(".noinit")));

/* After a reset by the watchdog it is still on, and quick. Runs before variables are set (avr-libc, .init3). */
void watchdog_off(void) __attribute__((naked, used, section(".init3")));
void watchdog_off(void)
{
    cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* Sleeps until an interrupt, unless one has left something to do: sei() takes effect after the next instruction, so
 * none can slip in before the sleep. */
static void sleep_if_idle(uint32_t stepped_ms)
{
    cli();
    if (!uart_has_received() && clock_ms() == stepped_ms) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    pins_start();
    wdt_enable(WDTO_500MS);
    uart_start();
    sei(); /* from now on a HELLO finds its place in the ring */
    struct link_identity identity = memory_start();
    identity.cause = cause & WIRE_CAUSES;
    spi_start();
    clock_start();
    pins_release_readers();
    set_sleep_mode(SLEEP_MODE_IDLE);
    satellite_start(&identity, clock_ms());
    for (;;) {
        uint32_t now_ms = clock_ms();
        if (satellite_step(now_ms))
            wdt_reset();
        memory_step();
        sleep_if_idle(now_ms);
    }
}

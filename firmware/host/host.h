/* The core on a PC: hal.h on plain memory and one call back for the SPI bus, for tests/firmware/core.py. */
#ifndef HOST_H
#define HOST_H

#include <stdint.h>

/* One byte on the SPI bus. `fresh`: the first one since the chip was selected. `octets`: how many there were by now,
 * with this one. For chips with `host_registers` more is said: see standin.h. */
typedef int (*host_exchange)(int pad, int mosi, int fresh, uint32_t octets);

void host_start(host_exchange exchange, uint32_t serial, uint16_t boot, uint8_t cause, uint32_t now_ms);
void host_registers(uint8_t pad, const uint8_t *registers, uint64_t plain);
/* A step, before which anything may have happened to chips. Returns how many mistakes there were so far. */
uint32_t host_step(uint32_t now_ms);
uint32_t host_octets(void);
void host_buttons(uint8_t pad, uint8_t down);
uint8_t host_lamp(uint8_t pad);
uint8_t host_buzzer(void);
uint16_t host_boot(void);          /* the number of starts, as it is kept in mind over a loss of power */
uint32_t host_boots_kept(void);    /* how often one was to be kept */
void host_keeps_within(uint32_t ms); /* how long that takes from now on; 0 unless told */
uint32_t host_rounds(void);        /* how often a watchdog would have been fed */
void host_overrun(uint16_t count); /* what hal_overruns() says from now on */

/* The line. Each returns how many bytes found room, or were there. */
uint32_t host_give(const uint8_t *bytes, uint32_t count);
uint32_t host_take(uint8_t *bytes, uint32_t room);
void host_block(uint8_t blocked); /* nothing can be sent while it is */

/* What must not happen: bytes on the bus without a select, a second select, more sent than there is room for. */
uint32_t host_mistakes(void);

#endif

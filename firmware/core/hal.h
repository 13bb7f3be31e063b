/* What the core needs of the world outside. firmware/avr/ gives it on the board, firmware/host/ on a PC, for tests.
 * Nothing here waits for anything but the SPI's own clock. */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

/* A chip-select goes low, then bytes are exchanged, then it goes high again. Never two at a time. */
void hal_select(uint8_t pad);
uint8_t hal_exchange(uint8_t byte);
void hal_deselect(void);

/* Which buttons of a pad are down at this moment: bit 0 green, bit 1 red. No pad may be selected meanwhile. */
uint8_t hal_buttons(uint8_t pad);

void hal_lamp(uint8_t pad, bool on);
void hal_buzzer(bool on);

/* Begins to keep the number of this start in mind, over a loss of power too. It returns at once: what is written takes
 * up to 80 ms, far more than the ring below holds, and meanwhile everything goes on. */
void hal_keep_boot(uint16_t boot);
bool hal_boot_is_kept(void); /* whether the newest one is by now */

/* The line to the host. Both directions have a ring of HAL_RING bytes behind them: 2.5 ms at 250 000 baud. */
#define HAL_RING 64
bool hal_receive(uint8_t *byte);
uint8_t hal_room(void);       /* how many bytes `hal_send` can take now */
void hal_send(uint8_t byte);  /* only if there is room */
uint16_t hal_overruns(void);  /* bytes that could not be taken in time; stops at 65535 */

#endif

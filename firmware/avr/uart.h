/* The line to the host: 250 000 baud, 8N1, a ring of HAL_RING bytes in each direction. Interrupts only move bytes. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>

void uart_start(void);
bool uart_has_received(void);

#endif

#include "spi.h"

#include "board.h"
#include "hal.h"

void spi_start(void)
{
    SPCR = 1 << SPE | 1 << MSTR; /* a quarter of 16 MHz */
    SPSR = 0;
}

uint8_t hal_exchange(uint8_t byte)
{
    SPDR = byte;
    while (!(SPSR & 1 << SPIF)) /* two microseconds, whatever hangs on the bus: the clock is ours */
        ;
    return SPDR;
}

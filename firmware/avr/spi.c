#include "spi.h"

#include "board.h"
#include "hal.h"

void spi_start(void)
{
    SPCR = 1 << SPE | 1 << MSTR | BOARD_SPI_DIVIDER;
    SPSR = BOARD_SPI_DOUBLE;
}

uint8_t hal_exchange(uint8_t byte)
{
    SPDR = byte;
    while (!(SPSR & 1 << SPIF)) /* 4 or 8 microseconds, whatever hangs on the bus: the clock is ours */
        ;
    return SPDR;
}

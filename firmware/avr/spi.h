/* The SPI bus of the readers: 1 or 2 MHz (board.h), mode 0, high bit first. */
#ifndef SPI_H
#define SPI_H

void spi_start(void); /* after the pins: SS has to be an output, or the bus may fall out of master mode */

#endif

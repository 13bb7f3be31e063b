/* EEPROM: the satellite's serial number, and how often it has started. */
#ifndef MEMORY_H
#define MEMORY_H

#include "link.h"

/* Reads both, counts this start, and takes over the serial number that was built in, if there is one. */
struct link_identity memory_start(void);

#endif

/* EEPROM: the satellite's serial number, and how often it has started. */
#ifndef MEMORY_H
#define MEMORY_H

#include "link.h"

/* Reads both. Nothing is written before hal_keep_boot: a satellite that starts again and again wears nothing out. */
struct link_identity memory_start(void);

/* Writes on, if there is something to write and the EEPROM is ready. It waits for nothing. */
void memory_step(void);

#endif

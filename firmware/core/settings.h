/* What a reader's chip has to hold, and whether it does: as NXP's data sheet promises, and in copies that keep less. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define SETTINGS_VERSION_1 0x91 /* VersionReg of NXP's own chips (9.3.4.8); copies say whatever they like */
#define SETTINGS_VERSION_2 0x92
#define SETTINGS_ODD 5    /* set-ups with the same few mistakes, and it is an odd copy */

void settings_start(void); /* nothing is known of any chip */

/* Sees that the reset has happened, sets all that is needed, and switches the antenna on. 0: all well, else the fault
 * as the wire names it (enum wire_fault). Required is what the data sheet promises after a reset, and nothing else. */
uint8_t settings_set_up(uint8_t pad);

/* What a chip that was set up calls itself, and in how many places it does not do what the data sheet promises. True if
 * it is none of NXP's. */
struct settings_make {
    uint8_t version, odd;
};
bool settings_copy(uint8_t pad, struct settings_make *make);

/* Whether the chip still holds what was set, and can hear: one that is deaf looks like an empty field. */
uint8_t settings_fault(uint8_t pad);

#endif

/* Lamps and the buzzer. The patterns are those of companion/devices/gpio/lamps.py; a test keeps them alike. */
#ifndef LAMPS_H
#define LAMPS_H

#include <stdbool.h>
#include <stdint.h>

enum lamps_light { LAMPS_OFF, LAMPS_TURN, LAMPS_DONE, LAMPS_QUESTION, LAMPS_LOST, LAMPS_LIGHTS };
enum lamps_cue { LAMPS_ACCEPTED, LAMPS_REFUSED, LAMPS_YOUR_TURN, LAMPS_CUES };

void lamps_start(void);
void lamps_show(uint8_t pad, enum lamps_light light); /* the same light again does not begin anew */
void lamps_show_all(enum lamps_light light);          /* at once, and without the rest of a cue */
void lamps_cue(uint8_t pad, enum lamps_cue cue);
void lamps_step(uint16_t passed_ms);

#endif

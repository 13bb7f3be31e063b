/* The pins of board.h: chip-selects, buttons, lamps and the buzzer. */
#ifndef PINS_H
#define PINS_H

void pins_start(void); /* every pin as board.h says; the readers are held in reset */
void pins_release_readers(void);

#endif

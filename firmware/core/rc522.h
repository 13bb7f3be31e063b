/* The MFRC522, one per pad. Nothing here waits: a question is put, and its outcome is asked for again and again.
 * Sections named are those of NXP's data sheet MFRC522, rev. 3.9. */
#ifndef RC522_H
#define RC522_H

#include <stdbool.h>
#include <stdint.h>

#define RC522_ANSWER 5 /* bytes of the longest answer that is understood: one level of anticollision */

enum rc522_outcome {
    RC522_BUSY,
    RC522_ANSWERED,
    RC522_SILENCE,   /* no answer within a millisecond */
    RC522_COLLISION, /* several answered, and differed */
    RC522_GARBLED    /* something came that is no answer */
};

struct rc522_answer {
    uint8_t bytes[RC522_ANSWER];
    uint8_t count;
    uint8_t last_bits; /* how many bits of the last byte count; 0: all */
    uint8_t collision; /* the position that the chip names, from 1 on; 0: none */
};

/* Soft reset: the antenna is off, and all that was set is lost. Takes less than a millisecond. */
void rc522_reset(uint8_t pad);

/* Switches the antenna off or on. False: it should have been off until now, and was not. */
bool rc522_field(uint8_t pad, bool on);

/* Puts a question to the tags. `last_bits` of its last byte count (0: all); the answer is stored from the same bit
 * on, as bitwise anticollision needs it. */
void rc522_ask(uint8_t pad, const uint8_t *frame, uint8_t count, uint8_t last_bits);
void rc522_ask_short(uint8_t pad, uint8_t command); /* REQA or WUPA */

/* What came of it. `late`: the answer should have ended long ago; what went wrong in it is then all that will come. */
enum rc522_outcome rc522_outcome(uint8_t pad, bool late, struct rc522_answer *answer);

#endif

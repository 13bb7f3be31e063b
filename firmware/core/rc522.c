#include "rc522.h"

#include "hal.h"
#include "iso14443.h"
#include "registers.h"

enum { IDLE = 0x00, TRANSCEIVE = 0x0C, SOFT_RESET = 0x0F };
enum { IRQ_ALL = 0x7F, IRQ_ALWAYS_ZERO = 0x80, IRQ_SENT = 0x40, IRQ_RECEIVED = 0x20 };
enum { IRQ_ERROR = 0x02, IRQ_TIMER = 0x01, IRQ_SILENCE = IRQ_SENT | IRQ_TIMER };
enum { ERROR_COLLISION = 0x08, ERROR_RESERVED = 0x20 };
enum { FIFO_FLUSH = 0x80, START_SEND = 0x80, LAST_BITS = 0x07 };
enum { FIFO_BYTES = 0x7F }; /* of FIFO_LEVEL */
enum { POSITION_INVALID = 0x20, POSITION = 0x1F, POSITIONS = 32 };

/* --- The FIFO (8.3) ------------------------------------------------------------------------------------------- */

static void write_fifo(uint8_t pad, const uint8_t *bytes, uint8_t count)
{
    hal_select(pad);
    hal_exchange(FIFO_DATA << 1);
    while (count--)
        hal_exchange(*bytes++);
    hal_deselect();
}

static void read_fifo(uint8_t pad, uint8_t *bytes, uint8_t count)
{
    hal_select(pad);
    hal_exchange(READ | FIFO_DATA << 1);
    while (count--)
        *bytes++ = hal_exchange(count ? READ | FIFO_DATA << 1 : 0);
    hal_deselect();
}

/* --- The chip -------------------------------------------------------------------------------------------------- */

void rc522_reset(uint8_t pad)
{
    registers_put(pad, COMMAND, SOFT_RESET);
}

bool rc522_field(uint8_t pad, bool on)
{
    bool was_off = !on || !(registers_get(pad, TX_CONTROL) & ANTENNA);
    registers_put(pad, TX_CONTROL, on ? FIELD_ON : FIELD_OFF);
    return was_off;
}

/* Everything but the start. True if the chip has taken it: so what it says after the start was caused by this very
 * question, and not by an older one, while it was away for a moment. */
static bool arm(uint8_t pad, const uint8_t *frame, uint8_t count, uint8_t framing)
{
    registers_put(pad, COMMAND, IDLE);
    registers_put(pad, COM_IRQ, IRQ_ALL);
    registers_put(pad, FIFO_LEVEL, FIFO_FLUSH);
    write_fifo(pad, frame, count);
    registers_put(pad, BIT_FRAMING, framing); /* StartSend is an edge */
    registers_put(pad, COMMAND, TRANSCEIVE);
    return !(registers_get(pad, COM_IRQ) & (IRQ_SILENCE | IRQ_RECEIVED)) &&
           (registers_get(pad, FIFO_LEVEL) & FIFO_BYTES) == count;
}

static uint8_t asked; /* a bit for each pad: its chip has taken the last question */

/* A chip that does not take a question, twice, is left alone with it: it hangs. */
static void ask(uint8_t pad, const uint8_t *frame, uint8_t count, uint8_t framing)
{
    asked &= (uint8_t)~(1 << pad);
    if (arm(pad, frame, count, framing) || arm(pad, frame, count, framing)) {
        registers_put(pad, BIT_FRAMING, START_SEND | framing);
        asked |= (uint8_t)(1 << pad);
    }
}

void rc522_ask(uint8_t pad, const uint8_t *frame, uint8_t count, uint8_t last_bits)
{
    ask(pad, frame, count, (uint8_t)(last_bits << 4 | last_bits));
}

void rc522_ask_short(uint8_t pad, uint8_t command)
{
    ask(pad, &command, 1, ISO14443_SHORT);
}

static enum rc522_outcome received(uint8_t pad, struct rc522_answer *answer)
{
    uint8_t error = registers_get(pad, ERROR) & (uint8_t)~ERROR_RESERVED;
    uint8_t count = registers_get(pad, FIFO_LEVEL) & FIFO_BYTES;
    if ((error & (uint8_t)~ERROR_COLLISION) || count > RC522_ANSWER)
        return RC522_GARBLED;
    read_fifo(pad, answer->bytes, count);
    answer->count = count;
    answer->last_bits = registers_get(pad, CONTROL) & LAST_BITS;
    if (!error)
        return RC522_ANSWERED;
    uint8_t position = registers_get(pad, COLL);
    if (position & POSITION_INVALID)
        return RC522_GARBLED;
    answer->collision = position & POSITION ? position & POSITION : POSITIONS;
    return RC522_COLLISION;
}

/* An error is flagged in the middle of an answer (a collision at its bit), so the end of the answer is waited for. */
enum rc522_outcome rc522_outcome(uint8_t pad, bool late, struct rc522_answer *answer)
{
    uint8_t irq = registers_get(pad, COM_IRQ);
    answer->count = answer->last_bits = answer->collision = 0;
    if (!(asked & 1 << pad))
        return RC522_BUSY;
    if (irq & IRQ_ALWAYS_ZERO)
        return RC522_GARBLED;
    if ((irq & IRQ_RECEIVED && irq & IRQ_SENT) || (late && irq & IRQ_ERROR))
        return received(pad, answer);
    return (irq & IRQ_SILENCE) == IRQ_SILENCE ? RC522_SILENCE : RC522_BUSY;
}

#include "rc522.h"

#include "hal.h"
#include "iso14443.h"
#include "wire.h"

/* Registers (9.2) and the bits of them that are used. */
enum {
    COMMAND = 0x01,
    COM_IRQ = 0x04,
    ERROR = 0x06,
    FIFO_DATA = 0x09,
    FIFO_LEVEL = 0x0A,
    CONTROL = 0x0C,
    BIT_FRAMING = 0x0D,
    COLL = 0x0E,
    MODE = 0x11,
    TX_MODE = 0x12,
    RX_MODE = 0x13,
    TX_CONTROL = 0x14,
    TX_ASK = 0x15,
    TX_SEL = 0x16,
    RX_SEL = 0x17,
    RX_THRESHOLD = 0x18,
    DEMOD = 0x19,
    MF_TX = 0x1C,
    MF_RX = 0x1D,
    MOD_WIDTH = 0x24,
    RF_CFG = 0x26,
    GS_N = 0x27,
    CW_GS_P = 0x28,
    MOD_GS_P = 0x29,
    T_MODE = 0x2A,
    T_PRESCALER = 0x2B,
    T_RELOAD_HIGH = 0x2C,
    T_RELOAD_LOW = 0x2D,
    VERSION = 0x37
};

enum { READ = 0x80 }; /* bit of the address byte */
enum { IDLE = 0x00, TRANSCEIVE = 0x0C, SOFT_RESET = 0x0F };
enum { IRQ_ALL = 0x7F, IRQ_ALWAYS_ZERO = 0x80, IRQ_SENT = 0x40, IRQ_RECEIVED = 0x20 };
enum { IRQ_ERROR = 0x02, IRQ_TIMER = 0x01, IRQ_SILENCE = IRQ_SENT | IRQ_TIMER };
enum { ERROR_COLLISION = 0x08 };
enum { FIFO_FLUSH = 0x80, START_SEND = 0x80, LAST_BITS = 0x07 };
enum { FIELD_ON = 0x83, FIELD_OFF = 0x80 }; /* both drivers of the antenna */
enum { POSITION_INVALID = 0x20, POSITION = 0x1F, POSITIONS = 32 };

/* What is set, and read back to see whether the chip is still the one that was set up. The timer starts with the end
 * of each question (TAuto, 8.5) and counts 41 periods of 25 µs; tags answer after 0.1 ms or never. 106 kbit/s without
 * the chip's own CRC. Force100ASK: type A modulates all or nothing. Last the antenna. */
static const struct setting {
    uint8_t address, value;
} SETTINGS[] = {
    {T_MODE, 0x80},  {T_PRESCALER, 0xA9}, {T_RELOAD_HIGH, 0x00}, {T_RELOAD_LOW, 40},
    {TX_MODE, 0x00}, {RX_MODE, 0x00},     {TX_ASK, 0x40},        {TX_CONTROL, FIELD_ON},
};
#define SETTINGS_COUNT (sizeof SETTINGS / sizeof *SETTINGS)

/* What decides how strongly a chip sends, and whether it hears at all. It stays as it is after a reset: as the data
 * sheet says, or, with other makes of chip, as two resets in a row agree about. Remembered as a sum in which each
 * register has its place. */
#define BIT(address) (1UL << ((address) - MODE))
#define ANALOGUE                                                                                                      \
    (BIT(MODE) | BIT(TX_SEL) | BIT(RX_SEL) | BIT(RX_THRESHOLD) | BIT(DEMOD) | BIT(MF_TX) | BIT(MF_RX) |               \
     BIT(MOD_WIDTH) | BIT(RF_CFG) | BIT(GS_N) | BIT(CW_GS_P) | BIT(MOD_GS_P))
#define DATA_SHEET 0x0860
static uint16_t analogue[WIRE_PADS];

/* --- Registers (8.1.2) ----------------------------------------------------------------------------------------- */

static uint8_t get(uint8_t pad, uint8_t address)
{
    hal_select(pad);
    hal_exchange((uint8_t)(READ | address << 1));
    uint8_t value = hal_exchange(0);
    hal_deselect();
    return value;
}

static void put(uint8_t pad, uint8_t address, uint8_t value)
{
    hal_select(pad);
    hal_exchange((uint8_t)(address << 1));
    hal_exchange(value);
    hal_deselect();
}

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

void rc522_start(void)
{
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++)
        analogue[pad] = DATA_SHEET;
}

void rc522_reset(uint8_t pad)
{
    put(pad, COMMAND, SOFT_RESET);
}

static uint16_t read_analogue(uint8_t pad)
{
    uint16_t sum = 0;
    uint32_t left = ANALOGUE >> 1;
    hal_select(pad);
    hal_exchange(READ | MODE << 1);
    for (uint8_t address = MODE + 1; left; address++, left >>= 1)
        if (left & 1) /* each further byte is the next address */
            sum = (uint16_t)(sum << 1 | sum >> 15) ^ hal_exchange((uint8_t)(READ | address << 1));
    sum = (uint16_t)(sum << 1 | sum >> 15) ^ hal_exchange(0);
    hal_deselect();
    return sum;
}

/* Whether it answers, and holds all that was set. */
static uint8_t settings_fault(uint8_t pad)
{
    hal_select(pad);
    hal_exchange(READ | VERSION << 1);
    uint8_t version = hal_exchange(READ | SETTINGS[0].address << 1); /* each further byte is the next address */
    bool kept = true;
    for (const struct setting *it = SETTINGS; it < SETTINGS + SETTINGS_COUNT; it++) {
        bool last = it + 1 == SETTINGS + SETTINGS_COUNT;
        kept &= hal_exchange(last ? 0 : (uint8_t)(READ | it[1].address << 1)) == it->value;
    }
    hal_deselect();
    if (version == 0x00 || version == 0xFF)
        return WIRE_NO_CHIP;
    return kept ? WIRE_WELL : WIRE_WRONG;
}

uint8_t rc522_set_up(uint8_t pad)
{
    bool was_reset = get(pad, TX_CONTROL) == FIELD_OFF && get(pad, TX_ASK) == 0;
    uint16_t before = analogue[pad], now = read_analogue(pad);
    put(pad, COLL, 0); /* ValuesAfterColl: what follows a collision is no use */
    for (uint8_t i = 0; was_reset && i < SETTINGS_COUNT; i++)
        put(pad, SETTINGS[i].address, SETTINGS[i].value);
    uint8_t fault = settings_fault(pad);
    if (fault || !was_reset)
        return fault ? fault : WIRE_WRONG;
    analogue[pad] = now;
    return now == before ? rc522_fault(pad) : WIRE_WRONG;
}

uint8_t rc522_fault(uint8_t pad)
{
    uint8_t fault = settings_fault(pad);
    return fault || read_analogue(pad) == analogue[pad] ? fault : WIRE_WRONG;
}

bool rc522_field(uint8_t pad, bool on)
{
    bool was_off = !on || get(pad, TX_CONTROL) == FIELD_OFF;
    put(pad, TX_CONTROL, on ? FIELD_ON : FIELD_OFF);
    return was_off;
}

/* Everything but the start. True if the chip has taken it: so what it says after the start was caused by this very
 * question, and not by an older one, while it was away for a moment. */
static bool arm(uint8_t pad, const uint8_t *frame, uint8_t count, uint8_t framing)
{
    put(pad, COMMAND, IDLE);
    put(pad, COM_IRQ, IRQ_ALL);
    put(pad, FIFO_LEVEL, FIFO_FLUSH);
    write_fifo(pad, frame, count);
    put(pad, BIT_FRAMING, framing); /* StartSend is an edge */
    put(pad, COMMAND, TRANSCEIVE);
    return !(get(pad, COM_IRQ) & (IRQ_SILENCE | IRQ_RECEIVED)) && get(pad, FIFO_LEVEL) == count;
}

static uint8_t asked; /* a bit for each pad: its chip has taken the last question */

/* A chip that does not take a question, twice, is left alone with it: it hangs. */
static void ask(uint8_t pad, const uint8_t *frame, uint8_t count, uint8_t framing)
{
    asked &= (uint8_t)~(1 << pad);
    if (arm(pad, frame, count, framing) || arm(pad, frame, count, framing)) {
        put(pad, BIT_FRAMING, START_SEND | framing);
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
    uint8_t error = get(pad, ERROR);
    uint8_t count = get(pad, FIFO_LEVEL);
    if ((error & (uint8_t)~ERROR_COLLISION) || count > RC522_ANSWER)
        return RC522_GARBLED;
    read_fifo(pad, answer->bytes, count);
    answer->count = count;
    answer->last_bits = get(pad, CONTROL) & LAST_BITS;
    if (!error)
        return RC522_ANSWERED;
    uint8_t position = get(pad, COLL);
    if (position & POSITION_INVALID)
        return RC522_GARBLED;
    answer->collision = position & POSITION ? position & POSITION : POSITIONS;
    return RC522_COLLISION;
}

/* An error is flagged in the middle of an answer (a collision at its bit), so the end of the answer is waited for. */
enum rc522_outcome rc522_outcome(uint8_t pad, bool late, struct rc522_answer *answer)
{
    uint8_t irq = get(pad, COM_IRQ);
    answer->count = answer->last_bits = answer->collision = 0;
    if (!(asked & 1 << pad))
        return RC522_BUSY;
    if (irq & IRQ_ALWAYS_ZERO)
        return RC522_GARBLED;
    if ((irq & IRQ_RECEIVED && irq & IRQ_SENT) || (late && irq & IRQ_ERROR))
        return received(pad, answer);
    return (irq & IRQ_SILENCE) == IRQ_SILENCE ? RC522_SILENCE : RC522_BUSY;
}

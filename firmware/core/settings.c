#include "settings.h"

#include "hal.h"
#include "registers.h"
#include "wire.h"

/* What is set, and read back to see whether the chip is still the one that was set up. The last column has the bits to
 * which the data sheet gives a meaning (9.3): it promises nothing about the others, and copies differ in them. The
 * timer starts with the end of each question (TAuto, 8.5) and counts 41 periods of 25 µs; tags answer after 0.1 ms or
 * never. 106 kbit/s without the chip's own CRC. Force100ASK: type A modulates all or nothing. Last the antenna. As
 * macros: a table would be in the RAM. */
#define SETTINGS(X)                                                                                                   \
    X(T_MODE, 0x80, 0xFF)                                                                                             \
    X(T_PRESCALER, 0xA9, 0xFF)                                                                                        \
    X(T_RELOAD_HIGH, 0x00, 0xFF)                                                                                      \
    X(T_RELOAD_LOW, 40, 0xFF)                                                                                         \
    X(TX_MODE, 0x00, 0xF8)                                                                                            \
    X(RX_MODE, 0x00, 0xFC)                                                                                            \
    X(TX_ASK, FORCE_ASK, FORCE_ASK)                                                                                   \
    X(TX_CONTROL, FIELD_ON, 0xFB)

/* What decides how strongly a chip sends, and whether it hears at all. It stays as it is after a reset: as the data
 * sheet says, or, with other makes of chip, as two resets in a row agree about. Remembered as a sum in which each
 * register has its place. The same goes for the bits that are reserved, in a sum of their own, unless they waver: no
 * data sheet says what they do, so a chip in which they have changed may be deaf. */
#define ANALOGUE(X)                                                                                                   \
    X(MODE, 0xAB)                                                                                                     \
    X(TX_SEL, 0x3F)                                                                                                   \
    X(RX_SEL, 0xFF)                                                                                                   \
    X(RX_THRESHOLD, 0xF7)                                                                                             \
    X(DEMOD, 0xFF)                                                                                                    \
    X(MF_TX, 0x03)                                                                                                    \
    X(MF_RX, 0x10)                                                                                                    \
    X(MOD_WIDTH, 0xFF)                                                                                                \
    X(RF_CFG, 0x70)                                                                                                   \
    X(GS_N, 0xFF)                                                                                                     \
    X(CW_GS_P, 0x3F)                                                                                                  \
    X(MOD_GS_P, 0x3F)
enum { DATA_SHEET = 0xB020, DATA_SHEET_RESERVED = 0x7C }; /* both sums, of NXP's chips */

/* What is wrong with a chip, a bit each: a setting that it does not hold, in their order, or its analogue part. */
enum { WRONG_ANALOGUE = 0x100, WRONG_ALL = 0x1FF };
enum { WAVERING = 3 }; /* looks in a row of which each differs from the one before */

static struct chip {
    uint16_t analogue;
    uint8_t reserved;
    uint16_t wrong : 9; /* at the last set-up */
    uint16_t often : 3; /* for so many set-ups in a row it was just that */
    uint16_t wavers : 1; /* its reserved bits do not hold still, and are not looked at */
} chips[WIRE_PADS];

void settings_start(void)
{
    for (uint8_t pad = 0; pad < WIRE_PADS; pad++)
        chips[pad] = (struct chip){.analogue = DATA_SHEET, .reserved = DATA_SHEET_RESERVED};
}

/* What a chip holds. */
struct state {
    uint8_t version;
    uint8_t reserved;  /* sum of all bits that are reserved */
    uint16_t wrong;    /* settings that it does not hold */
    uint16_t analogue; /* sum */
};

/* Asked for whenever no tag answers, so it is quick: each further byte is the next address, and nothing is a loop. */
static void read_state(uint8_t pad, struct state *state)
{
    uint8_t values[24], *to = values, held, wrong = 0, reserved = 0;
    const uint8_t *from = values;
    uint16_t analogue = 0;
    hal_select(pad);
    hal_exchange(READ | VERSION << 1);
#define ASK(address, ...) *to++ = hal_exchange(READ | (address) << 1);
    SETTINGS(ASK)
    ANALOGUE(ASK)
    *to = hal_exchange(0);
    hal_deselect();
    state->version = *from++;
#define TAKE_SETTING(address, value, mask)                                                                            \
    held = *from++;                                                                                                   \
    wrong = (uint8_t)(wrong << 1);                                                                                    \
    if ((held ^ (value)) & (mask))                                                                                    \
        wrong |= 1;                                                                                                   \
    reserved ^= held & (uint8_t)~(mask);
#define TAKE_ANALOGUE(address, mask)                                                                                  \
    held = *from++;                                                                                                   \
    analogue = (uint16_t)(analogue << 1 | analogue >> 15) ^ (held & (mask));                                          \
    reserved ^= held & (uint8_t)~(mask);
    SETTINGS(TAKE_SETTING)
    ANALOGUE(TAKE_ANALOGUE)
    state->wrong = wrong;
    state->reserved = reserved;
    state->analogue = analogue;
}

static bool is_no_chip(const struct state *state)
{
    return state->version == 0x00 || state->version == 0xFF;
}

/* A chip that fails in the same few places again and again, whatever happens, is no broken one but an odd copy: from
 * then on those are not looked at, and it is named (settings_copy). */
static uint16_t accepted(const struct chip *chip)
{
    return chip->often == SETTINGS_ODD ? chip->wrong : 0;
}

static uint16_t but_one(uint16_t bits)
{
    return bits & (uint16_t)(bits - 1);
}

static uint8_t judge(struct chip *chip, uint16_t wrong)
{
    bool are_few = but_one(but_one(wrong)) == 0;
    if (wrong != chip->wrong || !are_few)
        chip->often = 0;
    chip->wrong = wrong & WRONG_ALL;
    if (wrong && are_few && chip->often < SETTINGS_ODD)
        chip->often++;
    return wrong & (uint16_t)~accepted(chip) ? WIRE_WRONG : WIRE_WELL;
}

/* Whether its reserved bits are as they were, as far as they hold still. They waver if they read differently again and
 * again while all else reads the same: a disturbance spares nothing. */
static bool holds_reserved(struct chip *chip, uint8_t pad, const struct state *state)
{
    uint8_t before = state->reserved, differing = 0;
    struct state again;
    if (chip->wavers || state->reserved == chip->reserved)
        return true;
    for (uint8_t i = 0; i < WAVERING; i++) {
        read_state(pad, &again);
        if (again.wrong == state->wrong && again.analogue == state->analogue && again.reserved != before)
            differing++;
        before = again.reserved;
    }
    chip->wavers = differing == WAVERING;
    return chip->wavers;
}

uint8_t settings_set_up(uint8_t pad)
{
    struct chip *chip = &chips[pad];
    bool was_reset = !(registers_get(pad, TX_CONTROL) & ANTENNA) && !(registers_get(pad, TX_ASK) & FORCE_ASK);
    registers_put(pad, COLL, 0); /* ValuesAfterColl: what follows a collision is no use */
#define PUT(address, value, mask) registers_put(pad, address, value);
    if (was_reset) {
        SETTINGS(PUT)
    }
    struct state state;
    read_state(pad, &state);
    if (is_no_chip(&state))
        return WIRE_NO_CHIP;
    if (!was_reset)
        return WIRE_WRONG;
    if (state.analogue != chip->analogue)
        state.wrong |= WRONG_ANALOGUE;
    bool as_before = holds_reserved(chip, pad, &state);
    chip->analogue = state.analogue;
    chip->reserved = state.reserved;
    uint8_t fault = judge(chip, state.wrong);
    return as_before ? fault : WIRE_WRONG;
}

uint8_t settings_fault(uint8_t pad)
{
    struct chip *chip = &chips[pad];
    struct state state;
    read_state(pad, &state);
    if (is_no_chip(&state))
        return WIRE_NO_CHIP;
    if (state.analogue != chip->analogue)
        state.wrong |= WRONG_ANALOGUE;
    if (!holds_reserved(chip, pad, &state))
        return WIRE_WRONG;
    return state.wrong & (uint16_t)~accepted(chip) ? WIRE_WRONG : WIRE_WELL;
}

bool settings_copy(uint8_t pad, struct settings_make *make)
{
    uint16_t odd = accepted(&chips[pad]);
    make->version = registers_get(pad, VERSION);
    make->odd = odd == 0 ? 0 : but_one(odd) == 0 ? 1 : 2;
    return make->odd || (make->version != SETTINGS_VERSION_1 && make->version != SETTINGS_VERSION_2);
}

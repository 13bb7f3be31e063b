/* The registers of an MFRC522 and how they are read and written (NXP's data sheet, rev. 3.9: 9.2 and 8.1.2). */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

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

/* Bits of TX_CONTROL and TX_ASK. */
enum { FIELD_ON = 0x83, FIELD_OFF = 0x80, ANTENNA = 0x03 }; /* both drivers of the antenna */
enum { FORCE_ASK = 0x40 };

uint8_t registers_get(uint8_t pad, uint8_t address);
void registers_put(uint8_t pad, uint8_t address, uint8_t value);

#endif

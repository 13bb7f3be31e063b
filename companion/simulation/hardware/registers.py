"""The registers of an MFRC522 (data sheet, section 9), and what they hold after a reset."""

from collections.abc import Sequence
from enum import IntEnum
from operator import itemgetter


class Register(IntEnum):
    COMMAND = 0x01
    COM_IEN = 0x02
    DIV_IEN = 0x03
    COM_IRQ = 0x04
    DIV_IRQ = 0x05
    ERROR = 0x06
    STATUS1 = 0x07
    STATUS2 = 0x08
    FIFO_DATA = 0x09
    FIFO_LEVEL = 0x0A
    WATER_LEVEL = 0x0B
    CONTROL = 0x0C
    BIT_FRAMING = 0x0D
    COLL = 0x0E
    MODE = 0x11
    TX_MODE = 0x12
    RX_MODE = 0x13
    TX_CONTROL = 0x14
    TX_ASK = 0x15
    TX_SEL = 0x16
    RX_SEL = 0x17
    RX_THRESHOLD = 0x18
    DEMOD = 0x19
    MF_TX = 0x1C
    MF_RX = 0x1D
    SERIAL_SPEED = 0x1F
    CRC_RESULT_H = 0x21
    CRC_RESULT_L = 0x22
    MOD_WIDTH = 0x24
    RF_CFG = 0x26
    GS_N = 0x27
    CW_GS_P = 0x28
    MOD_GS_P = 0x29
    T_MODE = 0x2A
    T_PRESCALER = 0x2B
    T_RELOAD_H = 0x2C
    T_RELOAD_L = 0x2D
    T_COUNTER_H = 0x2E
    T_COUNTER_L = 0x2F
    VERSION = 0x37


class ChipCommand(IntEnum):
    IDLE = 0x0
    CALC_CRC = 0x3
    TRANSMIT = 0x4
    NO_CHANGE = 0x7
    RECEIVE = 0x8
    TRANSCEIVE = 0xC
    AUTHENTICATE = 0xE
    SOFT_RESET = 0xF


TX_IRQ, RX_IRQ, IDLE_IRQ, ERR_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x02, 0x01
CRC_IRQ = 0x04
BUFFER_OVERFLOW, COLLISION, CRC_ERROR = 0x10, 0x08, 0x04
START_SEND = 0x80
COLL_POSITION_INVALID, VALUES_AFTER_COLL = 0x20, 0x80
CRYPTO_ON = 0x08
ANTENNA = 0x03
FORCE_ASK = 0x40
FIFO_BYTES = 64
SPEED = 0x70
"""Of TX_MODE and RX_MODE: anything but 0 is faster than tags are spoken to before they are selected."""

ANALOGUE = (
    *(Register.TX_SEL, Register.RX_SEL, Register.RX_THRESHOLD, Register.DEMOD, Register.MF_TX, Register.MF_RX),
    *(Register.MOD_WIDTH, Register.RF_CFG, Register.GS_N, Register.CW_GS_P, Register.MOD_GS_P),
)
"""What decides how strongly the chip sends, and how well it hears."""

READ_ONLY = frozenset(
    {Register.ERROR, Register.STATUS1, Register.CRC_RESULT_H, Register.CRC_RESULT_L, Register.VERSION}
    | {Register.T_COUNTER_H, Register.T_COUNTER_L}
)

AFTER_RESET: dict[int, int] = {
    Register.COMMAND: 0x20,
    Register.COM_IEN: 0x80,
    Register.COM_IRQ: 0x14,
    Register.STATUS1: 0x21,
    Register.WATER_LEVEL: 0x08,
    Register.CONTROL: 0x10,
    Register.COLL: 0xA0,
    Register.MODE: 0x3F,
    Register.TX_CONTROL: 0x80,
    Register.TX_SEL: 0x10,
    Register.RX_SEL: 0x84,
    Register.RX_THRESHOLD: 0x84,
    Register.DEMOD: 0x4D,
    Register.MF_TX: 0x62,
    Register.SERIAL_SPEED: 0xEB,
    Register.CRC_RESULT_H: 0xFF,
    Register.CRC_RESULT_L: 0xFF,
    Register.MOD_WIDTH: 0x26,
    Register.RF_CFG: 0x48,
    Register.GS_N: 0x88,
    Register.CW_GS_P: 0x20,
    Register.MOD_GS_P: 0x20,
}
"""All others: 0."""


def reaches_tags(values: Sequence[int]) -> bool:
    """Whether a chip with these registers speaks to tags, and hears them.

    Type A needs the carrier switched off for a moment: without Force100ASK no tag hears anything. What other values do
    to the analogue part depends on the antenna; the worst is taken for granted: it is deaf."""
    tx_mode, rx_mode, tx_control, tx_ask = _sending(values)
    slow = not (tx_mode | rx_mode) & SPEED
    return bool(_analogue(values) == _TUNED and slow and tx_control & ANTENNA and tx_ask & FORCE_ASK)


_sending = itemgetter(Register.TX_MODE, Register.RX_MODE, Register.TX_CONTROL, Register.TX_ASK)
_analogue = itemgetter(*ANALOGUE)
_TUNED = tuple(AFTER_RESET.get(register, 0) for register in ANALOGUE)

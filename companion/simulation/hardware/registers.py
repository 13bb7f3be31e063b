"""The registers of an MFRC522 and what they hold after a reset, in NXP's chips and in copies.

Sources. Addresses, bits and values after a reset: NXP, MFRC522 product data sheet rev. 3.9 (9.2 overview, 9.3 each
register; commands 10.3). Where it says nothing (reserved bits, all of a copy but its version) there is a reading for
each answer that could be, and drivers have to live with all of them: `Make`.
"""

from collections.abc import Sequence
from enum import IntEnum
from operator import itemgetter
from typing import Literal

from msgspec import Struct


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


MEANT: dict[int, int] = {
    Register.MODE: 0xAB,
    Register.TX_MODE: 0xF8,
    Register.RX_MODE: 0xFC,
    Register.TX_CONTROL: 0xFB,
    Register.TX_ASK: 0x40,
    Register.TX_SEL: 0x3F,
    Register.RX_THRESHOLD: 0xF7,
    Register.MF_TX: 0x03,
    Register.MF_RX: 0x10,
    Register.RF_CFG: 0x70,
    Register.CW_GS_P: 0x3F,
    Register.MOD_GS_P: 0x3F,
}
"""Registers with reserved bits, and those bits that have a meaning (9.3.2, 9.3.3)."""

Reserved = Literal["kept", "zero", "one", "wavering"]
RESERVED: tuple[Reserved, ...] = ("kept", "zero", "one", "wavering")
"""What reserved bits may do, of which nothing can be relied on: keep what was written, always read the same, or read
anything."""


class Make(Struct, frozen=True):
    """A make of the chip."""

    name: str
    version: int
    reserved: Reserved = "kept"
    after_reset: dict[int, int] = {}
    """What it holds then that NXP's do not."""
    unreadable: frozenset[int] = frozenset()
    """Registers that take what is written, and always read 0: a promise that is broken."""
    unsteady: frozenset[int] = frozenset()
    """Registers that read anything."""


NXP_1 = Make("NXP, version 1.0", 0x91)
NXP_2 = Make("NXP, version 2.0", 0x92)
"""The versions of the data sheet (9.3.4.8)."""
COPIES = (
    Make("FM17522", 0x88),  # miguelbalboa/rfid, pull request 106
    Make("a copy without a name", 0x12),  # miguelbalboa/rfid, issues 428 and 482
    Make("a copy that calls itself 0xB2", 0xB2),  # OSSLibraries/Arduino_MFRC522v2, issue 14
    Make("a copy that calls itself 2.0", 0x92),  # the same: it fails NXP's self test
)
"""Seen by others under these versions. Nothing else is known of them, so any of the readings below may be theirs."""
OTHER_VALUES: dict[int, int] = {Register.RX_THRESHOLD: 0x55, Register.GS_N: 0xF4, Register.CW_GS_P: 0x3F}
"""An analogue part that is tuned in another way: invented, because no source tells of one, or rules one out."""
BROKEN_PROMISES = (
    {"unreadable": frozenset({Register.TX_ASK})},
    {"unreadable": frozenset({Register.T_MODE, Register.T_PRESCALER})},
    {"unsteady": frozenset({Register.MOD_WIDTH})},
)
"""Copies that would be odd: invented as well."""


def reaches_tags(values: Sequence[int], tuned: Sequence[int] | None = None) -> bool:
    """Whether a chip with these registers speaks to tags, and hears them. `tuned`: its analogue part after a reset, in
    the order of ANALOGUE; that of NXP's, unless told.

    Type A needs the carrier switched off for a moment: without Force100ASK no tag hears anything (data sheet,
    9.3.2.6). What other values do to the analogue part depends on the antenna; the worst is taken for
    granted: it is deaf."""
    tx_mode, rx_mode, tx_control, tx_ask = _sending(values)
    slow = not (tx_mode | rx_mode) & SPEED
    return bool(analogue_part(values) == (tuned or _TUNED) and slow and tx_control & ANTENNA and tx_ask & FORCE_ASK)


_sending = itemgetter(Register.TX_MODE, Register.RX_MODE, Register.TX_CONTROL, Register.TX_ASK)
analogue_part = itemgetter(*ANALOGUE)
_TUNED = tuple(AFTER_RESET.get(register, 0) for register in ANALOGUE)

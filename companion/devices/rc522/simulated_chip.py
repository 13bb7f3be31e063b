"""An MFRC522, register by register, as its SPI pins show it. Time is told to it with every call.

    chip.select(now_us); chip.exchange(byte, now_us) → byte; …; chip.deselect(now_us)
    chip.transfer(bytes, now_us, octet_us) → bytes          all of that at once

What its registers do is in `chip_registers`; here are its pins, and what can be wrong with them.
"""

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from math import inf
from operator import itemgetter
from random import Random
from typing import Literal

from msgspec import Struct

from companion.devices.iso14443 import crc_a
from companion.devices.simulated.reader_faults import Faults
from companion.devices.simulated.shared_field import Received, SimulatedField
from companion.devices.simulated.tags import BIT_US, CARRIER_MHZ, Classic, Frame

# --- Registers, and what they hold after a reset, in NXP's chips and in copies --------------------------------


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


# --- What registers do when they are written, and as time goes by ---------------------------------------------

AUTHENTICATION_US = 2_000.0
"""Three passes of nonces and answers: a guess, on which nothing depends."""

# As plain numbers: what is looked up with every byte has to be quick, and an enumeration's members are not.
COMMAND, COM_IRQ, DIV_IRQ = map(int, (Register.COMMAND, Register.COM_IRQ, Register.DIV_IRQ))
ERROR, STATUS1, STATUS2 = map(int, (Register.ERROR, Register.STATUS1, Register.STATUS2))
CONTROL, BIT_FRAMING, COLL = map(int, (Register.CONTROL, Register.BIT_FRAMING, Register.COLL))
MODE, TX_MODE, RX_MODE = map(int, (Register.MODE, Register.TX_MODE, Register.RX_MODE))
TX_CONTROL, DEMOD, VERSION = map(int, (Register.TX_CONTROL, Register.DEMOD, Register.VERSION))
CRC_RESULT_H, CRC_RESULT_L = map(int, (Register.CRC_RESULT_H, Register.CRC_RESULT_L))
T_MODE, T_PRESCALER = map(int, (Register.T_MODE, Register.T_PRESCALER))
T_RELOAD_H, T_RELOAD_L = map(int, (Register.T_RELOAD_H, Register.T_RELOAD_L))
IDLE, CALC_CRC, TRANSMIT, NO_CHANGE, RECEIVE, TRANSCEIVE, AUTHENTICATE, SOFT_RESET = map(int, ChipCommand)
WAITING = frozenset({IDLE, NO_CHANGE, RECEIVE, TRANSCEIVE})
"""Commands that do nothing by themselves when they begin."""


class ChipRegisters:
    """Registers, a field with tags, and what can be wrong in there."""

    def __init__(self, version: int, chance: Random, position_counts_align: bool, make: Make = NXP_2) -> None:
        self.make = make
        self.field = SimulatedField()
        self.faults = Faults()
        self.version = version
        self._chance = chance
        self._position_counts_align = position_counts_align
        self._values = bytearray(64)
        self._reset_registers()
        readers: dict[int, Callable[[], int]] = {
            Register.FIFO_DATA: self._read_fifo,
            Register.FIFO_LEVEL: lambda: len(self._fifo),
            Register.T_COUNTER_H: lambda: self._ticks_left() >> 8,
            Register.T_COUNTER_L: lambda: self._ticks_left() & 0xFF,
            Register.STATUS1: self._read_status,
        }
        writers: dict[int, Callable[[int], None]] = {
            Register.COMMAND: self._write_command,
            Register.COM_IRQ: lambda value: self._write_flags(COM_IRQ, value),
            Register.DIV_IRQ: lambda value: self._write_flags(DIV_IRQ, value),
            Register.STATUS2: self._write_status,
            Register.FIFO_DATA: self._write_fifo,
            Register.FIFO_LEVEL: self._write_level,
            Register.CONTROL: self._write_control,
            Register.BIT_FRAMING: self._write_framing,
            Register.COLL: self._write_collision,
            Register.TX_CONTROL: self._write_antenna,
        }
        writers |= {register: lambda value: None for register in READ_ONLY}
        self._be_of_its_make(readers, writers)
        self._readers = [readers.get(register) for register in range(64)]
        self._writers = [writers.get(register) for register in range(64)]
        """None: it holds what was written, and nothing else happens."""

    def _be_of_its_make(self, readers: dict[int, Callable[[], int]], writers: dict[int, Callable[[int], None]]) -> None:
        make = self.make
        if make.reserved == "wavering":
            readers |= {register: partial(self._read_wavering, register, meant) for register, meant in MEANT.items()}
        elif make.reserved != "kept":
            writers |= {register: partial(self._write_meant, register, writers.get(register)) for register in MEANT}
        readers |= dict.fromkeys(make.unreadable, lambda: 0)
        readers |= {register: partial(self._read_wavering, register, 0) for register in make.unsteady}

    def _read_wavering(self, register: int, meant: int) -> int:
        return self._values[register] & meant | self._chance.randrange(256) & ~meant

    def _write_meant(self, register: int, write: Callable[[int], None] | None, value: int) -> None:
        if write:
            write(value)
        else:
            self._values[register] = value
        self._hold_reserved(register)

    def _hold_reserved(self, register: int) -> None:
        meant = MEANT[register]
        self._values[register] = self._values[register] & meant | (~meant & 0xFF) * (self.make.reserved == "one")

    # --- Registers --------------------------------------------------------------------------------------------

    @property
    def registers(self) -> bytearray:
        """As they are, for callers that may look at them without asking; and which of these are enough to look at."""
        return self._values

    @property
    def plain_registers(self) -> int:
        return sum(1 << register for register, read in enumerate(self._readers) if read is None)

    def _reset_registers(self) -> None:
        held = AFTER_RESET | self.make.after_reset
        self._values[:] = bytes(held.get(register, 0) for register in range(64))
        if self.make.reserved in ("zero", "one"):
            for register in MEANT:
                self._hold_reserved(register)
        self._values[VERSION] = self.version
        self._tuned = analogue_part(self._values)
        self._fifo = bytearray()
        self._now_us = self.field.now_us
        self._sent_us = self._received_us = self._timer_us = self._due_us = inf
        self._outgoing = Frame(0, 0)
        self._incoming: Received | None = None
        self._login = b""

    def _lose_power(self) -> None:
        self._reset_registers()
        self.field.switch(False, self._now_us)

    def _command(self) -> int:
        return self._values[COMMAND] & 0x0F

    def _write_command(self, value: int) -> None:
        command = value & 0x0F
        if command == SOFT_RESET:
            if not self.faults.stubborn:
                self._lose_power()
            return
        if command == NO_CHANGE:
            value = value & 0xF0 | self._command()
        else:
            self._sent_us = self._received_us = inf
            self._values[ERROR] = 0
        if command == IDLE:
            self._timer_us = inf
            self._plan()
        self._values[COMMAND] = value & 0x3F
        self._began(command)

    def _began(self, command: int) -> None:
        if command in WAITING:
            return
        if command == CALC_CRC:
            self._calculate_crc()
        elif command == TRANSMIT:
            self._send(bytes(self._fifo))
        elif command == AUTHENTICATE:
            self._login = bytes(self._fifo)
            self._send(self._login[:2] + crc_a(self._login[:2]))
        else:  # the others end at once
            self._end_command()

    def _end_command(self) -> None:
        self._values[COMMAND] &= 0xF0
        self._raise(IDLE_IRQ)

    def _raise(self, flags: int) -> None:
        self._values[COM_IRQ] |= flags

    def _write_flags(self, register: int, value: int) -> None:
        """Bit 7 says whether the marked flags are set or cleared."""
        if value & 0x80:
            self._values[register] |= value & 0x7F
        else:
            self._values[register] &= ~value & 0x7F

    def _write_status(self, value: int) -> None:
        """Crypto1 can be switched off from outside, never on."""
        self._values[STATUS2] = value & 0xC0 | self._values[STATUS2] & value & CRYPTO_ON

    def _read_status(self) -> int:
        return self._values[STATUS1] | (0x08 if self._timer_us < inf else 0)

    def _read_fifo(self) -> int:
        return self._fifo.pop(0) if self._fifo else 0

    def _write_fifo(self, value: int) -> None:
        if len(self._fifo) >= FIFO_BYTES:
            self._fail(BUFFER_OVERFLOW)
            return
        self._fifo.append(value)
        if self._command() == CALC_CRC:
            self._calculate_crc(self._values[CRC_RESULT_H] << 8 | self._values[CRC_RESULT_L])

    def _write_level(self, value: int) -> None:
        if value & 0x80:
            self._fifo.clear()
            self._values[ERROR] &= ~BUFFER_OVERFLOW & 0xFF

    def _write_control(self, value: int) -> None:
        if value & 0x80:
            self._timer_us = inf
        if value & 0x40:
            self._start_timer(self._now_us)
        self._plan()

    def _write_framing(self, value: int) -> None:
        """StartSend is an edge, and means something only while Transceive waits for it."""
        starts = value & START_SEND and not self._values[BIT_FRAMING] & START_SEND
        self._values[BIT_FRAMING] = value
        if starts and self._command() == TRANSCEIVE:
            self._send(bytes(self._fifo))

    def _write_collision(self, value: int) -> None:
        kept = self._values[COLL] & ~VALUES_AFTER_COLL
        self._values[COLL] = kept | value & VALUES_AFTER_COLL

    def _write_antenna(self, value: int) -> None:
        self._values[TX_CONTROL] = value
        self.field.switch(bool(value & ANTENNA), self._now_us)

    def _fail(self, errors: int) -> None:
        self._values[ERROR] |= errors
        self._raise(ERR_IRQ)

    def _calculate_crc(self, so_far: int | None = None) -> None:
        """The coprocessor takes what is in the FIFO, and goes on until another command comes."""
        presets = (0x0000, 0x6363, 0xA671, 0xFFFF)
        crc = presets[self._values[MODE] & 3] if so_far is None else so_far
        for octet in self._fifo:
            crc ^= octet
            for _ in range(8):
                crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
        self._fifo.clear()
        self._values[CRC_RESULT_H], self._values[CRC_RESULT_L] = divmod(crc, 256)
        self._values[DIV_IRQ] |= CRC_IRQ

    # --- The timer (data sheet, 8.5) --------------------------------------------------------------------------

    def _tick_us(self) -> float:
        prescaler = (self._values[T_MODE] & 0x0F) << 8 | self._values[T_PRESCALER]
        even = self._values[DEMOD] >> 4 & 1
        return (2 * prescaler + 1 + even) / CARRIER_MHZ

    def _start_timer(self, now_us: float) -> None:
        reload = self._values[T_RELOAD_H] << 8 | self._values[T_RELOAD_L]
        self._timer_us = now_us + (reload + 1) * self._tick_us()

    def _ticks_left(self) -> int:
        return max(0, int((self._timer_us - self._now_us) / self._tick_us())) & 0xFFFF if self._timer_us < inf else 0

    def _timer_expired(self, at_us: float) -> None:
        self._raise(TIMER_IRQ)
        self._timer_us = inf
        if self._values[T_MODE] & 0x10:  # TAutoRestart
            self._start_timer(at_us)

    # --- Sending and receiving --------------------------------------------------------------------------------

    def _plan(self) -> None:
        self._due_us = min(self._sent_us, self._received_us, self._timer_us)

    def _settle(self, now_us: float) -> None:
        """Let everything happen that was due until now, in its order."""
        if self.faults.hung:
            return
        while self._due_us <= now_us:
            due = self._due_us
            if due == self._sent_us:
                self._sent_us = inf
                self._end_of_sending(due)
            elif due == self._received_us:
                self._received_us = inf
                self._end_of_receiving()
            else:
                self._timer_expired(due)
            self._plan()

    def _send(self, data: bytes) -> None:
        self._fifo.clear()
        self._values[ERROR] = 0
        self._values[COLL] = self._values[COLL] & VALUES_AFTER_COLL | COLL_POSITION_INVALID
        if not data:
            return
        if self._values[TX_MODE] & 0x80:
            data += crc_a(data)
        last_bits = self._values[BIT_FRAMING] & 0x07
        bits = len(data) * 8 - (8 - last_bits if last_bits else 0)
        self._outgoing = Frame(int.from_bytes(data, "little") & (1 << bits) - 1, bits)
        self._sent_us = self._now_us + self._outgoing.air_us
        self._plan()

    def _end_of_sending(self, at_us: float) -> None:
        self._raise(TX_IRQ)
        if self._values[T_MODE] & 0x80:  # TAuto
            self._start_timer(at_us)
        command = self._command()
        if command == TRANSCEIVE:
            self._listen(at_us)
        elif command == TRANSMIT:
            self._end_command()
        elif command == AUTHENTICATE:
            self._authenticate(at_us)

    def _listen(self, at_us: float) -> None:
        if self.faults.colliding:
            received: Received | None = Received(Frame(0xFFFF, 16), 0, self._outgoing.delay_us)
        else:
            received = self.field.ask(self._outgoing, at_us) if reaches_tags(self._values, self._tuned) else None
        if received is None or self.faults.muffled:
            return
        begins_us = at_us + received.delay_us
        if begins_us + 5 * BIT_US < self._timer_us:  # the timer stops with the fifth bit
            self._timer_us = inf
        self._incoming = received
        self._received_us = begins_us + received.frame.air_us

    def _end_of_receiving(self) -> None:
        received, self._incoming = self._incoming, None
        if received is None:
            self._values[STATUS2] |= CRYPTO_ON
            self._end_command()
            return
        (value, bits), collision, _ = received
        if self.faults.garbled:
            value ^= 1 << self._chance.randrange(bits)
        align = self._values[BIT_FRAMING] >> 4 & 0x07
        if collision is not None:
            value = self._collided(value, collision, align)
        self._store(Frame(value << align, bits + align))

    def _collided(self, value: int, collision: int, align: int) -> int:
        position = collision + 1 + (align if self._position_counts_align else 0)
        after = self._values[COLL] & VALUES_AFTER_COLL
        self._values[COLL] = after | (position & 0x1F if position <= 32 else COLL_POSITION_INVALID)
        self._fail(COLLISION)
        return value if after else value & (1 << collision) - 1

    def _store(self, frame: Frame) -> None:
        data, last_bits = frame.data, frame.bits % 8
        if self._values[RX_MODE] & 0x80:
            if last_bits or len(data) < 3 or crc_a(data[:-2]) != data[-2:]:
                self._fail(CRC_ERROR)
            data = data[:-2] if not last_bits else data
        if len(self._fifo) + len(data) > FIFO_BYTES:
            self._fail(BUFFER_OVERFLOW)
        self._fifo += data[: FIFO_BYTES - len(self._fifo)]
        self._values[CONTROL] = self._values[CONTROL] & ~0x07 | last_bits
        self._raise(RX_IRQ)

    def _authenticate(self, at_us: float) -> None:
        """MFAuthent: command, block, key, UID. Without success it never ends; only the timer tells."""
        login = self._login.ljust(12, b"\0")
        cards = [tag for tag in self.field.tags if isinstance(tag, Classic)]
        if any(card.authenticate(login[1], login[2:8], login[8:12]) for card in cards):
            self._timer_us = inf
            self._received_us = at_us + AUTHENTICATION_US


class Chip(ChipRegisters):
    """One reader: registers, a field with tags, and faults that can be switched on."""

    def __init__(
        self,
        *,
        version: int | None = None,
        seed: int = 0,
        position_counts_align: bool = True,
        open_level: int = 0x00,
        make: Make = NXP_2,
    ) -> None:
        """`position_counts_align`: whether the position of a collision is that in the bytes stored, with the bits that
        RxAlign skips, or that among the bits received. The data sheet can be read both ways.

        `open_level`: what the bus reads when no chip drives it. A Pi up to 4 pulls its GPIO9 down (BCM2835 ARM
        Peripherals, alternative functions of the pins); others do not.

        `make`: whose chip it is; `version`: what it says, if not what that make does."""
        super().__init__(make.version if version is None else version, Random(seed), position_counts_align, make)
        self._open_level = open_level
        self._outages = 0
        self._held_in_reset = False
        self._address: int | None = None
        self._reading = False
        self._look_at_faults()

    def select(self, now_us: float) -> None:
        """Chip select goes low: a transfer begins."""
        self._now_us = self.field.now_us = now_us
        self._address, self._reading = None, False
        if self.faults.changes != self._changes:
            self._look_at_faults()

    def _look_at_faults(self) -> None:
        faults = self.faults
        self._changes = faults.changes
        if faults.outages != self._outages:
            self._outages = faults.outages
            self._lose_power()
        absent = faults.unpowered or self._held_in_reset
        self._silent = faults.gone if faults.gone is not None else self._open_level if absent else None
        """What the bus reads while the chip is not there."""
        self._disturbed = self._silent is not None or faults.stuck is not None or faults.sparks > 0

    def exchange(self, mosi: int, now_us: float) -> int:
        """One byte in, one byte out. The first one says where to read (bit 7 set) or write; when reading, each further
        one is the next address; when writing, all others go to the same (data sheet, 8.1.2)."""
        return self._exchange_disturbed(mosi, now_us) if self._disturbed else self._exchange(mosi, now_us)

    def _exchange_disturbed(self, mosi: int, now_us: float) -> int:
        if self._silent is not None:
            return self._silent
        faults, chance = self.faults, self._chance
        miso = self._exchange(faults.spark(mosi, chance) if faults.sparks else mosi, now_us)
        if faults.stuck is not None:
            miso = faults.stuck
        return faults.spark(miso, chance) if faults.sparks else miso

    def _exchange(self, mosi: int, now_us: float) -> int:
        self._now_us = now_us
        if now_us >= self._due_us:
            self._settle(now_us)
        address = self._address
        if address is None:
            self._address, self._reading = mosi, mosi >= 0x80
            return 0
        register = address >> 1 & 0x3F
        if self._reading:
            self._address = mosi
            read = self._readers[register]
            return read() if read else self._values[register]
        write = self._writers[register]
        if write:
            write(mosi)
        else:
            self._values[register] = mosi
        return 0

    @property
    def is_still(self) -> bool:
        """Nothing is under way and nothing is wrong: until a register is written, all of them hold what they do."""
        return self._due_us == inf and not self._disturbed and self._changes == self.faults.changes

    def deselect(self, now_us: float) -> None:
        """Chip select goes high."""
        self._now_us = self.field.now_us = now_us
        self._address = None

    def transfer(self, data: Sequence[int], now_us: float, octet_us: float) -> list[int]:
        """A whole one, from select to deselect, of which each byte takes so long."""
        self.select(now_us)
        if self._disturbed:
            answer = [self.exchange(octet, now_us + place * octet_us) for place, octet in enumerate(data, 1)]
        elif data[0] >= 0x80:
            answer = self._read_each(data, now_us + octet_us, octet_us)
        else:
            answer = self._write_each(data, now_us + octet_us, octet_us)
        self.deselect(now_us + len(data) * octet_us)
        return answer

    def _read_each(self, addresses: Sequence[int], now_us: float, octet_us: float) -> list[int]:
        values, readers = self._values, self._readers
        answer = [0]
        for address in addresses[:-1]:
            now_us += octet_us
            self._now_us = now_us
            if now_us >= self._due_us:
                self._settle(now_us)
            register = address >> 1 & 0x3F
            read = readers[register]
            answer.append(read() if read else values[register])
        return answer

    def _write_each(self, data: Sequence[int], now_us: float, octet_us: float) -> list[int]:
        register = data[0] >> 1 & 0x3F
        write = self._writers[register]
        for octet in data[1:]:
            now_us += octet_us
            self._now_us = now_us
            if now_us >= self._due_us:
                self._settle(now_us)
            if write:
                write(octet)
            else:
                self._values[register] = octet
        return [0] * len(data)

    def reset(self, high: bool, now_us: float) -> None:
        """The NRSTPD pin: low cuts everything off, the rising edge is a reset."""
        self._now_us = self.field.now_us = now_us
        if self._held_in_reset == high:
            self._lose_power()
        self._held_in_reset = not high
        self._look_at_faults()

    def disturb(self, register: Register, value: int) -> None:
        """What a spark does: a register holds what was never written. Reserved bits that keep nothing cannot be
        disturbed either."""
        if self.make.reserved != "kept" and register in MEANT:
            value = value & MEANT[register] | self._values[register] & ~MEANT[register]
        if register == Register.TX_CONTROL:
            self._write_antenna(value)
        else:
            self._values[register] = value

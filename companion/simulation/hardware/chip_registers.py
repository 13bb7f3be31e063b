"""What the registers of an MFRC522 do when they are written, and what happens in them as time goes by.

Sources: sections named are those of NXP's data sheet MFRC522, rev. 3.9. FIFO 8.3, interrupt flags 8.4 and 9.3.1.5,
timer 8.5, framing and collisions 9.3.1.14 and 9.3.1.15, commands 10.3. Where it can be read in two ways or
says nothing, there is a switch: `position_counts_align`, `Make`.

Modelled: FIFO, interrupt flags, the timer, Transceive with bit framing and bitwise collisions, CRC, authentication
(without Crypto1), soft and hard reset, the antenna. What is sent takes the time that it takes in the air at 106 kbit/s.
Not modelled: higher speeds, water-level alerts, the interrupt pin, the internal buffer and the self test.
"""

from collections.abc import Callable
from functools import partial
from math import inf
from random import Random

from companion.devices.iso14443 import crc_a
from companion.simulation.hardware.faults import Faults
from companion.simulation.hardware.field import Received, SimulatedField
from companion.simulation.hardware.registers import (
    AFTER_RESET,
    ANTENNA,
    BUFFER_OVERFLOW,
    COLL_POSITION_INVALID,
    COLLISION,
    CRC_ERROR,
    CRC_IRQ,
    CRYPTO_ON,
    ERR_IRQ,
    FIFO_BYTES,
    IDLE_IRQ,
    MEANT,
    NXP_2,
    READ_ONLY,
    RX_IRQ,
    START_SEND,
    TIMER_IRQ,
    TX_IRQ,
    VALUES_AFTER_COLL,
    ChipCommand,
    Make,
    Register,
    analogue_part,
    reaches_tags,
)
from companion.simulation.hardware.tags import BIT_US, CARRIER_MHZ, Classic, Frame

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
        """As they are, for those who may look at them without asking; and which of these it is enough to look at."""
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

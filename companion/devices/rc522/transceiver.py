"""The MFRC522 itself: sends one frame into the field, and gives what came back.

Built on the library `mfrc522`, whose bus, reset and register access it keeps. What it replaces: waiting for an answer
(the library never sees the timer, and so reads 2000 times in vain), filling and emptying the FIFO byte by byte, the
settings, one more log handler for each instance, and a clean-up of all pins of the process.

This module imports the library, and the library the Pi's GPIO: import it only where a reader is opened
(`companion.devices.rc522.driver`). Data sheet: MFRC522, product data sheet, rev. 3.9; sections are cited from it.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from statistics import mode
from threading import Lock
from typing import NamedTuple
from weakref import WeakSet

from mfrc522 import MFRC522
from mfrc522.MFRC522 import GPIO

from companion.devices.tag_field import ReaderError
from companion.troubles import ReaderTrouble

TX, RX, TIMER = 0x40, 0x20, 0x01
"""Flags of ComIrqReg (9.3.1.5)."""
COLLISION, GARBLING = 0x08, 0x17
"""Flags of ErrorReg (9.3.1.7): a collision, and everything else that spoils an answer."""
START_SEND, FLUSH, CLEAR_FLAGS, POSITION_INVALID = 0x80, 0x80, 0x7F, 0x20
ANTENNA_ON, ANTENNA_OFF, ANTENNA = 0x83, 0x80, 0x03
"""TxControlReg, and its bits of the antenna's two drivers (9.3.2.5)."""
FORCE_ASK = 0x40
"""Of TxASKReg: 100 % ASK, which type A needs (9.3.2.6)."""

PRESCALER, TICK_US = 169, 25
"""The timer's clock is 13.56 MHz ÷ (2 · 169 + 1): 40 kHz (8.5)."""
BIT_US = 9.44
ANSWER_US = 92
"""The frame delay time (ISO 14443-3, 6.2.1.1)."""
SEARCH_US = 500
"""While tags are sought, an answer that has not begun by then never will: they begin after 91 µs."""
LOOK_AGAIN_S = 0.0002
LINGER_S = 0.0005
"""Some copies of the chip let the timer run out while an answer is coming in: where one is due, it is waited for."""
LOOKS = 100
"""A chip that has not come to an end after so many looks, 20 ms and more, never will."""
RESET_S = 0.005
"""How long the reset pin is held low, and how long the oscillator may take to start (8.8.1: much less)."""
FIELD_S = 0.006
"""ISO 14443-3, 5.1: a tag may take 5 ms to power down or up."""
MF_TX, MF_RX = 0x1C, 0x1D
"""Registers for which the library has no name of its own."""
RESETS = 5
"""How often a chip is reset, at most, until two resets in a row leave the same behind. One that fails in the same few
registers each time is an odd copy, and no broken chip."""
MOST_ODD, LOOKS_AT_ALL = 2, 4
DATA_SHEET = [0x10, 0x84, 0x84, 0x4D, 0x62, 0x00, 0x26, 0x48, 0x88, 0x20, 0x20]
"""What the analogue part holds after a reset. Copies of the chip may hold something else."""
_MEANT = {"TxMode": 0xF8, "RxMode": 0xFC, "TxControl": 0xFB, "TxAuto": FORCE_ASK, "Mode": 0xAB, "TxSel": 0x3F}
_MEANT |= {"RxThreshold": 0xF7, "RFCfg": 0x70, "CWGsP": 0x3F, "ModGsP": 0x3F}
PROMISED = {MF_TX: 0x03, MF_RX: 0x10} | {getattr(MFRC522, f"{name}Reg"): bits for name, bits in _MEANT.items()}
"""The bits to which the data sheet gives a meaning (9.3); of all other registers, each one. What the others hold is
not promised, and copies differ in it."""
WHOLE = 0xFF
LEVEL = 0x7F
"""Of FIFOLevelReg: the highest bit is only written (9.3.1.11)."""


class TagReply(NamedTuple):
    """What came back. No bits: silence."""

    value: int
    """The first bit received is the lowest."""
    bits: int
    garbled: bool = False
    collided: bool = False
    position: int | None = None
    """Which bit collided first, counted from 1 in the bytes as stored; None: not told."""

    @property
    def silent(self) -> bool:
        return not self.bits and not self.garbled and not self.collided

    @property
    def whole(self) -> bytes | None:
        """The bytes of an answer that arrived undisturbed."""
        sound = self.bits and self.bits % 8 == 0 and not self.garbled and not self.collided
        return self.value.to_bytes(self.bits // 8, "little") if sound else None


SILENCE = TagReply(0, 0)


class Transceiver(MFRC522):  # type: ignore[misc]  # the library has no types
    """One chip. Nothing here locks the bus: each transfer is one message, which the kernel queues for its bus, and no
    chip minds what is said to another in between. So a reader that hangs holds no other up."""

    def __init__(self, bus: int, device: int, reset_pin: int, speed_hz: int, sleep: Callable[[float], None]) -> None:
        """Opens the bus and sets the chip up. `reset_pin` is a BCM number."""
        self.place = f"The reader on SPI bus {bus}, device {device}"
        self.version = 0x00
        self._bus, self._device, self._speed_hz, self._pin = bus, device, speed_hz, reset_pin
        self._sleep = sleep
        self._patience_us = 0
        self._masks: dict[int, int] = {}
        """Registers of which not all bits are looked at, and those that are: reserved bits that waver, and bits that an
        odd copy does not keep."""
        self._settings: dict[int, int] = {}
        """What the chip was told to hold…"""
        self._analogue = DATA_SHEET
        """…and what its analogue part held after the reset; copies of the chip have values of their own."""
        self._is_open = True
        with _lock:
            _open.add(self)
        try:
            with self._edge(ReaderTrouble.NO_BUS), self._pin_edge():
                if GPIO.getmode() not in (None, GPIO.BCM):
                    raise RuntimeError("another part of this process counts pins by their place on the header")
                super().__init__(bus, device, speed_hz, GPIO.BCM, reset_pin)
        except BaseException:
            self.close()
            raise
        finally:
            logging.getLogger("mfrc522Logger").handlers.clear()

    def close(self) -> None:
        """Idempotent. The reset pin is let go, for another process may need it next; but not from under another reader
        of this process. Other pins are left alone."""
        if not self._is_open:
            return
        self._is_open = False
        with suppress(OSError, AttributeError):  # the bus fails, or was never opened
            self.Write_MFRC522(self.TxControlReg, ANTENNA_OFF)
        with suppress(OSError, AttributeError):
            self.spi.close()
        with _lock:
            _open.discard(self)
            if GPIO.getmode() == GPIO.BCM and all(reader._pin != self._pin for reader in _open):
                GPIO.cleanup(self._pin)

    @contextmanager
    def _edge(self, problem: ReaderTrouble) -> Iterator[None]:
        """What the bus raises ends here."""
        try:
            yield
        except OSError as error:
            raise ReaderError(problem, self.place, str(error)) from error

    @contextmanager
    def _pin_edge(self) -> Iterator[None]:
        """The same for the reset pin. Stand-ins for RPi.GPIO raise errors of their own, but no OSError."""
        try:
            yield
        except (ReaderError, OSError):
            raise
        except Exception as error:
            raise ReaderError(ReaderTrouble.NO_RESET, self.place, str(error)) from error

    # --- Setting up -------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """As if it had just been plugged in: a new handle of the bus, a reset, all settings."""
        with self._edge(ReaderTrouble.NO_BUS):
            self.spi.close()
            self.spi.open(self._bus, self._device)
            self.spi.max_speed_hz = self._speed_hz
        with self._edge(ReaderTrouble.BUS_FAILS), self._pin_edge():
            if self._has_its_own_pin():
                GPIO.output(self._pin, 0)
                self._sleep(RESET_S)
                GPIO.output(self._pin, 1)
                self._sleep(RESET_S)
            self.MFRC522_Init()

    def _has_its_own_pin(self) -> bool:
        """A reset pin that several share is not pulled: that would reset the others, too, which would take it for a
        fault, and pull it in their turn."""
        with _lock:
            return [reader._pin for reader in _open].count(self._pin) == 1

    def MFRC522_Init(self) -> None:  # noqa: N802 — the library's name; its __init__ calls it
        """Reset and settings, read back: a chip that is not there keeps none, and a reset may be lost."""
        self._masks = {register: mask for register, mask in self._masks.items() if mask}
        misfits: set[frozenset[int]] = set()
        for _ in range(RESETS):
            before, marked = self._analogue, self._mark()
            self._analogue = self._reset()
            self._configure()
            misfit = self._misfits(before) | marked
            if not misfit:
                return
            misfits.add(misfit)
        if len(misfits) > 1 or len(misfit) > MOST_ODD:
            raise ReaderError(ReaderTrouble.FORGETS, self.place)
        self._masks |= dict.fromkeys(misfit, 0)

    @property
    def odd(self) -> tuple[str, ...]:
        """The registers of an odd copy that do not hold what they should: they are not looked at."""
        names = {number: name for name, number in vars(MFRC522).items() if name.endswith("Reg")}
        names |= {MF_TX: "MfTxReg", MF_RX: "MfRxReg"}
        return tuple(sorted(names[register] for register, mask in self._masks.items() if not mask))

    def _configure(self) -> None:
        self._settings.clear()
        self._wait_for(SEARCH_US)
        self._set(self.TModeReg, 0x80 | PRESCALER >> 8)  # the timer starts when a frame has been sent
        self._set(self.TPrescalerReg, PRESCALER & 0xFF)
        self._set(self.TxModeReg, 0x00)  # 106 kbit/s, without the chip's own CRC
        self._set(self.RxModeReg, 0x00)
        self._set(self.TxAutoReg, FORCE_ASK)
        self._set(self.ModeReg, 0x3D)
        self._set(self.TxControlReg, ANTENNA_ON)
        self.Write_MFRC522(self.CollReg, 0x00)  # bits after a collision are cleared

    def _misfits(self, before: list[int]) -> frozenset[int]:
        """Registers that do not hold what was set, or in which two resets have left different things. Of reserved bits
        nothing is known: those that do not take what was written, or waver, are not looked at any more."""
        analogue = self._analogue_part
        expected = self._settings | dict(zip(analogue, self._analogue, strict=True))
        looks = [self._see(expected) for _ in range(LOOKS_AT_ALL)]
        for register in expected:
            values = [look[register] for look in looks]
            usual = mode(values)
            wavers = values.count(usual) < LOOKS_AT_ALL - 1  # a single one that differs was a disturbance
            if wavers or usual != self._settings.get(register, usual):
                self._masks[register] = self._masks.get(register, WHOLE) & PROMISED.get(register, WHOLE)
        left = self._settings | dict(zip(analogue, before, strict=True))
        return frozenset(each for held in (left, *looks) for each in self._unlike(held, expected))

    def _unlike(self, held: Mapping[int, int], values: Mapping[int, int]) -> set[int]:
        """The registers that hold something else, in the bits that are looked at."""
        return {each for each, value in values.items() if (held[each] ^ value) & self._masks.get(each, WHOLE)}

    def _mark(self) -> frozenset[int]:
        """A chip that does not hear the reset that follows still has this mark. Without one, a chip that was without
        power a moment ago would look as if it had, even after a disturbance."""
        self.Write_MFRC522(self.TxAutoReg, FORCE_ASK)
        marked = self._see([self.TxAutoReg])[self.TxAutoReg] & FORCE_ASK
        return frozenset() if marked else frozenset({self.TxAutoReg})

    def _reset(self) -> list[int]:
        """What its analogue part holds then. After a reset the antenna is off, and the mark has gone; nothing else is
        needed, and copies differ in the rest."""
        self.MFRC522_Reset()
        self._sleep(RESET_S)
        held = self._see([self.TxControlReg, self.TxAutoReg])
        if held[self.TxControlReg] & ANTENNA or held[self.TxAutoReg] & FORCE_ASK:
            raise ReaderError(ReaderTrouble.FORGETS, self.place)
        return self._read_each(self._analogue_part)

    def _see(self, registers: Iterable[int]) -> dict[int, int]:
        """What these registers hold. What answers is the chip from now on; raises a ReaderError if nothing does."""
        asked = list(registers)
        self.version, *held = self._read_each([self.VersionReg, *asked])
        self._probe(self.version)
        return dict(zip(asked, held, strict=True))

    def _differ(self, registers: Sequence[int], held: Sequence[int], values: Iterable[int]) -> bool:
        return bool(self._unlike(dict(zip(registers, held, strict=True)), dict(zip(registers, values, strict=True))))

    def switch_field(self, on: bool) -> None:
        """Without a field all tags forget what was said to them."""
        with self._edge(ReaderTrouble.BUS_FAILS):
            self._set(self.TxControlReg, ANTENNA_ON if on else ANTENNA_OFF)
            self._sleep(FIELD_S)
            control = [self.TxControlReg]
            if self._differ(control, self._read_each(control), [self._settings[self.TxControlReg]]):
                raise ReaderError(ReaderTrouble.HAS_FORGOTTEN, self.place)

    def check_hearing(self) -> None:
        """Check that the analogue part is as it was: with a deaf receiver a field would seem to be empty."""
        with self._edge(ReaderTrouble.BUS_FAILS):
            if self._differ(self._analogue_part, self._read_each(self._analogue_part), self._analogue):
                raise ReaderError(ReaderTrouble.HAS_FORGOTTEN, self.place)

    def _probe(self, version: int) -> None:
        if version == 0x00:
            raise ReaderError(ReaderTrouble.ALL_LOW, self.place)
        if version == 0xFF:
            raise ReaderError(ReaderTrouble.ALL_HIGH, self.place)
        if version != self.version:
            raise ReaderError(ReaderTrouble.NONSENSE, self.place, f"version 0x{version:02X}")

    # --- One frame --------------------------------------------------------------------------------------------

    def exchange(
        self,
        data: bytes,
        *,
        last_bits: int = 0,
        align: int = 0,
        expected_bits: int = 0,
        patience_us: int = SEARCH_US,
    ) -> TagReply:
        """Send these bytes, of the last one only so many bits (0: all), and receive. The first bit that comes back is
        stored at bit `align`. `expected_bits`: when to look first; 0: silence is what is expected. `patience_us`: by
        when an answer must have begun."""
        bits = len(data) * 8 - (8 - last_bits if last_bits else 0)
        answer_us = ANSWER_US + _air_us(expected_bits) if expected_bits else patience_us + TICK_US
        with self._edge(ReaderTrouble.BUS_FAILS):
            self._arm(data, align << 4 | last_bits, patience_us)
            self.Write_MFRC522(self.BitFramingReg, START_SEND | align << 4 | last_bits)
            self._sleep((_air_us(bits) + answer_us) / 1e6)
            return self._receive(due=expected_bits > 0)

    def _arm(self, data: bytes, framing: int, patience_us: int) -> None:
        """Everything but the start; then see that the chip has taken it. So what it says after the start was caused by
        this very frame: a chip that was away for a moment cannot pass off an old silence as a new one."""
        if patience_us != self._patience_us:
            self._wait_for(patience_us)
        self.Write_MFRC522(self.CommandReg, self.PCD_IDLE)
        self.Write_MFRC522(self.FIFOLevelReg, FLUSH)
        self.spi.xfer2([self.FIFODataReg << 1, *data])
        self.Write_MFRC522(self.CommIrqReg, CLEAR_FLAGS)
        self.Write_MFRC522(self.BitFramingReg, framing)  # StartSend is an edge (9.3.1.14): first it must be down
        self.Write_MFRC522(self.CommandReg, self.PCD_TRANSCEIVE)
        status = self._status()
        if status.flags & (TX | RX | TIMER) or status.level != len(data):
            raise ReaderError(ReaderTrouble.FORGETS, self.place)

    def _receive(self, *, due: bool) -> TagReply:
        for _ in range(LOOKS):
            status = self._status()
            if status.flags & TX and status.flags & RX:
                return self._reply(status)
            if status.flags & TX and status.flags & TIMER:
                if not due:
                    return SILENCE
                due = False
                self._sleep(LINGER_S)
            self._sleep(LOOK_AGAIN_S)
        raise ReaderError(ReaderTrouble.UNFINISHED, self.place)

    def _reply(self, status: "_Status") -> TagReply:
        data = self._read_each([self.FIFODataReg] * status.level)
        last_bits = status.control & 0x07
        return TagReply(
            value=int.from_bytes(data, "little"),
            bits=len(data) * 8 - (8 - last_bits if last_bits else 0),
            garbled=bool(status.errors & GARBLING) or not data,
            collided=bool(status.errors & COLLISION),
            position=None if status.collision & POSITION_INVALID else status.collision & 0x1F or 32,
        )

    # --- Registers --------------------------------------------------------------------------------------------

    def _status(self) -> "_Status":
        """All that tells how things stand, in one transfer, and with it whether the chip is there at all, and still as
        it was set: one that sends nothing, or in another way, hears nothing, and tags would seem to be gone."""
        told = (self.CommIrqReg, self.ErrorReg, self.FIFOLevelReg, self.ControlReg, self.CollReg)
        *read, version = self._read_each([*told, *self._settings, self.VersionReg])
        self._probe(version)
        kept = read[len(told) :]
        if kept != [*self._settings.values()] and self._differ([*self._settings], kept, self._settings.values()):
            raise ReaderError(ReaderTrouble.HAS_FORGOTTEN, self.place)
        flags, errors, level, control, collision = read[: len(told)]
        return _Status(flags, errors, level & LEVEL, control, collision)

    def _wait_for(self, patience_us: int) -> None:
        """By when an answer must have begun."""
        ticks = patience_us // TICK_US - 1
        self._set(self.TReloadRegH, ticks >> 8)
        self._set(self.TReloadRegL, ticks & 0xFF)
        self._patience_us = patience_us

    def _set(self, register: int, value: int) -> None:
        self.Write_MFRC522(register, value)
        self._settings[register] = value

    @property
    def _analogue_part(self) -> list[int]:
        return [
            *(self.TxSelReg, self.RxSelReg, self.RxThresholdReg, self.DemodReg, MF_TX, MF_RX, self.ModWidthReg),
            *(self.RFCfgReg, self.GsNReg, self.CWGsPReg, self.ModGsPReg),
        ]

    def _read_each(self, registers: Sequence[int]) -> list[int]:
        """While one register comes in, the address of the next goes out (8.1.2.1)."""
        addresses = [register << 1 | 0x80 for register in registers]
        return list(self.spi.xfer2([*addresses, 0x00]))[1:]


_open: WeakSet[Transceiver] = WeakSet()
"""All readers of this process."""
_lock = Lock()
"""Guards that list, and nothing else."""


class _Status(NamedTuple):
    flags: int
    errors: int
    level: int
    control: int
    collision: int


def _air_us(bits: int) -> float:
    """Start, data, a parity bit for each byte, end."""
    return (bits + bits // 8 + 2) * BIT_US

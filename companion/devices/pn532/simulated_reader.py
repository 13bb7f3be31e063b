"""A simulated PN532: on a line in modelled time, or on a pseudo-terminal in real time, where pyserial opens it.

    with SimulatedPn532(folder / "reader") as board:
        … Reader("centre", FieldOpener(board.settings)) …
        board.lay("04A1B2C3D4E5F6")
        board.spoil("lost_acks")
        board.unplug()

What can go wrong with a real one can be made to go wrong here while it runs.
"""

import os
import select
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Self

from companion.devices.pn532.settings import Pn532Settings
from companion.devices.pn532.simulated_chip import ACK, BYTE_US, Pn532Chip
from companion.devices.pn532.source_readings import Pn532Reading
from companion.devices.rc522.simulated_bus import Clock
from companion.devices.serial_port import LineError
from companion.devices.simulated.shared_field import TRAITS, StickerHands
from companion.troubles import LineTrouble

NOISE = 0.01
"""The share of the bytes on a noisy line that have a flipped bit. Source: none, far above any line that works."""
IDLE_S = 0.5
PACKET = 11
"""Bytes that a converter hands over at once: those of 1 ms. Source: USB 2.0, whose frames last 1 ms at full speed."""
CLOCK_STEP_US = 0.01
"""Source: none, ours. A wait that is shorter than a clock can tell would never end."""


class Pn532Faults:
    """Tests and the demo's console set these while it runs."""

    NAMES = ("hung", "deaf", "lost_acks", "lost_answers", "garbled", "noisy", "babbling")

    def __init__(self) -> None:
        self.hung = False
        """It hears nothing and says nothing."""
        self.deaf = False
        """It acknowledges, and never answers."""
        self.lost_acks = False
        self.lost_answers = False
        """Frames of the chip that do not arrive."""
        self.garbled = False
        """One bit of each answer arrives wrong."""
        self.noisy = False
        """Now and then a bit is flipped, in both directions."""
        self.babbling = False
        """Bytes that mean nothing before each frame."""
        self.chance = Random(0)

    def clear(self) -> None:
        for name in self.NAMES:
            setattr(self, name, False)

    def heard(self, octet: int) -> int:
        """What the chip hears of a byte."""
        return self._flipped(octet) if self.noisy else octet

    def sent(self, frame: bytes) -> bytes:
        """What arrives of a frame of the chip."""
        if self.hung or (self.lost_acks if frame == ACK else self.lost_answers or self.deaf):
            return b""
        if self.garbled and frame != ACK:
            place = self.chance.randrange(5, len(frame) - 1)
            frame = frame[:place] + bytes([frame[place] ^ 1 << self.chance.randrange(8)]) + frame[place + 1 :]
        if self.noisy:
            frame = bytes(map(self._flipped, frame))
        return self.chance.randbytes(5) + frame if self.babbling else frame

    def _flipped(self, octet: int) -> int:
        return octet ^ 1 << self.chance.randrange(8) if self.chance.random() < NOISE else octet


class ModelledLine:
    """The driver's end of a line at 115,200 baud, on a clock that moves because bytes take their time."""

    def __init__(self, chip: Pn532Chip, clock: Clock, faults: Pn532Faults | None = None) -> None:
        self.chip, self._clock = chip, clock
        self.faults = faults or Pn532Faults()
        self.octets = 0
        """In both directions."""
        self.is_plugged = True
        self._coming: list[tuple[float, bytes]] = []
        """Packets on their way to the host, each with the moment at which its last byte is there."""
        self._opened = 0

    def open(self) -> "ModelledLine":
        """As a program opens its port: DTR goes up, unless it stayed up since the last time."""
        self._check()
        dtr = self.chip.reading.dtr
        if dtr == "resets always" or (dtr == "resets once" and not self._opened):
            self.chip.reset(self._clock.now_us)
        self._opened += 1
        return self

    def write(self, data: bytes) -> None:
        self._check()
        self.octets += len(data)
        for octet in data:
            self._clock.advance(BYTE_US)
            if not self.faults.hung:
                self.chip.hear(self.faults.heard(octet), self._clock.now_us)

    def read(self, within_s: float) -> bytes:
        self._check()
        clock, chip = self._clock, self.chip
        until_us = clock.now_us + (max(within_s * 1e6, CLOCK_STEP_US) if within_s > 0 else 0.0)
        chip.advance(clock.now_us)
        while not (there := self._take(clock.now_us)):
            now_us = clock.now_us
            if now_us >= until_us:
                return b""
            to_us = until_us
            for moment_us in (chip.due_us, self._next_us()):
                if moment_us is not None and moment_us < to_us:
                    to_us = max(moment_us, now_us)
            chip.advance(clock.advance(to_us - now_us))
        self.octets += len(there)
        return there

    def close(self) -> None:
        """There is nothing to close."""

    def _check(self) -> None:
        if not self.is_plugged:
            raise LineError("the modelled line", LineTrouble.UNPLUGGED)

    def _next_us(self) -> float | None:
        """When the next packet is there, or the next frame begins."""
        if self._coming:
            return self._coming[0][0]
        return self.chip.outbox[0][0] if self.chip.outbox else None

    def _take(self, now_us: float) -> bytes:
        """What is not yet due may still be called off."""
        outbox, coming = self.chip.outbox, self._coming
        while outbox and outbox[0][0] <= now_us:
            ready_us, frame = outbox.pop(0)
            begins_us = max(ready_us, coming[-1][0] if coming else 0.0)
            arriving = self.faults.sent(frame)
            for place in range(0, len(arriving), PACKET):
                packet = arriving[place : place + PACKET]
                coming.append((begins_us + BYTE_US * (place + len(packet)), packet))
        there = b""
        while coming and coming[0][0] <= now_us:
            there += coming.pop(0)[1]
        return there


class SimulatedPn532(StickerHands):
    """`path` becomes a link to the pseudo-terminal for as long as the board is plugged in. It works in a thread of its
    own, and any thread may touch it."""

    DEEDS = ("unplug", "plug", "reset", "babble")
    fault_names = (*Pn532Faults.NAMES, *DEEDS, *TRAITS)
    unseen_faults = tuple(TRAITS)

    def __init__(self, path: Path, reading: Pn532Reading | None = None) -> None:
        self.path = path
        self.chip = Pn532Chip(reading=reading)
        self.faults = Pn532Faults()
        """What is wrong with the line, or with the chip at its end."""
        self._lock = threading.RLock()
        self._cable: _Cable | None = None
        super().__init__(self.chip.field)

    @property
    def settings(self) -> Pn532Settings:
        return Pn532Settings(port=str(self.path))

    def spoil(self, fault: str) -> None:
        if fault in TRAITS:
            self.weaken(fault)
        elif fault in self.DEEDS:
            deed: Callable[[], None] = getattr(self, fault)
            deed()
        else:
            setattr(self.faults, fault, True)

    def mend(self) -> None:
        self.faults.clear()
        self.weaken("")
        self.plug()

    def __enter__(self) -> Self:
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def plug(self) -> None:
        """It gets its power from the cable, so it restarts. Idempotent."""
        with self._lock:
            if self._cable is None:
                self.chip.reset(_now_us())
                self._cable = _Cable(self)

    def unplug(self) -> None:
        """Idempotent."""
        with self._lock:
            cable, self._cable = self._cable, None
        if cable is not None:
            cable.pull()

    def reset(self) -> None:
        """Its supply fails for a moment, while the line stays open: many boards power the converter and the chip from
        different regulators."""
        with self._lock:
            self.chip.reset(_now_us())

    def babble(self, count: int = 300) -> None:
        """Bytes on the line that were not asked for."""
        with self._lock:
            if self._cable is not None:
                self._cable.write(self.faults.chance.randbytes(count))

    # --- For the thread ---------------------------------------------------------------------------------------

    def work(self, heard: bytes, write: "_Cable") -> float:
        """Hear, do what is due, and say what is ready. How many seconds nothing will happen by itself."""
        with self._lock:
            now_us = _now_us()
            for place, octet in enumerate(heard, 1):
                if not self.faults.hung:
                    self.chip.hear(self.faults.heard(octet), now_us + place * BYTE_US)
            self.chip.advance(now_us)
            waiting: list[tuple[float, bytes]] = []
            for ready_us, frame in self.chip.outbox:
                if ready_us <= now_us:
                    write.write(self.faults.sent(frame))
                else:
                    waiting.append((ready_us, frame))
            self.chip.outbox[:] = waiting
            moments = [ready_us for ready_us, _ in waiting]
            if self.chip.due_us is not None:
                moments.append(self.chip.due_us)
            return max(0.0, (min(moments) - now_us) / 1e6) if moments else IDLE_S


class _Cable:
    """The two ends of a pseudo-terminal, and the thread that works between them."""

    def __init__(self, board: SimulatedPn532) -> None:
        import tty

        self._board = board
        self._own, self._hosts = os.openpty()
        tty.setraw(self._hosts)
        os.set_blocking(self._own, False)
        self._wake_read, self._wake_write = os.pipe()
        self._is_pulled = False
        with suppress(FileNotFoundError):
            board.path.unlink()
        board.path.symlink_to(os.ttyname(self._hosts))
        self._thread = threading.Thread(target=self._run, name="simulated PN532", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """What the host does not read in time is lost, as on a real line."""
        with suppress(OSError):
            os.write(self._own, data)

    def pull(self) -> None:
        self._is_pulled = True
        os.write(self._wake_write, b"!")
        self._thread.join()
        self._board.path.unlink(missing_ok=True)
        for end in (self._own, self._hosts, self._wake_read, self._wake_write):
            os.close(end)

    def _run(self) -> None:
        rest_s = 0.0
        while not self._is_pulled:
            ready, _, _ = select.select([self._own, self._wake_read], [], [], rest_s)
            heard = b""
            if self._own in ready:
                with suppress(OSError):
                    heard = os.read(self._own, 4096)
            if not self._is_pulled:
                rest_s = self._board.work(heard, self)


def _now_us() -> float:
    return time.monotonic() * 1e6

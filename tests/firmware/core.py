"""The firmware's core on this machine: the same C as on the board, with simulated readers behind its SPI bus.

satellite = Core()
satellite.chips[0].field.place(Ntag(…))
satellite.greet()
satellite.run(50)
satellite.events
"""

import ctypes
import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from companion.devices.rc522.simulated_chip import Chip
from companion.devices.satellite import wire
from companion.devices.satellite.avr_emulator import BEGUN, STILL
from tests.firmware.tools import BUILD, FIRMWARE, need, run

BYTE_US = 4.5
"""An SPI byte at 2 MHz, and what the processor needs around it."""

_EXCHANGE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_uint32)


@cache
def library() -> ctypes.CDLL:
    """The core as a shared library, built if it is not. It holds one satellite at a time.

    With SANITIZE=1 in the environment (and libasan in LD_PRELOAD) it is the one that watches its memory.
    """
    need("cc", "gcc")
    sanitize = os.environ.get("SANITIZE", "")
    run("make", "-C", FIRMWARE, "host", f"SANITIZE={sanitize}")
    found = ctypes.CDLL(str(BUILD / f"libsatellite{'-sanitized' if sanitize else ''}.so"))
    found.host_start.argtypes = (_EXCHANGE, ctypes.c_uint32, ctypes.c_uint16, ctypes.c_uint8, ctypes.c_uint32)
    found.host_registers.argtypes = (ctypes.c_uint8, ctypes.c_void_p, ctypes.c_uint64)
    found.host_step.argtypes = (ctypes.c_uint32,)
    found.host_step.restype = found.host_octets.restype = ctypes.c_uint32
    found.wire_crc.restype = found.iso14443_crc.restype = ctypes.c_uint16
    found.wire_read.restype = ctypes.c_bool
    for name in ("take", "frame", *(f"write_{what}" for what in ("welcome", "status", "event", "done", "stranger"))):
        getattr(found, f"wire_{name}").restype = ctypes.c_uint8
    found.host_boot.restype = ctypes.c_uint16
    found.host_lamp.restype = found.host_buzzer.restype = ctypes.c_uint8
    return found


class Core:
    """One satellite with five simulated readers, and a host's end of the line without any manners."""

    def __init__(
        self,
        *,
        serial: int = 7,
        boot: int = 3,
        cause: int = 0,
        now_ms: int = 1000,
        chips: Iterable[Chip | None] | None = None,
    ) -> None:
        """`boot`: the number of this start. `cause`: why it starts, as MCUSR says; 0: unknown, and so not told."""
        self.library = library()
        self.chips = [Chip(seed=pad) for pad in range(wire.PADS)] if chips is None else list(chips)
        self.now_ms = now_ms
        self.received: list[wire.FromSatellite] = []
        self.heard = b""
        """All bytes that the satellite has sent."""
        self.acknowledges = True
        self.pings = False
        """Whether the host says every 500 ms that it is there."""
        self._now_us = 0.0
        self._splitter = wire.Splitter()
        self._octets = 0
        self._problem: BaseException | None = None
        self._call_back = _EXCHANGE(self._exchange)  # must live as long as the library may call it
        self._buffer = (ctypes.c_uint8 * 256)()
        self.library.host_start(self._call_back, serial, boot, cause, now_ms)
        self._registers = [self._lend(pad, chip) for pad, chip in enumerate(self.chips) if chip is not None]

    def _lend(self, pad: int, chip: Chip) -> Any:
        """A chip that stands still is not asked what its registers hold."""
        shared = (ctypes.c_uint8 * len(chip.registers)).from_buffer(chip.registers)
        self.library.host_registers(pad, shared, chip.plain_registers)
        return shared  # must live as long as the library may look at it

    def _exchange(self, pad: int, mosi: int, fresh: int, octets: int) -> int:
        """Being selected anew ends whatever was going on, so a deselection needs no message."""
        try:
            chip = self.chips[pad]
            if chip is None:
                return 0x00
            now_us = self._at_us(octets)
            if fresh:
                chip.select(now_us)
                if fresh >= BEGUN:
                    chip.exchange(fresh - BEGUN, now_us)
            miso = chip.exchange(mosi, now_us)
            return miso | STILL if chip.is_still else miso
        except BaseException as problem:  # raised again after the step: ctypes would only print it
            self._problem = self._problem or problem
            return 0xFF

    def _at_us(self, octets: int) -> float:
        """When so many bytes have been on the bus."""
        self._now_us += (octets - self._octets) * BYTE_US
        self._octets = octets
        return self._now_us

    # --- Time -------------------------------------------------------------------------------------------------

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.step(1)

    def run_until(self, happened: Callable[[], object], limit_ms: int) -> int:
        """How many milliseconds it took."""
        for ms in range(limit_ms):
            if happened():
                return ms
            self.step()
        raise AssertionError(f"not within {limit_ms} ms")

    def step(self, ms: int = 1) -> None:
        self.now_ms += ms
        if self.pings and ms and self.now_ms % 500 == 0:
            self.give(wire.frame(wire.pack(wire.Ping())))
        self._now_us = max(self._at_us(self.library.host_octets()), self.now_ms * 1000.0)
        mistakes = self.library.host_step(self.now_ms % 2**32)
        if self._problem is not None:
            raise self._problem
        self._hear()
        assert mistakes == 0

    # --- The line ---------------------------------------------------------------------------------------------

    def give(self, line: bytes) -> None:
        """Bytes from the host; the satellite takes them with the next steps."""
        while line:
            line = line[self.library.host_give(line, len(line)) :]
            if line:
                self.step(0)

    def take(self) -> bytes:
        return bytes(self._buffer[: self.library.host_take(self._buffer, len(self._buffer))])

    def say(self, message: wire.FromHost) -> None:
        self.give(wire.frame(wire.pack(message)))
        self.step(0)

    def greet(self, session: int = 0xC0FFEE) -> None:
        self.say(wire.Hello(wire.VERSION, session))

    def _hear(self) -> None:
        said = self.take()
        if not said:
            return
        self.heard += said
        for payload in self._splitter.feed(said):
            message = wire.from_satellite(payload)
            self.received.append(message)
            if isinstance(message, wire.Event) and self.acknowledges:
                self.give(wire.frame(wire.pack(wire.Ack((message.number + 1) % 2**16))))
        assert self._splitter.bad == 0

    @property
    def events(self) -> list[wire.Event]:
        """Each event once."""
        numbered = {message.number: message for message in self.received if isinstance(message, wire.Event)}
        return list(numbered.values())

    def told(self, pad: int | None = None) -> list[tuple[int, str]]:
        """The events of one pad or of all as (kind, content)."""
        return [(event.kind, event.uid) for event in self.events if pad in (None, event.pad)]

    # --- Hands ------------------------------------------------------------------------------------------------

    def hold(self, pad: int, green: bool = False, red: bool = False) -> None:
        """Which buttons of a pad are down from now on."""
        self.library.host_buttons(pad, green | red << 1)

    def lamp(self, pad: int) -> bool:
        return bool(self.library.host_lamp(pad))

    def buzzer(self) -> bool:
        return bool(self.library.host_buzzer())

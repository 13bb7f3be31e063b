"""A Raspberry Pi with readers on its SPI bus, as the modules `spidev` and `RPi.GPIO` show it.

    board = Board()
    board.plug(Chip(), bus=0, device=0, reset_pin=25)
    with board.installed():
        import mfrc522          # the real library, unmodified

The simulated modules stay in `sys.modules` when the block ends, because libraries keep what they have imported; from
then on they show a Pi with nothing plugged in, also on a real one: a process has either its own bus or this one.
"""

import errno
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from types import ModuleType
from typing import Protocol

from companion.devices.rc522.simulated_chip import Chip
from companion.errors import DeviceError

OVERHEAD_US = 30.0
"""What a transfer costs beside its bits: a system call and the kernel's SPI queue. Assumed, not measured on a Pi."""
HEADER = dict(
    zip(
        (3, 5, 7, 8, 10, 11, 12, 13, 15, 16, 18, 19, 21, 22, 23, 24, 26, 29, 31, 32, 33, 35, 36, 37, 38, 40),
        (2, 3, 4, 14, 15, 17, 18, 27, 22, 23, 24, 10, 9, 25, 11, 8, 7, 5, 6, 12, 13, 19, 16, 26, 20, 21),
        strict=True,
    )
)
"""Pin on the header → GPIO number."""


# --- Clocks ---------------------------------------------------------------------------------------------------


class Clock(Protocol):
    @property
    def now_us(self) -> float: ...

    def advance(self, us: float) -> float:
        """Something has taken this long. What time it is then."""
        ...

    def sleep(self, seconds: float) -> None: ...


class ModelledClock:
    """Time passes only because something takes time. The same every time, and fast."""

    def __init__(self) -> None:
        self._now_us = 0.0

    @property
    def now_us(self) -> float:
        return self._now_us

    @property
    def now_ms(self) -> int:
        return int(self._now_us / 1000)

    def advance(self, us: float) -> float:
        self._now_us += us
        return self._now_us

    def sleep(self, seconds: float) -> None:
        self.advance(seconds * 1e6)


class WallClock:
    """Real time, for demos and threads."""

    @property
    def now_us(self) -> float:
        return time.monotonic() * 1e6

    def advance(self, us: float) -> float:
        """It took as long as it took."""
        return self.now_us

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


# --- The board ------------------------------------------------------------------------------------------------


class Board:
    """Chips on buses, reset pins, and how much was sent."""

    def __init__(self, clock: Clock | None = None, overhead_us: float = OVERHEAD_US) -> None:
        self.clock = clock or ModelledClock()
        self.overhead_us = overhead_us
        self.transfers = 0
        self.octets = 0
        self.cleanups: list[object] = []
        """What GPIO.cleanup() was called with; None: for all pins of the process."""
        self.pin_mode: int | None = None
        self._chips: dict[tuple[int, int], Chip] = {}
        self._reset_pins: dict[int, list[Chip]] = {}
        self._queues: dict[int, Lock] = {}

    def plug(self, chip: Chip, bus: int = 0, device: int = 0, reset_pin: int = 25) -> Chip:
        """Several chips may share a reset pin (a GPIO number)."""
        self._chips[bus, device] = chip
        self._reset_pins.setdefault(reset_pin, []).append(chip)
        self._queues.setdefault(bus, Lock())
        return chip

    def has(self, bus: int, device: int) -> bool:
        return (bus, device) in self._chips

    def transfer(self, place: tuple[int, int], speed_hz: int, data: Sequence[int]) -> list[int]:
        """One message of the kernel: chip select low, all bytes, high. A bus carries one at a time."""
        chip = self._chips[place]
        if chip.faults.blocked is not None:
            chip.faults.blocked.wait()
        if chip.faults.refused:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        octets = len(data)
        with self._queues[place[0]]:
            self.transfers += 1
            self.octets += octets
            began_us = self.clock.advance(self.overhead_us)
            ended_us = self.clock.advance(octets * 8e6 / speed_hz)
            return chip.transfer(data, began_us, (ended_us - began_us) / octets)

    def output(self, pin: int, high: bool) -> None:
        for chip in self._reset_pins.get(pin, ()):
            chip.reset(high, self.clock.now_us)

    @contextmanager
    def installed(self) -> Iterator["Board"]:
        """While this lasts, `spidev` and `RPi.GPIO` show this board."""
        global _shown  # noqa: PLW0603 — a process has one Pi, and the modules are as global as that
        _install()
        before, _shown = _shown, self
        try:
            yield self
        finally:
            _shown = before


_shown = Board()


# --- The modules ----------------------------------------------------------------------------------------------


class SpiDev:
    """`spidev.SpiDev`, as far as it is used for readers."""

    def __init__(self) -> None:
        self.max_speed_hz = 500_000
        self.mode = 0
        self._board: Board | None = None
        self._place = (0, 0)

    def open(self, bus: int, device: int) -> None:
        if not _shown.has(bus, device):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._board, self._place = _shown, (bus, device)

    def close(self) -> None:
        self._board = None

    def xfer2(self, values: Sequence[int]) -> list[int]:
        if self._board is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._board.transfer(self._place, self.max_speed_hz, values)

    xfer = xfer2


class _Gpio(ModuleType):
    """`RPi.GPIO`, as far as it is used for readers."""

    BOARD, BCM, OUT, IN, LOW, HIGH = 10, 11, 0, 1, 0, 1
    VERSION = "simulated"

    def setmode(self, mode: int) -> None:
        if _shown.pin_mode not in (None, mode):
            raise ValueError("A different mode has already been set!")
        _shown.pin_mode = mode

    def getmode(self) -> int | None:
        return _shown.pin_mode

    def setwarnings(self, on: bool) -> None:
        """There are none."""

    def setup(self, channel: int, direction: int) -> None:
        self._gpio(channel)

    def output(self, channel: int, level: int) -> None:
        _shown.output(self._gpio(channel), bool(level))

    def cleanup(self, channel: int | None = None) -> None:
        _shown.cleanups.append(channel)
        if channel is None:
            _shown.pin_mode = None

    def _gpio(self, channel: int) -> int:
        if _shown.pin_mode is None:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)")
        pin = HEADER.get(channel) if _shown.pin_mode == self.BOARD else channel
        if pin is None or not 0 <= pin < 28:
            raise ValueError("The channel sent is invalid on a Raspberry Pi")
        return pin


def _install() -> None:
    if isinstance(sys.modules.get("RPi.GPIO"), _Gpio):
        return
    if "mfrc522" in sys.modules:
        raise DeviceError("This process has the real bus already: simulated readers need a process of their own")
    package, gpio, spi = ModuleType("RPi"), _Gpio("RPi.GPIO"), ModuleType("spidev")
    package.__path__ = []
    package.__dict__["GPIO"] = gpio
    spi.__dict__["SpiDev"] = SpiDev
    sys.modules |= {"RPi": package, "RPi.GPIO": gpio, "spidev": spi}

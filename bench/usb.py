"""A reader on USB: from a tag in the field to its signal, bytes of an empty look, processor time of an idle reader.

Our driver and `adafruit-circuitpython-pn532` 2.4.9, unmodified, on the same simulated PN532. Time is modelled: bytes at
115,200 baud, frames in the air, and what a driver waits. How long the chip itself takes for a round of questions is
assumed; it is the same for both. Nothing of it is from a real board. The idle reader is measured in real time, with the
real pyserial on a pseudo-terminal.
"""

import math
import random
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from bench.figures import WHOLE, Effort, Figure
from companion.devices.pn532.commands import Pn532Link
from companion.devices.pn532.driver import Pn532
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.pn532.simulated_chip import Pn532Chip
from companion.devices.pn532.simulated_reader import ModelledLine, SimulatedPn532
from companion.devices.rc522.simulated_bus import ModelledClock
from companion.devices.reader import FieldWatch
from companion.devices.simulated.tags import POWER_UP_US, Classic, Ntag, Tag
from companion.table.signals import TagPlaced

ARRIVALS = 40
EMPTY_LOOK = 60
IDLE_S = 8.0
THEIR_TIMEOUT_S = 0.1
"""Of the serial port, as their documentation opens it."""

CIRCUITPYTHON: dict[str, dict[str, Any]] = {
    "digitalio": {"Direction": None, "DigitalInOut": object},
    "micropython": {"const": int},
    "circuitpython_typing": {"ReadableBuffer": bytes},
    "busio": {"UART": object},
}


def figures(effort: Effort = WHOLE) -> list[Figure]:
    arrivals = effort.of(ARRIVALS)
    return [
        _latency_of("NTAG sticker", arrivals, lambda: Ntag(bytes.fromhex("04A1B2C3D4E5F6"))),
        _latency_of("Classic sticker", arrivals, lambda: Classic(bytes.fromhex("12345678"))),
        _empty_look(),
        _idle(max(0.5, IDLE_S * effort.part)),
    ]


class _Plugged:
    """A chip on its line, on a modelled clock."""

    def __init__(self) -> None:
        self.clock = ModelledClock()
        self.line = ModelledLine(Pn532Chip(), self.clock)
        self.chip = self.line.chip

    def reader(self) -> Pn532:
        link = Pn532Link(self.line, "the PN532", lambda: self.clock.now_us / 1e6)
        return Pn532(lambda: link, sleep=self.clock.sleep)


# --- From a tag in the field to its signal --------------------------------------------------------------------


def _latency_of(kind: str, arrivals: int, tag: Any) -> Figure:
    """Tags wake at chance moments, 5 ms after they are laid down, and not before both readers are ready."""
    chance = random.Random(1)
    moments_us = [chance.uniform(3_000_000, 3_600_000) for _ in range(arrivals)]
    ours = [_our_latency(moment, tag()) for moment in moments_us]
    theirs = [_their_latency(moment, tag()) for moment in moments_us] if find_spec("adafruit_pn532") else [math.nan]
    detail = (
        f"{statistics.mean(ours):.1f} ms against {statistics.mean(theirs):.0f} on average, "
        f"{max(ours):.0f} against {max(theirs):.0f} at worst"
    )
    ratio = statistics.mean(ours) / statistics.mean(theirs)
    return Figure(
        f"PN532: {kind} in the field until its signal ÷ adafruit_pn532's read_passive_target", ratio, 0.5, False, detail
    )


def _our_latency(moment_us: float, tag: Tag) -> float:
    plugged = _Plugged()
    watch = FieldWatch("centre", plugged.reader, Pn532Settings.pace, None)
    plugged.chip.field.place(tag, at_us=moment_us - POWER_UP_US)
    while True:
        signals, rest_s = watch.turn(lambda: int(plugged.clock.now_us / 1000))
        if any(isinstance(signal, TagPlaced) for signal in signals):
            return (plugged.clock.now_us - moment_us) / 1000
        plugged.clock.sleep(rest_s)


def _their_latency(moment_us: float, tag: Tag) -> float:
    plugged = _Plugged()
    library = _library(plugged)
    plugged.chip.field.place(tag, at_us=moment_us - POWER_UP_US)
    while True:
        with suppress(RuntimeError):  # an answer that comes while it asks again: people catch that, and ask once more
            if library.read_passive_target(timeout=0.5):
                return (plugged.clock.now_us - moment_us) / 1000


class _Uart:
    """What the library uses of a `serial.Serial`, with a timeout as its documentation sets it."""

    def __init__(self, plugged: _Plugged) -> None:
        self._line, self._clock = plugged.line, plugged.clock
        self._unread = b""

    @property
    def in_waiting(self) -> int:
        self._unread += self._line.read(0.0)
        return len(self._unread)

    def read(self, size: int) -> bytes:
        until_us = self._clock.now_us + THEIR_TIMEOUT_S * 1e6
        while len(self._unread) < size and (left_us := until_us - self._clock.now_us) > 0:
            self._unread += self._line.read(left_us / 1e6)
        data, self._unread = self._unread[:size], self._unread[size:]
        return data

    def write(self, data: bytes) -> None:
        self._line.write(data)

    def reset_input_buffer(self) -> None:
        self._unread = b""
        self._line.read(0.0)


def _library(plugged: _Plugged) -> Any:
    """What it imports of CircuitPython has nothing to do on a computer; its clock is the modelled one."""
    for name, content in CIRCUITPYTHON.items():
        vars(sys.modules.setdefault(name, ModuleType(name))).update(content)
    from adafruit_pn532 import adafruit_pn532, uart

    clock = SimpleNamespace(monotonic=lambda: plugged.clock.now_us / 1e6, sleep=plugged.clock.sleep)
    adafruit_pn532.time = uart.time = clock
    library = uart.PN532_UART(_Uart(plugged))
    library.SAM_configuration()
    return library


# --- Nothing happens ------------------------------------------------------------------------------------------


def _empty_look() -> Figure:
    plugged = _Plugged()
    reader = plugged.reader()
    for _ in range(5):  # until its searches last as long as they should
        reader.look(())
    before = plugged.line.octets, plugged.clock.now_us
    reader.look(())
    octets, lasted_s = plugged.line.octets - before[0], (plugged.clock.now_us - before[1]) / 1e6
    detail = f"one look waits {lasted_s:.2f} s for a tag: {octets / lasted_s:.0f} bytes a second"
    return Figure("PN532: bytes on the wire of an empty look", octets, EMPTY_LOOK, False, detail)


def _idle(seconds: float) -> Figure:
    """Only the reader's own thread counts; the simulated chip works in another."""
    from companion.devices.pn532.ports import pn532_on

    with tempfile.TemporaryDirectory() as folder, SimulatedPn532(Path(folder) / "pn532") as board:
        watch = FieldWatch("centre", pn532_on(str(board.path)), Pn532Settings.pace, None)
        for _ in range(5):
            watch.turn(lambda: int(time.monotonic() * 1000))
        began, used, looks = time.monotonic(), time.thread_time(), 0
        while time.monotonic() - began < seconds:
            _, rest_s = watch.turn(lambda: int(time.monotonic() * 1000))
            time.sleep(rest_s)
            looks += 1
        share = 100 * (time.thread_time() - used) / (time.monotonic() - began)
        watch.close()
    return Figure(
        "PN532: processor time of an idle reader, % of a core", share, 0.5, False, f"{looks} looks in {seconds:g} s"
    )

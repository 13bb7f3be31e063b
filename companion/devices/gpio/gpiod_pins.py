"""The Pi's pins through the kernel and gpiod, libgpiod's own bindings: the normal way, on every Pi. No daemon, no root.

The kernel debounces buttons and dates their edges with the monotonic clock, which is ours. Where it does not debounce,
that is left to `Buttons`. Its quirks:

- A pin's pull-up needs a moment. A program that listens from the first moment on takes the level before it for the
  pin's own, and misses the first press. So the pins get their pull-ups first, and edges are asked for later.
- Its queue is short. If it is not read for long, the oldest edges are thrown away, which only their running numbers
  tell. Then it is unknown what is pressed: the pins are opened again, and the player is asked to press again.
- A Pi has several chips (a Pi 5 a dozen), and their numbers change with the kernel; their labels don't.
- Its objects belong to one thread. Lamps have a request of their own, because others write them while the loop reads.
"""

import contextlib
import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from types import ModuleType
from typing import Any

from companion.devices.gpio.pins import USER_PINS, Edge, PinsError, PinsOpened, PinWiring
from companion.troubles import PinsTrouble

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Of the Pi 5, the Pi 4, and those before it with the Zero 2: on each the header's pins are lines 0 to 27."""
MOST_CHIPS = 32

_TROUBLES = {
    errno.EBUSY: PinsTrouble.BUSY,
    errno.EACCES: PinsTrouble.FORBIDDEN,
    errno.EPERM: PinsTrouble.FORBIDDEN,
    errno.ENODEV: PinsTrouble.NO_PINS,
}

CONSUMER = "companion"
SETTLE_S = 0.001
"""50 kΩ against a long wire: 0.1 ms and less."""
QUEUE = 512
"""How many edges may wait, if the kernel allows it."""


class GpiodPins:
    def __init__(self) -> None:
        self._inputs: Any = None
        self._outputs: Any = None
        self._number = 0
        """The running number of the newest edge; the first is 1."""
        self._problem: PinsTrouble | None = None

    def open(self, wiring: PinWiring, edge: Edge, lost: Callable[[], None]) -> PinsOpened:
        gpiod, path = library(), header_chip()
        self._edge, self._lost, self._rising = edge, lost, gpiod.EdgeEvent.Type.RISING_EDGE
        self._value = gpiod.line.Value
        with translated():
            if wiring.outputs:
                dark = gpiod.LineSettings(gpiod.line.Direction.OUTPUT)
                self._outputs = gpiod.request_lines(path, {wiring.outputs: dark}, CONSUMER)
            if not wiring.inputs:
                return PinsOpened(_now_us(), {}, wiring.steady_us)
            return self._listen(gpiod, path, wiring)

    def _listen(self, gpiod: ModuleType, path: str, wiring: PinWiring) -> PinsOpened:
        """Levels are read when edges are told already: what changes in between is told twice, which is harmless."""
        pulled = {wiring.inputs: _button(gpiod)}
        self._inputs = gpiod.request_lines(path, pulled, CONSUMER, event_buffer_size=QUEUE)
        time.sleep(SETTLE_S)
        steady_us = self._debounced(gpiod, path, wiring)
        os.set_blocking(self._inputs.fd, False)
        values = self._inputs.get_values(wiring.inputs)
        levels = {pin: int(value is self._value.ACTIVE) for pin, value in zip(wiring.inputs, values, strict=True)}
        return PinsOpened(_now_us(), levels, steady_us, self._inputs.fd)

    def _debounced(self, gpiod: ModuleType, path: str, wiring: PinWiring) -> int:
        """Ask for edges. How long a level still has to last: 0, if the kernel says that it sees to that itself."""
        edges, period = gpiod.line.Edge.BOTH, timedelta(microseconds=wiring.steady_us)
        try:
            self._inputs.reconfigure_lines({wiring.inputs: _button(gpiod, edges, period)})
        except OSError:  # this kernel, or this chip, cannot; if it is something else it comes again
            self._inputs.reconfigure_lines({wiring.inputs: _button(gpiod, edges)})
            return wiring.steady_us
        with gpiod.Chip(path) as chip:
            told = [chip.get_line_info(pin) for pin in wiring.inputs]
        return 0 if all(line.debounced and line.debounce_period >= period for line in told) else wiring.steady_us

    def pump(self) -> None:
        try:
            events = self._inputs.read_edge_events()
        except BlockingIOError:
            return
        except OSError:
            self._give_up(PinsTrouble.NO_PINS)
            return
        for event in events:
            if self._problem is None and event.global_seqno != self._number + 1:
                self._give_up(PinsTrouble.EDGES_LOST)
            self._number = event.global_seqno
            if self._problem is None:
                self._edge(event.line_offset, int(event.event_type is self._rising), event.timestamp_ns // 1000)

    def _give_up(self, problem: PinsTrouble) -> None:
        self._problem = problem
        self._lost()

    def write(self, pin: int, level: int) -> None:
        with translated():
            self._outputs.set_value(pin, self._value.ACTIVE if level else self._value.INACTIVE)

    def beat(self) -> None:
        """The kernel is alive. What there is to say was noticed while reading."""
        if self._problem is not None:
            raise PinsError(self._problem)

    def abort(self) -> None:
        """Nothing here waits for anybody."""

    def close(self) -> None:
        requests = self._inputs, self._outputs
        self._inputs = self._outputs = None
        for request in requests:
            if request is not None:
                with contextlib.suppress(OSError):
                    request.release()


def _button(gpiod: ModuleType, edges: Any = None, period: timedelta = timedelta()) -> Any:
    return gpiod.LineSettings(
        direction=gpiod.line.Direction.INPUT,
        bias=gpiod.line.Bias.PULL_UP,
        edge_detection=edges or gpiod.line.Edge.NONE,
        debounce_period=period,
        event_clock=gpiod.line.Clock.MONOTONIC,
    )


def _now_us() -> int:
    return time.monotonic_ns() // 1000


# --- The kernel's chip ----------------------------------------------------------------------------------------


def library() -> ModuleType:
    """libgpiod's own bindings. Raises PinsError where they are not installed, or are those of libgpiod 1."""
    try:
        import gpiod  # noqa: PLC0415 — only tables with something on a Pi's pins need it
    except ImportError:
        raise PinsError(PinsTrouble.NO_GPIOD) from None
    if not hasattr(gpiod, "request_lines"):
        raise PinsError(PinsTrouble.NO_GPIOD)
    return gpiod


def header_chip() -> str:
    """The file of the chip that has the header's pins. Raises PinsError."""
    gpiod = library()
    trouble = PinsTrouble.NO_PINS
    for path in (f"/dev/gpiochip{number}" for number in range(MOST_CHIPS)):
        try:
            with gpiod.Chip(path) as chip:
                info = chip.get_info()
        except PermissionError:
            trouble = PinsTrouble.FORBIDDEN
        except OSError:
            continue
        else:
            if info.label in LABELS and info.num_lines >= len(USER_PINS):
                return path
    raise PinsError(trouble)


def users(pins: Iterable[int]) -> set[str]:
    """The names under which programs use these pins now. Raises PinsError."""
    path = header_chip()
    with translated(), library().Chip(path) as chip:
        told = [chip.get_line_info(pin) for pin in pins]
    return {line.consumer for line in told if line.used}


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """What the kernel has against it, in our words."""
    try:
        yield
    except OSError as error:
        raise PinsError(_TROUBLES.get(error.errno or 0, PinsTrouble.UNUSABLE)) from error

"""The pins of a Pi's header with buttons that bounce: levels, pulls, filters. Pure: time is told, in microseconds.

The daemon (simulated_pigpiod.py) and the kernel (simulated_header.py) build on it.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

from msgspec import Struct

PINS = 54
"""Source: BCM2835 ARM Peripherals, 6."""
OUTPUT, PULL_OFF, PULL_DOWN, PULL_UP = 1, 0, 1, 2
"""Source: BCM2835 ARM Peripherals, 6.1: GPFSELn and GPPUD; pigpio has the same numbers."""
LAST_PULLED_UP = 8
"""After a reset; the rest of the header is pulled down. Source: BCM2835 ARM Peripherals, table 6-31."""


class SimulatedPin(Struct):
    """One pin. A button at it connects it to ground."""

    pull: int
    mode: int = 0
    written: int = 0
    closed: bool = False
    steady_us: int = 0
    """The filter: a change is reported when it has lasted this long (pigpio's glitch filter, the kernel's debounce)."""
    reported: int = 0
    changed_us: int = 0
    """When the level last changed."""
    rises: int = 0
    """How often it has gone up: a short flash is over before anybody has looked."""

    @property
    def level(self) -> int:
        """What can be measured. An open pin without a pull-up is taken for low: what it really is, no source says."""
        if self.mode == OUTPUT:
            return self.written
        return int(self.pull == PULL_UP and not self.closed)

    @property
    def due_us(self) -> int | None:
        """When its filter lets a change pass, if it lasts."""
        return None if self.level == self.reported else self.changed_us + self.steady_us


class PinBoard:
    """The pins of one Pi, as its hardware is."""

    def __init__(self, now_us: int = 0) -> None:
        self.now_us = now_us
        self.pins = [SimulatedPin(PULL_UP if number <= LAST_PULLED_UP else PULL_DOWN) for number in range(PINS)]
        for pin in self.pins:
            pin.reported = pin.level
        self._agenda: list[tuple[int, int, int, bool]] = []
        """When, in which order, which pin, whether its button closes."""
        self._planned = 0

    def report(self, number: int) -> None:
        """A level has changed and lasted: the pin's `reported` is new."""

    # --- Hands ------------------------------------------------------------------------------------------------

    def move(self, pin: int, closed: bool, bounce_us: Sequence[int] = ()) -> None:
        """Press (closed) or let go, now. The contact changes once more after each of these times; with an odd number
        it ends where it was."""
        at_us = self.now_us
        self._plan(at_us, pin, closed)
        for gap_us in bounce_us:
            at_us, closed = at_us + gap_us, not closed
            self._plan(at_us, pin, closed)
        self.advance(self.now_us)

    def _plan(self, at_us: int, pin: int, closed: bool) -> None:
        heappush(self._agenda, (at_us, self._planned, pin, closed))
        self._planned += 1

    # --- Time -------------------------------------------------------------------------------------------------

    @property
    def due_us(self) -> int | None:
        """When the next thing happens by itself."""
        times = [pin.due_us for pin in self.pins]
        times += [self._agenda[0][0]] if self._agenda else []
        return min((at_us for at_us in times if at_us is not None), default=None)

    def advance(self, to_us: int) -> None:
        """Let time pass, and everything happen in its order."""
        while (due_us := self.due_us) is not None and due_us <= to_us:
            self.now_us = max(due_us, self.now_us)
            self.happen()
        self.now_us = max(to_us, self.now_us)

    def happen(self) -> None:
        """What is due now."""
        while self._agenda and self._agenda[0][0] <= self.now_us:
            _, _, number, closed = heappop(self._agenda)
            self.change(number, closed=closed)
        for number, pin in enumerate(self.pins):
            if pin.due_us is not None and pin.due_us <= self.now_us:
                self._pass(number, pin)

    def change(self, number: int, **what: int) -> None:
        """Every change of a level restarts its filter."""
        pin = self.pins[number]
        before = pin.level
        for name, value in what.items():
            setattr(pin, name, value)
        if pin.level != before:
            pin.changed_us = self.now_us
            pin.rises += pin.level
            if not pin.steady_us:
                self._pass(number, pin)

    def _pass(self, number: int, pin: SimulatedPin) -> None:
        pin.reported = pin.level
        self.report(number)

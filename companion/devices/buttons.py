"""What hands do with buttons: they bounce, press, hold, and two at once. Pure: levels and times in, signals out.

A button lies between its pin and ground, with a pull-up: level 0 is down. A level counts when it has been steady for a
while, so a shorter glitch, up or down, is nothing. A press is told on release. A button that stays down is told as held
instead, and one that never comes up again as a fault of its station. A button that was down when we began has to come
up before it says anything: nobody knows when it was pressed, or whether it is stuck.

Times are microseconds on any clock. Who feeds a `Buttons` also asks it again when it is due.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.table.signals import Held, LinkUp, Pressed, ReaderFault, Signal

Colour: TypeAlias = Literal["green", "red"]

STUCK: Mapping[Colour, str] = {"green": "the green button is stuck", "red": "the red button is stuck"}
"""Problems, as they are told."""

WRAP_US = 1 << 32
"""pigpio counts microseconds in 32 bits: after 71.6 minutes it begins anew."""


class Timing(Struct, frozen=True):
    steady_us: int = 15_000
    """How long a level has to last. Contacts bounce for up to 10 ms; the quickest tap of a finger takes 40."""
    hold_us: int = 2_000_000
    stuck_us: int = 10_000_000


def unwrapped(tick: int, near_us: int) -> int:
    """The time whose last 32 bits are this tick. Of all such times the one nearest to a time that is known."""
    return near_us + (tick - near_us + WRAP_US // 2) % WRAP_US - WRAP_US // 2


class Button(Struct, frozen=True):
    """One button, as far as it is known."""

    station: str
    colour: Colour
    seen: bool | None = None
    """Whether it is down by the newest level; None: there was none yet."""
    seen_us: int = 0
    phase: Literal["unknown", "up", "down", "held", "ignored"] = "unknown"
    """By what was steady. A press is told when "down" ends; "ignored" was down before it was ever up."""
    since_us: int = 0
    stuck: bool = False

    @property
    def is_down(self) -> bool:
        return self.phase in ("down", "held", "ignored")

    @property
    def wavers(self) -> bool:
        """Whether the newest level is not what was steady: a bounce, a glitch, or the beginning of a change."""
        return self.seen is not None and (self.phase == "unknown" or self.seen != self.is_down)

    def due(self, timing: Timing) -> int | None:
        """When something will have happened if no level comes. Nothing is decided while a level wavers."""
        if self.wavers:
            return self.seen_us + timing.steady_us
        if self.phase == "down":
            return self.since_us + timing.hold_us
        return self.since_us + timing.stuck_us if self.is_down and not self.stuck else None

    def at(self, now_us: int, timing: Timing) -> tuple["Button", tuple[Signal, ...]]:
        """The button at this time, and the one thing that happened to it by then."""
        due_us = self.due(timing)
        if due_us is None or now_us < due_us:
            return self, ()
        if not self.wavers:
            return self._stays_down(due_us)
        return self._goes_down() if self.seen else self._comes_up()

    def level(self, down: bool, now_us: int) -> "Button":
        """A level was reported. One that is repeated does not begin anew."""
        return self if down == self.seen else replace(self, seen=down, seen_us=now_us)

    def _goes_down(self) -> tuple["Button", tuple[Signal, ...]]:
        return replace(self, phase="down" if self.phase == "up" else "ignored", since_us=self.seen_us), ()

    def _comes_up(self) -> tuple["Button", tuple[Signal, ...]]:
        at_ms = self.seen_us // 1000
        told: tuple[Signal, ...] = ()
        if self.phase == "down":
            told = (Pressed(self.station, at_ms, self.colour),)
        elif self.stuck:
            told = (LinkUp(self.station, at_ms),)
        return replace(self, phase="up", since_us=self.seen_us, stuck=False), told

    def _stays_down(self, due_us: int) -> tuple["Button", tuple[Signal, ...]]:
        if self.phase == "down":
            return replace(self, phase="held"), (Held(self.station, due_us // 1000, self.colour),)
        return replace(self, stuck=True), (ReaderFault(self.station, due_us // 1000, STUCK[self.colour]),)


class Buttons:
    """All buttons of a device, by pin. Each is on its own; what they say comes in the order in which it was certain."""

    def __init__(self, wiring: Mapping[int, tuple[str, Colour]], timing: Timing | None = None) -> None:
        self._timing = timing or Timing()
        self._buttons = {pin: Button(station, colour) for pin, (station, colour) in wiring.items()}
        self.now_us: int | None = None
        """The newest time that was told; None: none yet."""

    @property
    def due_us(self) -> int | None:
        """When to ask again, if nothing is heard before."""
        times = [due for button in self._buttons.values() if (due := button.due(self._timing)) is not None]
        return min(times, default=None)

    def edge(self, pin: int, level: int, at_us: int) -> list[Signal]:
        """A level came. Pins and levels that are none of ours (pigpio reports a time-out as level 2) say nothing, and
        what comes late counts as from now: the hand has moved on."""
        told = self.ask(at_us)
        button = self._buttons.get(pin)
        if button is None or level not in (0, 1) or self.now_us is None:
            return told
        self._buttons[pin] = button.level(level == 0, self.now_us)
        return told + self.ask(at_us)

    def ask(self, at_us: int) -> list[Signal]:
        """What has happened up to this time, and has not been told."""
        self.now_us = now_us = at_us if self.now_us is None else max(at_us, self.now_us)
        told: list[Signal] = []
        while (due_us := self.due_us) is not None and due_us <= now_us:
            pin = min(self._buttons, key=lambda pin: self._order(pin, now_us))
            self._buttons[pin], signals = self._buttons[pin].at(now_us, self._timing)
            told.extend(signals)
        return told

    def interrupted(self) -> tuple[str, ...]:
        """The stations where a button is down that has said nothing yet. If the line is lost now, so is the press."""
        return tuple(sorted({button.station for button in self._buttons.values() if button.phase == "down"}))

    def _order(self, pin: int, now_us: int) -> int:
        due_us = self._buttons[pin].due(self._timing)
        return now_us + 1 if due_us is None else due_us

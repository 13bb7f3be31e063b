"""What hands do with buttons: they bounce, press, hold, and two at once. Pure: levels and times in, signals out.

A button lies between its pin and ground, with a pull-up: level 0 is down. A level counts when it has been steady for a
while, so a shorter glitch, up or down, is nothing. A press is told on release. A button that stays down is told as held
instead, and one that never comes up again as a fault of its station. A button that was down when we began has to come
up before it says anything: it is unknown when it was pressed, or whether it is stuck. If we have been away and it was
pressed meanwhile, its release is told as missed, so that the player presses again.

Times are microseconds on any clock. The caller that feeds a `Buttons` also asks it again when it is due.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.stations import ButtonColour
from companion.table.signals import Held, LinkUp, Missed, Pressed, ReaderFault, Signal
from companion.troubles import STUCK

WRAP_US = 1 << 32
"""pigpio counts microseconds in 32 bits: after 71.6 minutes it starts over."""


class Timing(Struct, frozen=True):
    steady_us: int = 15_000
    """How long a level has to last. Contacts bounce for up to 10 ms; the quickest tap of a finger takes 40."""
    hold_us: int = 2_000_000
    stuck_us: int = 10_000_000


def unwrapped(tick: int, near_us: int) -> int:
    """The time whose last 32 bits are this tick. Of all such times the one nearest to a time that is known."""
    return near_us + (tick - near_us + WRAP_US // 2) % WRAP_US - WRAP_US // 2


class PushButton(Struct, frozen=True):
    """One button, as far as it is known."""

    station: str
    colour: ButtonColour
    seen: bool | None = None
    """Whether it is down by the newest level; None: there was none yet."""
    seen_us: int = 0
    down: bool | None = None
    """Whether it is down by what was steady; None: nothing was yet."""
    down_us: int = 0
    told: bool = False
    """Whether its release says nothing: it was held, or down before it was ever up."""
    stuck: bool = False
    resumed: bool = False
    """Whether its first level comes after a time without a listener."""

    def due(self, timing: Timing) -> int | None:
        """When something will have happened if no level comes. Nothing else is decided while a level is new: it may be
        a bounce, a glitch, or the beginning of a change."""
        if self.seen is not self.down:
            return self.seen_us + timing.steady_us
        if not self.down or self.stuck:
            return None
        return self.down_us + (timing.stuck_us if self.told else timing.hold_us)

    def level(self, down: bool, now_us: int) -> "PushButton":
        """A level was reported. A repeated one does not start over."""
        return self if down is self.seen else replace(self, seen=down, seen_us=now_us)

    def happens(self, due_us: int) -> tuple["PushButton", Signal | None]:
        """What is due has come: the button after it, and what it has to say."""
        if self.seen is not self.down:
            return self._goes_down() if self.seen else self._comes_up()
        if not self.told:
            return replace(self, told=True), Held(self.station, due_us // 1000, self.colour)
        return replace(self, stuck=True), ReaderFault(self.station, due_us // 1000, STUCK[self.colour])

    def _goes_down(self) -> tuple["PushButton", None]:
        return replace(self, down=True, down_us=self.seen_us, told=self.down is None), None

    def _comes_up(self) -> tuple["PushButton", Signal | None]:
        after = replace(self, down=False, told=False, stuck=False, resumed=False)
        if self.down and not self.told:
            return after, Pressed(self.station, self.seen_us // 1000, self.colour)
        if self.stuck:
            return after, LinkUp(self.station, self.seen_us // 1000)
        return after, Missed(self.station, self.seen_us // 1000) if self.down and self.resumed else None


class Buttons:
    """All buttons of a device, by pin. Each is on its own; what they say comes in the order in which it was certain.
    While one is stuck, the station stays faulty even if another has come free."""

    def __init__(
        self,
        wiring: Mapping[int, tuple[str, ButtonColour]],
        timing: Timing | None = None,
        resumed: Collection[str] = (),
    ) -> None:
        """`resumed`: the stations to which we come back, and which have not been told yet that a press was missed."""
        self._timing = timing or Timing()
        self._buttons = {
            pin: PushButton(station, colour, resumed=station in resumed) for pin, (station, colour) in wiring.items()
        }
        self._due: dict[int, int] = {}
        self.now_us: int | None = None
        """The newest time that was told; None: none yet."""

    @property
    def due_us(self) -> int | None:
        """When to ask again, if nothing is heard before; None: not at all."""
        return min(self._due.values(), default=None)

    def edge(self, pin: int, level: int, at_us: int) -> list[Signal]:
        """A level came. Pins and levels that are none of ours (pigpio reports a time-out as level 2) say nothing, and
        what comes late counts as from now: the hand has moved on."""
        told = self.ask(at_us)
        button = self._buttons.get(pin)
        if button is None or level not in (0, 1) or self.now_us is None:
            return told
        self._keep(pin, button.level(level == 0, self.now_us))
        return told + self.ask(at_us)

    def ask(self, at_us: int) -> list[Signal]:
        """What has happened up to this time, and has not been told."""
        self.now_us = at_us if self.now_us is None else max(at_us, self.now_us)
        told: list[Signal] = []
        while self._due and self._due[pin := min(self._due, key=self._due.__getitem__)] <= self.now_us:
            button, signal = self._buttons[pin].happens(self._due[pin])
            self._keep(pin, button)
            if signal is not None and not (isinstance(signal, LinkUp) and self._is_stuck):
                told.append(signal)
        return told

    def interrupted(self) -> tuple[str, ...]:
        """The stations where a button is down that has said nothing yet. If the line is lost now, so is the press."""
        return tuple(sorted({button.station for button in self._buttons.values() if button.down and not button.told}))

    @property
    def _is_stuck(self) -> bool:
        return any(button.stuck for button in self._buttons.values())

    def _keep(self, pin: int, button: PushButton) -> None:
        self._buttons[pin] = button
        due_us = button.due(self._timing)
        if due_us is None:
            self._due.pop(pin, None)
        else:
            self._due[pin] = due_us

"""Where tags lie and when buttons were last pressed, as far as the readers have told.

A reader that fails takes nothing away: what lay there may still lie there.
"""

from msgspec import Struct
from msgspec.structs import replace

from companion.table.signals import Held, LinkUp, Pressed, Signal, TagFound, TagPlaced, TagRemoved

REPEAT_MS = 350
"""A tag that comes again this soon was one movement of the hand."""
PRESS_AGAIN_MS = 200
"""And so was the same button. People who mean several presses are slower; a trembling hand is faster."""


class Presence(Struct, frozen=True):
    lying: dict[str, str] = {}
    """UID → station."""
    tapped: dict[str, tuple[str, int]] = {}
    """Station → the tag that was laid there last, and when."""
    pressed: dict[str, tuple[str, int]] = {}
    """Station → the button that was pressed there last, and when."""
    met: frozenset[str] = frozenset()
    """Stations that have been ready before: what is found there later was laid there meanwhile."""
    found: dict[str, tuple[str, ...]] = {}
    """Station → the tags that were found there and not known before, until it is ready."""

    def at(self, station: str) -> tuple[str, ...]:
        """The tags that lie at a station."""
        return tuple(uid for uid, where in self.lying.items() if where == station)

    def repeats(self, signal: Signal) -> bool:
        """Whether this signal tells nothing new: a tag that lies there already, or the same hand movement again."""
        match signal:
            case TagFound(station, _, uid):
                return self.lying.get(uid) == station
            case TagPlaced(station, at_ms, uid):
                return self.lying.get(uid) == station or _soon(self.tapped.get(station), uid, at_ms, REPEAT_MS)
            case Pressed(station, at_ms, button) | Held(station, at_ms, button):
                return _soon(self.pressed.get(station), button, at_ms, PRESS_AGAIN_MS)
        return False

    def after(self, signal: Signal) -> "Presence":
        """The presence once this signal has been taken in. A repeated one does not extend the time."""
        match signal:
            case TagPlaced(station, at_ms, uid):
                told = self.tapped if self.repeats(signal) else self.tapped | {station: (uid, at_ms)}
                return replace(self, lying=self.lying | {uid: station}, tapped=told)
            case TagFound(station, _, uid):
                new = () if self.repeats(signal) else (uid,)
                found = self.found | {station: (*self.found.get(station, ()), *new)}
                return replace(self, lying=self.lying | {uid: station}, found=found)
            case TagRemoved(station, _, uid) if self.lying.get(uid) == station:
                found = self.found | {station: tuple(tag for tag in self.found.get(station, ()) if tag != uid)}
                return replace(self, lying={tag: where for tag, where in self.lying.items() if tag != uid}, found=found)
            case Pressed(station, at_ms, button) | Held(station, at_ms, button) if not self.repeats(signal):
                return replace(self, pressed=self.pressed | {station: (button, at_ms)})
            case LinkUp(station):
                return replace(self, met=self.met | {station}, found=self.found | {station: ()})
        return self


def _soon(last: tuple[str, int] | None, what: str, at_ms: int, within_ms: int) -> bool:
    """A time before the last one comes from another clock: a simulated hand runs ahead of a real one."""
    return last is not None and last[0] == what and 0 <= at_ms - last[1] < within_ms

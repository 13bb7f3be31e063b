"""Where tags lie and when buttons were last pressed, as far as the readers have told.

A reader that fails takes nothing away: what lay there may still lie there.
"""

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.table.signals import Held, LinkUp, Pressed, Signal, TagFound, TagPlaced, TagRemoved

_Value = TypeVar("_Value")

REPEAT_MS = 350
"""A tag that comes again this soon was one movement of the hand."""
PRESS_AGAIN_MS = 200
"""And so was the same button. People who mean several presses are slower; a trembling hand is faster."""


class Presence(Struct, frozen=True):
    lying: dict[str, str] = {}
    """UID → station."""
    told_ms: dict[str, int] = {}
    """UID → when it was told that it lies there."""
    also: dict[str, tuple[str, ...]] = {}
    """UID → stations that have told of it, too, and not yet that it has gone. Of a piece that is carried elsewhere and
    back before its first reader misses it, that reader tells neither that it has gone nor that it has come."""
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
                return replace(self._with(uid, station, at_ms), tapped=told)
            case TagFound(station, at_ms, uid) if self._is_old(signal):
                return replace(self, also=self.also | {uid: (station, *self._others(uid, station))})
            case TagFound(station, at_ms, uid):
                new = () if self.repeats(signal) else (uid,)
                found = self.found | {station: (*self.found.get(station, ()), *new)}
                return replace(self._with(uid, station, at_ms), found=found)
            case TagRemoved(station, _, uid):
                found = self.found | {station: tuple(tag for tag in self.found.get(station, ()) if tag != uid)}
                return replace(self._without(uid, station), found=found)
            case Pressed(station, at_ms, button) | Held(station, at_ms, button) if not self.repeats(signal):
                return replace(self, pressed=self.pressed | {station: (button, at_ms)})
            case LinkUp(station):
                return replace(self, met=self.met | {station}, found=self.found | {station: ()})
        return self

    def _is_old(self, found: TagFound) -> bool:
        """Whether it was found before it was laid elsewhere, where it is known to lie. What a reader has found is told
        only when it has found all."""
        where = self.lying.get(found.uid, found.station)
        return where != found.station and found.at_ms < self.told_ms[found.uid]

    def _others(self, uid: str, station: str) -> tuple[str, ...]:
        return tuple(other for other in self.also.get(uid, ()) if other != station)

    def _with(self, uid: str, station: str, at_ms: int) -> "Presence":
        """The station that has told last is believed."""
        before = self.lying.get(uid, station)
        also = (*self._others(uid, station), *((before,) if before != station else ()))
        lying, told_ms = self.lying | {uid: station}, self.told_ms | {uid: at_ms}
        return replace(self, lying=lying, told_ms=told_ms, also=self.also | {uid: also})

    def _without(self, uid: str, station: str) -> "Presence":
        others = self._others(uid, station)
        if self.lying.get(uid) != station:
            return replace(self, also=self.also | {uid: others})
        if others:
            return replace(self, lying=self.lying | {uid: others[-1]}, also=self.also | {uid: others[:-1]})
        return replace(self, **{name: _less(getattr(self, name), uid) for name in ("lying", "told_ms", "also")})


def _less(table: dict[str, _Value], uid: str) -> dict[str, _Value]:
    return {each: value for each, value in table.items() if each != uid}


def _soon(last: tuple[str, int] | None, what: str, at_ms: int, within_ms: int) -> bool:
    """A time before the last one comes from another clock: a simulated hand runs ahead of a real one."""
    return last is not None and last[0] == what and 0 <= at_ms - last[1] < within_ms

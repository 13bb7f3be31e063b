"""Where tags lie and when buttons were last pressed, as far as the readers have told.

A reader that fails takes nothing away: what lay there may still lie there.
"""

from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.snapshot import StationState
from companion.table.signals import (
    Connecting,
    Held,
    LinkDown,
    LinkUp,
    Pressed,
    ReaderFault,
    Remarked,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)

REPEAT_MS = 350
"""A tag that comes again this soon was one movement of the hand."""
PRESS_AGAIN_MS = 200
"""And so was the same button. People who mean several presses are slower; a trembling hand is faster."""


class Presence(Struct, frozen=True):
    told: dict[str, dict[str, int]] = {}
    """UID → the stations that have told of it and not yet that it has gone, and when; the last one is believed. The
    others are kept: a piece may be carried elsewhere and back before its first reader misses it, and then that reader
    says nothing at all."""
    tapped: dict[str, tuple[str, int]] = {}
    """Station → the tag that was laid there last, and when."""
    pressed: dict[str, tuple[str, int]] = {}
    """Station → the button that was pressed there last, and when."""
    met: frozenset[str] = frozenset()
    """Stations that have been ready before: what is found there later was laid there meanwhile."""
    found: dict[str, tuple[str, ...]] = {}
    """Station → the tags that were found there and not known before, until it is ready or they are told elsewhere."""

    @property
    def lying(self) -> dict[str, str]:
        """UID → station."""
        return {uid: next(reversed(stations)) for uid, stations in self.told.items()}

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
                tapped = self.tapped if self.repeats(signal) else self.tapped | {station: (uid, at_ms)}
                return replace(self._with(uid, station, at_ms), tapped=tapped)
            case TagFound(station, at_ms, uid) if since := self._since(signal):
                by = self._others(uid, station, *since) | {station: at_ms} | since
                return replace(self, told=self._told(uid, by))
            case TagFound(station, at_ms, uid):
                new, lies = () if self.repeats(signal) else (uid,), self._with(uid, station, at_ms)
                return replace(lies, found=lies.found | {station: (*lies.found.get(station, ()), *new)})
            case TagRemoved(station, _, uid):
                found = self.found | {station: _without(self.found.get(station, ()), uid)}
                return replace(self, told=self._told(uid, self._others(uid, station)), found=found)
            case Pressed(station, at_ms, button) | Held(station, at_ms, button) if not self.repeats(signal):
                return replace(self, pressed=self.pressed | {station: (button, at_ms)})
            case LinkUp(station):
                return replace(self, met=self.met | {station}, found=self.found | {station: ()})
        return self

    def _since(self, found: TagFound) -> dict[str, int]:
        """The stations that have told of it, and are believed, since it was found there. What a reader has found is
        told only when it has found all."""
        if self.repeats(found):
            return {}
        others = self._others(found.uid, found.station)
        newer = takewhile(lambda told: told[1] > found.at_ms, reversed(others.items()))
        return dict(reversed(list(newer)))

    def _others(self, uid: str, *stations: str) -> dict[str, int]:
        return {other: at_ms for other, at_ms in self.told.get(uid, {}).items() if other not in stations}

    def _told(self, uid: str, by: dict[str, int]) -> dict[str, dict[str, int]]:
        return {each: stations for each, stations in (self.told | {uid: by}).items() if stations}

    def _with(self, uid: str, station: str, at_ms: int) -> "Presence":
        """The station that has told last is believed, and where it was found before it is found no more."""
        found = {where: tags if where == station else _without(tags, uid) for where, tags in self.found.items()}
        return replace(self, told=self._told(uid, self._others(uid, station) | {station: at_ms}), found=found)


def _without(tags: tuple[str, ...], uid: str) -> tuple[str, ...]:
    return tuple(tag for tag in tags if tag != uid)


def _soon(last: tuple[str, int] | None, what: str, at_ms: int, within_ms: int) -> bool:
    """A time before the last one comes from another clock: a simulated hand runs ahead of a real one."""
    return last is not None and last[0] == what and 0 <= at_ms - last[1] < within_ms


class DeviceStatus(Struct, frozen=True):
    devices: tuple[StationState, ...] = ()

    def after(self, signal: Signal) -> "DeviceStatus":
        """A station is what it says it is. One that never reports its state counts as ready as soon as it says
        anything. A stack is clear again when something is laid there or lifted."""
        station = signal.station
        match signal:
            case ReaderFault(problem=problem) | LinkDown(problem=problem):
                return self._with(StationState(station, "lost", problem))
            case Connecting():
                return self._with(StationState(station, "connecting"))
            case Remarked():
                return self
            case LinkUp():
                return self._with(StationState(station, "ready"))
            case TagsUnclear() if self._state(station) != "lost":
                return self._with(StationState(station, "unclear"))
            case TagPlaced() | TagFound() | TagRemoved() if self._state(station) == "unclear":
                return self._with(StationState(station, "ready"))
        return self if self._state(station) else self._with(StationState(station, "ready"))

    def _state(self, station: str) -> str:
        """What it was last; "" for one that nobody knows yet."""
        return next((device.state for device in self.devices if device.station == station), "")

    def _with(self, device: StationState) -> "DeviceStatus":
        if device in self.devices:
            return self
        others = [known for known in self.devices if known.station != device.station]
        return DeviceStatus(tuple(sorted([*others, device], key=lambda known: known.station)))

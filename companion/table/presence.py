"""What the signals so far add up to: where tags are, when buttons were last pressed, and which stations work.

A reader that fails removes nothing: a tag may still be on it.
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
    TagTapped,
)

REPEAT_MS = 350
"""A tag that is placed again this soon was one movement of the hand."""
TAP_AGAIN_MS = 1500
"""The same for a phone, which reads a tag again and again while it stays close."""
PRESS_AGAIN_MS = 200
"""The same for a button. Intended presses are slower than this; a trembling hand is faster."""


class Presence(Struct, frozen=True):
    told: dict[str, dict[str, int]] = {}
    """UID → the stations that have reported it and not yet its removal, and when. The last one counts. The others are
    kept: a piece may be carried elsewhere and back before its first reader misses it, and then that reader reports
    nothing at all."""
    tapped: dict[str, tuple[str, int]] = {}
    """Station → the tag that was placed there last, and when."""
    pressed: dict[str, tuple[str, int]] = {}
    """Station → the button that was pressed there last, and when."""
    met: frozenset[str] = frozenset()
    """Stations that were ready before: a tag that is found there later was placed there meanwhile."""
    found: dict[str, tuple[str, ...]] = {}
    """Station → the tags that were found there and not known before, until the station is ready or another one reports
    them."""

    @property
    def lying(self) -> dict[str, str]:
        """UID → station."""
        return {uid: next(reversed(stations)) for uid, stations in self.told.items()}

    def at(self, station: str) -> tuple[str, ...]:
        """The tags at a station."""
        return tuple(uid for uid, where in self.lying.items() if where == station)

    def repeats(self, signal: Signal) -> bool:
        """Whether this signal reports nothing new: a tag that is there already, or the same movement of the hand
        again."""
        match signal:
            case TagFound(station, _, uid):
                return self.lying.get(uid) == station
            case TagPlaced(station, at_ms, uid):
                return self.lying.get(uid) == station or _soon(self.tapped.get(station), uid, at_ms, REPEAT_MS)
            case TagTapped(station, at_ms, uid):
                return _soon(self.tapped.get(station), uid, at_ms, TAP_AGAIN_MS)
            case Pressed(station, at_ms, button) | Held(station, at_ms, button):
                return _soon(self.pressed.get(station), button, at_ms, PRESS_AGAIN_MS)
        return False

    def after(self, signal: Signal) -> "Presence":
        """The presence after this signal. A repeated signal does not extend the time, except for a phone that stays
        close to a tag. What a phone has touched is not known to be anywhere."""
        match signal:
            case TagPlaced(station, at_ms, uid):
                tapped = self.tapped if self.repeats(signal) else self.tapped | {station: (uid, at_ms)}
                return replace(self._with(uid, station, at_ms), tapped=tapped)
            case TagTapped(station, at_ms, uid):
                return replace(self, tapped=self.tapped | {station: (uid, at_ms)})
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
        """The stations that have reported this tag after it was found. A reader reports what it has found only when it
        has found everything."""
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
        """The last station to report a tag counts; elsewhere it is no longer found."""
        found = {where: tags if where == station else _without(tags, uid) for where, tags in self.found.items()}
        return replace(self, told=self._told(uid, self._others(uid, station) | {station: at_ms}), found=found)


def _without(tags: tuple[str, ...], uid: str) -> tuple[str, ...]:
    return tuple(tag for tag in tags if tag != uid)


def _soon(last: tuple[str, int] | None, what: str, at_ms: int, within_ms: int) -> bool:
    """A time before the last one comes from another clock: simulated hands run ahead of real ones."""
    return last is not None and last[0] == what and 0 <= at_ms - last[1] < within_ms


class DeviceStatus(Struct, frozen=True):
    """Each station is connecting, ready, unclear or lost."""

    devices: tuple[StationState, ...] = ()

    def after(self, signal: Signal) -> "DeviceStatus":
        """The status after this signal. A station that never reports its state counts as ready as soon as it sends
        anything. An unclear stack is clear again when a tag is placed or removed."""
        station = signal.station
        match signal:
            case ReaderFault(problem=problem) | LinkDown(problem=problem):
                return self._with(StationState(station, "lost", problem))
            case Connecting():
                return self._with(StationState(station, "connecting"))
            case Remarked() | TagTapped():  # a phone is no device of the table
                return self
            case LinkUp():
                return self._with(StationState(station, "ready"))
            case TagsUnclear() if self._state(station) != "lost":
                return self._with(StationState(station, "unclear"))
            case TagPlaced() | TagFound() | TagRemoved() if self._state(station) == "unclear":
                return self._with(StationState(station, "ready"))
        return self if self._state(station) else self._with(StationState(station, "ready"))

    def _state(self, station: str) -> str:
        """Its last state; "" for a station that has not sent anything yet."""
        return next((device.state for device in self.devices if device.station == station), "")

    def _with(self, device: StationState) -> "DeviceStatus":
        if device in self.devices:
            return self
        others = [known for known in self.devices if known.station != device.station]
        return DeviceStatus(tuple(sorted([*others, device], key=lambda known: known.station)))

"""Who lies in a reader's field: makes signals of looks. Pure: no clock, no chip.

A reader that fails says nothing about tags, so a fault takes nobody off the list. A tag is gone when it was missed
several times, for a minimum time, and last of all in an inventory, in which everybody had to answer anew. Weak tags
answer now and then, flickering ones come and go: neither is a removal, and whoever is on the list is not placed again.
"""

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.field import Look, Uid
from companion.devices.trouble import Problem
from companion.table.signals import (
    Connecting,
    LinkUp,
    ReaderFault,
    Signal,
    TagFound,
    TagPlaced,
    TagRemoved,
    TagsUnclear,
)

MISSES = 3
"""So often in a row a tag has to be missed…"""
MISSING_MS = 300
"""…and for so long, before it counts as lifted."""
INVENTORIES = 2
"""So many are taken before a station is ready, because a weak tag may fail to answer once."""
UNCLEAR_LOOKS = 3
UNCLEAR_MS = 300
"""A hand that lays a tag down disturbs the field for a moment; a stack that cannot be read stays."""


class _Attendance(Struct, frozen=True):
    """One tag on the list."""

    seen_ms: int | None
    """None: not since the reader came back, so its absence counts from the first look on."""
    misses: int = 0

    def is_overdue(self, at_ms: int) -> bool:
        return self.misses >= MISSES and self.seen_ms is not None and at_ms - self.seen_ms >= MISSING_MS


class RollCall:
    """The list of one station. Every method gives the signals that come of it."""

    def __init__(self, station: str) -> None:
        self._station = station
        self._list: dict[Uid, _Attendance] = {}
        self._is_ready = False
        self._inventories = 0
        self._problem: Problem | None = None
        self._fog = _Fog()
        self._at_ms = 0

    @property
    def known(self) -> tuple[Uid, ...]:
        return tuple(self._list)

    @property
    def is_ready(self) -> bool:
        return self._is_ready

    @property
    def wants_inventory(self) -> bool:
        """Before the station is ready, and before a tag is taken off the list."""
        return not self._is_ready or any(tag.is_overdue(self._at_ms) for tag in self._list.values())

    def begin(self, at_ms: int) -> list[Signal]:
        """The reader is looked for, for the first time or anew. Who was on the list stays there until it is known; what
        is wrong is told again, because nobody remembers it any more."""
        self._doubt()
        self._problem = None
        return [Connecting(self._station, at_ms)]

    def fault(self, problem: Problem, at_ms: int) -> list[Signal]:
        """The reader fails. Told once, and again only if it is something else."""
        self._doubt()
        if problem == self._problem:
            return []
        self._problem = problem
        return [ReaderFault(self._station, at_ms, problem)]

    def _doubt(self) -> None:
        self._is_ready = False
        self._inventories = 0
        self._fog = _Fog()
        self._list = dict.fromkeys(self._list, _Attendance(None))

    def take(self, look: Look, at_ms: int, *, inventory: bool) -> list[Signal]:
        """One look into the field; `inventory`: everybody had to answer anew."""
        self._at_ms = at_ms
        signals = [*self._welcome(look.seen, at_ms), *self._mist(look.unclear, at_ms)]
        self._count(() if look.unclear else look.missed, at_ms)
        if inventory:
            signals += self._take_off(at_ms)
            self._inventories += 1
        if not self._is_ready and self._is_settled(look.unclear):
            self._is_ready, self._problem = True, None
            signals.append(LinkUp(self._station, at_ms))
        return signals

    def _welcome(self, seen: tuple[Uid, ...], at_ms: int) -> list[Signal]:
        kind = TagPlaced if self._is_ready else TagFound
        newcomers = [uid for uid in seen if uid not in self._list]
        self._list |= dict.fromkeys(seen, _Attendance(at_ms))
        return [kind(self._station, at_ms, _told(uid)) for uid in newcomers]

    def _mist(self, unclear: bool, at_ms: int) -> list[Signal]:
        was_told = self._fog.told
        self._fog = self._fog.after(unclear, at_ms)
        return [TagsUnclear(self._station, at_ms)] if self._fog.told and not was_told else []

    def _count(self, missed: tuple[Uid, ...], at_ms: int) -> None:
        """A miss counts only if it follows another one. Whatever is unclear breaks the row."""
        for uid, tag in self._list.items():
            since = at_ms if tag.seen_ms is None else tag.seen_ms
            self._list[uid] = _Attendance(since, tag.misses + 1 if uid in missed else 0)

    def _take_off(self, at_ms: int) -> list[Signal]:
        overdue = [uid for uid, tag in self._list.items() if tag.is_overdue(at_ms)]
        for uid in overdue:
            del self._list[uid]
        return [TagRemoved(self._station, at_ms, _told(uid)) for uid in overdue]

    def _is_settled(self, unclear: bool) -> bool:
        """Nobody is in doubt any more, or it has been told that it cannot be made out."""
        doubtful = any(tag.misses for tag in self._list.values()) or (unclear and not self._fog.told)
        return self._inventories >= INVENTORIES and not doubtful


class _Fog(Struct, frozen=True):
    """Whether it is unclear what lies there: begins and ends only after several looks that agree."""

    told: bool = False
    looks: int = 0
    """How many looks in a row said otherwise."""
    since_ms: int = 0

    def after(self, unclear: bool, at_ms: int) -> "_Fog":
        if unclear == self.told:
            return replace(self, looks=0)
        turning = _Fog(self.told, self.looks + 1, self.since_ms if self.looks else at_ms)
        if turning.looks >= UNCLEAR_LOOKS and at_ms - turning.since_ms >= UNCLEAR_MS:
            return _Fog(unclear)
        return turning


def _told(uid: Uid) -> str:
    return uid.hex().upper()

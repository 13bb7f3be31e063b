"""Which tags are in a reader's field: makes signals of looks. Pure: no clock, no chip.

A reader that fails says nothing about tags, so a fault takes no tag off the list. A tag is gone when it was missed
several times, for a minimum time, and last of all in an inventory, in which all tags had to answer again. Weak tags
answer now and then, flickering ones come and go: neither is a removal, and a tag on the list is not placed again. So
the minimum time is short only for tags that have proven to answer whenever they are asked. A tag that cannot be made
out may drown others: while there is one, no tag is missed. The satellite's firmware keeps the same rule (docs/wire.md).
"""

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.tag_field import Look, Uid
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
from companion.troubles import Trouble

MISSES = 5
"""How often in a row a tag has to be missed…"""
MISSING_MS = 300
"""…and for this long, before it counts as lifted…"""
WEAK_MS = 1000
"""…or for this long, as long as it is not proven: it may be weak."""
PROVING_LOOKS = 8
"""Looks in a row in which a newcomer has left no question unanswered, and it is proven…"""
PROVING_LATER = 100
"""…and so many, if it was missed in one."""
PROVING_MS = 250
"""For this long after a tag came, looks follow quickly: then even a tag that is only tapped is proven."""
INVENTORIES = 3
"""How many are taken before a station is ready, because a weak tag may fail to answer once."""
UNCLEAR_LOOKS = 3
UNCLEAR_MS = 300
"""A hand that lays a tag down disturbs the field for a moment; a stack that cannot be read stays."""


class _Attendance(Struct, frozen=True):
    """One tag on the list."""

    to_prove: int = PROVING_LOOKS
    """Looks until it is proven; while it is missed: as it was before."""
    doubted: bool = False
    """Its last look proves nothing. That counts when it is seen again: a hand that takes it away begins in that way."""
    misses: int = 0
    missing_ms: int = 0
    """When it was missed for the first time in a row."""

    def seen(self, *, hardly: bool) -> "_Attendance":
        if self.misses:
            return _Attendance(PROVING_LATER, hardly)
        if self.doubted:
            return _Attendance(max(self.to_prove, PROVING_LOOKS), hardly)
        return _Attendance(self.to_prove if hardly else max(self.to_prove - 1, 0), hardly)

    def missed(self, at_ms: int) -> "_Attendance":
        return _Attendance(self.to_prove, self.doubted, self.misses + 1, self.missing_ms if self.misses else at_ms)

    def excused(self) -> "_Attendance":
        """Neither seen nor missed."""
        return _Attendance(self.to_prove, doubted=True)

    def is_overdue(self, at_ms: int, misses: int, missing_ms: int) -> bool:
        gone_ms = WEAK_MS if self.to_prove else missing_ms
        return self.misses >= misses and at_ms - self.missing_ms >= gone_ms


class RollCall:
    """The list of one station. Every method gives the signals that come of it."""

    def __init__(self, station: str, misses: int = MISSES, missing_ms: int = MISSING_MS) -> None:
        """`misses`, `missing_ms`: fewer and shorter, where one look asks each tag many times."""
        self._station = station
        self._misses, self._missing_ms = misses, missing_ms
        self._list: dict[Uid, _Attendance] = {}
        self._is_ready = False
        self._inventories = 0
        self._problem: Trouble | None = None
        self._fog = _Fog()
        self._at_ms = 0
        self._welcomed_ms: int | None = None
        """When a tag came last."""

    @property
    def known(self) -> tuple[Uid, ...]:
        return tuple(self._list)

    @property
    def is_ready(self) -> bool:
        return self._is_ready

    @property
    def wants_inventory(self) -> bool:
        """Before the station is ready, and before a tag is taken off the list."""
        return not self._is_ready or any(self._is_overdue(tag, self._at_ms) for tag in self._list.values())

    @property
    def hurries(self) -> bool:
        """A tag has just come, and will soon be known better, or is missing. One that flickers as regularly as looks
        follow each other would be missed by all of them, if these were rare."""
        is_proving = self._welcomed_ms is not None and self._at_ms - self._welcomed_ms < PROVING_MS
        return is_proving or any(tag.misses for tag in self._list.values())

    def begin(self, at_ms: int) -> list[Signal]:
        """The reader is looked for, for the first time or again. Tags on the list stay there until it is known;
        what is wrong is reported again, because a new referee does not remember it."""
        self._doubt()
        self._problem = None
        return [Connecting(self._station, at_ms)]

    def fault(self, problem: Trouble, at_ms: int) -> list[Signal]:
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
        self._list = dict.fromkeys(self._list, _Attendance())

    def take(self, look: Look, at_ms: int, *, inventory: bool) -> list[Signal]:
        """One look into the field; `inventory`: all tags had to answer again."""
        self._at_ms = at_ms
        signals = [*self._welcome(look, at_ms), *self._mist(look.unclear, at_ms)]
        self._count(look, at_ms)
        if inventory:
            signals += self._take_off(at_ms)
            self._inventories += 1
        if not self._is_ready and self._is_settled(look.unclear):
            self._is_ready, self._problem = True, None
            signals.append(LinkUp(self._station, at_ms))
        return signals

    def _welcome(self, look: Look, at_ms: int) -> list[Signal]:
        """A new tag starts unproven: it may be weak."""
        kind = TagPlaced if self._is_ready else TagFound
        newcomers = [uid for uid in look.seen if uid not in self._list]
        if newcomers:
            self._welcomed_ms = at_ms
        for uid in look.seen:
            tag = self._list.get(uid)
            self._list[uid] = tag.seen(hardly=uid in look.hardly) if tag else _Attendance()
        return [kind(self._station, at_ms, _told(uid)) for uid in newcomers]

    def _mist(self, unclear: bool, at_ms: int) -> list[Signal]:
        was_told = self._fog.told
        self._fog = self._fog.after(unclear, at_ms)
        return [TagsUnclear(self._station, at_ms)] if self._fog.told and not was_told else []

    def _count(self, look: Look, at_ms: int) -> None:
        """A miss counts only if it follows another one. An unclear look breaks the row."""
        for uid, tag in self._list.items():
            if uid not in look.seen:
                counts = uid in look.missed and not look.unclear
                self._list[uid] = tag.missed(at_ms) if counts else tag.excused()

    def _take_off(self, at_ms: int) -> list[Signal]:
        overdue = [uid for uid, tag in self._list.items() if self._is_overdue(tag, at_ms)]
        for uid in overdue:
            del self._list[uid]
        return [TagRemoved(self._station, at_ms, _told(uid)) for uid in overdue]

    def _is_overdue(self, tag: _Attendance, at_ms: int) -> bool:
        """Before a station is ready no tag counts as proven."""
        return tag.is_overdue(at_ms, self._misses, self._missing_ms if self._is_ready else WEAK_MS)

    def _is_settled(self, unclear: bool) -> bool:
        """No tag is in doubt any more, or the doubt has been reported."""
        doubtful = any(tag.misses for tag in self._list.values()) or (unclear and not self._fog.told)
        return self._inventories >= INVENTORIES and not doubtful


class _Fog(Struct, frozen=True):
    """Whether it is unclear which tags are there: begins and ends only after several looks that agree."""

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

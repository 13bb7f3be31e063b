"""The ledger next to a journal that is being played: it makes "accepted" a promise.

One sector for each entry, on the disk before the answer is sent. The file has its full size from the beginning, and
every sector of it, the free ones as well, says what it is and proves it. Sectors are written one after another, so the
first free one says for certain how many entries were promised. A sector that is truncated, zeroed, flipped or taken
from another file is not a free one: it counts as an unreadable entry, and never looks like a shorter evening. A disk
writes a sector whole or not at all; a power cut leaves the newest one either free or written, and both are sound.

The ledger begins after the entries that are in the journal's own file for certain (`base`), and starts over when it is
full. An entry that is too long for a sector is only listed here (a mark), so its absence is noticed.
"""

import os
import secrets
import struct
import zlib
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.files import load, store_all
from companion.session.entry import Entry

SECTOR = 512
ROOM = 256
"""Sectors of a new ledger."""
SIZE_LIMIT = 64 * 1024 * 1024
_MAGIC = b"cldg"
_HEAD = struct.Struct(">4s16sQIBH")
"""Magic, which evening, which of its ledgers, which sector of it, its kind, the length of what it holds."""
_SUM = struct.Struct(">I")
LENGTH = SECTOR - _HEAD.size - _SUM.size
"""What one sector can hold."""
_LOST = 0
"""The kind of a sector that cannot be read."""
_sync = getattr(os, "fdatasync", os.fsync)


class SectorKind(IntEnum):
    """No kind is 0, so a sector of zeros is unreadable: see `_LOST`."""

    HEAD = 1
    FREE = 2
    ENTRY = 3
    MARK = 4
    DOUBT = 5


class Promise(Struct, frozen=True):
    """An entry that was stored before the answer was sent."""

    number: int
    seal: int | None
    """None: its sector is unreadable."""
    entry: Entry | None
    """None: it is too long for a ledger and only in the journal itself, or its sector is unreadable."""


class LedgerFinding(Struct, frozen=True):
    """What a ledger promises."""

    identity: bytes = b""
    """Identity of its evening; empty if unreadable."""
    base: int = 0
    base_seal: int = 0
    promises: tuple[Promise, ...] = ()
    """One for each number after `base`."""
    doubt: int = 0
    """The number of the entry at which the disk failed; 0 if it did not."""
    problem: str = ""
    """Why it is unknown what was promised; "" if it is known, though some of it may be unreadable."""

    @property
    def newest(self) -> int:
        return self.base + len(self.promises)


def ledger_of(journal: Path) -> Path:
    return journal.with_name(journal.name + "-ledger")


# --- Writing --------------------------------------------------------------------------------------------------


class Ledger:
    """The one writer. Get one with `begin`."""

    def __init__(self, path: Path, which: tuple[bytes, int], room: int, used: int) -> None:
        """`which`: the identity of the evening, and the salt of this ledger."""
        self._which, self._room, self._next = which, room, used
        self.durable = True
        """Whether to flush: only a test without power cuts does not."""
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW)

    @classmethod
    def begin(
        cls, path: Path, identity: bytes, base: int, base_seal: int, promises: Sequence[Promise] = ()
    ) -> "Ledger":
        """Replace any ledger by a new one for this evening. It is on the disk when this returns. Raises OSError; then
        either the old or the new one is there."""
        which, room = (identity, secrets.randbits(64)), max(ROOM, 2 * len(promises))
        sectors = [(SectorKind.HEAD, msgspec.msgpack.encode((room, base, base_seal)))]
        sectors += [_promised(promise) for promise in promises]
        sectors += [(SectorKind.FREE, b"")] * (room - len(sectors))
        store_all({path: b"".join(_sector(which, place, *held) for place, held in enumerate(sectors))}, mode=0o600)
        return cls(path, which, room, 1 + len(promises))

    @property
    def full(self) -> bool:
        """One sector stays free for a doubt."""
        return self._next >= self._room - 1

    def append(self, promise: Promise) -> None:
        """On the disk when this returns. Raises OSError: then it is unknown whether it is stored."""
        self._put(*_promised(promise))
        if self.durable:
            _sync(self._descriptor)

    def doubt(self, number: int) -> None:
        """A note for the next reader: the disk failed while this entry was written. Not flushed."""
        self._put(SectorKind.DOUBT, msgspec.msgpack.encode(number))

    def _put(self, kind: SectorKind, held: bytes) -> None:
        if os.pwrite(self._descriptor, _sector(self._which, self._next, kind, held), self._next * SECTOR) != SECTOR:
            raise OSError("a sector was written in part")
        self._next += 1

    def close(self) -> None:
        """Idempotent."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _promised(promise: Promise) -> tuple[SectorKind, bytes]:
    if promise.entry is not None:
        held = msgspec.msgpack.encode((promise.seal, promise.entry))
        if len(held) <= LENGTH:
            return SectorKind.ENTRY, held
    return SectorKind.MARK, msgspec.msgpack.encode((promise.number, promise.seal))


def fits(entry: Entry) -> bool:
    """Whether a sector can hold it."""
    return _promised(Promise(entry.number, 2**32 - 1, entry))[0] == SectorKind.ENTRY


def _sector(which: tuple[bytes, int], place: int, kind: SectorKind, held: bytes) -> bytes:
    content = (_HEAD.pack(_MAGIC, *which, place, kind, len(held)) + held).ljust(SECTOR - _SUM.size, b"\0")
    return content + _SUM.pack(zlib.crc32(content))


# --- Reading --------------------------------------------------------------------------------------------------


def read_ledger(path: Path) -> LedgerFinding | None:
    """What the ledger holds; None if there is none. Raises OSError."""
    try:
        data = load(path, SIZE_LIMIT)
    except FileNotFoundError:
        return None
    try:
        return _Reading(data).finding()
    except (struct.error, ValueError) as error:  # msgspec's errors are ValueErrors
        return LedgerFinding(problem=str(error))


class _Reading:
    def __init__(self, data: bytes) -> None:
        self._data = data
        _, *which, _, _, _ = _HEAD.unpack_from(data)
        self._which = which

    def finding(self) -> LedgerFinding:
        """Raises ValueError if it is unknown what was promised."""
        kind, held = self._held(0)
        if kind != SectorKind.HEAD:
            raise ValueError("it has no head")
        room, base, base_seal = msgspec.msgpack.decode(held, type=tuple[int, int, int])
        if base < 0 or not 0 < room <= SIZE_LIMIT // SECTOR:
            raise ValueError("its head cannot be right")
        promises: list[Promise] = []
        doubt = 0
        for place in range(1, room):
            kind, held = self._held_or_lost(place)
            if kind == SectorKind.FREE:
                self._check_rest(place, room)
                break
            if kind == SectorKind.DOUBT:
                doubt = msgspec.msgpack.decode(held, type=int)
                continue
            promises.append(_promise(kind, held, base + len(promises) + 1))
        return LedgerFinding(self._which[0], base, base_seal, tuple(promises), doubt)

    def _check_rest(self, first_free: int, room: int) -> None:
        for place in range(first_free, room):
            if self._held_or_lost(place)[0] not in (SectorKind.FREE, _LOST):
                raise ValueError(f"sector {place} is written, and sector {first_free} before it is not")

    def _held_or_lost(self, place: int) -> tuple[int, bytes]:
        try:
            return self._held(place)
        except ValueError:
            return _LOST, b""

    def _held(self, place: int) -> tuple[int, bytes]:
        sector = self._data[place * SECTOR : (place + 1) * SECTOR]
        if len(sector) != SECTOR or _SUM.unpack_from(sector, SECTOR - _SUM.size)[0] != zlib.crc32(sector[: -_SUM.size]):
            raise ValueError(f"sector {place} cannot be read")
        magic, *which, number, kind, length = _HEAD.unpack_from(sector)
        if (magic, which, number) != (_MAGIC, self._which, place) or length > LENGTH:
            raise ValueError(f"sector {place} belongs elsewhere")
        return kind, sector[_HEAD.size : _HEAD.size + length]


def _promise(kind: int, held: bytes, number: int) -> Promise:
    """Raises ValueError."""
    if kind == _LOST:
        return Promise(number, None, None)
    if kind == SectorKind.MARK:
        promise = Promise(*msgspec.msgpack.decode(held, type=tuple[int, int]), None)
    elif kind == SectorKind.ENTRY:
        stored, entry = msgspec.msgpack.decode(held, type=tuple[int, Entry])
        promise = Promise(entry.number, stored, entry)
    else:
        raise ValueError(f"there is no kind {kind}")
    if promise.number != number:
        raise ValueError(f"entry {promise.number} stands where entry {number} should")
    return promise

"""A journal as SQLite would read it, put together from its file and its write-ahead log without SQLite.

To look must not change anything. SQLite deletes the log of a journal that was cut to one byte, leaves files behind, and
takes any log that lies there, whatever evening wrote it. So whoever only reads gets bytes, and SQLite sees them in
memory. File format: https://sqlite.org/fileformat2.html, section 4.
"""

import os
import struct
from pathlib import Path

from msgspec import Struct

from companion.files import TooLongError, load
from companion.journal.lock import descriptor_of
from companion.journal.schema import SIZE_LIMIT, identity_in

PAGE = 4096
"""Bytes of a page: SQLite's default, and so that of every journal."""
LOOKS = 4
"""How often, at most, to begin again because the log started over meanwhile."""
_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""In which byte order the sums are reckoned."""
_VERSION = 3_007_000


class Image(Struct, frozen=True):
    """What lies on the disk."""

    alone: bytes
    """The journal's own file."""
    whole: bytes
    """The same with all commits of its log."""
    is_logged: bool = False
    """Whether the log has any."""
    is_foreign: bool = False
    """The log has commits, and none of them belongs to the evening of the file."""


def log_of(journal: Path) -> Path:
    return journal.with_name(journal.name + "-wal")


def load_image(journal: Path) -> Image:
    """Raises OSError, and TooLongError for what is too long to be an evening.

    A checkpoint copies pages from the log into the file. As long as the log has not started over, all of them are still
    in the log: so the file as it is in between, with the log as it is afterwards, is what was stored."""
    log = _log(journal)
    for _ in range(LOOKS):
        before = log[: _HEADER.size]
        alone = _own_file(journal)
        log = _log(journal)
        if log[: _HEADER.size] == before:
            break
    return put_together(alone, log)


def put_together(alone: bytes, log: bytes) -> Image:
    """The pages of the file, with those that were committed to the log in their places."""
    pages, count = _committed(log)
    if not count:
        return Image(alone, alone)
    whole = bytearray(alone[: count * PAGE].ljust(count * PAGE, b"\0"))
    for number, page in pages.items():
        if number <= count:
            whole[(number - 1) * PAGE : number * PAGE] = page
    ours = identity_in(alone[:PAGE])
    foreign = ours is not None and not any(
        ours in page or identity_in(page) == ours for page in pages.values()
    )  # each commit adds an entry, which carries the identity, or changes the first page, which has it in its schema
    return Image(alone, bytes(whole), True, foreign)


def _own_file(journal: Path) -> bytes:
    """Where this process plays the journal, its lock has a descriptor that stays open: to close another one would drop
    the locks that SQLite has on the same file."""
    descriptor = descriptor_of(journal)
    if descriptor is None:
        return load(journal, SIZE_LIMIT)
    size = os.fstat(descriptor).st_size
    if size > SIZE_LIMIT:
        raise TooLongError
    return os.pread(descriptor, size, 0)


def _log(journal: Path) -> bytes:
    try:
        return load(log_of(journal), SIZE_LIMIT)
    except FileNotFoundError:
        return b""


def _committed(log: bytes) -> tuple[dict[int, bytes], int]:
    """Every page that was committed, as it was last, and how many pages the journal has then.

    SQLite proves all frames, and stops at the first bad one. That takes Python long, so only those are proven whose
    pages count. Where one of them is bad we stop where SQLite does; where a page was written again behind a bad frame,
    we know more than SQLite, and the ledger has the same (`Journal` asks SQLite what it has got)."""
    frames = _Frames(log)
    last, newest = frames.newest(frames.count)
    if last >= 0 and not all(map(frames.holds, {*newest.values(), last})):
        last, newest = frames.newest(next(n for n in range(frames.count) if not frames.holds(n)))
    if last < 0:
        return {}, 0
    return {number: frames.page(place) for number, place in newest.items()}, frames.size_at(last)


class _Frames:
    """The frames of a log that say that they are of one generation; numbered from 0, and -1 is the head."""

    def __init__(self, log: bytes) -> None:
        self._log = log
        self.count = 0
        if len(log) < _HEADER.size:
            return
        magic, version, page_size, _, *salts = _HEADER.unpack_from(log)[:6]
        self._order = _MAGIC.get(magic, "")
        if (version, page_size) != (_VERSION, PAGE) or not self._order or not self.holds(-1):
            return
        while self._start(self.count + 1) <= len(log) and [*self._head(self.count)[2:4]] == salts:
            if not self._head(self.count)[0]:
                break
            self.count += 1

    def _start(self, place: int) -> int:
        return _HEADER.size + place * (_FRAME_HEADER.size + PAGE)

    def _head(self, place: int) -> tuple[int, ...]:
        return _FRAME_HEADER.unpack_from(self._log, self._start(place))

    def page(self, place: int) -> bytes:
        start = self._start(place) + _FRAME_HEADER.size
        return self._log[start : start + PAGE]

    def size_at(self, place: int) -> int:
        """How many pages the journal has by this commit; 0 if it is none."""
        return self._head(place)[1]

    def newest(self, count: int) -> tuple[int, dict[int, int]]:
        """The last commit of so many frames (-1: there is none), and up to there the newest frame of each page."""
        last = next((place for place in reversed(range(count)) if self.size_at(place)), -1)
        return last, {self._head(place)[0]: place for place in range(last + 1)}

    def holds(self, place: int) -> bool:
        """Whether its sums are right, given those before it."""
        if place < 0:
            return _sums(self._log[:24], self._order, 0, 0) == _HEADER.unpack_from(self._log)[6:]
        before = self._head(place - 1)[4:] if place else _HEADER.unpack_from(self._log)[6:]
        start = self._start(place)
        return _sums(self._log[start : start + 8] + self.page(place), self._order, *before) == self._head(place)[4:]


def _sums(data: bytes, order: str, s0: int, s1: int) -> tuple[int, int]:
    """Section 4.2: two running sums over 32-bit words."""
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for even, odd in zip(words, words, strict=True):
        s0 = (s0 + even + s1) & 0xFFFFFFFF
        s1 = (s1 + odd + s0) & 0xFFFFFFFF
    return s0, s1

"""A journal as SQLite would read it, built from its file and its write-ahead log without SQLite.

Reading must not change anything. SQLite deletes the log of a journal that was truncated to one byte, leaves files
behind, and uses any log it finds, even one of another evening. So readers get bytes, and SQLite sees them in memory.
File format: https://sqlite.org/fileformat2.html, section 4.
"""

import os
import struct
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from companion.files import TooLongError, load
from companion.journal.lock import descriptor_of
from companion.journal.schema import SIZE_LIMIT, identity_in

PAGE = 4096
"""Bytes of a page: SQLite's default, and so that of every journal."""
LOOKS = 4
"""How often, at most, to begin again because the log started over."""
_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""The byte order of the checksums."""
_VERSION = 3_007_000


class Image(Struct, frozen=True):
    """What is on the disk."""

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
    """If this process plays the journal, its lock has a descriptor that stays open: closing another one would drop
    SQLite's locks on the same file."""
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


@lru_cache(2)
def _committed(log: bytes) -> tuple[dict[int, bytes], int]:
    """The newest version of every committed page, and how many pages the journal then has.

    SQLite reads a log up to the first frame with a wrong checksum, and so do we: SQLite must be able to go on with what
    we call sound. Later frames are in the ledger. (Checksums are slow in Python, and several readers look at one
    evening.)
    """
    if len(log) < _HEADER.size:
        return {}, 0
    magic, version, page_size, _, *salts, sum0, sum1 = _HEADER.unpack_from(log)
    order = _MAGIC.get(magic, "")
    if not order or (version, page_size) != (_VERSION, PAGE):
        return {}, 0
    running = _sums(log[:24], order, 0, 0)
    if running != (sum0, sum1):
        return {}, 0
    committed: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    count = 0
    step = _FRAME_HEADER.size + PAGE
    for start in range(_HEADER.size, len(log) - step + 1, step):
        number, pages_if_commit, *frame_salts, sum0, sum1 = _FRAME_HEADER.unpack_from(log, start)
        page = log[start + _FRAME_HEADER.size : start + step]
        running = _sums(log[start : start + 8] + page, order, *running)
        if not number or frame_salts != salts or running != (sum0, sum1):
            break
        pending[number] = page
        if pages_if_commit:
            committed |= pending
            count, pending = pages_if_commit, {}
    return committed, count


def _sums(data: bytes, order: str, s0: int, s1: int) -> tuple[int, int]:
    """Section 4.2: two running sums over 32-bit words. (Six words at a time, which a frame and the head are a multiple
    of: a third faster.)"""
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for a, b, c, d, e, f in zip(words, words, words, words, words, words, strict=True):
        s0 += a + s1
        s1 += b + s0
        s0 += c + s1
        s1 += d + s0
        s0 = (s0 + e + s1) & 0xFFFFFFFF
        s1 = (s1 + f + s0) & 0xFFFFFFFF
    return s0, s1

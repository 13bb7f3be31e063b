"""Finds damage in a write-ahead log, where SQLite sees only an end: in journals from before there were ledgers.

SQLite reads a log up to the first frame whose checksum fails and takes the rest for a commit that a power cut tore.
That is right for the newest commit: each one is synced before the next begins. Whole commits behind a broken frame
mean that entries were stored and are lost. (Damage in the newest commit itself cannot be told from a torn one.)
File format: https://sqlite.org/fileformat2.html, section 4.
"""

import struct
from pathlib import Path

from companion.files import load

SIZE_LIMIT = 256 * 1024 * 1024
"""A log is emptied every hundred pages, unless somebody keeps reading; an evening has a few megabytes."""
_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_MAGIC = (0x377F0682, 0x377F0683)


def log_of(journal: Path) -> Path:
    return journal.with_name(journal.name + "-wal")


def lost_commits(journal: Path) -> bool:
    """Whether the log of this journal holds commits that SQLite cannot reach.

    A log that is being written may start over while we read it, so what looks like damage is looked at again.
    """
    return all(_has_unreachable_commits(_bytes_of(log_of(journal))) for _ in range(3))


def _bytes_of(log: Path) -> bytes:
    try:
        return load(log, SIZE_LIMIT)
    except FileNotFoundError:
        return b""


def _has_unreachable_commits(log: bytes) -> bool:
    if not any(log) or len(log) < _HEADER.size:
        return False  # no log, or one that was never synced, which some file systems leave full of zeros
    magic, _, page_size, _, salt1, salt2, *sums = _HEADER.unpack_from(log)
    order = ">" if magic == _MAGIC[1] else "<"
    running = _checksum(log[:24], order, 0, 0)
    if magic not in _MAGIC or running != tuple(sums):
        # The header is synced before the first frame: without it, more than one commit's worth of log is lost.
        return len(log) > _HEADER.size
    behind_break, commits_lost = False, 0
    for start in range(_HEADER.size, len(log) - _FRAME_HEADER.size - page_size + 1, _FRAME_HEADER.size + page_size):
        _, pages_if_commit, frame_salt1, frame_salt2, *sums = _FRAME_HEADER.unpack_from(log, start)
        ours = frame_salt1 == salt1 or frame_salt2 == salt2  # in frames of an earlier log neither is
        if not behind_break:
            page = start + _FRAME_HEADER.size
            running = _checksum(log[start : start + 8] + log[page : page + page_size], order, *running)
            behind_break = (frame_salt1, frame_salt2) != (salt1, salt2) or running != tuple(sums)
        if behind_break and ours and pages_if_commit:
            commits_lost += 1
    return commits_lost > 1


def _checksum(data: bytes, order: str, s0: int, s1: int) -> tuple[int, int]:
    """Section 4.2: two running sums over 32-bit words, in the byte order that the magic number names."""
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        s0 = (s0 + even + s1) & 0xFFFFFFFF
        s1 = (s1 + odd + s0) & 0xFFFFFFFF
    return s0, s1

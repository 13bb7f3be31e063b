"""What a power cut may leave of a disk, from QEMU's log of all that was written to it (blklogwrites).

Everything up to the last flush is on the disk, and what was written through; of the rest any part may be, in sectors of
512 bytes and in any order.
"""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import BinaryIO, NamedTuple

SECTOR = 512
HEAD = struct.Struct("<QQQI")
"""Magic, version, how many entries there are, the size of a sector…"""
ENTRY = struct.Struct("<QQQQ")
"""…and of each entry: its sector, how many, what it is, how many bytes besides. A sector for each head."""
MAGIC = 0x6A736677736872
FLUSH, THROUGH, DISCARD = 1, 2, 4


class Written(NamedTuple):
    at: int
    """In bytes from the beginning of the disk."""
    data: bytes
    flushes: bool
    """Everything before it is on the disk when this is."""
    through: bool
    """It is itself on the disk as soon as it is done."""


def log(file: Path) -> list[Written]:
    with file.open("rb") as stream:
        magic, _, count, size = HEAD.unpack_from(stream.read(SECTOR))
        if magic != MAGIC or size != SECTOR:
            raise ValueError(f"{file} is no log of a disk with sectors of {SECTOR} bytes")
        return [_entry(stream.read(SECTOR), stream) for _ in range(count)]


def _entry(head: bytes, stream: BinaryIO) -> Written:
    sector, sectors, kind, _ = ENTRY.unpack_from(head)
    if kind & DISCARD:
        return Written(sector * SECTOR, bytes(sectors * SECTOR), False, False)
    return Written(sector * SECTOR, stream.read(sectors * SECTOR), bool(kind & FLUSH), bool(kind & THROUGH))


class Disk:
    """A disk that is written on, up to one moment after the other."""

    def __init__(self, before: bytes) -> None:
        """`before`: what was on it when the log began."""
        self._sure = bytearray(before)
        self._open: list[Written] = []

    def follow(self, written: Written) -> None:
        if written.flushes:
            for each in self._open:
                _put(self._sure, each)
            self._open.clear()
        if written.through and not any(_overlap(each, written) for each in self._open):
            _put(self._sure, written)
        elif written.data:
            self._open.append(written)

    def left(self, chance: Random) -> bytearray:
        """What a cut leaves at this moment: all, nothing, a beginning, or sectors here and there of what is open."""
        disk = bytearray(self._sure)
        way = chance.randrange(4)
        open_now: Sequence[Written] = self._open
        if way == 1:
            open_now = self._open[: chance.randrange(len(self._open) + 1)]
        likely = 1.0 if way < 2 else chance.choice((0.0, 0.1, 0.5, 0.9))
        for each in open_now:
            for sector in _sectors(each):
                if chance.random() < likely:
                    _put(disk, sector)
        return disk


def _put(disk: bytearray, written: Written) -> None:
    disk[written.at : written.at + len(written.data)] = written.data


def _overlap(one: Written, other: Written) -> bool:
    return one.at < other.at + len(other.data) and other.at < one.at + len(one.data)


def _sectors(written: Written) -> Iterator[Written]:
    for start in range(0, len(written.data), SECTOR):
        yield written._replace(at=written.at + start, data=written.data[start : start + SECTOR])

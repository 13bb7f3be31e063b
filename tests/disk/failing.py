"""Evenings on a disk that fails: `python -m tests.disk.failing COUNT SEED`, on the disk of disk.c.

Each evening is played in a process of its own, which is killed at the end. What was said about each entry is compared
with what the journal has: "stored" is there, "does not count" is not there, and after a doubt the next referee knows.
"""

import errno
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from itertools import count
from pathlib import Path

import msgspec

from companion.errors import DoubtError, JournalError
from companion.journal.store import Journal, read
from tests.disk import fail
from tests.places import quick_place

DAY = date(2026, 11, 16)
FAULTS = [
    (call, error, part)
    for call in ("sync", "write", "tear")
    for error in (errno.EIO, errno.ENOSPC)
    for part in ("-wal", "-ledger", ".journal", "", ".new")
]
Say = Callable[[str, str], None]


class Player:
    """Appends entries until it is killed, and says of each what it was told."""

    def __init__(self, folder: Path, chance: random.Random, say: Say) -> None:
        self._folder, self._chance, self._say = folder, chance, say
        self._names = count(1)
        self._doubtful = ""

    def play(self) -> None:
        journal = self._opened()
        for _ in range(self._chance.choice((3, 30, 300, 600))):
            if journal is None or self._chance.random() < 0.01:
                if journal:
                    journal.close()
                journal = self._opened()
            elif not self._add(journal):
                journal.close()
                journal = None

    def _opened(self) -> Journal | None:
        """Go on, or begin. What the disk refuses is tried again: it fails once."""
        with suppress(JournalError):
            there = [path for path in self._folder.glob("*.journal") if path.stat().st_size]
            journal = Journal.open(there[0]) if there else Journal.create(self._folder, date=DAY)
            if journal.doubted:
                counts = journal.doubted <= len(list(journal.entries()))
                self._say("counts" if counts else "does not count", self._doubtful)
            return journal
        return None

    def _add(self, journal: Journal) -> bool:
        name = str(next(self._names))
        body = b"x" * (71 * int(name) % (3000 if self._chance.random() < 0.1 else 300))
        try:
            journal.append("action", body, "tag", name, 1.0)
        except DoubtError:
            self._doubtful = name
            return False
        except JournalError as error:
            self._say("does not count" if "does not count" in str(error) else "said something else", name)
        else:
            self._say("stored", name)
        return True


def evening(folder: Path, seed: int) -> tuple[dict[str, set[str]], str]:
    """What was said about which entries, and which fault it was."""
    chance = random.Random(seed)
    call, error, part = chance.choice(FAULTS)
    after = int(chance.expovariate(1 / 40)) if part != ".new" else chance.randrange(3)
    heard, told = os.pipe()
    if os.fork() == 0:
        try:
            fail(call, after, error, part)
            Player(folder, chance, lambda what, name: os.write(told, f"{what}\t{name}\n".encode()) and None).play()
        except BaseException as problem:  # all of it is for the parent to tell
            os.write(told, f"raised\t{problem!r}\n".encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(told)
    said: dict[str, set[str]] = {}
    with os.fdopen(heard) as pipe:
        for line in pipe:
            what, _, name = line.rstrip("\n").partition("\t")
            said.setdefault(what, set()).add(name)
    os.wait()
    return said, f"{call} {errno.errorcode[error]} {part or 'any'} after {after}"


def wrong(folder: Path, said: dict[str, set[str]]) -> str:
    """What was said and is not so; "" if all of it is."""
    if odd := said.keys() - {"stored", "does not count", "counts"}:
        return str({what: said[what] for what in odd})
    there = {entry.cause for path in folder.glob("*.journal") if path.stat().st_size for entry in read(path)}
    if lost := said.get("stored", set()) - there:
        return f"{len(lost)} stored and not there"
    if lies := said.get("does not count", set()) & there:
        return f"{lies} does not count, and is there"
    return f"{lost} counts, and is not there" if (lost := said.get("counts", set()) - there) else ""


def main(times: int, seed: int) -> None:
    seen: dict[str, int] = {}
    failures: list[str] = []
    for number in range(seed * 1_000_000, seed * 1_000_000 + times):
        with tempfile.TemporaryDirectory(dir=quick_place()) as name:
            folder = Path(name)
            said, fault = evening(folder, number)
            try:
                problem = wrong(folder, said)
            except JournalError as error:
                problem = str(error)
        if problem:
            failures.append(f"evening {number}, {fault}: {problem}")
        for what, names in said.items():
            seen[what] = seen.get(what, 0) + len(names)
    sys.stdout.buffer.write(msgspec.json.encode({"seen": seen, "failures": failures}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

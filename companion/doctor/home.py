"""What a table needs besides devices: a home that can be written, room on the disk, and a clock."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.config import NAME
from companion.doctor.finding import Check, Finding
from companion.doctor.system import System
from companion.errors import JournalError
from companion.files import UnfitError, is_private, lock, sync_folder
from companion.home.clock import newest_known
from companion.journal.lock import holders
from companion.journal.shelf import newest_at
from companion.journal.soundness import inspect
from companion.journal.store import SUFFIX

ROOM_MB = 100
"""A long evening needs less than one; SQLite and the system need the rest."""
LOOKED_AT = 20
"""How many of the newest evenings are checked: any that people might want to resume is among them."""
BUILT = datetime(2026, 1, 1, tzinfo=UTC)
"""No clock that is right says less. A Pi without network begins in the past."""
PASSING = {
    "tmpfs": "in memory (tmpfs)",
    "ramfs": "in memory (ramfs)",
    "overlay": "on an overlay, over a card that is only read",
}
"""File systems that are made anew whenever the computer starts."""
LAST = (
    "keep evenings on a partition of their own, and name it with COMPANION_HOME, for the service and for yourself: "
    "docs/build-it.md, “Power, cards and clocks”, has each line"
)


def home_checks(home: Path, now: datetime, system: System) -> Iterator[Check]:
    yield Check("home", lambda: _home(home, system))
    yield Check(NAME, lambda: _table(home / NAME))
    yield Check("clock", lambda: _clock(home, now))
    yield Check("evenings", lambda: _evenings(home))


def running(home: Path) -> list[str]:
    """The evenings that are being played now: their referees have locked the journal."""
    held = holders()
    return [path.stem for path in sorted((home / "evenings").glob(f"*{SUFFIX}")) if _inode(path) in held]


def _inode(path: Path) -> int | None:
    with suppress(OSError):
        return path.stat().st_ino
    return None


def _home(home: Path, system: System) -> Iterator[Finding]:
    """Whether an evening could be written down, and would stay. The folder is made when the first one begins."""
    folder = home / "evenings"
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        yield Finding.problem("home", f"{there} is no folder", "move it away, or name another home with COMPANION_HOME")
        return
    disk = shutil.disk_usage(there)
    if not disk.total:
        yield Finding.problem(
            "home", f"{there} is a virtual file system and cannot keep files", "name another home with COMPANION_HOME"
        )
        return
    if (kind := system.file_system(there.resolve())) in PASSING:
        yield Finding.problem("home", f"{there} is {PASSING[kind]}: games are lost when the power goes off", LAST)
        return
    if not os.access(there, os.W_OK | os.X_OK):
        advice = f"`sudo chown -R $USER {there}`, or name another home with COMPANION_HOME"
        yield Finding.problem("home", f"nothing can be written in {there}", advice)
        return
    lacking = list(_lacking(there))
    yield from lacking
    if lacking:
        return
    free_mb = disk.free // 1_000_000
    if free_mb < ROOM_MB:
        yield Finding.problem("home", f"only {free_mb} MB are free for {folder}", f"make room: at least {ROOM_MB} MB")
    else:
        yield Finding.ok("home", f"{folder} can be written, flushed and locked, {free_mb:,} MB are free")


def _lacking(folder: Path) -> Iterator[Finding]:
    """What the file system cannot do, and "accepted" and "saved" rest on. Tried on a file without a name."""
    for attempt in (sync_folder, _lock_and_flush):
        try:
            attempt(folder)
        except UnfitError as error:
            words, _, advice = (error.strerror or str(error)).partition(": ")
            yield Finding.problem("home", f"{folder}: {words}", advice)
        except OSError as error:
            advice = "check the kernel messages (dmesg): the disk may be full, worn or gone"
            yield Finding.problem("home", f"{folder} cannot be flushed or locked: {error.strerror}", advice)


def _lock_and_flush(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        lock(file.fileno())
        os.fsync(file.fileno())


def _table(path: Path) -> Iterator[Finding]:
    """It may hold the password of the Wi-Fi."""
    if not is_private(path):
        words, advice = f"others on this computer can read {path}", f"`chmod 600 {path}`; the next evening does so, too"
        yield Finding.check(NAME, words, advice)


def _clock(home: Path, now: datetime) -> Iterator[Finding]:
    """An evening's name is its date."""
    advice = "connect the Pi to a network, or set it: `sudo timedatectl set-time '2026-11-16 20:00'`"
    folder = home / "evenings"
    written = max(newest_known(folder), newest_at(folder))
    said = f"the clock says {now.astimezone():%d %b %Y, %H:%M}"
    if now < BUILT:
        yield Finding.problem("clock", f"{said}, which is in the past", advice)
    elif now.timestamp() + 60 < written:
        yield Finding.check("clock", f"{said}, but an evening was written later than that", advice)
    else:
        yield Finding.ok("clock", said)


def _evenings(home: Path) -> Iterator[Finding]:
    """Those that cannot be resumed. One that is being played is left alone."""
    played = running(home)
    journals = sorted((home / "evenings").glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in journals[:LOOKED_AT]:
        if path.stem in played:
            continue
        try:
            problem = inspect(path).problem
        except JournalError as error:
            problem = str(error)
        if problem:
            advice = f"`companion export {path.stem}` says how much of it can be read; other evenings are not affected"
            yield Finding.check("evenings", f"{path.name}: {problem}", advice)

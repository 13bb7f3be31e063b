"""What a table needs besides devices: a home that can be written, space on the disk, and a clock."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.config import NAME
from companion.devices.computer import System
from companion.devices.finding import Check, Finding
from companion.errors import CompanionError, JournalError
from companion.files import UnfitError, is_private, lock, sync_folder
from companion.gamekit import discovery
from companion.gamekit.game import Game
from companion.home.box_files import find_box
from companion.home.enrolment_progress import half_done
from companion.home.paths import pack_path
from companion.home.table_clock import newest_known
from companion.home.tag_packs import read_pack
from companion.journal.evening_folder import newest_at
from companion.journal.lock import holders
from companion.journal.soundness import inspect
from companion.journal.store import SUFFIX
from companion.table.pieces import Pack

# --- The installed games: which can be played, and which packages bring one that cannot.

LIMIT_S = 60.0
"""Longer than the trial of any package may take."""


def game_checks() -> Iterator[Check]:
    yield Check("games", _games, limit_s=LIMIT_S)


def _games() -> Iterator[Finding]:
    """A package that fails affects no other game, so it is not a problem of the table; the owner decides what to do
    with it. Each is tried again, even if an outcome is cached."""
    discovery.look_again()
    for broken in discovery.unusable():
        advice = f"all other games can be played; `pip uninstall {broken.package}` removes this one"
        yield Finding.check(f"game {broken.name}", f"{broken.package}: {broken.reason}", advice)
    yield Finding.ok("games", f"{', '.join(game.name for game in discovery.playable())} can be played")


# --- The owner's boxes: each box and each pack of tags is read once, as a game would read it.

LISTED = 3
"""How many tags are listed; the rest are counted."""
STICKER = 14
"""Hexadecimal digits in the number of a sticker that can be written on (NTAG, Ultralight)."""


def box_checks(games: Sequence[Game[Any, Any]]) -> Iterator[Check]:
    yield Check("boxes", lambda: _boxes(games))
    yield Check("tags", lambda: _tags(games))


def _boxes(games: Sequence[Game[Any, Any]]) -> Iterator[Finding]:
    """A box that is wrong stops every game that uses it."""
    for game in games:
        try:
            find_box(game)
        except CompanionError as error:
            advice = f"fix that line, or move the file away: then the stand-in box of {game.name} is played with"
            yield Finding.problem(f"box of {game.name}", str(error), advice)
        try:
            if waiting := half_done(game):
                yield Finding.check(
                    f"box of {game.name}", waiting, "until then, enter pieces without a tag on the screen"
                )
        except CompanionError as error:
            yield Finding.check(f"box of {game.name}", str(error), "the box and its known tags stay as they are")


def _tags(games: Sequence[Game[Any, Any]]) -> Iterator[Finding]:
    packs: dict[str, Pack] = {}
    for game in games:
        path = pack_path(game.name)
        if not path.exists():
            continue
        try:
            packs[game.name] = read_pack(path)
        except CompanionError as error:
            advice = f"fix that entry, or move the file away: `companion enroll {game.name}` writes a new one"
            yield Finding.problem(f"tags of {game.name}", str(error), advice)
            continue
        if not packs[game.name].tags:
            advice = f"`companion enroll {game.name}` takes you through the box, piece by piece"
            yield Finding.check(f"tags of {game.name}", f"{path} has no tag in it", advice)
        yield from _readable(game.name, packs[game.name])
    yield from _doubled(packs)
    yield _known([name for name, pack in packs.items() if pack.tags])


def _readable(name: str, pack: Pack) -> Iterator[Finding]:
    """Stickers without a token: an earlier version may have written on them which piece they are on."""
    plain = sorted(uid for uid in pack.tags if len(uid) == STICKER and uid not in pack.tokens)
    if plain:
        more = f" and {len(plain) - LISTED} more" if len(plain) > LISTED else ""
        words = f"{', '.join(plain[:LISTED])}{more} carry no token: if an old text is on them, any phone can read it"
        yield Finding.check(f"stickers of {name}", words, f"`companion tags write {name}` renews them")


def _doubled(packs: Mapping[str, Pack]) -> Iterator[Finding]:
    """A tag is on one piece, so one of two games is wrong about it."""
    names = list(packs)
    for number, name in enumerate(names):
        for other in names[number + 1 :]:
            both = sorted(packs[name].tags.keys() & packs[other].tags.keys())
            if both:
                more = f" and {len(both) - LISTED} more" if len(both) > LISTED else ""
                words = f"both know {', '.join(both[:LISTED])}{more}; a tag sits on one piece"
                advice = f"`companion tags check {name}` names the pieces; take the wrong entry out of its pack"
                yield Finding.check(f"tags of {name} and {other}", words, advice)


def _known(names: Sequence[str]) -> Finding:
    if names:
        return Finding.ok("tags", f"there are packs for {', '.join(names)}; `companion tags check GAME` looks closer")
    advice = "`companion enroll GAME` takes you through a box, piece by piece"
    return Finding.check("tags", "no tags are known for any game", advice)


ROOM_MB = 100
"""A long evening needs less than one; SQLite and the system need the rest."""
LOOKED_AT = 20
"""How many of the newest evenings are checked: any that players might want to resume is among them."""
BUILT = datetime(2026, 1, 1, tzinfo=UTC)
"""A correct clock never says less. A Pi without network starts in the past."""
PASSING = {
    "tmpfs": "in memory (tmpfs)",
    "ramfs": "in memory (ramfs)",
    "overlay": "on an overlay, over a card that is only read",
}
"""File systems that are empty after every start of the computer."""
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
    """Whether an evening could be stored, and would stay. The folder is made when the first one begins."""
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
    """What the file system lacks for "accepted" and "saved" to hold. Tried on a file without a name."""
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

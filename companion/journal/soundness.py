"""Reads a journal without touching it, and says what is sound in it and what is not."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.errors import JournalError
from companion.journal.entry import Entry, seal
from companion.journal.wal import log_of, lost_commits

APPLICATION_ID = 0x434F4D50
""""COMP", in the header of every journal."""
VERSION = 1
BUSY_S = 5.0
SELECT = "SELECT number, at, kind, how, cause, body, seal FROM entry ORDER BY number"

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG)
"""What SQLite says of a file that it can read but not understand. Anything else is trouble with the access to it."""


class Finding(Struct, frozen=True):
    """The longest sound beginning of a journal, and what is wrong behind it ("" if nothing is)."""

    entries: tuple[Entry, ...]
    seal: int
    """The seal of the newest sound entry, 0 if there is none."""
    problem: str = ""


def read(path: Path) -> list[Entry]:
    """All entries, also while a referee is writing. Raises JournalError if anything is wrong with the file."""
    finding = inspect(path)
    if finding.problem:
        raise JournalError(f"{path}: {finding.problem}; {tell_sound(path, len(finding.entries))}")
    return list(finding.entries)


def tell_sound(path: Path, count: int) -> str:
    """What can still be had from a damaged journal."""
    if not count:
        return "no entry of it is sound"
    return f"entries 1 to {count} are sound, and `companion export {path}` can still tell them"


def inspect(path: Path) -> Finding:
    """What is sound in this file. Raises JournalError where nobody may judge it: it is not there, must not be read,
    or was written by a newer Companion."""
    try:
        if not path.is_file():
            raise JournalError(f"{path}: there is no journal here")
        if path.stat().st_size == 0:
            return Finding((), 0, "this journal is empty, as a power cut leaves it")
        return _inspect(path)
    except OSError as error:
        raise JournalError(f"{path}: cannot read this journal: {error.strerror}") from None
    except sqlite3.Error as error:
        raise JournalError(f"{path}: cannot read this journal: {error}") from None


def _inspect(path: Path) -> Finding:
    unlogged = not log_of(path).exists()
    with closing(_connect(path, immutable=unlogged)) as db:
        problem = _identity(db, path)
        entries, last_seal, gap = _sound_entries(db)
        problem = problem or gap or _structure(db)
        if problem:
            entries, last_seal = _rescued(db) or (entries, last_seal)
    if problem and unlogged and log_of(path).exists():
        return _inspect(path)  # somebody began to write as we read
    if not problem and lost_commits(path):
        problem = _damaged("its write-ahead log")
    return Finding(tuple(entries), last_seal, problem)


def _connect(path: Path, *, immutable: bool) -> sqlite3.Connection:
    """Read-only. A journal without a log is at rest; as immutable, it is read without leaving a log behind.

    While a journal is open in this process it has a log. So no lock of ours is lost here: an immutable file is opened
    without SQLite's care for locks, and closing it would drop those of this process on the same file.
    """
    how = "immutable=1" if immutable else "mode=ro"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=BUSY_S, isolation_level=None)


def _identity(db: sqlite3.Connection, path: Path) -> str:
    """Why this is not one of our journals; "" if it is."""
    try:
        application_id = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        _unless_damaged(error)
        return (
            _damaged(error) if _code(error) == sqlite3.SQLITE_CORRUPT else f"this is no journal of Companion ({error})"
        )
    if application_id != APPLICATION_ID:
        return "this is no journal of Companion, it belongs to another program"
    if version > VERSION:
        raise JournalError(f"{path}: a newer Companion wrote this journal (format {version}); update to read it")
    return "" if version == VERSION else _damaged(f"there is no format {version}")


def _sound_entries(db: sqlite3.Connection) -> tuple[list[Entry], int, str]:
    """Entries up to the first one that cannot be read, is out of sequence or does not match its seal."""
    entries: list[Entry] = []
    last_seal = 0
    try:
        for *fields, stored in db.execute(SELECT):
            entry = msgspec.convert(dict(zip(Entry.__struct_fields__, fields, strict=True)), Entry)
            if entry.number != len(entries) + 1:
                return entries, last_seal, _damaged(f"entry {len(entries) + 1} is missing")
            if stored != seal(last_seal, entry):
                return entries, last_seal, _damaged(f"entry {entry.number} is not what was stored")
            entries.append(entry)
            last_seal = stored
    except sqlite3.Error as error:
        # Its words are not passed on: "Could not decode …" quotes the text, which may be a secret.
        _unless_damaged(error)
        return entries, last_seal, _damaged(f"entry {len(entries) + 1} cannot be read")
    except (ValueError, OverflowError, MemoryError):
        # What a damaged row looks like once SQLite has handed it out: a wrong type, an absurd length.
        return entries, last_seal, _damaged(f"entry {len(entries) + 1} cannot be read")
    return entries, last_seal, ""


def _rescued(db: sqlite3.Connection) -> tuple[list[Entry], int] | None:
    """The beginning of a file that was cut: with a writable schema SQLite reads it all the same. (We only read.)"""
    db.execute("PRAGMA writable_schema=ON")
    entries, last_seal, _ = _sound_entries(db)
    return (entries, last_seal) if entries else None


def _structure(db: sqlite3.Connection) -> str:
    """What SQLite's own check finds: rows that a damaged page hides leave no other trace."""
    try:
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        _unless_damaged(error)
        return _damaged(error)
    return "" if found == "ok" else _damaged(" ".join(str(found).split()))


def _damaged(what: object) -> str:
    return f"this journal is damaged: {what}"


def _unless_damaged(error: sqlite3.Error) -> None:
    if _code(error) not in _DAMAGED:
        raise error


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF

"""The journal of one evening: an SQLite file that only grows.

An entry is durable when `append` returns: one INSERT is one transaction, and its page is synced to the disk.
"""

import itertools
import math
import os
import sqlite3
from collections.abc import Iterator
from datetime import date as Date  # noqa: N812  so that `date` can name a parameter
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from companion.errors import JournalError
from companion.journal.entry import Entry, EntryKind, seal
from companion.journal.lock import WriterLock
from companion.journal.soundness import APPLICATION_ID, BUSY_S, SELECT, VERSION, Finding, inspect, read, tell_sound

__all__ = ["ASIDE", "COMPANIONS", "SUFFIX", "Entry", "EntryKind", "Finding", "Journal", "inspect", "read"]

SUFFIX = ".journal"
ASIDE = ".set-aside"
COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a journal, by the ends of the names."""
_TABLE = """
    CREATE TABLE entry(
        number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, how TEXT NOT NULL, cause TEXT NOT NULL,
        body BLOB NOT NULL, seal INTEGER NOT NULL
    )
"""


class Journal:
    """The one writer of an evening. Get one with `create` or `open`; close it, or use it in a `with`."""

    def __init__(self, path: Path, lock: WriterLock, db: sqlite3.Connection, finding: Finding) -> None:
        self.path = path
        self._lock = lock
        self._db = db
        self._newest = len(finding.entries)
        self._seal = finding.seal

    @property
    def id(self) -> str:
        return self.path.stem

    # --- Beginning --------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, folder: Path, *, date: Date) -> "Journal":
        """A new, empty journal of this date. Raises JournalError if it cannot be stored; then nothing is left."""
        try:
            _make_folder(folder)
            path, lock = _claim(folder, date)
        except OSError as error:
            raise JournalError(f"{folder}: cannot keep an evening here: {error.strerror}") from None
        try:
            db = _build(path)
            _sync_folder(folder)
        except (OSError, sqlite3.Error) as error:
            for name in ("", *COMPANIONS):
                path.with_name(path.name + name).unlink(missing_ok=True)
            lock.release()
            raise JournalError(f"{path}: cannot begin this evening: {error}") from None
        return cls(path, lock, db, Finding((), 0))

    @classmethod
    def open(cls, path: Path, *, folder: Path | None = None) -> "Journal":
        """Go on with an evening. Raises JournalError if another referee plays it or anything is wrong with the file.

        A damaged file that lies in `folder`, where the evenings are, is set aside. Any other is left alone.
        """
        if not path.is_file():
            raise JournalError(f"{path}: there is no journal here")
        try:
            lock = WriterLock(path)
        except OSError as error:
            raise JournalError(f"{path}: cannot go on with this evening: {error.strerror}") from None
        try:
            finding = inspect(path)
            if finding.problem:
                _set_aside(path, folder, finding.problem, len(finding.entries))
            return cls(path, lock, _connect(path), finding)
        except sqlite3.Error as error:
            lock.release()
            raise JournalError(f"{path}: cannot go on with this evening: {error}") from None
        except BaseException:
            lock.release()
            raise

    # --- The evening ------------------------------------------------------------------------------------------

    def append(self, kind: EntryKind, body: bytes, how: str, cause: str, at: float) -> Entry:
        """Store one entry. Durable when this returns; if it raises JournalError the journal ends as before."""
        if not math.isfinite(at):
            raise ValueError(f"no moment: {at}")
        entry = Entry(self._newest + 1, float(at), kind, how, cause, body)
        entry_seal = seal(self._seal, entry)
        row = (entry.number, entry.at, kind, how, cause, body, entry_seal)
        try:
            self._db.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise JournalError(f"{error}: this was not stored and does not count ({self.path})") from None
        self._newest, self._seal = entry.number, entry_seal
        return entry

    def entries(self) -> Iterator[Entry]:
        """All entries, oldest first."""
        try:
            rows = self._db.execute(SELECT).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: cannot read this journal: {error}") from None
        return (Entry(*fields) for *fields, _ in rows)

    # --- The end ----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Idempotent."""
        self._db.close()
        self._lock.release()

    def set_aside(self, problem: str, sound: int, *, folder: Path | None) -> NoReturn:
        """Close a journal whose entries do not make a game. Raises JournalError, which says where it is now."""
        self._db.close()
        try:
            _set_aside(self.path, folder, problem, sound)
        finally:
            self._lock.release()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


# --- Files ----------------------------------------------------------------------------------------------------


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    """A new name is durable when its folder is."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _first_free_number(folder: Path, date: Date) -> int:
    """Behind every number of this date, also those that were set aside: an id never means two evenings."""
    prefix = f"{date.isoformat()}-"
    taken = (path.name.removeprefix(prefix).partition(".")[0] for path in folder.glob(f"{prefix}*{SUFFIX}*"))
    return 1 + max((int(number) for number in taken if number.isdecimal()), default=0)


def _claim(folder: Path, date: Date) -> tuple[Path, WriterLock]:
    """A new file, empty, and the lock on it: the next free number, also if somebody is faster than we are."""
    for number in itertools.count(_first_free_number(folder, date)):
        path = folder / f"{date.isoformat()}-{number}{SUFFIX}"
        try:
            lock = WriterLock(path)
        except JournalError:
            continue
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            lock.release()
            continue
        except OSError:
            lock.release()
            raise
        return path, lock
    raise AssertionError("numbers do not end")


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise sqlite3.OperationalError("this disk does not take a write-ahead log")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=100")  # pages: a short log is soon checked when an evening is resumed
    except sqlite3.Error:
        db.close()
        raise
    return db


def _build(path: Path) -> sqlite3.Connection:
    db = _connect(path)
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={VERSION}")
        db.execute(_TABLE)
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        db.close()
        raise
    return db


# --- Setting aside --------------------------------------------------------------------------------------------


def _set_aside(path: Path, folder: Path | None, problem: str, sound: int) -> NoReturn:
    """Out of the way, but never lost. What does not lie in `folder` is not ours to move."""
    if folder is None or path.parent.resolve() != folder.resolve():
        raise JournalError(f"{path}: {problem}. It was left as it is; {tell_sound(path, sound)}")
    try:
        target = _rename(path)
    except OSError as error:
        raise JournalError(f"{path}: {problem}. It could not be set aside: {error.strerror}") from None
    raise JournalError(f"{path}: {problem}. It was set aside as {target}; {tell_sound(target, sound)}")


def _rename(path: Path) -> Path:
    """The journal first: should the power fail now, a log left alone harms nobody, a journal without its log would."""
    names = (path.name + ASIDE + (f"-{number}" if number > 1 else "") for number in itertools.count(1))
    target = next(free for name in names if not (free := path.with_name(name)).exists())
    path.rename(target)
    for name in COMPANIONS:
        companion = path.with_name(path.name + name)
        if companion.exists():
            companion.rename(target.with_name(target.name + name))
    _sync_folder(path.parent)
    return target

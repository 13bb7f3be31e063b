"""The journal of one evening: an append-only SQLite file, and its ledger while it is played.

An entry is durable when `append` returns: it is in the journal, and in a flushed sector of the ledger. SQLite itself
flushes only when the ledger starts over; until then the ledger has what SQLite's log may lack.
"""

import errno
import itertools
import math
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date as Date  # noqa: N812  so that `date` can name a parameter
from pathlib import Path
from types import TracebackType
from typing import NoReturn

import msgspec

from companion.errors import DoubtError, JournalError
from companion.files import make_folder, move
from companion.journal.ledger import Ledger, Promise, fits, ledger_of
from companion.journal.lock import WriterLock
from companion.journal.schema import APPLICATION_ID, AT_REST, BUSY_S, IDENTITY, IN_PLAY, INSERT, SELECT, be_wary, table
from companion.journal.soundness import Soundness, inspect, read, tell_sound
from companion.journal.sqlite_image import PAGE
from companion.session.entry import Entry, EntryKind, seal

__all__ = ["ASIDE", "COMPANIONS", "PHONES", "SUFFIX", "Entry", "EntryKind", "Journal", "Soundness", "inspect", "read"]

SUFFIX = ".journal"
ASIDE = ".set-aside"
PHONES = "-phones"
COMPANIONS = ("-wal", "-shm", "-journal", "-ledger", PHONES)
"""The files next to a journal, by the ends of their names."""
_REFUSED = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY)
"""SQLite's errors before anything was written. Any other leaves a doubt."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class Journal:
    """The one writer of an evening. Get one with `create` or `open`; close it, or use it in a `with`."""

    def __init__(self, path: Path, lock: WriterLock, finding: Soundness) -> None:
        """Stores everything that was found before anything is added. Raises sqlite3.Error, OSError."""
        self.path = path
        self._lock = lock
        self._identity = finding.identity
        self._newest, self._seal = len(finding.entries), finding.seal
        self._newest_at = finding.entries[-1].at if finding.entries else None
        self._base, self._base_seal = finding.base, finding.seal_of(finding.base)
        self._promises = [
            Promise(entry.number, finding.seal_of(entry.number), entry) for entry in finding.entries[finding.base :]
        ]
        self.doubted = finding.doubt
        """The entry at which the disk failed when this evening was last played; 0 if it did not."""
        self._doubt: DoubtError | None = None
        self._only_named = False
        self._db = _connect(path)
        try:
            self._catch_up(finding)
            self._ledger = self._renewed()
            if finding.at_rest:
                self._mark(IN_PLAY)
            self._db.execute("PRAGMA synchronous=NORMAL")
        except BaseException:
            self._db.close()
            raise

    def _catch_up(self, finding: Soundness) -> None:
        """Put what only the ledger has into the journal. SQLite itself has to confirm what it has."""
        self._db.execute("BEGIN IMMEDIATE")
        stored = self._db.execute("SELECT max(number) FROM entry").fetchone()[0] or 0
        if stored > len(finding.entries):
            raise sqlite3.DatabaseError(f"it has {stored} entries, and {len(finding.entries)} of them were read")
        for entry in finding.entries[stored:]:
            self._insert(entry, finding.seal_of(entry.number))
        self._db.execute("COMMIT")

    @property
    def id(self) -> str:
        return self.path.stem

    # --- Beginning --------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, folder: Path, *, date: Date) -> "Journal":
        """A new, empty journal of this date. Raises JournalError if it cannot be stored; then nothing is left.

        It takes its place when it is whole: a power cut leaves a journal, or an empty file that holds its number."""
        try:
            make_folder(folder, 0o700)
            path = _claim(folder, date)
        except OSError as error:
            raise JournalError(f"{folder}: cannot keep an evening here: {error.strerror}") from None
        draft = path.with_name(f".{path.name}.new")
        lock = None
        try:
            identity = secrets.token_bytes(IDENTITY)
            _build(draft, identity)
            lock = WriterLock(draft)
            move(draft, path)
            return cls(path, lock, Soundness(identity=identity, at_rest=True))
        except (OSError, sqlite3.Error) as error:
            for name in itertools.product((path, draft), ("", *COMPANIONS)):
                name[0].with_name(name[0].name + name[1]).unlink(missing_ok=True)
            if lock:
                lock.release()
            why = getattr(error, "strerror", None) or error
            raise JournalError(f"{path}: cannot begin this evening: {why}") from None

    @classmethod
    def open(cls, path: Path, *, folder: Path | None = None) -> "Journal":
        """Go on with an evening. Raises JournalError if another referee plays it or if the file is not sound.

        A damaged file in `folder`, where the evenings are, is set aside. Any other is left alone.
        """
        if not path.is_file():
            raise JournalError(f"{path}: there is no journal here")
        path = path.resolve()
        lock = None
        try:
            lock = WriterLock(path)
            finding = inspect(path)
            if finding.problem:
                _set_aside(path, folder, finding.problem, len(finding.entries))
            return cls(path, lock, finding)
        except BaseException as error:
            if lock:
                lock.release()
            if isinstance(error, OSError | sqlite3.Error):
                why = getattr(error, "strerror", None) or error
                raise JournalError(f"{path}: cannot go on with this evening: {why}") from None
            raise

    # --- The evening ------------------------------------------------------------------------------------------

    def append(self, kind: EntryKind, body: bytes, how: str, cause: str, at: float) -> Entry:
        """Store one entry. Durable when this returns. If it raises JournalError, the journal is unchanged. If it raises
        DoubtError, it is unknown whether the entry is stored until the journal is opened again; this object stores
        nothing more."""
        if not math.isfinite(at):
            raise ValueError(f"no moment: {at}")
        if self._doubt:
            raise self._doubt
        if not self._lock.is_on(self.path):
            raise JournalError(f"the journal was moved away: this was not stored and does not count ({self.path})")
        entry = Entry(self._newest + 1, float(at), kind, how, cause, body)
        entry_seal = seal(self._seal, entry)
        promise = Promise(entry.number, entry_seal, entry)
        try:
            self._make_room()
            self._store(entry, entry_seal)
        except sqlite3.Error as error:
            if isinstance(error, sqlite3.ProgrammingError) or _code(error) in _REFUSED:
                raise JournalError(f"{error}: this was not stored and does not count ({self.path})") from None
            raise self._in_doubt(entry.number, error) from None
        try:
            self._ledger.append(promise)
        except OSError as error:
            raise self._in_doubt(entry.number, error) from None
        self._newest, self._seal, self._newest_at = entry.number, entry_seal, entry.at
        self._promises.append(promise)
        return entry

    def _make_room(self) -> None:
        """A ledger starts over when it is full, and also when it could only list the newest entry, so that the log is
        not the only place that has it. Raises sqlite3.Error."""
        if not self._ledger.full and not self._only_named:
            return
        try:
            before, self._ledger = self._ledger, self._renewed()
        except OSError as error:
            raise _as_sqlite_says(error) from None
        before.close()
        self._only_named = False

    def _store(self, entry: Entry, entry_seal: int) -> None:
        """A ledger can only list a long entry, so SQLite itself has to flush."""
        if fits(entry):
            self._insert(entry, entry_seal)
            return
        self._db.execute("PRAGMA synchronous=FULL")
        try:
            self._insert(entry, entry_seal)
        finally:
            self._db.execute("PRAGMA synchronous=NORMAL")
        self._only_named = True

    def _insert(self, entry: Entry, entry_seal: int) -> None:
        row = (entry.number, entry.at, entry.kind, entry.how, entry.cause, entry.body, entry_seal)
        self._db.execute(INSERT, row)

    def _in_doubt(self, number: int, error: Exception) -> DoubtError:
        with suppress(OSError):
            self._ledger.doubt(number)
        self._doubt = DoubtError(
            f"{self.path}: the disk failed as entry {number} was written ({error}). Whether it counts is read from the "
            f"journal: `companion resume {self.id}` goes on, and says so"
        )
        return self._doubt

    def entries(self) -> Iterator[Entry]:
        """All entries, oldest first."""
        try:
            rows = self._db.execute(SELECT).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: cannot read this journal: {error}") from None
        return (Entry(*fields) for *fields, _seal, _evening in rows)

    # --- The journal and its ledger ---------------------------------------------------------------------------

    def _renewed(self) -> Ledger:
        """A ledger that begins after what is in the journal's own file. While another process reads there, that may not
        be everything; then the new ledger also takes the rest. Raises sqlite3.Error, OSError."""
        busy, logged, moved = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if not busy and logged == moved:
            self._base, self._base_seal, self._promises = self._newest, self._seal, []
        return Ledger.begin(ledger_of(self.path), self._identity, self._base, self._base_seal, self._promises)

    def _mark(self, version: int) -> bool:
        """Record in the journal's own file whether it has a ledger. Returns whether all of the log is in it now."""
        self._db.execute(f"PRAGMA user_version={version}")
        busy, logged, moved = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy and logged == moved

    # --- The end ----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Idempotent. A closed journal is a single file, dated by its newest entry, because the computer's clock may be
        behind. One that cannot be closed cleanly keeps its ledger."""
        at_rest = False
        with suppress(sqlite3.Error):
            at_rest = not self._doubt and self._lock.is_on(self.path) and self._mark(AT_REST)
        self._db.close()
        self._ledger.close()
        if at_rest:
            with suppress(OSError):
                ledger_of(self.path).unlink(missing_ok=True)
            self._date()
        self._lock.release()

    def _date(self) -> None:
        if self._newest_at is not None:
            with suppress(OSError, OverflowError):
                os.utime(self.path, (self._newest_at, self._newest_at))

    def set_aside(self, problem: str, sound: int, *, folder: Path | None) -> NoReturn:
        """Close a journal whose entries do not make a game. Raises JournalError, which says where it is now."""
        self._db.close()
        self._ledger.close()
        try:
            _set_aside(self.path, folder, problem, sound)
        finally:
            self._lock.release()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


# --- Files ----------------------------------------------------------------------------------------------------


def _first_free_number(folder: Path, date: Date) -> int:
    """After every number of this date, those that were set aside included: an id never means two evenings."""
    prefix = f"{date.isoformat()}-"
    taken = (path.name.removeprefix(prefix).partition(".")[0] for path in folder.glob(f"{prefix}*{SUFFIX}*"))
    return 1 + max((int(number) for number in taken if number.isdecimal()), default=0)


def _claim(folder: Path, date: Date) -> Path:
    """A new, empty file with the next free number, even if another process takes one at the same time."""
    for number in itertools.count(_first_free_number(folder, date)):
        path = folder / f"{date.isoformat()}-{number}{SUFFIX}"
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            return path
    raise AssertionError("numbers do not end")


def _connect(path: Path) -> sqlite3.Connection:
    """As careful as when it was read, and each step waits for the disk."""
    db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        be_wary(db)
        db.execute(f"PRAGMA page_size={PAGE}")  # of a new file: any other has it
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise sqlite3.OperationalError("this disk does not take a write-ahead log")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA cache_size=-256")  # KiB: entries are only added, so the newest pages are enough
        db.execute("PRAGMA wal_autocheckpoint=0")  # a checkpoint that fails is ours to hear of: see `_renewed`
    except BaseException:
        db.close()
        raise
    return db


def _build(path: Path, identity: bytes, entries: Iterable[Entry] = ()) -> None:
    """The whole file of a journal with these entries, at rest."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    db = _connect(path)
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={AT_REST}")
        db.execute(table(identity))
        previous = 0
        for entry in entries:
            previous = seal(previous, entry)
            db.execute(INSERT, (*msgspec.structs.astuple(entry), previous))
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        db.close()


# --- Rewriting ------------------------------------------------------------------------------------------------


def rewrite(path: Path, change: Callable[[Entry], Entry]) -> bool:
    """Change entries of an evening that is not being played, such as a player's name in them. Their numbers stay, and
    their seals are made again, so the evening is as sound as before. Returns False if no entry is different.

    The new file takes the place of the old one when it is whole. Killed at any moment, the journal is the old one or
    the new one. Raises JournalError if it is being played, damaged, or cannot be written; then it is unchanged.
    """
    if all(change(entry) == entry for entry in _sound(path).entries):
        return False
    Journal.open(path).close()  # so that it is a single file
    path = path.resolve()
    draft = path.with_name(f".{path.name}.new")
    try:
        lock = WriterLock(path)
        try:
            finding = _sound(path)
            _discard(draft)
            _build(draft, finding.identity, [change(entry) for entry in finding.entries])
            if finding.entries:
                os.utime(draft, (finding.entries[-1].at, finding.entries[-1].at))
            move(draft, path)
        finally:
            _discard(draft)
            lock.release()
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise JournalError(f"{path}: cannot change this evening: {why}") from None
    return True


def _sound(path: Path) -> Soundness:
    finding = inspect(path)
    if finding.problem:
        raise JournalError(f"{path}: {finding.problem}; {tell_sound(path, len(finding.entries))}")
    return finding


def _discard(draft: Path) -> None:
    """A draft with all its files: this one's, or one that a kill left behind."""
    for end in ("", *COMPANIONS):
        draft.with_name(draft.name + end).unlink(missing_ok=True)


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF


def _as_sqlite_says(error: OSError) -> sqlite3.OperationalError:
    """If there is no space for a ledger, it is refused like a journal; any other error of the disk leaves a doubt."""
    said = sqlite3.OperationalError(error.strerror)
    said.sqlite_errorcode = sqlite3.SQLITE_FULL if error.errno in _NO_ROOM else sqlite3.SQLITE_IOERR
    return said


# --- Setting aside --------------------------------------------------------------------------------------------


def _set_aside(path: Path, folder: Path | None, problem: str, sound: int) -> NoReturn:
    """Set aside, never lost. A file outside `folder` is not ours to move."""
    if folder is None or path.parent.resolve() != folder.resolve():
        raise JournalError(f"{path}: {problem}. It was left as it is; {tell_sound(path, sound)}")
    try:
        target = _rename(path)
    except OSError as error:
        raise JournalError(f"{path}: {problem}. It could not be set aside: {error.strerror}") from None
    raise JournalError(f"{path}: {problem}. It was set aside as {target}; {tell_sound(target, sound)}")


def _rename(path: Path) -> Path:
    """The journal first: if the power fails now, a log without its journal does no harm, a journal without its log
    would."""
    names = (path.name + ASIDE + (f"-{number}" if number > 1 else "") for number in itertools.count(1))
    target = next(free for name in names if not (free := path.with_name(name)).exists())
    move(path, target)
    for name in COMPANIONS:
        companion = path.with_name(path.name + name)
        if companion.exists():
            move(companion, target.with_name(target.name + name))
    return target

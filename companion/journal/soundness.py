"""Reads a journal without touching it, and says what is sound in it and what is not."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.errors import JournalError
from companion.files import TooLongError
from companion.journal.ledger import LedgerFinding, ledger_of, read_ledger
from companion.journal.schema import (
    APPLICATION_ID,
    AT_REST,
    FORMATS,
    SELECT,
    SIZE_LIMIT,
    Schema,
    connect_to_read,
    read_schema,
)
from companion.journal.sqlite_image import PAGE, Image, load_image, log_of
from companion.language.wording import counted
from companion.session.entry import Entry, seal

EMPTY = "this journal is empty, as a power cut leaves it"
FOREIGN = "its ledger belongs to another evening"
FOREIGN_LOG = "its write-ahead log belongs to another evening"
MOST_FORMATS = 256
"""A larger number is damage: no Companion will ever have so many."""
_MAGIC = b"SQLite format 3\0"
LOOKS = 4
"""How often, at most, to read again what looks like damage while another process writes."""
_DAMAGED = (
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_INTERRUPT,
)
"""SQLite's errors for a file that it can read but not understand. Any other is a problem of access."""


class Soundness(Struct, frozen=True):
    """The longest sound beginning of an evening, and what is wrong behind it ("" if nothing is)."""

    identity: bytes = b""
    """Which evening it is; empty if that cannot be read."""
    entries: tuple[Entry, ...] = ()
    seals: tuple[int, ...] = ()
    """One for each entry."""
    problem: str = ""
    at_rest: bool = False
    """All of it is in the journal's own file, which was closed."""
    base: int = 0
    """How many of them are in the journal's own file for sure, and not in its log."""
    doubt: int = 0
    """The entry at which the disk failed when this was last played; 0 if it did not."""

    @property
    def begun_at(self) -> float | None:
        """Unix time in seconds."""
        return self.entries[0].at if self.entries else None

    @property
    def seal(self) -> int:
        """The seal of the newest sound entry, 0 if there is none."""
        return self.seal_of(len(self.seals))

    def seal_of(self, number: int) -> int:
        return self.seals[number - 1] if number else 0


def read(path: Path) -> list[Entry]:
    """All entries, even while a referee is writing. Raises JournalError if anything is wrong with the file."""
    finding = inspect(path)
    if finding.problem:
        raise JournalError(f"{path}: {finding.problem}; {tell_sound(path, len(finding.entries))}")
    return list(finding.entries)


def tell_sound(path: Path, count: int) -> str:
    """What can still be recovered from a damaged journal."""
    if not count:
        return "no entry of it is sound"
    return f"entries 1 to {count} are sound, and `companion export {path}` can still tell them"


def inspect(path: Path) -> Soundness:
    """What is sound in this file. Raises JournalError if it cannot be judged: it does not exist, may not be read, or
    was written by a newer Companion or by one before 1.0."""
    try:
        if not path.is_file():
            raise JournalError(f"{path}: there is no journal here{_promised(read_ledger(ledger_of(path)), 0)}")
        return _looked_at(path.resolve())
    except OSError as error:
        raise JournalError(f"{path}: cannot read this journal: {error.strerror}") from None
    except sqlite3.Error as error:
        raise JournalError(f"{path}: cannot read this journal: {error}") from None


def _looked_at(path: Path) -> Soundness:
    """A journal and its ledger cannot be read in one moment. Real damage stays the same when read again."""
    before = None
    for _ in range(LOOKS):
        finding = _look(path)
        if not finding.problem or finding == before:
            break
        before = finding
    return finding


def _look(path: Path) -> Soundness:
    log = log_of(path)
    if log.exists() and not log.is_file():  # a pipe, or a folder
        return Soundness(problem=_damaged("its write-ahead log is no file"))
    if path.with_name(path.name + "-journal").exists():  # SQLite would put old pages back, were it to open this
        return Soundness(problem=_damaged("another program began to change it"))
    journal = _inspect(path)
    ledger = read_ledger(ledger_of(path))
    finding = _joined(journal, ledger, len(journal.entries))
    if not finding.problem or journal.problem:
        return finding
    # Another process may be writing. What the ledger promised is in the journal by now, if it is not damaged.
    return _joined(_inspect(path), ledger, len(journal.entries))


# --- The journal itself ---------------------------------------------------------------------------------------


def _inspect(path: Path) -> Soundness:
    try:
        image = load_image(path)
    except TooLongError:
        return Soundness(problem=_damaged(f"it has more than {SIZE_LIMIT // 1024 // 1024} MiB"))
    if len(image.alone) < PAGE:
        return Soundness(problem=_too_short(image))
    finding = _judged(image.alone if image.is_foreign else image.whole, path)
    return msgspec.structs.replace(finding, problem=_damaged(FOREIGN_LOG)) if image.is_foreign else finding


def _too_short(image: Image) -> str:
    """Not even the first page is there. Nothing can be read, and SQLite would start a new journal."""
    if not image.alone:
        return _damaged("its file is empty, and its write-ahead log is not") if image.is_logged else EMPTY
    if not _MAGIC.startswith(image.alone[: len(_MAGIC)]):
        return "this is no journal of Companion"
    return _damaged(f"it was cut to {counted(len(image.alone), 'byte')}")


def _judged(data: bytes, path: Path) -> Soundness:
    with closing(connect_to_read(data)) as db:
        schema = _schema(db)
        version, problem = _identity(db, path, schema)
        entries, seals, gap = ([], [], "") if schema.strange else _sound_entries(db, schema.identity, len(data))
        problem = problem or schema.strange or gap or _structure(db)
        if problem:
            schema, entries, seals = _rescued(db, len(data)) or (schema, entries, seals)
    at_rest = version == AT_REST
    return Soundness(schema.identity, tuple(entries), tuple(seals), problem, at_rest, len(entries))


def _identity(db: sqlite3.Connection, path: Path, schema: Schema) -> tuple[int, str]:
    """Its format, and why this is not one of our journals; "" if it is."""
    try:
        application_id = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        _unless_damaged(error)
        corrupt = _code(error) == sqlite3.SQLITE_CORRUPT
        return 0, _damaged(error) if corrupt else f"this is no journal of Companion ({error})"
    if application_id != APPLICATION_ID:
        return version, "this is no journal of Companion, it belongs to another program"
    if schema.is_unreleased:
        raise JournalError(f"{path}: this journal was written by a version before 1.0, which this one cannot read")
    if max(FORMATS) < version < MOST_FORMATS:
        raise JournalError(f"{path}: a newer Companion wrote this journal (format {version}); update to read it")
    return version, "" if version in FORMATS else _damaged(f"there is no format {version}")


def _schema(db: sqlite3.Connection) -> Schema:
    unreadable = Schema(b"", _damaged("what it holds cannot be read"))
    try:
        schema = read_schema(db)
    except sqlite3.Error as error:
        # The error's text is not passed on: it quotes the schema, which may hold anything.
        _unless_damaged(error)
        return unreadable
    except (ValueError, OverflowError, MemoryError):
        return unreadable
    return schema._replace(strange=schema.strange and _damaged(schema.strange))


def _sound_entries(db: sqlite3.Connection, identity: bytes, size: int) -> tuple[list[Entry], list[int], str]:
    """Entries up to the first one that cannot be read, is out of sequence or does not match its seal. Together they
    cannot be longer than the file: pages that are used twice could make them endless."""
    entries: list[Entry] = []
    seals: list[int] = []
    number, newest = 0, 0
    try:
        for *fields, stored, evening in db.execute(SELECT):
            entry = msgspec.convert(fields, Entry)
            number += 1
            if evening != identity:
                return entries, seals, _damaged(f"entry {entry.number} belongs to another evening")
            if entry.number != number:
                return entries, seals, _damaged(f"entry {number} is missing")
            newest = seal(newest, entry)
            if stored != newest:
                return entries, seals, _damaged(f"entry {number} is not what was stored")
            size -= len(entry.body)
            if size < 0:
                return entries, seals, _damaged("its entries are longer than it is itself")
            entries.append(entry)
            seals.append(newest)
    except sqlite3.Error as error:
        # Its words are not passed on: "Could not decode …" quotes the text, which may be a secret.
        _unless_damaged(error)
        return entries, seals, _damaged(f"entry {len(entries) + 1} cannot be read")
    except (ValueError, OverflowError, MemoryError):
        # What a damaged row looks like once SQLite has handed it out: a wrong type, an absurd length.
        return entries, seals, _damaged(f"entry {len(entries) + 1} cannot be read")
    return entries, seals, ""


def _rescued(db: sqlite3.Connection, size: int) -> tuple[Schema, list[Entry], list[int]] | None:
    """The beginning of a truncated file: with a writable schema SQLite reads it all the same. (We only read.)"""
    db.execute("PRAGMA writable_schema=ON")
    schema = _schema(db)
    if schema.strange:
        return None
    entries, seals, _ = _sound_entries(db, schema.identity, size)
    return (schema, entries, seals) if entries else None


def _structure(db: sqlite3.Connection) -> str:
    """What SQLite's own check finds: rows that a damaged page hides leave no other trace."""
    try:
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        _unless_damaged(error)
        return _damaged(error)
    return "" if found == "ok" else _damaged(" ".join(str(found).split()))


# --- The journal and its ledger -------------------------------------------------------------------------------


def _joined(journal: Soundness, ledger: LedgerFinding | None, before: int) -> Soundness:
    """What journal and ledger say together; `before` the ledger was read, the journal had that many entries. A ledger
    left behind by a closed journal matters only if it has more."""
    known, problem = _with_promises(journal, ledger) if ledger else (journal, "its ledger is missing")
    if ledger and not problem and before > ledger.newest + 1:
        problem = f"its ledger ends at entry {ledger.newest}"
    if journal.problem:
        return msgspec.structs.replace(known, problem=_with_ledger(journal.problem, ledger, problem, known))
    if not problem:
        return known
    left_behind = ledger is None or (problem != FOREIGN and ledger.newest <= len(journal.entries))
    if journal.at_rest and left_behind:
        return journal
    return msgspec.structs.replace(known, problem=_damaged(f"{problem}, so what was played last may be missing"))


def _with_promises(journal: Soundness, ledger: LedgerFinding) -> tuple[Soundness, str]:
    """The journal with the entries that only its ledger has, and where the two disagree."""
    entries, seals = list(journal.entries), list(journal.seals)
    if ledger.problem:
        return journal, f"in its ledger {ledger.problem}"
    if journal.identity not in (b"", ledger.identity):
        return journal, FOREIGN
    if len(entries) < ledger.base:
        return journal, f"entry {len(entries) + 1} is missing"
    if journal.seal_of(ledger.base) != ledger.base_seal:
        return journal, FOREIGN
    for promise in ledger.promises:
        if promise.number <= len(entries):
            if promise.seal not in (seals[promise.number - 1], None):
                return journal, FOREIGN
        elif promise.entry is None or promise.seal != seal(seals[-1] if seals else 0, promise.entry):
            break
        else:
            entries.append(promise.entry)
            seals.append(promise.seal)
    joined = msgspec.structs.replace(
        journal, entries=tuple(entries), seals=tuple(seals), base=ledger.base, doubt=ledger.doubt
    )
    return joined, f"entry {len(entries) + 1} is missing" if len(entries) < ledger.newest else ""


# --- Words ----------------------------------------------------------------------------------------------------


def _with_ledger(problem: str, ledger: LedgerFinding | None, other: str, known: Soundness) -> str:
    """What is wrong with a journal, and what its ledger says about it."""
    if other == FOREIGN:
        return f"{problem}; {FOREIGN}"
    promised = _promised(ledger, len(known.entries))
    return (_damaged("its file is empty") if problem == EMPTY and promised else problem) + promised


def _promised(ledger: LedgerFinding | None, known: int) -> str:
    """How many entries were stored, if fewer are readable; "" if no ledger says more."""
    if ledger is None or ledger.problem or ledger.newest <= known:
        return ""
    return f"; {counted(ledger.newest, 'entry', 'entries')} had been stored, its ledger says"


def _damaged(what: object) -> str:
    return f"this journal is damaged: {what}"


def _unless_damaged(error: sqlite3.Error) -> None:
    if _code(error) not in _DAMAGED:
        raise error


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF

"""A journal from another source: what is not ours is refused, and nothing of it ever runs."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal import schema
from companion.journal.evening_folder import evenings, latest_open, recall, resume
from companion.journal.schema import connect_to_read
from companion.journal.soundness import _schema, inspect
from companion.journal.store import Journal, read
from tests.journal.table import TONIGHT, Table

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
VIEW = (
    "CREATE VIEW entry AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT 1 FROM n) "
    "SELECT x AS number, 1.0 AS at, 'action' AS kind, '' AS how, '' AS cause, x'' AS body, 0 AS seal FROM n"
)
STRANGE = {
    "an endless view in place of the table": ("ALTER TABLE entry RENAME TO other", VIEW),
    "an endless view beside the table": (f"CREATE VIEW other AS {ENDLESS}",),
    "a trigger that deletes": ("CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE number < 9; END",),
    "a trigger that waits": (f"CREATE TRIGGER t AFTER INSERT ON entry BEGIN SELECT max(x) FROM ({ENDLESS}); END",),
    "another table": ("CREATE TABLE other(x)",),
    "an index": ("CREATE INDEX i ON entry(cause)",),
    "a virtual table": ("CREATE VIRTUAL TABLE v USING fts5(x)",),
    "a column more": ("ALTER TABLE entry ADD COLUMN more",),
    "a generated column": (
        "ALTER TABLE entry RENAME TO other",
        "CREATE TABLE entry(number INTEGER PRIMARY KEY, at, kind, how, cause, body, seal AS (number))",
        "DROP TABLE other",
    ),
    "a table of the same columns": (
        "ALTER TABLE entry RENAME TO other",
        "CREATE TABLE entry AS SELECT * FROM other",
        "DROP TABLE other",
    ),
    "statistics": ("ANALYZE entry",),
}
strange = pytest.mark.parametrize("statements", STRANGE.values(), ids=STRANGE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "evenings"


@pytest.fixture
def path(folder: Path) -> Path:
    with Journal.create(folder, date=TONIGHT) as journal:
        Table(journal).play_at_random(random.Random(7), 30)
    return journal.path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


@strange
def test_a_file_with_something_else_in_it_is_no_journal(folder: Path, path: Path, statements: tuple[str, ...]) -> None:
    change(path, *statements)
    data = path.read_bytes()
    (listed,) = evenings(folder)
    assert listed.standing == "damaged"
    assert "none of ours" in listed.problem
    assert latest_open(folder) is not None
    assert recall(path).problem == listed.problem
    with pytest.raises(JournalError, match="none of ours"):
        read(path)
    with pytest.raises(JournalError, match=r"none of ours.*was set aside as"):
        resume(path, folder=folder)
    assert (folder / "2026-11-16-1.journal.set-aside").read_bytes() == data


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"CREATE TABLE entry(", b"CREATE \x1b[2J0 entry("),
        (b"cause TEXT NOT NULL", b"caus\xff TEXT NOT NULL"),
    ],
    ids=["no SQL", "no text"],
)
def test_a_schema_that_cannot_be_read_is_damage(folder: Path, path: Path, before: bytes, after: bytes) -> None:
    """What SQLite says of it quotes it: that is not printed on a terminal."""
    data = path.read_bytes()
    assert data.count(before) == 1
    path.write_bytes(data.replace(before, after))
    assert inspect(path).problem == "this journal is damaged: what it holds cannot be read"
    with pytest.raises(JournalError, match=r"what it holds cannot be read.*was set aside as"):
        resume(path, folder=folder)


def test_a_schema_that_is_too_much_for_this_machine_is_damage(path: Path) -> None:
    def too_much(_data: bytes) -> str:
        raise MemoryError

    with closing(connect_to_read(path.read_bytes())) as db:
        db.text_factory = too_much
        assert _schema(db).strange == "this journal is damaged: what it holds cannot be read"


def test_a_schema_that_must_not_be_read_is_no_damage(path: Path) -> None:
    """It cannot be judged, so it is not set aside."""
    with closing(connect_to_read(path.read_bytes())) as db:
        db.set_authorizer(lambda *_asked: sqlite3.SQLITE_DENY)
        with pytest.raises(sqlite3.DatabaseError, match=r"prohibited|not authorized"):
            _schema(db)


def test_old_pages_that_another_program_would_put_back_are_not_put_back(folder: Path, path: Path) -> None:
    right = read(path)
    path.with_name(path.name + "-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(2000))
    with pytest.raises(JournalError, match="another program began to change it"):
        Journal.open(path, folder=folder)
    aside = folder / "2026-11-16-1.journal.set-aside"
    aside.with_name(aside.name + "-journal").unlink()
    assert read(aside) == right


def test_pages_that_are_used_again_and_again_do_not_make_an_evening_endless(path: Path) -> None:
    """Every child of an inner page is made the first one: SQLite would go through the same leaf over and over."""
    with Journal.open(path) as journal:
        for number in range(300):
            journal.append("action", b"x" * 300, "", str(number), 1.0)
    data = bytearray(path.read_bytes())
    inner = next(start for start in range(4096, len(data), 4096) if data[start] == 0x05)
    cells = int.from_bytes(data[inner + 3 : inner + 5])
    places = [int.from_bytes(data[inner + 12 + 2 * cell : inner + 14 + 2 * cell]) for cell in range(cells)]
    for place in places[1:]:
        data[inner + place : inner + place + 4] = data[inner + places[0] : inner + places[0] + 4]
    path.write_bytes(data)
    with pytest.raises(JournalError, match="is damaged"):
        read(path)


def test_a_file_that_is_too_large_for_an_evening_is_not_read(folder: Path, path: Path) -> None:
    with path.open("ab") as file:
        file.truncate(10**12)
    assert "more than 256 MiB" in evenings(folder)[0].problem


def test_a_journal_that_cannot_be_opened_for_reading_is_not_left_open(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []

    def refuse(db: sqlite3.Connection) -> None:
        opened.append(db)
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(schema, "be_wary", refuse)
    with pytest.raises(sqlite3.OperationalError):
        connect_to_read(path.read_bytes())
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")

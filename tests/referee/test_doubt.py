"""The disk fails during a write: the referee does not claim to know whether the action counts."""

import asyncio
import errno
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from companion.errors import DoubtError
from companion.messages.intentions import Act
from companion.messages.protocol import PROTOCOL, ScreenHello
from companion.referee.event_loop import Process
from tests.referee.table import ALL_SIX, Table


def fail_when_it_is_stored(table: Table, patch: pytest.MonkeyPatch) -> None:
    """A flush of the ledger fails."""

    def flush(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    patch.setattr("companion.journal.ledger._sync", flush)


def fail_before_it_is_stored(table: Table, patch: pytest.MonkeyPatch) -> None:
    """SQLite says what it never says of a disk that is merely full."""
    table.journal._db.set_authorizer(lambda *_: sqlite3.SQLITE_DENY)


Failure = Callable[[Table, pytest.MonkeyPatch], None]
failures = pytest.mark.parametrize(
    ("failure", "counts"), [(fail_when_it_is_stored, True), (fail_before_it_is_stored, False)]
)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "evenings")


@failures
def test_the_next_referee_says_whether_it_counts(
    table: Table, monkeypatch: pytest.MonkeyPatch, failure: Failure, counts: bool
) -> None:
    wish = Act("wish", {"do": "draw", "card": ALL_SIX[0]})
    table.card(ALL_SIX[1])
    failure(table, monkeypatch)
    before = table.referee.snapshot().history
    with pytest.raises(DoubtError):
        table.heed(wish)
    with pytest.raises(DoubtError):
        table.undo()
    assert table.referee.snapshot().history == before
    monkeypatch.undo()
    table.reopen()
    assert table.newest.what == ("written all the same" if counts else "not written")
    assert len(table.entries) == (3 if counts else 2)
    assert table.heed(wish).what == ("heard already" if counts else "draws")
    assert len(table.entries) == 3
    table.reopen()
    assert table.newest.what == "draws", "it is said once"


def test_a_referee_whose_disk_fails_ends_without_an_answer(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(socket: Path) -> bytes:
        process = Process(table.referee, table.journal, socket)
        running = asyncio.create_task(process.run())
        while not socket.exists() and not running.done():
            await asyncio.sleep(0)
        reader, writer = await asyncio.open_unix_connection(socket, limit=1 << 24)
        writer.write(msgspec.json.encode(ScreenHello(PROTOCOL)) + b"\n")
        await reader.readline()
        fail_when_it_is_stored(table, monkeypatch)
        writer.write(msgspec.json.encode(Act("wish", {"do": "draw", "card": ALL_SIX[0]})) + b"\n")
        said = await reader.read()
        writer.close()
        with pytest.raises(DoubtError, match="the disk failed as entry 2 was written"):
            await running
        return said

    with tempfile.TemporaryDirectory() as folder:
        assert asyncio.run(story(Path(folder) / "s")) == b""

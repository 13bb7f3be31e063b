"""The log of a hall, in SQLite or in PostgreSQL.

One writer at a time: the log is locked while entries are read, a decision is made and its events are appended, so two
servers on one PostgreSQL never decide on old facts, and numbers have no gaps. What `writing` has left is committed: a
kill -9 or a power cut does not take it away.
"""

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import msgspec

from companion.errors import CompanionError
from companion.files import PRIVATE, is_private, make_folder
from companion.hall.hall_state import AnyEvent, LogEntry
from companion.troubles import PACKAGED, to_add

VERSION = "1"
WAIT_S = 20.0
"""How long another server may keep the log locked. It takes milliseconds."""
CONNECT_S = 5
LOCK = 0x48414C4C
"""The advisory lock in PostgreSQL."""
COLUMNS = {
    "hall_log": "number BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, event TEXT NOT NULL",
    "hall_settings": "name TEXT PRIMARY KEY, value TEXT NOT NULL",
}
"""Of each table in the database."""
_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


class StoreError(CompanionError):
    """The hall's database cannot be used."""


class Database(Protocol):
    """A connection. Every method may raise one of `errors`; the connection is not used again then."""

    @property
    def errors(self) -> tuple[type[Exception], ...]: ...

    def begin(self) -> None:
        """Lock the log, until the end of the transaction."""

    def run(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]: ...
    def run_many(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None: ...
    def close(self) -> None: ...


class SqliteDatabase:
    errors = (sqlite3.Error,)

    def __init__(self, path: Path) -> None:
        make_folder(path.parent, 0o700)
        self._connection = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        if not is_private(path):
            path.chmod(PRIVATE)  # it holds codes
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")

    def begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def run(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def run_many(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        self._connection.executemany(sql, rows)

    def close(self) -> None:
        self._connection.close()


class PostgresDatabase:
    def __init__(self, url: str) -> None:
        import psycopg

        self.errors: tuple[type[Exception], ...] = (psycopg.Error,)
        self._connection: psycopg.Connection[Any] = psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_S)
        self._connection.execute(f"SET lock_timeout = {int(WAIT_S * 1000)}")

    def begin(self) -> None:
        self._connection.execute("BEGIN")
        self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))

    def run(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        done = self._connection.execute(_for_postgres(sql), values)
        return done.fetchall() if done.description else ()

    def run_many(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_for_postgres(sql), rows)

    def close(self) -> None:
        self._connection.close()


def _for_postgres(sql: str) -> Any:
    """psycopg wants literal strings, and %s where SQLite has a question mark."""
    return sql.replace("?", "%s")


def is_postgres(place: str) -> bool:
    return place.startswith(("postgresql://", "postgres://"))


class HallStore:
    """`place`: the path of an SQLite file, or the URL of a PostgreSQL database. One thread at a time may use it."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._open: Database | None = None

    def _database(self) -> Database:
        """The connection, made again after an error. Raises StoreError."""
        if self._open is None:
            made: Database
            try:
                made = PostgresDatabase(self._place) if is_postgres(self._place) else SqliteDatabase(Path(self._place))
            except ImportError:
                how = "`sudo apt install libpq5`" if sys.prefix == PACKAGED else to_add("hall")
                raise StoreError(f"PostgreSQL needs psycopg: {how}") from None
            except Exception as error:
                raise self._failed(error) from None
            self._open = made
            try:
                self._prepare(made)
            except StoreError:
                self.close()
                raise
        return self._open

    def _prepare(self, made: Database) -> None:
        """Raises StoreError."""
        with self.writing():
            for table, columns in COLUMNS.items():
                made.run(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")
            self.set_once("version", VERSION)
            if (version := self.settings()["version"]) != VERSION:
                words = f"its log has version {version}, this Companion knows {VERSION}: update Companion"
                raise StoreError(f"{self._name}: {words}")

    @property
    def _name(self) -> str:
        """Without a password that may be in the URL."""
        if not is_postgres(self._place):
            return self._place
        _user, at, place = self._place.partition("?")[0].rpartition("@")
        return f"postgresql://…@{place}" if at else place

    def _failed(self, error: Exception) -> StoreError:
        if isinstance(error, OSError):  # its folder
            return StoreError(f"the hall's database {self._name} cannot be opened: {error.strerror}")
        said = str(error).strip().split("\n")[0] or type(error).__name__
        return StoreError(f"the hall's database {self._name} does not answer: {said}")

    def close(self) -> None:
        """May be called twice."""
        if self._open is not None:
            with suppress(*self._open.errors):
                self._open.close()
            self._open = None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Lock the log. What was appended is committed at the end, or nothing if there was an error. Raises StoreError:
        then it is unknown whether it was committed, and the log has to be read again."""
        database = self._database()
        try:
            database.begin()
            try:
                yield
            except BaseException:
                database.run("ROLLBACK")
                raise
            database.run("COMMIT")
        except database.errors as error:
            self.close()
            raise self._failed(error) from None

    @contextmanager
    def _reading(self) -> Iterator[Database]:
        database = self._database()
        try:
            yield database
        except database.errors as error:
            self.close()
            raise self._failed(error) from None

    def entries(self, after: int) -> list[LogEntry]:
        """All entries behind that number. Raises StoreError."""
        with self._reading() as database:
            rows = database.run("SELECT number, at, event FROM hall_log WHERE number > ? ORDER BY number", after)
        return [LogEntry(number, at, _decoder.decode(event)) for number, at, event in rows]

    def append(self, entries: Sequence[LogEntry]) -> None:
        """Only in `writing`."""
        rows = [(each.number, each.at, msgspec.json.encode(each.event).decode()) for each in entries]
        self._database().run_many("INSERT INTO hall_log (number, at, event) VALUES (?, ?, ?)", rows)

    # --- Settings: codes, and what else is not history ---

    def settings(self) -> dict[str, str]:
        with self._reading() as database:
            rows = database.run("SELECT name, value FROM hall_settings")
        return {str(name): str(value) for name, value in rows}

    def set_once(self, name: str, value: str) -> None:
        """Store a setting, unless it has a value."""
        with self._reading() as database:
            database.run("INSERT INTO hall_settings VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, value)

    def set(self, name: str, value: str) -> None:
        with self._reading() as database:
            database.run(
                "INSERT INTO hall_settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                name,
                value,
            )

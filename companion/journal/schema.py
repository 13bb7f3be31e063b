"""The one SQLite schema that a journal has.

A file may come from any source. A view may be endless, and a trigger, an index or a foreign table may delete what is
stored. So a file that holds anything but the one table of a journal is opened neither for reading nor for writing. See
https://sqlite.org/security.html, "Untrusted SQLite Database Files".
"""

import re
import sqlite3
from typing import NamedTuple

APPLICATION_ID = 0x434F4D50
""""COMP", in the header of every journal."""
AT_REST = 1
"""The format of a journal that was closed: all of it is in this file."""
IN_PLAY = 2
"""The format of a journal that is being played, or whose referee was killed: it has a ledger next to it."""
FORMATS = frozenset({AT_REST, IN_PLAY})
"""All formats that we can read."""
BUSY_S = 5.0
IDENTITY = 16
"""Random bytes that no two evenings share. They are in the schema on the first page, in every row and in every sector
of the ledger, so a file of another evening is recognised."""
SELECT = "SELECT number, at, kind, how, cause, body, seal, evening FROM entry ORDER BY number"
INSERT = "INSERT INTO entry(number, at, kind, how, cause, body, seal) VALUES (?, ?, ?, ?, ?, ?, ?)"
SIZE_LIMIT = 256 * 1024 * 1024
"""An evening has a few megabytes."""
UNRELEASED = """
    CREATE TABLE entry(
        number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, how TEXT NOT NULL, cause TEXT NOT NULL,
        body BLOB NOT NULL, seal INTEGER NOT NULL
    )
"""
"""The one table of journals from before 1.0, in formats 1 to 4. No release wrote them, and we cannot read them."""
_DEFAULT = re.compile(rb"DEFAULT \(x'([0-9a-f]{32})'\)")
_THINGS = {"table": "a table", "index": "an index", "view": "a view", "trigger": "a trigger"}
_STEPS = 100_000
"""After this many steps of SQLite's machine we ask whether to go on."""
_ROUNDS_PER_MB = 10
"""How often we do, for each megabyte of a file: ten times what the fullest journal takes."""


def table(identity: bytes) -> str:
    """The one table of the evening with this identity. (The second column is never moved to an overflow page.)"""
    return f"""
    CREATE TABLE entry(
        number INTEGER PRIMARY KEY, evening BLOB NOT NULL DEFAULT (x'{identity.hex()}'), at REAL NOT NULL,
        kind TEXT NOT NULL, how TEXT NOT NULL, cause TEXT NOT NULL, body BLOB NOT NULL, seal INTEGER NOT NULL
    )
"""


def identity_in(schema: bytes) -> bytes | None:
    """The evening that a schema, or the page that holds it, belongs to; None if it does not say."""
    found = _DEFAULT.search(schema)
    return bytes.fromhex(found[1].decode()) if found else None


def connect_to_read(image: bytes) -> sqlite3.Connection:
    """The bytes of a journal, in memory, with a limit on the time that they may take."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        unlogged = bytearray(image)
        unlogged[18:20] = b"\1\1"  # "there is no log": in memory there is none
        db.deserialize(bytes(unlogged))
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(len(image), 1024 * 1024))
        rounds = iter(range(_ROUNDS_PER_MB * (4 + len(image) // 1_000_000)))
        db.set_progress_handler(lambda: next(rounds, None) is None, _STEPS)
        be_wary(db)
    except BaseException:
        db.close()
        raise
    return db


def be_wary(db: sqlite3.Connection) -> None:
    """Nothing in a schema may call functions with effects, and every page is checked as it is read."""
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA cell_size_check=ON")
    db.execute("PRAGMA mmap_size=0")


class Schema(NamedTuple):
    """What a file claims to be."""

    identity: bytes
    """Its evening; empty if it is not one of ours."""
    strange: str
    """What it holds besides the table of a journal, or instead of it; "" if it is sound."""
    is_unreleased: bool = False
    """A version before 1.0 wrote it."""


def read_schema(db: sqlite3.Connection) -> Schema:
    rows = db.execute("SELECT type, name, sql FROM sqlite_master LIMIT 2").fetchall()
    if not rows:
        return Schema(b"", "it has no table of entries")
    strange = next((row for row in rows if row[:2] != ("table", "entry")), None)
    if strange:
        return Schema(b"", f"it holds {_THINGS.get(strange[0], 'something')} that is none of ours")
    sql = rows[0][2] if isinstance(rows[0][2], str) else ""
    if len(rows) == 1 and sql.split() == UNRELEASED.split():
        return Schema(b"", "its table of entries is from before 1.0", is_unreleased=True)
    identity = identity_in(sql.encode(errors="replace"))
    if len(rows) > 1 or identity is None or sql.split() != table(identity).split():
        return Schema(b"", "its table of entries is none of ours")
    return Schema(identity, "")

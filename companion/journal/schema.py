"""What a journal looks like to SQLite, and nothing else is one.

The file may come from anybody. A view may be endless, a trigger may delete what is stored, an index or a foreign table
may do either: so a journal that holds anything but its one table is not opened for reading or for writing.
See https://sqlite.org/security.html, "Untrusted SQLite Database Files".
"""

import sqlite3
from pathlib import Path

APPLICATION_ID = 0x434F4D50
""""COMP", in the header of every journal."""
AT_REST = 1
"""The format of a journal that was closed, and of every one before there were ledgers: all of it is in this file."""
IN_PLAY = 2
"""The format of a journal that is being played, or whose referee was killed: a ledger lies beside it."""
LATER = 2
"""Added to either once an entry was stored that the first Companions could not read (`LATER_KINDS`): they then say that
the journal is newer than they are, and leave it alone."""
FORMATS = frozenset({AT_REST, IN_PLAY, AT_REST + LATER, IN_PLAY + LATER})
"""All that we can read."""
BUSY_S = 5.0
SELECT = "SELECT number, at, kind, how, cause, body, seal FROM entry ORDER BY number"
TABLE = """
    CREATE TABLE entry(
        number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, how TEXT NOT NULL, cause TEXT NOT NULL,
        body BLOB NOT NULL, seal INTEGER NOT NULL
    )
"""
SIZE_LIMIT = 256 * 1024 * 1024
"""An evening has a few megabytes."""
_THINGS = {"table": "a table", "index": "an index", "view": "a view", "trigger": "a trigger"}
_STEPS = 100_000
"""After this many steps of SQLite's machine we ask whether to go on."""
_ROUNDS_PER_MB = 10
"""How often we do, for each megabyte of a file: ten times what the fullest journal takes."""


def connect_to_read(path: Path, size: int, *, immutable: bool) -> sqlite3.Connection:
    """Read-only, and for no longer than a file of this size can need. A journal without a log is at rest; as immutable,
    it is read without leaving a log behind.

    While a journal is open in this process it has a log. So no lock of ours is lost here: an immutable file is opened
    without SQLite's care for locks, and closing it would drop those of this process on the same file.
    """
    how = "immutable=1" if immutable else "mode=ro"
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=BUSY_S, isolation_level=None)
    try:
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(size, 1024 * 1024))
        rounds = iter(range(_ROUNDS_PER_MB * (4 + size // 1_000_000)))
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


def is_unborn(db: sqlite3.Connection) -> bool:
    """Whether this is what earlier versions left when the power failed before the journal had its table."""
    pragmas = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    return not any(pragmas) and not db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()


def strange_schema(db: sqlite3.Connection) -> str:
    """What this file holds besides the table of a journal, or instead of it; "" if it is as it should be."""
    rows = db.execute("SELECT type, name, sql FROM sqlite_master LIMIT 2").fetchall()
    if not rows:
        return "it has no table of entries"
    strange = next((row for row in rows if row[:2] != ("table", "entry")), None)
    if strange:
        return f"it holds {_THINGS.get(strange[0], 'something')} that is none of ours"
    if len(rows) > 1 or not isinstance(rows[0][2], str) or rows[0][2].split() != TABLE.split():
        return "its table of entries is none of ours"
    return ""

"""A journal that strangers may have made is opened with care."""

import sqlite3
from pathlib import Path

from companion.journal.schema import be_wary


def test_a_wary_connection_trusts_no_schema_checks_every_page_and_maps_no_memory(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "evening.journal")
    db.execute("PRAGMA trusted_schema=ON")
    db.execute("PRAGMA mmap_size=1000000")
    be_wary(db)
    asked = [db.execute(f"PRAGMA {name}").fetchone() for name in ("trusted_schema", "cell_size_check", "mmap_size")]
    db.close()
    assert asked == [(0,), (1,), (0,)]

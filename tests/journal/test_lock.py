"""One writer for each evening, and no descriptor that stays open."""

import os
from datetime import date
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.files import lock
from companion.journal.lock import WriterLock
from companion.journal.store import Journal


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - no Path is needed


def test_a_writer_that_is_refused_leaves_no_descriptor_open(tmp_path: Path) -> None:
    """A screen that asks again and again would otherwise run out of them."""
    with Journal.create(tmp_path, date=date(2026, 11, 16)) as journal:
        path = journal.path
    other = os.open(path, os.O_RDONLY)
    assert lock(other)  # as another process would hold it
    before = descriptors()
    for _ in range(3):
        with pytest.raises(JournalError, match="another referee"):
            WriterLock(path)
    assert descriptors() == before
    os.close(other)
    WriterLock(path).release()
    assert descriptors() == before - 1

"""A table and a socket's path, for the tests that talk to a referee."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import short_folder
from tests.referee.table import Table


@pytest.fixture
def path() -> Iterator[Path]:
    """Short, as the path of a socket must be."""
    folder = short_folder()
    yield folder / "referee" / "t.sock"
    shutil.rmtree(folder)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.journal.close()

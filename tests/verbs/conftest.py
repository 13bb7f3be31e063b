"""A home of its own for every test: nothing of the developer's evenings is seen or touched."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import short_folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """COMPANION_HOME; the sockets are in a short path, as they must be."""
    sockets = short_folder()
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(sockets))
    yield tmp_path / "home"
    shutil.rmtree(sockets)

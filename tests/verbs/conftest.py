"""A home of its own for every test: nothing of the developer's evenings is seen or touched."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """COMPANION_HOME; the sockets are in a short path, as they must be."""
    sockets = tempfile.mkdtemp(dir="/tmp")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", sockets)
    yield tmp_path / "home"
    shutil.rmtree(sockets)

"""A home of its own for every test."""

from pathlib import Path

import pytest

from tests.verbs.command import Command


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path / "home"


@pytest.fixture
def folder(home: Path) -> Path:
    return home / "evenings"


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)

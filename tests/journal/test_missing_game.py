"""An evening whose game is not installed here says which package it needs, and loses nothing."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec
import pytest

from companion.errors import UnplayableError
from companion.gamekit.game_start import Header
from companion.journal import evening_folder
from companion.journal.store import Journal
from companion.session.evening import game_body
from companion.session.played_game import JournalHeader
from tests.verbs.command import Command


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game that was begun where its package was installed."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    with Journal.create(tmp_path / "evenings", date=date(2026, 11, 16)) as journal:
        header = JournalHeader("moles", ("Anna", "Ben", "Cleo"), box="holes = 3", package="companion-moles")
        journal.append("game", msgspec.json.encode(header), "", "", 0.0)
        journal.append("action", b'{"do":"dig","seat":0}', "screen", "", 1.0)
        path = journal.path
    yield path
    assert path.exists(), "the journal was set aside, although nothing is wrong with it"


def test_it_is_listed_with_the_package_that_it_needs(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = Command(capsys)("games")
    assert listed.status == 0
    assert "pip install companion-moles" in listed.out


@pytest.mark.parametrize("verb", ["resume", "export"])
def test_nothing_is_lost_when_it_is_tried_all_the_same(
    evening: Path, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = evening.read_bytes()
    tried = Command(capsys)(verb, evening.stem)
    assert tried.status == 2
    assert tried.err.startswith("companion: ")
    assert evening.read_bytes() == before


def test_where_no_other_evening_can_be_exported_it_says_what_to_install(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tried = Command(capsys)("export")
    assert tried.status == 2
    assert "pip install companion-moles" in tried.err


def test_resuming_it_leaves_the_file_alone(evening: Path) -> None:
    with pytest.raises(UnplayableError, match="pip install companion-moles"):
        evening_folder.resume(evening, folder=evening.parent)
    assert (found := evening_folder.summary(evening)).standing == "waiting"
    assert (found.game, found.package, found.begun_at) == ("moles", "companion-moles", 0.0)


def test_an_evening_keeps_the_package_of_its_game() -> None:
    header = msgspec.json.decode(game_body(Header("sioux", ("A", "B", "C")), ""), type=JournalHeader)
    assert header.package == "companion-table"

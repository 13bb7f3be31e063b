"""A game that claims a language is translated into it to the last text: the contract says which are missing."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.gamekit import catalogues, discovery
from companion.gamekit.catalogues import read_catalogue, update, write
from companion.gamekit.contract import GameContract
from companion.gamekit.game_texts import FORMS
from tests import moles


class MolesKeep(GameContract):
    name = "moles"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The catalogues of a game that is installed; it has just been collected for a new language."""
    made = moles.install(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    discovery.found.cache_clear()
    update("moles", ["pl"])
    yield made
    discovery.found.cache_clear()
    for module in [name for name in sys.modules if name.partition(".")[0] == "moles"]:
        del sys.modules[module]


def translate(folder: Path, *without: str) -> None:
    """All texts but these."""
    catalogue = read_catalogue(folder, "pl")
    for message in catalogue:
        first = message.id if isinstance(message.id, str) else message.id[0]
        if first and first != FORMS.message and first not in without:
            message.string = f"{first} po polsku"
    write(catalogue, folder, "pl")


def check() -> None:
    MolesKeep().test_every_text_is_translated_into_every_language_that_the_game_claims()


def test_a_game_whose_every_text_is_translated_keeps_the_contract(folder: Path) -> None:
    translate(folder)
    check()


@pytest.mark.parametrize(
    "missing", ["{seat} digs {holes:hole|holes||nothing}", "Holes: {ground}", "Ground", "half a dozen", "pass"]
)
def test_a_sentence_a_label_a_title_or_a_word_that_is_missing_breaks_it(folder: Path, missing: str) -> None:
    translate(folder, missing)
    with pytest.raises(AssertionError, match="every text is in the catalogue for 'pl'") as broken:
        check()
    assert missing in str(broken.value)


def test_the_command_for_catalogues_asks_for_a_game_when_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalogues.main([]) == 2
    assert "name a game" in capsys.readouterr().err

"""Table options of the games: rulings that explain them, simulated players who can play with them."""

import re
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.gamekit import discovery
from companion.gamekit.contract.played_games import options_of
from companion.gamekit.screen.face_discovery import find_face
from companion.language.screen_language import speak
from companion.processes.simulation_settings import SimulationSettings
from companion.verbs.demo import demo_plan, tell

NEW: dict[str, dict[str, tuple[str, ...]]] = {
    "sioux": {"no_deer": ("S10",), "gift_ends": ("S19",)},
    "darwinci": {"larger": ("D20",)},
    "carnuta": {"flipped_pays": ("C5",), "flip": ("C10",), "salt": ("C7", "C15")},
}


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, names in NEW.items() for name in names])
def test_an_option_is_explained_by_its_ruling_behind_f1_and_in_the_docs(game: str, name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}` \|", page, re.MULTILINE)
    for number in NEW[game][name]:
        assert number in find_face(game).option(name)
        told = re.search(rf"^\*\*{number}\*\*(?:.|\n)*?\n\n", page, re.MULTILINE)
        assert told, number
        assert f"`{name}" in told[0] or f'"{name}' in told[0] or name == "salt"
        for code, word in (("en", "option|joker"), ("de", "Option|Joker")):
            speak(code)
            assert re.search(word, find_face(game).ruling(number)), (number, code)


USUAL: dict[str, dict[str, Any]] = {
    "sioux": {"no_deer": "nothing", "gift_ends": "after_gifts"},
    "darwinci": {"larger": "tiles"},
    "carnuta": {"flipped_pays": False, "flip": "all", "salt": "column"},
}


@pytest.mark.parametrize("game", USUAL)
def test_a_table_that_agrees_on_nothing_plays_as_before(game: str) -> None:
    options = discovery.find(game).options()
    assert {name: getattr(options, name) for name in USUAL[game]} == USUAL[game]


def some_tables(game: str) -> list[dict[str, Any]]:
    """All values at once that are not usual, and some combinations."""
    known = options_of(discovery.find(game).options)
    combined = [dict(zip(known, values, strict=True)) for values in product(*known.values())]
    return [{name: values[-1] for name, values in known.items()}, *Random(3).sample(combined, 2)]


@pytest.mark.parametrize(("game", "number"), list(product(("sioux", "darwinci", "carnuta"), range(3))))
def test_simulated_players_play_a_whole_game_with_other_options(
    game: str, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    options = some_tables(game)[number]
    tell(demo_plan(game, 3, None, options), SimulationSettings(seed=number + 1))
    told = capsys.readouterr().out
    assert told.rstrip().endswith(("wins.", "win.")), options
    assert not re.search(r"(?<![\w-])-\d", told), "a hyphen in front of a number is no minus sign"

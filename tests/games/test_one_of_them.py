"""A sentence about those who are still missing reads well for one of them alone, too."""

from pathlib import Path

import pytest

from companion.gamekit import discovery
from companion.gamekit.game import Ruling
from companion.language.wording import say

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("Anna", "Ben", "Cleo")


@pytest.mark.parametrize(
    ("game", "what", "sentence"),
    [
        ("lascaux", "markers are chosen", "Buttons do nothing now; still to choose a marker: Ben"),
        ("darwinci", "tiles are offered", "Buttons do nothing now; still to offer a tile: Ben"),
        ("sioux", "cards are laid", "Buttons do nothing now; still to lay a card: Ben"),
    ],
)
def test_one_player_who_is_missing_is_no_crowd(game: str, what: str, sentence: str) -> None:
    assert say(Ruling(None, what, {"seats": (1,)}), discovery.find(game).sentences, NAMES) == sentence


def test_one_bid_and_one_prize_are_no_crowd_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES / "gops"))
    from gops.sentences import SENTENCES

    first = say(Ruling("G2", "bid first", {"seats": (1,)}), SENTENCES, NAMES)
    stays = say(Ruling("G6", "stays", {"seats": (0, 1), "prizes": ("9 of diamonds",)}), SENTENCES, NAMES)
    assert first == "Bids come first. Still to lay a card: Ben"
    assert stays == "Anna and Ben bid the same; left for the next round: 9 of diamonds"

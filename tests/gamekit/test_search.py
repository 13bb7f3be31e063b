"""How a search decides: alone, and where others choose in secret at the same time."""

from pathlib import Path
from random import Random

import pytest

from bench.gops import exploitability
from companion.gamekit.search import Bandit
from companion.games.sioux.rules.state import Play
from tests.games.thinker import Position
from tests.strangers import gops_installed


def test_gops_can_be_exploited_less_the_longer_the_search_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exact: what an opponent wins more than half who knows how often the search bids what."""
    with gops_installed(tmp_path, monkeypatch):
        hasty, thoughtful = exploitability(3, 10), exploitability(3, 100)
    assert 0 <= thoughtful < 0.15 < hasty


def test_first_sight_does_not_drown_a_small_difference_that_playouts_show() -> None:
    """Every playout brings nearly the same; the action that looks bad at first sight is a little better."""
    bandit, luck = Bandit(), Random(1)
    for _ in range(200):
        action = bandit.pick(["looks good", "is good"], [5.0, 1.0], luck)
        bandit.learn(action, 0.50 + 0.02 * (action == "is good") + luck.uniform(-0.01, 0.01))
    assert bandit.tried["is good"] > 120


def test_a_player_of_sioux_does_not_begin_a_winter_with_the_highest_cards() -> None:
    """They win little as long as all others have theirs; a search once began with them because they look good."""
    position = Position("sioux")
    laid = {position.decides(0, playouts=150, seed=f"seed {number}") for number in range(6)}
    assert not laid & {Play(0, "11"), Play(0, "12"), Play(0, "13")}

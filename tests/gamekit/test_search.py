"""How a search decides: alone, and where others choose in secret at the same time."""

from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bench.gops import exploitability
from companion.gamekit.game import Refusal
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import Bandit, ImaginedDeal, Judgement, Node, Search, Skill
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
    assert not laid & {Play(0, "12"), Play(0, "13")}


def test_a_sample_that_refuses_an_action_says_nothing_about_it() -> None:
    """As in Darwinci, where the referee believes a player who names a tile that another hides in the sample."""
    position = Position("sioux")
    sound = Search(position.game, judgement_of("sioux"), position.knowledge(0), Skill(1))
    wanted, asked = position.decides(0), count()

    def every_other(state: Any, action: Any) -> Any:
        refuses = action == wanted and next(asked) % 2
        return Refusal("S1", "not now") if refuses else position.game.apply(state, action)

    sometimes = replace(position.game, apply=every_other)
    search = Search(sometimes, judgement_of("sioux"), position.knowledge(0), Skill(1))
    assert 0 < search.worth(wanted, 40, Random(1)) < 1
    assert abs(search.worth(wanted, 200, Random(1)) - sound.worth(wanted, 100, Random(2))) < 0.25
    never = replace(position.game, apply=lambda _state, _action: Refusal("S1", "not now"))
    assert Search(never, judgement_of("sioux"), position.knowledge(0), Skill(1)).worth(wanted, 5, Random(1)) == 0


def test_two_secret_choices_of_a_player_that_come_to_light_together_are_both_remembered() -> None:
    """Otherwise the search would take tables for the same at which other cards were revealed."""
    position = Position("sioux")
    search = Search(position.game, judgement_of("sioux"), position.knowledge(0), Skill(1))

    def after(*cards: str) -> Node:
        secrets: dict[int, Any] = {}
        for card in cards:
            assert search._follow(search._root, Play(1, card), (), secrets) is search._root, "nobody saw it"
        return search._follow(search._root, Play(0, "3"), (0, 1), secrets)

    assert after("1", "2") is after("1", "2")
    assert len({id(after(*cards)) for cards in (("1", "2"), ("1", "4"), ("3", "2"), ("2",))}) == 4


class OnlyOne(Judgement[Any, Any]):
    """A player who can do but one thing."""

    def candidates(self, state: Any, seat: int, held: frozenset[str] | None = None) -> list[Any]:
        return [Play(seat, "7")]


def test_a_player_who_can_do_but_one_thing_does_it_in_a_playout() -> None:
    position = Position("sioux")
    judgement = OnlyOne(position.game)
    table = ImaginedDeal(position.game, position.state, {}, Random(1))
    assert judgement.guess(position.state, 1, Random(1)) == Play(1, "7")
    assert table.guess(judgement)(position.state, 1, Random(1)) == Play(1, "7")

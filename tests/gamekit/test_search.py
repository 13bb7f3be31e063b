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
from companion.gamekit.search import (
    FORCED,
    Bandit,
    ImaginedDeal,
    Judgement,
    Node,
    Sampler,
    Search,
    Skill,
    UnclearPastError,
)
from companion.games.lascaux.rules.engine import Choose, Draw
from companion.games.sioux.judgement import SiouxJudgement
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
    search = Search(never, judgement_of("sioux"), position.knowledge(0), Skill(3))
    assert search.worth(wanted, 5, Random(1)) == 0
    with pytest.raises(UnclearPastError):
        search.run(Random(1))


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


def test_a_search_ends_when_the_rest_of_its_playouts_can_change_nothing() -> None:
    bandit = Bandit()
    for number in range(100):
        bandit.learn("good", 0.6 + 0.01 * (number % 2))
        bandit.learn("as good", 0.6 + 0.01 * (number % 2))
        if number < 12:
            bandit.learn("bad", 0.1)
    assert not bandit.is_settled(["good", "as good"], 10)
    assert bandit.is_settled(["good", "bad"], 500), "far behind"
    assert not bandit.is_settled(["good", "untried"], 500)
    assert bandit.is_settled(["good", "untried"], 50), "it cannot catch up"
    assert not Bandit().is_settled(["good", "bad"], 500)


def test_little_is_thought_where_there_is_nothing_to_choose() -> None:
    position = Position("sioux")
    search = Search(position.game, OnlyTheTwo(position.game), position.knowledge(0), Skill(300))
    search.run(Random(1))
    assert search.playouts == FORCED


class OnlyTheTwo(SiouxJudgement):
    def candidates(self, state: Any, seat: int, held: frozenset[str] | None = None) -> list[Any]:
        found: list[Any] = [*super().candidates(state, seat, held)]
        return found[1:2] if seat == 0 else found


def test_what_others_hide_is_guessed_by_first_sight() -> None:
    """No card of the row is blue: hardly anybody chooses that."""
    row = ("deer-brown-white", "deer-brown-green", "deer-green-white", "deer-pink-white", "deer-yellow-pink")
    draws = [Draw(card) for card in (*row, "horse-brown-white", "horse-green-white")]
    position = Position("lascaux").does(*draws, Choose(1, "white"))
    sampler = Sampler(position.game, judgement_of("lascaux"), position.knowledge(0))
    guessed = [sampler.sample(Random(number)).state.choices[1] for number in range(300)]
    assert 0 < guessed.count("blue") < 20, "now and then; if all were alike, fifty times"


def test_the_tree_forgets_what_was_drawn_only_where_that_does_not_matter() -> None:
    position = Position("carnuta", 2, start_card="hand")
    judgement = judgement_of("carnuta")
    state = position.state
    while judgement.turn(state) != 0 or state.phase != "act":
        action = position.game.legal(state)[0]
        position.does(action)
        state = position.state
    search = Search(position.game, judgement, position.knowledge(0), Skill(60, doubt=1.0))
    search.run(Random(3))
    kinds = {type(seen[0]).__name__ for seen in search._root.after}
    assert "Take" in kinds
    below = {type(seen[0]).__name__ for node in search._root.after.values() for seen in node.after}
    assert "Deal" not in below
    judgement.draws_matter = True
    search = Search(position.game, judgement, position.knowledge(0), Skill(60, doubt=1.0))
    search.run(Random(3))
    assert "Deal" in {type(seen[0]).__name__ for node in search._root.after.values() for seen in node.after}

"""L1, L20, L21: how a table of Lascaux is set up, told in the order of the book."""

from typing import Any

import pytest

from companion.gamekit.game import Ruling, Setup
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import GAME

from .table import STANDIN


def steps(players: int = 3, first: int = 0, **options: Any) -> list[Ruling]:
    assert GAME.preparation is not None
    return list(GAME.preparation(Setup(players, first, Options(**options), STANDIN)))


def facts(told: list[Ruling], what: str) -> Any:
    return next(step.facts for step in told if step.what == what)


def test_L1_the_steps_come_in_the_order_of_the_book():
    assert [(step.rule, step.what) for step in steps()] == [
        ("L1", "set up the deck"),
        ("L1", "set up the markers"),
        ("L1", "set up the stones"),
        ("L1", "set up the rest"),
        ("L20", "set up open stones"),
        ("L21", "set up clockwise"),
    ]


@pytest.mark.parametrize(("players", "each"), [(3, 12), (4, 12), (5, 10)])
def test_L1_every_player_takes_twelve_stones_with_five_players_ten(players, each):
    assert facts(steps(players), "set up the stones") == {"stones": each}


@pytest.mark.parametrize(("players", "stones", "sets"), [(3, 14, 2), (4, 2, 1)])
def test_L1_unused_stones_and_markers_leave_the_game(players, stones, sets):
    assert facts(steps(players), "set up the rest") == {"stones": stones, "sets": sets}


def test_L1_with_five_players_nothing_is_left_over():
    assert "set up the rest" not in [step.what for step in steps(5)]


@pytest.mark.parametrize("players", GAME.players)
def test_L1_all_fifty_stones_are_told(players):
    told = steps(players)
    left = next((step.facts["stones"] for step in told if step.what == "set up the rest"), 0)
    assert players * facts(told, "set up the stones")["stones"] + left == 50


def test_L20_secret_stones_are_told():
    assert [step.what for step in steps(stones="secret") if step.rule == "L20"] == ["set up secret stones"]


@pytest.mark.parametrize("direction", ["clockwise", "anticlockwise"])
def test_L21_a_new_game_says_its_direction_and_who_starts(direction):
    assert steps(4, 2, direction=direction)[-1] == Ruling("L21", f"set up {direction}", {"start": 2})

"""S1, S9, S24: how a table of Sioux is set up, told in the order of the book."""

from typing import Any

import pytest

from companion.gamekit.game import Ruling, Setup
from companion.games.sioux.options import Options
from companion.games.sioux.rules import GAME

from .table import STANDIN, Table, box


def steps(players: int = 3, which: Any = STANDIN) -> dict[str, Ruling]:
    assert GAME.preparation is not None
    return {step.what: step for step in GAME.preparation(Setup(players, 0, Options(), which))}


def test_S1_the_steps_come_in_the_order_of_the_book():
    assert [(step.rule, step.what) for step in steps(4).values()] == [
        ("S1", "set up tribe cards"),
        ("S1", "set up the rest"),
        ("S1", "set up the bank"),
        ("S1", "set up the supply"),
        ("S1", "set up without the highest"),
        ("S1", "set up the first winter"),
        ("S9", "set up the hunter"),
        ("S24", "set up the prey"),
    ]


@pytest.mark.parametrize("players", GAME.players)
def test_S1_with_fewer_than_five_players_the_highest_cards_of_each_winter_are_removed_first(players):
    odd = box(supply=[(7, 1, 7, 3, 9), (2, 2, 2, 2, 2), (5, 4, 3, 2, 10)])
    told = steps(players, odd)
    assert told["set up the first winter"].facts["values"] == Table(players, box=odd).laid_out
    if players == 5:
        assert "set up without the highest" not in told
    else:
        expected = {4: ((9,), (2,), (10,)), 3: ((9, 7), (2, 2), (10, 5))}[players]
        assert tuple(told["set up without the highest"].facts.values()) == expected


@pytest.mark.parametrize(("players", "sets"), [(3, 2), (4, 1)])
def test_S1_sets_that_no_player_plays_leave_the_game(players, sets):
    assert steps(players)["set up the rest"].facts == {"sets": sets}


def test_S1_the_bank_is_all_the_prey_of_the_box_the_least_valuable_first():
    animals = steps()["set up the bank"].facts["animals"]
    assert len(animals) == 56
    assert tuple(dict.fromkeys(animals)) == ("rabbit", "turkey", "deer", "bear", "bison")
    assert {animal: animals.count(animal) for animal in animals} == Table().bank

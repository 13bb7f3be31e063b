"""How a table of Darwinci is set up: what belongs where, as the book tells it."""

from functools import partial

import pytest

from companion.gamekit.game import Setup
from companion.games.darwinci.options import Options
from companion.games.darwinci.rules import GAME
from companion.language.wording import say

from .table import STANDIN

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")


def prepared(players: int, first: int = 0) -> dict[str, str]:
    """What is told, by its message id."""
    assert GAME.preparation is not None
    steps = GAME.preparation(Setup(players, first, Options(), STANDIN))
    return {step.what: say(step, GAME.sentences, NAMES, word=partial(GAME.word, STANDIN)) for step in steps}


def test_D8_the_steps_come_in_the_order_of_the_book_each_with_its_ruling():
    assert GAME.preparation is not None
    steps = GAME.preparation(Setup(3, 0, Options(), STANDIN))
    assert [(step.rule, step.what) for step in steps] == [
        ("D18", "set up the stacks"),
        ("D8", "set up the stones"),
        ("D8", "set up the neighbours"),
        ("D8", "set up the rest"),
        ("D20", "set up the money"),
        ("D15", "set up the jewellery"),
        ("D17", "set up the Darwin card"),
        ("D12", "set up the frames"),
        ("D21", "set up the hands"),
        ("D11", "set up the first tiles"),
        ("D3", "set up the counter"),
    ]


@pytest.mark.parametrize("players", GAME.players)
def test_D8_every_player_is_told_to_give_stones_to_the_neighbours_and_keeps_what_the_table_shows(players):
    told = prepared(players)
    assert told["set up the stones"] == "Each player takes 9 small stones of one colour"
    table = GAME.table(GAME.setup(Setup(players, 0, Options(), STANDIN)))
    assert all(f" {table.stones[seat][seat]} of your own" in told["set up the neighbours"] for seat in range(players))
    assert {sum(held) for held in table.stones} == {9}


@pytest.mark.parametrize(("players", "left"), [(3, "2 unused colours"), (4, "1 unused colour"), (5, None)])
def test_D8_the_colours_that_no_player_plays_leave_the_game(players, left):
    told = prepared(players).get("set up the rest")
    assert told == (f"Everything in the {left} leaves the game" if left else None)


def test_D20_tiles_and_money_are_told_as_the_table_has_them():
    told = prepared(3)
    table = GAME.table(GAME.setup(Setup(3, 0, Options(), STANDIN)))
    assert told["set up the stacks"].startswith(f"Shuffle all {table.stack + sum(table.hands)} tiles")
    assert told["set up the money"].startswith(f"Each player gets {table.money[0]} Darwin")
    assert told["set up the hands"].startswith(f"Each player draws {table.hands[0]} tiles")
    assert told["set up the jewellery"].endswith(": tooth, shell, amber, feather and pebble")


def test_D3_the_start_player_builds_first_and_has_the_counter():
    told = prepared(4, 2)
    assert told["set up the first tiles"].startswith("From Cleo on, clockwise, each player builds 2 of them")
    assert list(told)[-1] == "set up the counter"
    assert told["set up the counter"] == "Cleo takes the round counter and starts the first round"

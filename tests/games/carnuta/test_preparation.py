"""How a table of Carnuta is set up: what belongs where, as the book tells it."""

from functools import partial

import pytest

from companion.gamekit.game import Setup
from companion.games.carnuta.options import Options
from companion.games.carnuta.rules import GAME
from companion.language.wording import say

from .table import STANDIN

NAMES = ("Anna", "Ben", "Cleo", "Dora")


def prepared(players: int, first: int = 0, **options: str) -> dict[str, str]:
    """What is told, by its message id."""
    assert GAME.preparation is not None
    steps = GAME.preparation(Setup(players, first, Options(**options), STANDIN))
    return {step.what: say(step, GAME.sentences, NAMES, word=partial(GAME.word, STANDIN)) for step in steps}


@pytest.mark.parametrize(
    ("start_card", "cards"),
    [("hand", ("C17", "set up secret cards")), ("played", ("C1", "set up open cards"))],
)
def test_C1_the_steps_come_in_the_order_of_the_book_each_with_its_ruling(start_card, cards):
    assert GAME.preparation is not None
    steps = GAME.preparation(Setup(3, 0, Options(start_card=start_card), STANDIN))
    assert [(step.rule, step.what) for step in steps] == [
        ("C1", "set up the decks"),
        ("C1", "set up the boards"),
        ("C1", "set up the runes"),
        ("C1", "set up the reserve"),
        ("C11", "set up the sickles"),
        ("C8", "set up the bonus"),
        ("C1", "set up the rest"),
        cards,
        ("C1", "set up the rows"),
        ("C2", "set up the start"),
    ]


@pytest.mark.parametrize("players", GAME.players)
def test_C1_runes_padlocks_and_sickles_are_told_as_the_table_has_them(players):
    told = prepared(players)
    table = GAME.table(GAME.setup(Setup(players, 0, Options(), STANDIN)))
    runes, reserve = table.runes[0], table.reserve
    assert told["set up the runes"] == f"Each player puts {runes.sun} suns and {runes.moon} moons on the open slots"
    assert told["set up the reserve"].endswith(f": {reserve.sun} suns and {reserve.moon} moons")
    assert told["set up the boards"].endswith(f"padlocks on {6 - table.slots[0]} of the 6 slots")
    assert told["set up the sickles"] == f"Each player gets {table.sickles[0]} sickles"
    decks = f"sun deck ({table.decks.sun} cards) and the moon deck ({table.decks.moon} cards)"
    assert decks in told["set up the decks"]


@pytest.mark.parametrize(("players", "left"), [(2, "2 boards leave"), (3, "1 board leaves"), (4, None)])
def test_C1_boards_that_no_player_plays_leave_the_game(players, left):
    assert prepared(players).get("set up the rest") == (f"{left} the game, with padlocks and sickles" if left else None)


def test_C17_a_start_card_is_secret_unless_it_is_played_at_once():
    assert "set up secret cards" in prepared(2)
    assert "set up open cards" in prepared(2, start_card="played")
    assert "set up secret cards" not in prepared(2, start_card="played")


def test_C2_who_has_the_first_turn_is_told_last():
    told = prepared(3, 1)
    assert list(told)[-1] == "set up the start"
    assert told["set up the start"] == "Ben has the first turn"

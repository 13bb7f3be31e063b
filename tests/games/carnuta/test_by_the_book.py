"""The rules agree with a second, slow and obvious reading of the rule book, in random games and in the written ones."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.carnuta.components import Card, Pair, price
from companion.games.carnuta.rules.game import GAME
from companion.games.carnuta.rules.paying import after_payment, can_pay
from tests.data.annotate import opened

from .by_the_book import ByTheBook, payments
from .test_properties import play, seeds, setups

GAMES = sorted((Path(__file__).parents[2] / "data" / "carnuta").glob("*.jsonl"))


def told(action: dict) -> dict:
    """`bonus` is also what players have; the book calls it choosing."""
    return action | {"do": "choose" if action["do"] == "bonus" else action["do"]}


def cards_of(box) -> list[dict]:
    return [msgspec.to_builtins(card) for card in box.cards]


def table(state) -> dict:
    return json.loads(msgspec.json.encode(GAME.table(state)))


# --- C5 Payments: every assignment of runes to symbols --------------------------------------------------------

costs = st.lists(st.sampled_from(["flip sun", "flip moon", "remove sun", "remove moon"]), max_size=6)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 6), st.integers(0, 6), costs)
def test_C5_a_payment_is_possible_when_an_assignment_is_and_leaves_what_that_leaves(suns, moons, cost):
    moons = min(moons, 6 - suns)
    ways = payments(["sun"] * suns + ["moon"] * moons, cost)
    asked = price(Card("x", "sun", "egg", ("egg",), tuple(cost), 0))
    assert can_pay(Pair(suns, moons), asked) == bool(ways)
    for board, removed in ways:
        left, gone = Counter(board), Counter(removed)
        assert after_payment(Pair(suns, moons), asked) == Pair(left["sun"], left["moon"])
        assert asked.remove == Pair(gone["sun"], gone["moon"])


# --- Whole games ----------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(setups, seeds)
def test_random_games_go_as_the_book_says(setup, seed):
    options = msgspec.to_builtins(setup.options)
    book = ByTheBook(setup.players, setup.first, options, cards_of(setup.box))
    for _, action, step in play(setup, Random(seed)):
        book.do(**told(msgspec.to_builtins(action)))
        assert table(step.state) == book.table()
    assert [{part.for_: part.points for part in score.parts} for score in GAME.scores(step.state)] == book.points()


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_is_written_in_the_whole_games_is_what_the_book_says(path):
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(first)
    cards = cards_of(opened(path).setup.box)
    book = ByTheBook(len(header["players"]), header.get("first", 0), header.get("options", {}), cards)
    known = json.loads(json.dumps(book.table()))
    for line, after in pairwise(lines):
        if line.startswith("{") and after.startswith("#="):
            book.do(**told(json.loads(line)))
            known |= json.loads(after[2:])
            assert known == book.table()
        if after.startswith("#scores"):
            assert json.loads(after.removeprefix("#scores")) == book.points()

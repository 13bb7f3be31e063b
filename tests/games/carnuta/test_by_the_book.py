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
from companion.games.carnuta.rules import GAME
from companion.games.carnuta.rules.payment import after_payment, can_pay, payment
from companion.games.carnuta.rules.scoring import sets
from tests.data.annotate import opened

from .by_the_book import ByTheBook, joker_sets, payments, payments_in_turn
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


def assert_all_lead_to_the_same(ways, runes, asked):
    for board, removed in ways:
        left, gone = Counter(board), Counter(removed)
        assert after_payment(runes, asked) == Pair(left["sun"], left["moon"])
        assert asked.remove == Pair(gone["sun"], gone["moon"])


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 6), st.integers(0, 6), costs)
def test_C5_a_payment_is_possible_when_an_assignment_is_and_leaves_what_that_leaves(suns, moons, cost):
    moons = min(moons, 6 - suns)
    ways = payments(["sun"] * suns + ["moon"] * moons, cost)
    asked = price(Card("x", "sun", "egg", ("egg",), tuple(cost), 0))
    assert can_pay(Pair(suns, moons), asked, False) == bool(ways)
    assert_all_lead_to_the_same(ways, Pair(suns, moons), asked)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 6), st.integers(0, 6), costs)
def test_C5_with_flipped_pays_a_payment_is_possible_in_some_order_and_all_orders_lead_to_the_same(suns, moons, cost):
    moons = min(moons, 6 - suns)
    ways = payments_in_turn(["sun"] * suns + ["moon"] * moons, cost)
    asked = price(Card("x", "sun", "egg", ("egg",), tuple(cost), 0))
    assert can_pay(Pair(suns, moons), asked, True) == bool(ways)
    assert not can_pay(Pair(suns, moons), asked, False) or ways, "what could be paid without the option still can be"
    assert_all_lead_to_the_same(ways, Pair(suns, moons), asked)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 6), st.integers(0, 6), costs)
def test_C5_hands_can_turn_and_remove_what_they_are_told_in_the_order_in_which_they_are_told(suns, moons, cost):
    asked = price(Card("x", "sun", "egg", ("egg",), tuple(cost), 0))
    board = Counter(sun=suns, moon=min(moons, 6 - suns))
    runes = Pair(board["sun"], board["moon"])
    if not can_pay(runes, asked, True):
        return
    told = Counter()
    for said in payment(0, runes, asked):
        what, face, count = said.what, said.facts["face"], said.facts["count"]
        board[face] -= count
        assert board[face] >= 0, said
        if what == "turns runes":
            board[said.facts["other"]] += count
        told["flip" if what == "turns runes" else "remove", face] += count
    assert Pair(board["sun"], board["moon"]) == after_payment(runes, asked)
    assert told == Counter(tuple(symbol.split()) for symbol in cost)


# --- C15 Salt as a joker: every ingredient for every salt ------------------------------------------------------

kinds = st.sampled_from(["egg", "moth", "skull"])


@settings(max_examples=300, deadline=None)
@given(st.lists(kinds, min_size=1, max_size=4), st.lists(kinds, max_size=7), st.integers(0, 4))
def test_C15_with_salt_as_a_joker_there_are_as_many_sets_as_the_best_assignment_of_all_salts_makes(need, have, salts):
    card = Card("x", "sun", "egg", ("egg",), (), 1, tuple(need))
    assert sets(card, Counter([*have, *["salt"] * salts])) == joker_sets(need, have, salts)
    in_words = max(
        count
        for count in range(12)
        if sum(max(0, count * need.count(kind) - have.count(kind)) for kind in set(need)) <= salts
    )
    assert sets(card, Counter([*have, *["salt"] * salts])) == in_words


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
    _game, state = opened(path)
    cards = cards_of(state.box)
    book = ByTheBook(len(header["players"]), header.get("first", 0), header.get("options", {}), cards)
    known = json.loads(json.dumps(book.table()))
    for line, after in pairwise(lines):
        if line.startswith("{") and after.startswith("#="):
            book.do(**told(json.loads(line)))
            known |= json.loads(after[2:])
            assert known == book.table()
        if after.startswith("#scores"):
            assert json.loads(after.removeprefix("#scores")) == book.points()

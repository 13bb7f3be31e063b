"""Box files of Carnuta: the stand-in, and what is wrong with a box is said with the entry and what was expected."""

from collections import Counter
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BoxError
from companion.gamekit.game import Thing
from companion.gamekit.parts import enrolment_plan
from companion.games.carnuta.components import INGREDIENTS, parse_box, price, standin
from companion.games.carnuta.rules import GAME

from . import make_standin
from .table import STANDIN, box_of, box_text

TEXT = standin()
FIRST = TEXT.partition("[[cards]]")[2].partition("[[cards]]")[0]
ENTRY = "cards, entry 1 ('honey-1')"


def error(text: str) -> str:
    with pytest.raises(BoxError) as raised:
        parse_box(text, "my-box.toml")
    message = str(raised.value)
    assert message.startswith("my-box.toml: ")
    return message.removeprefix("my-box.toml: ")


# --- The stand-in ---------------------------------------------------------------------------------------------


def test_the_stand_in_has_eight_cards_of_each_ingredient_four_ingredients_in_each_deck_and_salt_in_both():
    assert STANDIN.provenance == "stand-in"
    assert Counter(card.ingredient for card in STANDIN.cards) == dict.fromkeys((*INGREDIENTS, "salt"), 8)
    decks = {face: Counter(card.ingredient for card in STANDIN.cards if card.deck == face) for face in ("sun", "moon")}
    assert decks["sun"] == dict.fromkeys(INGREDIENTS[:4], 8) | {"salt": 4}
    assert decks["moon"] == dict.fromkeys(INGREDIENTS[4:], 8) | {"salt": 4}


def test_the_stand_in_says_what_it_is_and_how_it_was_made():
    assert TEXT.startswith("# A stand-in for the cards of Carnuta. These are NOT the printed cards")
    assert make_standin.box() == TEXT


def test_flat_cards_cost_more_the_more_they_bring():
    flat = sorted((card.points, _dear(card)) for card in STANDIN.cards if card.per is None)
    dear = {points: [cost for other, cost in flat if other == points] for points, _ in flat}
    means = [sum(costs) / len(costs) for _, costs in sorted(dear.items())]
    assert means == sorted(means)


def _dear(card) -> float:
    cost = price(card)
    return cost.suns + cost.moons + cost.remove.sun + cost.remove.moon


def test_every_card_can_be_paid_with_four_runes():
    assert all(len(card.cost) <= 3 for card in STANDIN.cards)


def test_pieces_are_the_cards_the_bonus_ingredients_and_four_markers():
    pieces = GAME.pieces(STANDIN)
    assert len(pieces) == len(set(pieces)) == 72 + 8 + 4
    assert Thing("bonus", "egg") in pieces
    assert Thing("marker", owner=3) in pieces


# --- An owner's box -------------------------------------------------------------------------------------------


def test_decks_may_differ_in_size_and_a_cost_may_be_empty():
    box = parse_box(box_text(box_of()), "box.toml")
    assert Counter(card.deck for card in box.cards) == {"moon": 72}
    assert {card.cost for card in box.cards} == {()}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('game = "carnuta"', 'game = "sioux"', "game: expected 'carnuta', found 'sioux'"),
        ('"stand-in"', '"mine"', "provenance: expected 'enrolled' or 'stand-in', found 'mine'"),
        ('game = "carnuta"', 'game = "carnuta"\ncolours = 3', "unknown key 'colours', expected only game"),
        ("[[cards]]" + FIRST, "", "cards: expected exactly 72, found 71"),
        ('id = "honey-2"', 'id = "honey-1"', "cards, entry 2 ('honey-1'): entry 1 has the same id"),
        ('id = "honey-1"', 'id = " "', "cards, entry 1 (' '): id: expected a name without control characters"),
        ('id = "honey-1"\n', "", "cards, entry 1: 'id' is missing, expected id, deck, ingredient, symbols, cost"),
        ('deck = "sun"', 'deck = "mars"', f"{ENTRY}: deck: expected 'moon' or 'sun', found 'mars'"),
        ('ingredient = "honey"', 'ingredient = "milk"', f"{ENTRY}: ingredient: expected one of honey, clover"),
        ('symbols = ["honey", "honey"]', "symbols = []", f"{ENTRY}: symbols: expected at least one of honey"),
        ('symbols = ["honey", "honey"]', 'symbols = ["milk"]', f"{ENTRY}: symbols, number 1: expected one of honey"),
        ('symbols = ["honey", "honey"]', 'symbols = ["salt"]', f"{ENTRY}: symbols, number 1: expected one of honey"),
        ('symbols = ["salt"]', 'symbols = ["egg"]', "cards, entry 65 ('salt-1'): symbols, number 1: expected one of"),
        ('["flip sun", "flip sun"]', '["flip mars"]', f"{ENTRY}: cost, number 1: expected 'flip moon' or"),
        ('["flip sun", "flip sun"]', '"flip moon"', f"{ENTRY}: cost: expected a list, found text"),
        ('cost = ["flip sun", "flip sun"]\n', "", f"{ENTRY}: 'cost' is missing"),
        ("points = 1", 'points = "1"', f"{ENTRY}: points: expected a whole number, found text"),
        ("points = 1", "points = true", f"{ENTRY}: points: expected a whole number"),
        ("points = 1", "points = 1\nper = []", f"{ENTRY}: per: expected at least one of honey"),
        ("points = 1", 'points = 1\nper = ["salt"]', f"{ENTRY}: per, number 1: expected one of honey"),
        ("points = 1", "points = 1\ncolour = 1", f"{ENTRY}: unknown key 'colour', expected only id, deck"),
    ],
)  # fmt: skip
def test_an_error_names_the_entry_and_what_was_expected(old, new, message):
    assert old in TEXT
    assert error(TEXT.replace(old, new, 1)).startswith(message)


@pytest.mark.parametrize("field", ["symbols", "per"])
def test_C19_the_y_of_the_summary_is_no_symbol_any_ingredient_may_stand_there(field):
    entry = 'points = 1\nper = ["{}"]' if field == "per" else 'symbols = ["honey", "{}"]'
    old = "points = 1" if field == "per" else 'symbols = ["honey", "honey"]'
    number = 1 if field == "per" else 2
    assert error(TEXT.replace(old, entry.format("Y"), 1)).startswith(
        f"{ENTRY}: {field}, number {number}: expected one of"
    )
    for ingredient in INGREDIENTS:
        card = parse_box(TEXT.replace(old, entry.format(ingredient), 1), "my-box.toml").cards[0]
        assert getattr(card, field)[-1] == ingredient


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 40), st.text(max_size=8) | st.sampled_from('"[]=#\n{}'))
def test_a_damaged_box_is_read_or_refused_but_never_crashes(start, length, new):
    with suppress(BoxError):
        parse_box(TEXT[:start] + new + TEXT[start + length :], "box.toml")


def test_the_steps_of_an_enrolment_can_be_made_from_a_box_that_came_as_json() -> None:
    """There a card without a condition has null for it."""
    box = msgspec.json.decode(msgspec.json.encode(parse_box(TEXT, "box")))
    assert any(card["per"] is None for card in box["cards"])
    assert len(enrolment_plan("carnuta").steps(box, {})) > len(box["cards"])

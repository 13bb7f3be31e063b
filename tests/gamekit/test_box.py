"""Box files: what is wrong with one is said with the file, the entry and what was expected."""

from collections import Counter
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BoxError
from companion.gamekit.box import explained
from companion.games.lascaux.components import Box, parse_box, standin
from tests.games.lascaux import make_standin

TEXT = standin()
FIRST = '[[cards]]\nid = "aurochs-brown-blue"\nanimal = "aurochs"\ncolours = ["brown", "blue"]\n'
SECOND = "entry 2 ('aurochs-yellow-white')"
PAIR = '["yellow", "white"]'


def error(text: str) -> str:
    with pytest.raises(BoxError) as raised:
        parse_box(text, "my-box.toml")
    message = str(raised.value)
    assert message.startswith("my-box.toml: ")
    return message.removeprefix("my-box.toml: ")


# --- The stand-in ---------------------------------------------------------------------------------------------


def test_the_stand_in_is_fair():
    box = parse_box(TEXT, "box.toml")
    assert box.provenance == "stand-in"
    assert set(Counter(card.animal for card in box.cards).values()) == {9}
    assert set(Counter(colour for card in box.cards for colour in card.colours).values()) == {18}
    assert set(Counter((card.animal, colour) for card in box.cards for colour in card.colours).values()) == {3}
    assert set(Counter(frozenset(card.colours) for card in box.cards).values()) == {3, 4}
    assert len({frozenset(card.colours) for card in box.cards}) == 15


def test_the_stand_in_says_what_it_is_and_how_it_was_made():
    assert TEXT.startswith("# A stand-in for the cards of Lascaux. These are NOT the printed cards")
    assert make_standin.box() == TEXT


def test_the_cards_of_the_stand_in_are_named_after_what_they_show():
    for card in parse_box(TEXT, "box.toml").cards:
        assert card.id == "-".join((card.animal, *card.colours))


def test_the_same_text_is_read_once_and_what_is_wrong_with_it_is_reported_with_each_origin():
    assert parse_box(TEXT, "box.toml") is parse_box(TEXT, "the box in entry 7")
    for origin in ("box.toml", "the box in entry 7"):
        with pytest.raises(BoxError, match=f"^{origin}: cards, entry 1 "):
            parse_box(TEXT.replace('"aurochs"', '"cow"', 1), origin)


# --- An owner's box -------------------------------------------------------------------------------------------


def test_colours_may_have_any_names():
    box = parse_box(TEXT.replace("brown", "rötlich 🐾"), "box.toml")
    assert isinstance(box, Box)
    assert box.colours[0] == "rötlich 🐾"


def test_two_cards_may_look_alike():
    twin = TEXT.replace('"aurochs-yellow-white"', '"aurochs-brown-blue-2"', 1).replace(
        '["yellow", "white"]', '["brown", "blue"]', 1
    )
    cards = parse_box(twin, "box.toml").cards
    assert cards[0].colours == cards[1].colours


def test_windows_line_ends_and_a_byte_order_mark_do_not_matter():
    assert parse_box("\ufeff" + TEXT.replace("\n", "\r\n"), "box.toml") == parse_box(TEXT, "box.toml")


# --- What can be wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('game = "lascaux"', 'game = "sioux"', "game: expected 'lascaux', found 'sioux'"),
        ('game = "lascaux"', "game = 1", "game: expected 'lascaux', found 1"),
        ('game = "lascaux"', "", "'game' is missing, expected game, provenance, colours, cards"),
        ('"stand-in"', '"stolen"', "provenance: expected 'enrolled' or 'stand-in', found 'stolen'"),
        ('game = "lascaux"', 'game = "lascaux"\nplayers = 3', "unknown key 'players', expected only game, provenance"),
        ('["brown", "yellow", "green", "pink", ', "[", "colours: expected exactly 6, found 2"),
        ('"yellow", "green", "pink", ', '"yellow", "yellow", "pink", ', "colours, number 3: expected 6 different ones"),
        ('"green", "pink", ', '3, "pink", ', "colours, number 3: expected text, found a whole number"),
        ('"green", "pink", ', '" ", "pink", ', "colours, number 3: expected a name"),
        (
            '"green", "pink", ',
            '"\\u001b[31m", "pink", ',
            "colours, number 3: expected a name without control characters",
        ),
        ('animal = "aurochs"\ncolours = ["yellow"', 'colours = ["yellow"', f"cards, {SECOND}: 'animal' is missing"),
        ('id = "aurochs-yellow-white"\n', "", "cards, entry 2: 'id' is missing, expected id, animal, colours"),
        (
            '"aurochs-yellow-white"',
            '"aurochs-brown-blue"',
            "cards, entry 2 ('aurochs-brown-blue'): entry 1 has",
        ),
        ('"aurochs-yellow-white"', "12", "cards, entry 2: id: expected text, found a whole number"),
        (PAIR, '["yellow", "red"]', f"cards, {SECOND}: colours: expected two of the box's colours"),
        (PAIR, '["yellow", "yellow"]', f"cards, {SECOND}: colours: expected two different ones"),
        (PAIR, '["yellow"]', f"cards, {SECOND}: colours: expected exactly 2, found 1"),
        (
            '["yellow", "white"]',
            '["yellow", "white", "blue"]',
            f"cards, {SECOND}: colours: expected exactly 2, found 3",
        ),
        (PAIR, '["yellow", 5]', f"cards, {SECOND}: colours, number 2: expected text"),
        (
            '["yellow", "white"]',
            '["yellow", "white"]\nback = 1',
            f"cards, {SECOND}: unknown key 'back', expected only id",
        ),
        (FIRST, "", "cards: expected exactly 54, found 53"),
        (FIRST, FIRST.replace('"aurochs"', '"deer"'), "cards: expected 9 with animal = 'aurochs', found 8"),
        (FIRST, FIRST.replace('"aurochs"', '"cat"'), "cards, entry 1 ('aurochs-brown-blue'): animal: expected one of"),
        ('game = "lascaux"', 'game = "lascaux', "this is not valid TOML"),
        ('game = "lascaux"', 'game = "lascaux"\ngame = "lascaux"', "this is not valid TOML"),
        ('game = "lascaux"', "game = " + "9" * 5000, "this is not valid TOML"),
        ('game = "lascaux"', "game = " + "[" * 5000, "this is not a box: it is nested too deeply"),
    ],
)
def test_an_error_names_the_entry_and_what_was_expected(old, new, message):
    assert old in TEXT
    assert error(TEXT.replace(old, new, 1)).startswith(message)


def test_bad_toml_is_named_with_its_line():
    assert "line 3" in error('game = "lascaux"\n\ncards = oops\n')


def test_a_box_without_a_list_of_cards():
    head = TEXT.partition("[[cards]]")[0]
    assert error(head) == "'cards' is missing, expected game, provenance, colours, cards"
    assert error(head + "[cards]\nid = 1") == "cards: expected a list, found keys with values"
    assert error(head + "cards = [1]") == "cards, number 1: expected keys with values, found a whole number"


def test_an_empty_file_is_no_box():
    assert error("") == "'game' is missing, expected game, provenance, colours, cards"


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 40), st.text(max_size=8) | st.sampled_from('"[]=#\n{}'))
def test_a_damaged_box_is_read_or_refused_but_never_crashes(start, length, new):
    with suppress(BoxError):
        parse_box(TEXT[:start] + new + TEXT[start + length :], "box.toml")


def test_a_key_that_looks_like_the_place_of_an_error():
    assert "unknown key" in error(TEXT.replace("game =", '"x - at `$.cards[99].id`" = 1\ngame =', 1))


def test_the_place_of_an_error_is_told_from_the_outermost_entry_to_the_innermost():
    class Row(msgspec.Struct):
        id: str
        cells: list[int]

    class Board(msgspec.Struct):
        rows: list[Row]

    class Boards(msgspec.Struct):
        boards: list[Board]

    data = {"boards": [{"rows": []}, {"rows": [{"id": "top", "cells": [1]}, {"id": "low", "cells": [1, 2, "x"]}]}]}
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(data, Boards)
    assert explained(str(raised.value), data, Boards).startswith(
        "boards, entry 2: rows, entry 2 ('low'): cells, number 3: expected a whole number"
    )

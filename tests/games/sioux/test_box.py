"""Box files of Sioux: what is wrong with one is said with the file, the entry and what was expected."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BoxError
from companion.games.sioux.components import parse_box, standin
from companion.games.sioux.rules import GAME

TEXT = standin()


def error(text: str) -> str:
    with pytest.raises(BoxError) as raised:
        parse_box(text, "my-box.toml")
    message = str(raised.value)
    assert message.startswith("my-box.toml: ")
    return message.removeprefix("my-box.toml: ")


def test_the_stand_in_says_what_it_is():
    assert TEXT.startswith("# A stand-in for the cards of Sioux. These are NOT the printed values")
    box = parse_box(TEXT, "box.toml")
    assert box.provenance == "stand-in"
    assert [card.id for card in box.tribe] == ["crow", *"2345", "shaman", "9", "10", "11", "12", "13"]
    assert sum(prey.count for prey in box.prey) == 56


def test_everything_that_may_carry_a_tag_is_a_piece_once():
    pieces = GAME.pieces(parse_box(TEXT, "box.toml"))
    assert len(pieces) == len(set(pieces)) == 5 * 11 + 1


def test_windows_line_ends_and_a_byte_order_mark_do_not_matter():
    assert parse_box("\ufeff" + TEXT.replace("\n", "\r\n"), "box.toml") == parse_box(TEXT, "box.toml")


def test_names_values_and_order_are_free():
    text = TEXT.replace('"13"\nvalue = 13', '"Großer Bär 🐾"\nvalue = 99').replace('"bison"', '"Büffel"')
    assert parse_box(text.replace("[1, 2, 3, 4, 5]", "[70, 1, 1, 9, 1]"), "box.toml").tribe[-1].value == 99


NINE = '[[tribe]]\nid = "9"\nvalue = 9\n'
CROW = '[[tribe]]\nid = "crow"\nkind = "crow"\n'
RABBIT = '[[prey]]\nanimal = "rabbit"\nvalue = 1\ncount = 13\n'
FIRST = "[[supply]]\nwinter = 1\nvalues = [1, 2, 3, 4, 5]\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('game = "sioux"', 'game = "lascaux"', "game: expected 'sioux', found 'lascaux'"),
        ('game = "sioux"', "", "'game' is missing, expected game, provenance, tribe, prey, supply"),
        ('game = "sioux"', 'game = "sioux"\nplayers = 3', "unknown key 'players', expected only game"),
        ('"stand-in"', '"stolen"', "provenance: expected 'enrolled' or 'stand-in', found 'stolen'"),
        ('game = "sioux"', 'game = "sioux', "this is not valid TOML"),
        # Tribe cards
        (NINE, "", "tribe: expected exactly 11, found 10"),
        (NINE, NINE + NINE.replace('"9"', '"9b"').replace("= 9\n", "= 8\n"), "tribe: expected exactly 11, found 12"),
        (NINE, NINE.replace('"9"', '"10"'), "tribe, entry 8 ('10'): entry 7 has the same id, expected every id once"),
        (NINE, NINE.replace('"9"', '"hunter"'), "tribe, entry 7 ('hunter'): id: expected another one"),
        (NINE, NINE.replace('"9"', '" "'), "tribe, entry 7 (' '): id: expected a name without control characters"),
        (NINE, NINE.replace('"9"', '"\\u001b[31m"'), "tribe, entry 7 ('\\x1b[31m'): id: expected a name"),
        (NINE, NINE.replace('"9"', "9"), "tribe, entry 7: id: expected text, found a whole number"),
        (NINE, NINE.replace("= 9\n", "= 10\n"), "tribe, entry 8 ('10'): value: entry 7 has 10, too"),
        (NINE, NINE.replace("= 9\n", "= 1\n"), "tribe, entry 7 ('9'): value: expected 2 or more, found 1"),
        (NINE, NINE.replace("= 9\n", "= 9.0\n"), "tribe, entry 7 ('9'): value: expected"),
        (NINE, NINE.replace("value = 9\n", ""), "tribe, entry 7 ('9'): 'value' is missing, expected value for a plain"),
        (NINE, NINE + "colour = 1\n", "tribe, entry 7 ('9'): unknown key 'colour', expected only id, value, kind"),
        (NINE, NINE + 'kind = "crow"\n', "tribe, entry 7 ('9'): value: expected none, because kind = 'crow'"),
        (NINE, NINE.replace("value = 9", 'kind = "crow"'), "tribe: expected exactly 1 with kind = 'crow', found 2"),
        (
            CROW,
            CROW.replace('kind = "crow"', 'kind = "bear"'),
            "tribe, entry 1 ('crow'): kind: expected 'crow' or 'shaman', found 'bear'",
        ),
        (CROW, CROW.replace('kind = "crow"', "value = 20"), "tribe: expected exactly 1 with kind = 'crow', found 0"),
        ('kind = "shaman"', "value = 20", "tribe: expected exactly 1 with kind = 'shaman', found 0"),
        # Prey
        (RABBIT, "", "prey: expected exactly 5, one for each value, found 4"),
        ("count = 13", "count = 12", "prey: expected counts that add up to 56, found 55"),
        ("count = 13", "count = 0", "prey, entry 1 ('rabbit'): count: expected 1 or more, found 0"),
        ("value = 1\n", "value = 6\n", "prey, entry 1 ('rabbit'): value: expected 1 to 5, found 6"),
        ("value = 1\n", "value = 2\n", "prey, entry 2 ('turkey'): value: entry 1 has 2, too"),
        ('"turkey"', '"rabbit"', "prey, entry 2 ('rabbit'): animal: entry 1 has the same, expected every animal once"),
        ('"deer"', '"elk"', "prey, entry 3 ('elk'): expected animal = 'deer' and value = 3 together, found value = 3"),
        (
            '"rabbit"',
            '"deer"',
            "prey, entry 1 ('deer'): expected animal = 'deer' and value = 3 together, found value = 1",
        ),
        ('"rabbit"', '""', "prey, entry 1 (''): animal: expected a name without control characters"),
        ('animal = "rabbit"\n', "", "prey, entry 1: 'animal' is missing, expected animal, value, count"),
        # Supply
        (FIRST, "", "supply: expected exactly 3, one for each winter, found 2"),
        ("winter = 1", "winter = 4", "supply, entry 1: winter: expected 1 to 3, found 4"),
        ("winter = 1", "winter = 2", "supply, entry 2: winter: entry 1 has 2, too, expected each once"),
        ("[1, 2, 3, 4, 5]", "[1, 2, 3, 4]", "supply, entry 1: values: expected exactly 5, found 4"),
        ("[1, 2, 3, 4, 5]", "[1, 2, 0, 4, 5]", "supply, entry 1: values, number 3: expected 1 or more, found 0"),
        ("[1, 2, 3, 4, 5]", '[1, 2, "3", 4, 5]', "supply, entry 1: values, number 3: expected a whole number"),
    ],
)
def test_an_error_names_the_entry_and_what_was_expected(old, new, message):
    assert old in TEXT
    assert error(TEXT.replace(old, new, 1)).startswith(message)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 40), st.text(max_size=8) | st.sampled_from('"[]=#\n{}'))
def test_a_damaged_box_is_read_or_refused_but_never_crashes(start, length, new):
    with suppress(BoxError):
        parse_box(TEXT[:start] + new + TEXT[start + length :], "box.toml")

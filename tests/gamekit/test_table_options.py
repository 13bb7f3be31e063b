"""Table options are declared once: name, values and words together."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.gamekit import N_, option
from companion.gamekit.screen import Face
from companion.gamekit.table_options import table_options


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    tie: Annotated[Literal["carry", "discard"], option(N_("A tie"), carry=N_("stays"), discard=N_("leaves"))] = "carry"
    blocks: Annotated[bool, option(N_("A block"), {True: N_("blocks"), False: N_("lets pass")})] = False
    most: Annotated[int, Meta(ge=1), option(N_("The most"))] = 4
    bare: Literal["x", "y"] = "x"


class OptionFace(Face):
    options = Options


def test_an_option_knows_its_values_and_a_number_offers_some() -> None:
    known = {name: option.values for name, option in table_options(Options).items()}
    assert known == {"tie": ("carry", "discard"), "blocks": (True, False), "most": (4, 1, 2, 3), "bare": ("x", "y")}


def test_the_options_of_a_game_are_read_once() -> None:
    assert table_options(Options) is table_options(Options)


def test_an_option_says_what_a_value_has_to_be() -> None:
    expected = [option.expected for option in table_options(Options).values()]
    assert expected == ["one of 'carry', 'discard'", "true or false", "a whole number, 1 or more", "one of 'x', 'y'"]


def test_a_face_takes_the_words_of_an_option_from_its_declaration() -> None:
    face = OptionFace()
    assert (face.option("tie"), face.option_value("tie", "discard")) == ("A tie", "leaves")
    assert (face.option("blocks"), face.option_value("blocks", False)) == ("A block", "lets pass")


def test_what_has_no_words_has_an_empty_text() -> None:
    face = OptionFace()
    assert (face.option("bare"), face.option_value("bare", "x"), face.option_value("most", 2)) == ("", "", "")
    assert (face.option("unknown"), face.option_value("tie", "unknown")) == ("", "")

"""What the fields of a game mean: in the help of Python, and in the docs."""

import pydoc
from typing import Any

import pytest
from msgspec import Struct

from companion.gamekit import FaceDown, Game, Setup
from companion.gamekit.field_table import field_meanings, in_help, in_markdown
from companion.gamekit.screen import Call, Choice, Command, Headline, Menu
from tools.field_tables import KINDS, PAGE, with_tables


class Card(Struct):
    suit: str
    """Printed
    on it. Example: `"hearts" | "clubs"`"""
    value: int = 1
    """What it counts"""
    owner: int | None = None
    """Whose it is; left out: no player's."""
    bare: str = ""


def test_a_docstring_says_meaning_default_and_example() -> None:
    suit, value, owner, bare = field_meanings(Card)
    assert (suit.meaning, suit.default, suit.example) == (
        "Printed on it.",
        "it has to be there",
        '`"hearts" | "clubs"`',
    )
    assert (value.meaning, value.default, value.example) == ("What it counts", "`1`", "")
    assert (owner.meaning, owner.default, owner.example) == ("Whose it is", "no player's.", "")
    assert (bare.meaning, bare.default, bare.example) == ("", "", "")


def test_a_table_has_a_row_for_each_field_and_no_stray_bars() -> None:
    rows = in_markdown(Card).splitlines()
    assert rows[2] == '| `suit` | Printed on it. | it has to be there | `"hearts" \\| "clubs"` |'
    assert len(rows) == 2 + len(Card.__struct_fields__)


def test_the_help_names_what_there_is_to_say() -> None:
    assert in_help(Card).endswith("owner\n    Whose it is\n    Left out: no player's.\n\nbare")


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_a_table_has_a_meaning_or_an_example(kind: Any) -> None:
    told = field_meanings(kind)
    assert [field.name for field in told] == [*getattr(kind, "_fields", ()), *getattr(kind, "__struct_fields__", ())]
    assert [field.name for field in told if not field.meaning and not field.example] == []


@pytest.mark.parametrize("kind", [Game, Setup, FaceDown, Choice, Menu, Command, Headline, Call])
def test_help_explains_all_fields(kind: Any) -> None:
    text = pydoc.plain(pydoc.render_doc(kind))
    assert all(f" |  {field.name}\n |      {field.meaning[:40]}" in text for field in field_meanings(kind))


def test_the_page_has_the_tables_as_they_should_be() -> None:
    """`python -m tools.field_tables` writes them."""
    page = PAGE.read_text(encoding="utf-8")
    assert with_tables(page) == page

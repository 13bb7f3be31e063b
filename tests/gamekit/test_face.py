"""What a game declares in its face, and what the kit makes of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, ValidationError
from textual.content import Content

from companion.gamekit import N_, Place, Snapshot, Thing, Translate
from companion.gamekit.screen import Face, Headline, Sight, Texts
from companion.gamekit.snapshot import OwnView, Player


class MoleTable(Struct, frozen=True):
    holes: int


class MoleBox(Struct, frozen=True):
    moles: tuple[str, ...]


class MoleHand(Struct, frozen=True):
    mole: str


def mole_word(box: MoleBox, fact: str, value: int | str, _: Translate) -> str | None:
    return f"mole {value}" if fact == "mole" and value in box.moles else None


class MoleFace(Face):
    view_type, box_type, own_type = MoleTable, MoleBox, MoleHand
    word = staticmethod(mole_word)
    rulings = {"M1": N_("There is nothing to undo.")}
    piece_words = {
        "hole": N_("{count:hole|holes}"),
        "mole": N_("{name}'s {mole}"),
        "mole king": N_("the king"),
        "hidden mole": N_("a mole of {name}"),
    }
    place_words = {"field": N_("field"), "hand": N_("{name}'s hand")}

    def headline(self, sight: Sight) -> Headline:
        return Headline(("dig",), "dig")


def seen(box: Any) -> Snapshot:
    return Snapshot(
        number=1,
        entry=1,
        evening="test",
        game="moles",
        players=(Player("Anna"), Player("Ben")),
        kit="none",
        options={},
        box=box,
        table={"holes": 3},
        awaiting=None,
    )


@pytest.fixture
def sight() -> Sight:
    return Sight(seen({"moles": ["gus"]}), MoleFace())


def test_a_face_reads_the_table_the_box_and_a_hand_into_the_types_that_it_names(sight: Sight) -> None:
    assert (sight.table, sight.box) == (MoleTable(3), MoleBox(("gus",)))
    assert sight.looked_at_by(OwnView("1", 0, 1, {"mole": "gus"})).own == MoleHand("gus")


def test_a_box_is_read_once_as_long_as_it_stays_the_same() -> None:
    face = MoleFace()
    first = Sight(seen({"moles": ["gus"]}), face).box
    assert Sight(seen({"moles": ["gus"]}), face).box is first
    assert Sight(seen({"moles": ["hana"]}), face).box == MoleBox(("hana",))


def test_a_box_that_cannot_be_read_says_so() -> None:
    with pytest.raises(ValidationError):
        Sight(seen({"moles": 3}), MoleFace())


@pytest.mark.parametrize(
    ("thing", "count", "words"),
    [
        (Thing("hole"), 1, "1 hole"),
        (Thing("hole"), 2, "2 holes"),
        (Thing("mole", "gus", 1), 1, "Ben's mole gus"),
        (Thing("mole", "stranger", 1), 1, "Ben's stranger"),
        (Thing("mole", "king", 1), 1, "the king"),
        (Thing("mole", "", 0), 1, "a mole of Anna"),
        (Thing("spade"), 2, "2 pieces"),
    ],
)
def test_pieces_have_the_words_of_their_kind(sight: Sight, thing: Thing, count: int, words: str) -> None:
    assert sight.face.thing(thing, count, sight) == words


@pytest.mark.parametrize("thing", [Thing("mole"), Thing("mole", "m1")])
def test_pieces_whose_words_name_an_owner_or_a_piece_that_is_unknown_are_counted(sight: Sight, thing: Thing) -> None:
    assert sight.face.thing(thing, 3, sight) == "3 pieces"


def test_places_have_the_words_of_their_kind_and_an_unknown_one_is_named_by_it(sight: Sight) -> None:
    places = (Place("field"), Place("hand", 1), Place("burrow"))
    assert [sight.face.place(place, sight) for place in places] == ["field", "Ben's hand", "burrow"]


def test_the_rules_are_beside_the_catalogues_and_are_told_paragraph_by_paragraph(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("Dig.\n\nThere is nothing to undo.\n", encoding="utf-8")
    face = MoleFace()
    assert face.rules() == ""
    face.texts = Texts(tmp_path / "locale")
    assert face.rules() == "Dig.\n\nThere is nothing to undo."


def test_wide_lines_are_folded_on_a_phone(sight: Sight) -> None:
    class WideFace(MoleFace):
        def panels(self, sight: Sight, width: int, tall: bool) -> Sequence[Content]:
            return [Content("Anna\n" + "mole " * 10), Content("one line")]

    wide, short = WideFace().phone_panels(sight, 24)
    assert [line.rstrip() for line in wide.plain.split("\n")] == ["Anna", *["mole mole mole mole mole"] * 2]
    assert short.plain == "one line"


def test_a_ruling_is_found_by_its_number() -> None:
    assert (MoleFace().ruling("M1"), MoleFace().ruling("M2")) == ("There is nothing to undo.", "")


def test_a_game_without_rows_and_columns_has_no_grids(sight: Sight) -> None:
    assert tuple(MoleFace().grids(sight)) == ()

"""How facts become words in a sentence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from msgspec import Struct

from companion.gamekit.catalogues import read_catalogue, updated, write
from companion.gamekit.game_texts import Text
from companion.language.facts import Facts
from companion.language.screen_language import Texts, load, speak
from companion.language.wording import ENGLISH, MISFITS, Language, counted, filled, numeral, say

SENTENCES = {"takes": "{seat} takes {cards}", "scores": "Points: {points}", "bid": "Laid: {stones}"}


class Line(Struct, frozen=True):
    what: str
    facts: dict[str, Any]


def said(what: str, language: Language = ENGLISH, **facts: Any) -> str:
    return say(Line(what, facts), SENTENCES, ("Anna", "Ben"), language)


def test_equal_words_in_a_list_are_counted_and_stand_where_the_first_one_stood() -> None:
    assert said("takes", seat=0, cards=("deer", "bear", "deer", "deer")) == "Anna takes 3 × deer and bear"
    assert said("takes", seat=0, cards=("bear", "bear")) == "Anna takes 2 × bear"


def test_where_the_order_says_something_equal_words_stand_each_in_its_place() -> None:
    line = Line("shows", {"tiles_in_order": ("curve", "end", "curve")})
    assert say(line, {"shows": "A row: {tiles_in_order}"}, ()) == "A row: curve, end and curve"


def test_words_that_differ_are_listed_as_they_are() -> None:
    assert said("takes", seat=1, cards=("deer", "bear", "bison")) == "Ben takes deer, bear and bison"
    assert said("takes", seat=1, cards=("deer",)) == "Ben takes deer"
    assert said("takes", seat=1, cards=()) == "Ben takes nothing"


def test_numbers_are_not_counted_for_each_has_its_place() -> None:
    assert said("scores", points=(4, 4, 2)) == "Points: 4, 4 and 2"


def test_words_are_counted_in_every_language() -> None:
    assert said("bid", load("de"), stones=("x", "x", "y")) == "Laid: 2 × x und y"


def test_the_command_line_counts_in_english() -> None:
    assert [counted(number, "tag") for number in (0, 1, 2)] == ["0 tags", "1 tag", "2 tags"]
    assert [counted(number, "tag lies", "tags lie") for number in (1, 2)] == ["1 tag lies", "2 tags lie"]


# --- A language with three forms ------------------------------------------------------------------------------

DIGS = "{seat} digs {holes:hole|holes||nothing}"
COUNTS = ((1, "1 jama"), (2, "2 jamy"), (4, "4 jamy"), (5, "5 jam"), (12, "12 jam"), (22, "22 jamy"), (0, "0 jam"))


@pytest.fixture
def polish(tmp_path: Path) -> Iterator[Texts]:
    """One hole, two holes and five holes: three forms. The catalogue numbers them by itself."""
    texts = [Text("0", many="1"), Text("{count:hole|holes}"), Text(DIGS)]
    catalogue = updated(read_catalogue(tmp_path, "pl"), texts)
    assert catalogue.num_plurals == 3
    _translate(catalogue, "{count:hole|holes}", "{count:jama|jamy|jam}")
    _translate(catalogue, DIGS, "{seat}: {holes:jama|jamy|jam||nic}")
    write(catalogue, tmp_path, "pl")
    speak("pl")
    yield Texts(tmp_path)
    speak("en")


def _translate(catalogue: Catalog, text: str, words: str) -> None:
    entry = catalogue.get(text)
    assert entry is not None
    entry.string = words


@pytest.mark.parametrize(("count", "words"), COUNTS)
def test_a_text_has_as_many_forms_as_its_language(polish: Texts, count: int, words: str) -> None:
    assert polish.text("{count:hole|holes}", count=count) == words


@pytest.mark.parametrize(("count", "words"), COUNTS[:-1])
def test_a_noun_in_a_sentence_has_as_many_forms_as_its_language(polish: Texts, count: int, words: str) -> None:
    assert _dug(count, polish.language()) == f"Anna: {words}"
    assert _dug(("mole",) * count, polish.language()) == f"Anna: {words}"


def test_none_has_its_own_words_in_every_language(polish: Texts) -> None:
    assert _dug(0, polish.language()) == "Anna: nic"
    assert _dug(0, ENGLISH) == "Anna digs nothing"


def test_an_english_sentence_without_a_translation_never_lacks_a_noun(polish: Texts) -> None:
    line = Line("scores", {"points": 5})
    assert say(line, {"scores": "{points:point|points}"}, (), polish.language()) == "5 points"


def _dug(holes: int | tuple[str, ...], language: Language) -> str:
    return say(Line("digs", {"seat": 0, "holes": holes}), {"digs": DIGS}, ("Anna",), language)


def test_negative_numbers_have_a_minus_sign_and_no_hyphen() -> None:
    assert numeral(-3) == "−3"
    assert numeral(3) == "3"
    facts: Facts = {"points": -1, "values": (-2, 3), "darwin": -4}
    assert filled("{points:point|points}, {values}, {darwin}", facts) == "−1 points, −2 and 3, −4"


def test_a_fact_that_begins_with_seat_names_a_player() -> None:
    assert filled("{seat_offering}'s tile", {"seat_offering": 1}, players=("Anna", "Ben")) == "Ben's tile"


# --- Texts in the code ----------------------------------------------------------------------------------------


def test_a_text_is_translated_and_filled_in_at_once() -> None:
    names = ("Anna", "Ben")
    assert ENGLISH.text("{names}: {count:stone|stones||no stones}, {sum}", names=names, count=0, sum=-3) == (
        "Anna and Ben: no stones, −3"
    )
    assert load("de").text("{name}'s pad", name="Anna") == "Annas Pad"
    assert load("de").text("{names}", names=names) == "Anna und Ben"


def test_a_text_shows_its_words_as_they_are_however_long() -> None:
    assert ENGLISH.text("Undone: {what}", what="x" * 500) == "Undone: " + "x" * 500


def test_a_text_without_facts_keeps_its_braces() -> None:
    assert ENGLISH.text("Holes: {ground}") == "Holes: {ground}"


def test_a_fact_that_a_text_lacks_stays_in_its_braces_and_is_remembered() -> None:
    assert ENGLISH.text("{seet} digs in the {ground}", ground="lawn") == "{seet} digs in the lawn"
    assert MISFITS.pop("{seet} digs in the {ground}").lacks == ("seet",)

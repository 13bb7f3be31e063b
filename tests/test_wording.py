"""How facts become words in a sentence."""

from typing import Any

from msgspec import Struct

from companion.screen.text import load
from companion.wording import ENGLISH, Language, say

SENTENCES = {"takes": "{seat} takes {cards}", "scores": "Points: {points}", "bid": "Laid: {stones}"}


class Line(Struct, frozen=True):
    what: str
    facts: dict[str, Any]


def said(what: str, language: Language = ENGLISH, **facts: Any) -> str:
    return say(Line(what, facts), SENTENCES, ("Anna", "Ben"), language)


def test_equal_words_in_a_list_are_counted_and_stand_where_the_first_one_stood() -> None:
    assert said("takes", seat=0, cards=("deer", "bear", "deer", "deer")) == "Anna takes 3 × deer and bear"
    assert said("takes", seat=0, cards=("bear", "bear")) == "Anna takes 2 × bear"


def test_words_that_differ_are_listed_as_they_are() -> None:
    assert said("takes", seat=1, cards=("deer", "bear", "bison")) == "Ben takes deer, bear and bison"
    assert said("takes", seat=1, cards=("deer",)) == "Ben takes deer"
    assert said("takes", seat=1, cards=()) == "Ben takes nothing"


def test_numbers_are_not_counted_for_each_has_its_place() -> None:
    assert said("scores", points=(4, 4, 2)) == "Points: 4, 4 and 2"


def test_words_are_counted_in_every_language() -> None:
    assert said("bid", load("de"), stones=("x", "x", "y")) == "Laid: 2 × x und y"

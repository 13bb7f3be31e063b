"""Every Darwin can be recounted at the table from nothing but the sentence that tells it, in every language."""

import re
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings

from companion.gamekit import discovery
from companion.gamekit.game import Part
from companion.games.darwinci.rules import GAME
from companion.language.screen_language import LANGUAGES, load
from companion.language.wording import say

from .test_properties import play, seeds, setups

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")
SUM = re.compile(r"(−?\d+)[^;]*? × (−?\d+)[^;]*? = (−?\d+) Darwin")
TILE = re.compile(r"\D*?(?P<value>−?\d+)?(?: \((?:(?P<count>\d+) × )?(?P<shown>\D+)\))?")


def number(text: str) -> int:
    return int(text.replace("−", "-"))


def tiles(sentence: str) -> list[dict[str, str | None]]:
    """The tiles between the colon and the semicolon: value, and what is counted on them."""
    (listed,) = re.findall(r": ([^;]*);", sentence)
    found = [TILE.fullmatch(item) for item in re.split(", | and | und ", listed)]
    assert None not in found, listed
    return [match.groupdict() for match in found if match]


def recounted_jewels(sentence: str) -> tuple[int, int]:
    line = tiles(sentence)
    symbols = sum(int(tile["count"] or 1) for tile in line if tile["shown"])
    return symbols, sum(number(tile["value"] or "0") for tile in line)


def recounted_creature(sentence: str, end: str) -> tuple[int, int]:
    (listed,) = re.findall(r": ([^;]*);", sentence)
    several = sum(int(count) - 1 for count in re.findall(rf"(\d+) × {end}", listed))
    return len(tiles(sentence)), listed.count(end) + several


def recount(part: Part, sentence: str, end: str) -> int:
    """What hands make of a sentence."""
    if part.rule in ("D14", "D15"):
        one, other, points = map(number, SUM.findall(sentence)[0])
        again = recounted_creature(sentence, end) if part.rule == "D14" else recounted_jewels(sentence)
        assert (one, other) == again, sentence
        assert one * other == points, sentence
    return number(re.findall(r"−?\d+", sentence)[-1])


@pytest.mark.parametrize("code", LANGUAGES)
@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_every_payment_is_recounted_from_its_sentence_alone(code, setup, seed):
    *_, (_, _, last) = play(setup, Random(seed))
    language = load(code, discovery.locale_folder("darwinci"))
    end = language.text("end piece")
    for score in GAME.scores(last.state):
        told = [
            (part, say(part, GAME.sentences, NAMES, language, partial(GAME.word, setup.box))) for part in score.parts
        ]
        for part, sentence in told:
            assert NAMES[score.seat] in sentence
            assert recount(part, sentence, end) == part.points, sentence
        assert sum(recount(part, sentence, end) for part, sentence in told) == last.state.money[score.seat]

"""Every point can be recounted at the table from nothing but the sentences of the result, in every language."""

import re
from collections import Counter
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings

from companion.gamekit import discovery
from companion.games.carnuta.components import SALT
from companion.games.carnuta.rules import GAME
from companion.games.carnuta.sentences import ingredient as one
from companion.games.carnuta.sentences import several
from companion.language.screen_language import LANGUAGES, load
from companion.language.wording import say

from .test_properties import play, seeds, setups

NAMES = ("Anna", "Ben", "Cleo", "Dora")
CARD = re.compile(r"\w+ \((?P<points>\d+)(?: \w+ (?P<needs>[^)]*))?\)(?: × (?P<sets>\d+) = (?P<earned>\d+))?")


def recounted_symbols(sentence: str) -> int:
    """The sources between the colon and the semicolon, added up."""
    sources, together = re.findall(r": (.*); \w+ (\d+)(?:$|,)", sentence)[0]
    counts = [int(count) for count in re.findall(r"(?:^|, | and | und )(\d+) ", sources)]
    assert sum(counts) == int(together), sentence
    return int(together)


def recounted_column(sentence: str, symbols: dict[str, int]) -> int:
    """Card after card: its points, or its points for each set that the symbols make."""
    cards = re.findall(r": (.*?);", sentence)[0]
    total = 0
    for card in CARD.finditer(cards):
        sets = 1
        if card["needs"]:
            kinds: Counter[str] = Counter()
            for need in card["needs"].split(" + "):
                count, kind = need.split() if need[0].isdigit() else ("1", need)
                kinds[kind] += int(count)
            sets = max(
                number
                for number in range(99)
                if sum(max(0, number * need - symbols[kind]) for kind, need in kinds.items()) <= symbols[SALT]
            )
            assert (sets, sets * int(card["points"])) == (int(card["sets"]), int(card["earned"])), sentence
        total += sets * int(card["points"])
    return total


@pytest.mark.parametrize("code", LANGUAGES)
@settings(max_examples=10, deadline=None)
@given(setups, seeds)
def test_every_line_of_the_sheet_is_recounted_from_its_sentences_alone(code, setup, seed):
    *_, (_, _, last) = play(setup, Random(seed))
    language = load(code, discovery.locale_folder("carnuta"))
    speak = partial(say, sentences=GAME.sentences, players=NAMES, language=language, word=partial(GAME.word, setup.box))
    for score in GAME.scores(last.state):
        symbols = {SALT: 0}
        for note in score.notes:
            kind = str(note.facts["ingredient"])
            count = recounted_symbols(speak(note))
            symbols |= dict.fromkeys(
                [kind] if kind == SALT else [one(kind, language.text), several(kind, language.text)], count
            )
        for part in score.parts:
            sentence = speak(part)
            assert NAMES[score.seat] in sentence
            assert recounted_column(sentence, symbols) == part.points, sentence
            assert int(re.findall(r"\d+", sentence)[-1]) == part.points, sentence

"""The catalogues: every text is translated, and a translation keeps what the text promises."""

import string
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog, Message

from companion import games
from companion.arguments import parser
from companion.games.game import Ruling
from companion.games.lascaux import words
from companion.games.lascaux.components import parse_box, standin
from companion.screen.face import FACES
from companion.screen.text import LANGUAGES, load, preferred
from companion.wording import ENGLISH, say
from tools import catalogues
from tools.catalogues import TextError, compiled, entries, in_source, po_path, read_catalogue, strings, texts

NOTICE_CELLS = 2 * 60
"""A complaint has two rows on the small screen, with five players; words do not fill a row to its end."""


@pytest.fixture(params=catalogues.LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def catalogue(language: str) -> Catalog:
    return read_catalogue(language)


def messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def forms(sentence: str) -> dict[str, int]:
    """The facts in a sentence, and how many nouns each has: {"seat": 0, "stones": 2}."""
    return {
        name: len(nouns.split("|")) if nouns else 0
        for _, name, nouns, _ in string.Formatter().parse(sentence)
        if name is not None
    }


# --- The catalogue --------------------------------------------------------------------------------------------


def test_every_language_but_english_has_a_catalogue() -> None:
    assert set(LANGUAGES) == {ENGLISH.code, *catalogues.LANGUAGES}


def test_every_text_of_every_game_and_of_the_screen_is_translated(catalogue: Catalog) -> None:
    known = {(message.context or "", message.id[0] if message.pluralizable else message.id) for message in catalogue}
    assert [text for text in texts() if (text.context, text.message) not in known] == []


def test_no_translation_is_empty_or_uncertain(catalogue: Catalog) -> None:
    assert [message.id for message in messages(catalogue) if message.fuzzy or not all(strings(message))] == []


def test_a_translation_has_the_facts_and_the_nouns_of_its_text(catalogue: Catalog) -> None:
    for message in messages(catalogue):
        originals = message.id if isinstance(message.id, tuple) else (message.id,)
        for original, translated in zip(originals, strings(message), strict=True):
            assert forms(original) == forms(translated), message.id


def test_the_compiled_catalogue_is_up_to_date(language: str, catalogue: Catalog) -> None:
    assert entries(po_path(language).with_suffix(".mo").read_bytes()) == entries(compiled(catalogue))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", FACES)
def test_every_sentence_of_a_game_that_a_screen_can_show_fits_into_a_notice(game: str, code: str) -> None:
    for sentence in games.find(game).sentences.values():
        text = load(code).text(sentence)
        longest = text.format_map({name: _Longest(name) for name in forms(text)})
        assert len(longest) <= NOTICE_CELLS, longest


NUMBERS = (
    *("number", "last", "x", "y", "degrees", "points", "value", "count", "sum", "darwin", "stones", "money", "so_far"),
)
"""Facts that are numbers."""


class _Longest(str):
    """A fact about as long as it gets in a refusal."""

    def __format__(self, nouns: str) -> str:
        if nouns:
            return f"12 {nouns.split('|')[1]}"
        return {"card": "Auerochs braun/gelb", **dict.fromkeys(NUMBERS, "270")}.get(str(self), "Benedikta")


# --- Collecting the texts -------------------------------------------------------------------------------------


def test_texts_are_found_with_their_context_and_their_plural() -> None:
    source = """
_("one")
_("two", "big")
plural("{count} a", "{count} b", 3)
language.text("four")
other.text("no")
"""
    found = [(text.message, text.context, text.many) for text in in_source(source, "x.py")]
    assert found == [("one", "", ""), ("two", "big", ""), ("{count} a", "", "{count} b"), ("four", "", "")]


@pytest.mark.parametrize("source", ["_(message)", "_('a' + b)", "_(f'{a}')", "plural(one, many, 2)"])
def test_a_text_that_is_put_together_cannot_be_translated(source: str) -> None:
    with pytest.raises(TextError):
        list(in_source(source, "x.py"))


# --- Sentences ------------------------------------------------------------------------------------------------

BOX = parse_box(standin(), "the stand-in")
NAMES = ("Anna", "Ben", "Cleo")


def said(what: str, code: str, **facts: object) -> str:
    ruling = Ruling(None, what, facts)  # type: ignore[arg-type]
    return say(ruling, words.SENTENCES, NAMES, load(code), lambda *fact: words.word(BOX, *fact))


def test_cards_animals_and_colours_are_words_in_both_languages() -> None:
    cards = ("mammoth-brown-green", "goat-pink-blue", "deer-brown-white")
    facts = {"seat": 0, "colour": "brown", "cards": cards}
    english = "Anna reveals brown and takes mammoth brown/green, goat pink/blue and deer brown/white"
    german = "Anna deckt braun auf und nimmt Mammut braun/grün, Ziege rosa/blau und Hirsch braun/weiß"
    assert (said("takes", "en", **facts), said("takes", "de", **facts)) == (english, german)


def test_the_most_of_an_animal_is_more_than_one() -> None:
    facts = {"seat": 1, "animal": "goat", "cards": 5, "seats": (0, 2)}
    assert said("has the most", "en", **facts) == "Ben has the most goats: 5 cards"
    assert said("has the most", "de", **facts) == "Ben hat die meisten Ziegen: 5 Karten"
    assert said("tied for the most", "de", **facts) == "Ben hat mit Anna und Cleo die meisten Ziegen: je 5 Karten"


@pytest.mark.parametrize(
    ("stones", "english", "german"),
    [
        (0, "Cleo passes and takes no stones", "Cleo passt und nimmt keine Steine"),
        (1, "Cleo passes and takes 1 stone", "Cleo passt und nimmt 1 Stein"),
        (4, "Cleo passes and takes 4 stones", "Cleo passt und nimmt 4 Steine"),
    ],
)
def test_numbers_have_their_nouns(stones: int, english: str, german: str) -> None:
    facts = {"seat": 2, "stones": stones}
    assert (said("passes", "en", **facts), said("passes", "de", **facts)) == (english, german)


def test_names_that_nobody_knows_are_shown_as_they_are() -> None:
    assert said("takes nothing", "de", seat=0, colour="türkis") == "Anna deckt türkis auf und geht leer aus"
    assert said("draws", "de", seat=0, card="my card") == "Anna zieht my card"
    assert said("has chosen", "de", seat=7) == "Platz 7 hat gewählt"


def test_what_has_no_sentence_is_shown_by_its_id_also_in_german() -> None:
    assert said("{odd", "de") == "{odd"
    assert load("de").text("") == ""


# --- Which language -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": "de_CH.UTF-8"}, "de"),
        ({"LANGUAGE": "fr:de:en", "LC_ALL": "C"}, "de"),
        ({"LANGUAGE": "", "LANG": "de_DE"}, "de"),
    ],
)
def test_the_system_says_which_language_is_read(environment: dict[str, str], code: str) -> None:
    assert preferred(environment) == code


@pytest.mark.parametrize("verb", ["play", "demo", "screen", "resume"])
def test_the_command_line_names_a_language(verb: str) -> None:
    assert parser().parse_args([verb, "--language", "de"]).language == "de"
    assert parser().parse_args([verb]).language is None

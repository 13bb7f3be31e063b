"""The catalogues: every text is translated, and a translation keeps what the text promises."""

import os
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from companion.cli import read
from companion.enrolment.course import Course, finish, standing
from companion.gamekit import discovery
from companion.gamekit.catalogues import read_catalogue, strings, unfinished, updated, write
from companion.gamekit.enrolment import BIG
from companion.gamekit.game import Ruling
from companion.gamekit.game_texts import Text, TextError, in_source, of_game
from companion.gamekit.parts import texts_of
from companion.games.lascaux import sentences
from companion.games.lascaux.components import parse_box, standin
from companion.language.po_file import read_po
from companion.language.screen_language import (
    LANGUAGES,
    LOCALE,
    OWN_TEXTS,
    claimed,
    language_name,
    load,
    po_path,
    preferred,
)
from companion.language.wording import ENGLISH, say
from tests import moles
from tools.catalogues import of_companion, own_games

NOTICE_CELLS = 2 * 60
"""A complaint has two rows on the small screen, with five players; words do not fill a row to its end."""
OWNERS = ("companion", *own_games())
"""The packages that have a catalogue of their own."""


def folder_of(owner: str) -> Path:
    folder = LOCALE if owner == "companion" else discovery.locale_folder(owner)
    assert folder is not None
    return folder


@pytest.fixture(params=OWNERS)
def owner(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=claimed(LOCALE))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def catalogue(owner: str, language: str) -> Catalog:
    return read_catalogue(folder_of(owner), language)


def messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def forms(sentence: str) -> dict[str, int]:
    """The facts in a sentence, and how many nouns each has: {"seat": 0, "stones": 2}."""
    return {
        name: len(nouns.partition("||")[0].split("|")) if nouns else 0
        for _, name, nouns, _ in string.Formatter().parse(sentence)
        if name is not None
    }


def has_words_for_none(sentence: str) -> set[str]:
    return {str(name) for _, name, nouns, _ in string.Formatter().parse(sentence) if "||" in (nouns or "")}


# --- The catalogues -------------------------------------------------------------------------------------------


def test_the_house_and_every_game_that_ships_speak_every_language() -> None:
    assert {code: language_name(code) for code in LANGUAGES} == {"en": "English", "de": "Deutsch"}
    assert {name: texts_of(name).languages for name in own_games()} == dict.fromkeys(own_games(), OWN_TEXTS.languages)


def test_every_text_of_companion_and_of_every_game_is_translated_and_no_other(owner: str, catalogue: Catalog) -> None:
    known = {(message.context or "", message.id[0] if message.pluralizable else message.id) for message in catalogue}
    collected = of_companion() if owner == "companion" else of_game(owner)
    assert {(text.context, text.message) for text in collected} == known - {("", "")}


def test_no_translation_is_empty_or_uncertain(catalogue: Catalog) -> None:
    assert unfinished(catalogue) == []


def test_a_translation_has_the_facts_of_its_text_and_the_nouns_of_its_language(catalogue: Catalog) -> None:
    for message in messages(catalogue):
        originals = message.id if isinstance(message.id, tuple) else (message.id,)
        english = forms(originals[-1])
        assert set(english.values()) <= {0, 2}, message.id
        for translated in strings(message):
            nouns = {name: catalogue.num_plurals if count else 0 for name, count in english.items()}
            assert forms(translated) == nouns, message.id
            assert has_words_for_none(translated) == has_words_for_none(originals[-1]), message.id


def test_a_screen_finds_every_translation_that_its_translator_wrote(
    owner: str, language: str, catalogue: Catalog
) -> None:
    """What we read of a catalogue is what Babel reads."""
    found = read_po(po_path(folder_of(owner), language))
    for message in messages(catalogue):
        if message.pluralizable:
            one, many = message.id[0], message.id[1]
            forms_found = {found.ngettext(one, many, count) for count in range(200)}
            assert forms_found == {*strings(message)}
        else:
            known = found.pgettext(message.context, message.id) if message.context else found.gettext(message.id)
            assert (known,) == strings(message)


def test_a_catalogue_numbers_the_plural_forms_of_its_language(catalogue: Catalog) -> None:
    numbered = catalogue.get(("0", "1"))
    assert numbered is not None
    assert strings(numbered) == tuple(str(number) for number in range(catalogue.num_plurals))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", own_games())
def test_every_sentence_of_a_game_that_a_screen_can_show_fits_into_a_notice(game: str, code: str) -> None:
    for sentence in discovery.find(game).sentences.values():
        text = load(code, folder_of(game)).text(sentence)
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


@pytest.mark.parametrize("game", own_games())
def test_whatever_an_enrolment_asks_is_among_the_texts_of_its_game(game: str) -> None:
    collected = {(text.context, text.message) for text in of_game(game)}
    course, asked = Course(game, discovery.find(game).standin()), set()
    while step := standing(course).next:
        asked |= {(BIG, step.title), ("", step.sentence), *(("", field.label) for field in step.fields)}
        after = finish(course, step.values)
        assert isinstance(after, Course)
        course = after
    facts_alone = {(context, text) for context, text in asked if not _letters(text)}
    assert asked - facts_alone <= collected


def _letters(text: str) -> str:
    """What is there to translate beside the facts."""
    return "".join(before for before, *_ in string.Formatter().parse(text)).strip()


# --- Collecting the texts -------------------------------------------------------------------------------------


def test_texts_are_found_with_their_context_and_without_their_facts() -> None:
    source = """
_("one")
_("two", "big")
_("{count:a|b}", count=3)
N_("four", "big")
other.text("no")
"""
    found = [(text.message, text.context, text.many) for text in in_source(source, "x.py")]
    assert found == [("one", "", ""), ("two", "big", ""), ("{count:a|b}", "", ""), ("four", "big", "")]


@pytest.mark.parametrize("source", ["_(message)", "_('a' + b)", "_(f'{a}')", "N_(message)"])
def test_a_text_that_is_put_together_cannot_be_translated(source: str) -> None:
    with pytest.raises(TextError):
        list(in_source(source, "x.py"))


def test_a_known_translation_is_taken_over_and_an_unused_one_goes() -> None:
    before, other = Catalog("de"), Catalog("de")
    before.add("old", "alt")
    before.add("mine", "meins")
    other.add("mine", "ihrs")
    other.add(("{count} a", "{count} b"), ("{count} A", "{count} B"))
    texts = [Text("mine"), Text("{count} a", many="{count} b"), Text("new")]
    after = updated(before, texts, [other])
    assert {_first(message): strings(message) for message in messages(after)} == {
        "mine": ("meins",),
        "{count} a": ("{count} A", "{count} B"),
        "new": ("",),
    }


def _first(message: Message) -> str:
    return str(message.id[0] if message.pluralizable else message.id)


# --- A third-party game -------------------------------------------------------------------------------------------


def collect(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As its author would, with the game installed."""
    command = [sys.executable, "-m", "companion.gamekit.catalogues", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


def test_a_stranger_collects_the_texts_of_their_game_and_translates_them(tmp_path: Path) -> None:
    folder = moles.install(tmp_path)
    assert "no catalogue yet" in collect(tmp_path, "moles").stdout
    told = collect(tmp_path, "moles", "pl")
    assert (told.returncode, told.stderr) == (0, "")
    assert "30 texts, 29 to be translated" in told.stdout
    catalogue = read_catalogue(folder, "pl")
    assert {_first(message) for message in messages(catalogue)} >= {"0", "Ground", "Holes: {ground}", "mole", "pass"}
    dug = catalogue.get("{seat} digs {holes:hole|holes||nothing}")
    assert dug is not None
    dug.string = "{seat} kopie {holes:jamę|jamy|jam||nic}"
    write(catalogue, folder, "pl")
    assert "30 texts, 28 to be translated" in collect(tmp_path, "moles").stdout
    assert claimed(folder) == ("pl",)
    assert load("pl", folder).text("{seat} digs {holes:hole|holes||nothing}") == dug.string


@pytest.mark.parametrize(
    ("arguments", "says"), [((), "name a game"), (("chess",), "there is no game 'chess'; Companion knows")]
)
def test_what_is_wrong_with_the_command_is_said(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    told = collect(tmp_path, *arguments)
    assert told.returncode == 2
    assert says in told.stderr


def test_a_game_without_a_language_of_the_house_is_shown_in_english_among_its_words(tmp_path: Path) -> None:
    german = load("de", moles.install(tmp_path))
    assert german.text("{seat} digs {holes:hole|holes||nothing}") == "{seat} digs {holes:hole|holes||nothing}"
    assert german.text("There is nothing to undo.") == "Es gibt nichts rückgängig zu machen."


def test_a_language_without_a_catalogue_is_english() -> None:
    assert load("eo") is ENGLISH


# --- Sentences ------------------------------------------------------------------------------------------------

BOX = parse_box(standin(), "the stand-in")
NAMES = ("Anna", "Ben", "Cleo")


def said(what: str, code: str, **facts: object) -> str:
    ruling = Ruling(None, what, facts)  # type: ignore[arg-type]
    return say(
        ruling, sentences.SENTENCES, NAMES, load(code, folder_of("lascaux")), lambda *fact: sentences.word(BOX, *fact)
    )


def test_cards_animals_and_colours_are_words_in_both_languages() -> None:
    cards = ("mammoth-brown-green", "goat-pink-blue", "deer-brown-white")
    facts = {"seat": 0, "colour": "brown", "cards": cards}
    english = "Anna reveals brown and takes mammoth brown/green, goat pink/blue and deer brown/white"
    german = "Anna deckt braun auf und nimmt Mammut braun/grün, Ziege rosa/blau und Hirsch braun/weiß"
    assert (said("takes", "en", **facts), said("takes", "de", **facts)) == (english, german)


def test_the_most_of_an_animal_is_more_than_one() -> None:
    facts = {"seat": 1, "animal": "goat", "cards": 5, "seats": (0,), "seats_all": (0, 1, 2), "counts": (5, 5, 1)}
    all_players = "Anna, Ben und Cleo haben 5, 5 und 1"
    assert said("has the most", "en", **facts) == (
        "Ben has the most goats, 5 cards: Anna, Ben and Cleo have 5, 5 and 1"
    )
    assert said("has the most", "de", **facts) == f"Ben hat die meisten Ziegen, 5 Karten: {all_players}"
    assert said("tied for the most", "de", **facts) == f"Ben hat mit Anna die meisten Ziegen, 5 Karten: {all_players}"


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


def test_unknown_names_are_shown_as_they_are() -> None:
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
    for code in LANGUAGES:
        assert read([verb, "--language", code]).language == code
    assert read([verb]).language is None

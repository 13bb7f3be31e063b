"""Carnuta in words: all of it is German, no id is told, points and pieces have names, and names do no harm."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from companion.gamekit.game import Place, Thing
from companion.games.carnuta.screen.face import FACE
from companion.language.screen_language import speak
from companion.messages.intentions import Undo
from companion.screen.screens.table_screen import TableScreen
from tests.games.carnuta.screen.evening import (
    ENGLISH,
    GAME,
    LARGE,
    MOMENTS,
    SMALL,
    begun,
    likely,
    phase,
    plain,
    play,
    refereed_table,
    screen,
)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_all_of_it_is_german_at_any_moment(size: tuple[int, int]) -> None:
    async def story() -> None:
        chance, asked = Random(6), set[str]()
        with refereed_table(3) as at:
            async with screen(at, size, language="de") as tonight:
                for moment in MOMENTS.values():
                    await tonight.skip(moment, chance)
                    assert ENGLISH.findall(tonight.text()) == []
                    for command in FACE.commands():
                        actions = command.of(tonight.sight) if tonight.sight else ()
                        if len(actions) > 1 and command.do not in asked and size == SMALL:
                            asked.add(command.do)
                            await tonight.press(command.keys[0])
                            assert ENGLISH.findall(tonight.text()) == []
                            await tonight.press("escape")
        assert size == LARGE or {"start", "deal", "take", "flip", "sickle", "bonus", "discard"} <= asked

    play(story)


def test_the_whole_history_of_a_game_is_told_without_an_id_in_both_languages() -> None:
    chance, last = Random(8), 0
    with refereed_table(3) as at:
        while at.state.phase != "over":
            at.do(plain(likely(at.state, chance)))
            sight = at.sight()
            fresh = [line for line in sight.snapshot.history if line.number > last]
            last = fresh[-1].number
            for line in fresh:
                speak("de")
                assert not ENGLISH.search(sight.say(line))
                speak("en")
                assert not re.search(r"[a-z]-\d", sight.say(line))


def test_the_result_says_for_every_card_which_sets_made_its_points() -> None:
    with refereed_table(2) as at:
        at.wander(phase("over"), 1)
        sight = at.sight()
        for score in sight.snapshot.scores:
            for part in score.parts:
                lines = FACE.grounds(sight, part)
                assert len(lines) == len(part.facts["cards"])  # type: ignore[arg-type]
                assert sum(int(re.findall(r"= (\d+) point", line)[0]) for line in lines) == part.points
                sentence = sight.say(part)
                assert all(card.ingredient in sentence for card in sight.box.cards if card.id in part.facts["cards"])  # type: ignore[operator]


def test_what_an_undo_moves_has_words_in_both_languages() -> None:
    async def story() -> None:
        with refereed_table(2) as at:
            at.do(*begun(), {"do": "sickle", "seat": 0, "row": "moon"})
            async with screen(at, language="de") as tonight:
                await tonight.press("u", "j")
                await tonight.until(lambda: any(isinstance(each, Undo) for each in tonight.process.heard))
                await tonight.settle()
                text = tonight.text()
                assert "1 Sichel: Schachtel → Sicheln von Anna" in text
                assert "Ablage (Mond) → Auslage (Mond)" in text
                assert ENGLISH.findall(text) == []

    play(story)


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_piece_and_every_place_has_words(code: str) -> None:
    speak(code)
    with refereed_table(2) as at:
        at.wander(phase("bonus"), 1)
        sight = at.sight()
        for thing, place in GAME.whereabouts(at.state):
            words = f"{FACE.thing(thing, 2, sight)} {FACE.place(place, sight)}"
            assert not re.search(r"[a-z]-\d|\{", words)
            if code == "de":
                assert not ENGLISH.search(words)
        assert FACE.thing(Thing("pebble"), 2, sight)
        assert FACE.place(Place("under the table"), sight)


def test_hostile_names_do_no_harm() -> None:
    async def story() -> None:
        names = ("[@click=app.quit]x[/]", "[/b]\x1b[31m\nB")
        with refereed_table(2, names=names) as at:
            at.do(*begun())
            async with screen(at) as tonight:
                for keys in (("c", "escape"), ("u", "n"), ("h", "escape"), ("f1", "escape"), ("m", "escape")):
                    await tonight.press(*keys)
                assert "[/b]" in tonight.text()
                assert "\x1b" not in tonight.text()

    play(story)


def test_what_has_no_button_on_the_small_screen_is_behind_more() -> None:
    async def story() -> None:
        with refereed_table(2) as at:
            at.do(*begun())
            async with screen(at) as tonight:
                assert "q Quit" not in tonight.text()
                await tonight.click("More")
                assert "F1 Help" in tonight.text()
                await tonight.press("f1")
                assert "cannot be paid" in tonight.text(), "the help begins with the signs"
                await tonight.press("escape")
                await tonight.click("More")
                await tonight.click("Help")
                assert "cannot be paid" in tonight.text()
                await tonight.press("escape")
                assert isinstance(tonight.app.screen, TableScreen)
            async with screen(at, LARGE) as tonight:
                assert "q Quit" not in tonight.text()
                await tonight.click("More")
                await tonight.click("Quit")
                assert "Quit" in tonight.text()

    play(story)

"""German and English: switched at any moment, everything that can be seen follows, and nothing is lost."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len
from textual.widgets import Button, OptionList

from companion.gamekit.game import Move, Place, Thing
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.screen.letters import big
from companion.gamekit.snapshot import Question, Snapshot, StationState, Told
from companion.language.screen_language import LANGUAGES, speak, speaking
from companion.messages.protocol import Fault
from companion.screen import app
from companion.screen.app import CompanionApp
from companion.screen.screens.handover import Secret
from companion.screen.screens.question_dialogs import QuestionDialog
from companion.screen.screens.table_screen import TableScreen
from tests.ours import GAMES
from tests.screen.games import positions, seen
from tests.screen.table import IDS, LARGE, SMALL, Evening, choosing, drawing, evening, over, snapshot, table, words_on

FIVE = ("Anna", "Benedikta", "Cleo", "Dora", "Emil")
STONE_BACK = Move(Thing("stone"), 1, Place("pot"), Place("supply", 0))
SIZES = pytest.mark.parametrize("size", [SMALL, LARGE])
ENGLISH = re.compile(
    r"\b(the|and|stone|stones|pass|passes|choose|draw|deck|pot|round|pile|help|undo|why|quit|lay|lays|still|game)\b",
    re.IGNORECASE,
)


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def asked(kind: str = "undo") -> Question:
    facts = {"number": 1, "kind": kind, "agreed": (1,), "missing": (0, 2)}
    return msgspec.convert({**facts, "moves": (msgspec.to_builtins(STONE_BACK),)}, Question)


def full(**changed: object) -> Snapshot:
    """Five players, seven cards, two passed."""
    shown = table(5, pile=(3, 1), row=tuple(IDS[7 * n] for n in range(7)), pot=7)
    return snapshot(FIVE, **{"table": shown} | changed)


def flat(tonight: Evening) -> str:
    """What can be read in the dialog, if there is one; without frames and line breaks."""
    lines = tonight.text().splitlines()
    for box in tonight.app.screen.query(".box"):
        place = box.region
        lines = [line[place.x : place.right] for line in lines[place.y : place.bottom]]
    return " ".join(re.sub("[│╭╮╰╯─▔▁▂▃▄▅▆▇█]", " ", " ".join(lines)).split())


# --- All of it is German --------------------------------------------------------------------------------------


@SIZES
def test_everything_essential_of_a_full_table_is_in_sight_in_german(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(full(), size, language="de") as tonight:
            text = tonight.text()
            for words in ("Anna: Stein legen und bleiben, oder passen und", *FIVE):
                assert words in text
            for words in ("Runde 2", "Stapel 40", "Topf 7", "Marker ▒ Dora"):
                assert words in text
            for words in ("gepasst (1.)", "gepasst (2.)", "bietet mit", "ist am Zug", "⌂ beginnt", "Steine"):
                assert words in text
            for words in ("● braun", "■ gelb", "▲ grün", "◆ rosa", "▬ weiß", "+ blau", "Auerochs", "Mammut"):
                assert words in text
            keys = ("s Stein", "p Passen", "u Rückgängig", "h Warum", "F1 Hilfe", "q Ende", "m Mehr")
            for words in (*keys, *(("l EN",) if size[0] > 66 else ()), "Ersatzschachtel"):
                assert words in text
            assert "Cleo legt einen Stein  L7" in text
            assert ENGLISH.findall(text) == []
            assert max(len(line) for line in text.splitlines()) == size[0]
            assert len(text.splitlines()) == size[1]

    play(story)


MOMENTS = (
    (choosing(True, False, False), (), "Marker geheim wählen, er nimmt Karten seiner Farbe: Ben und Cleo"),
    (choosing(True, False, False), ("c",), "Den Bildschirm an Ben geben Jetzt bitte alle anderen wegsehen."),
    (choosing(True, False, False), ("c", "enter"), "Ben, das ist nur für deine Augen."),
    (choosing(True, True, False), ("c", "o"), "Wer möchte wählen?"),
    (drawing(), ("d",), "Welches Tier wurde gezogen? 1 2 3"),
    (drawing(), ("d", "5"), "Mammut: welche Karte?"),
    (snapshot(), ("u",), "Die letzte Aktion rückgängig machen? Cleo legt einen Stein w Falsche Karte"),
    (snapshot(), ("u",), "b Zurück zu meinem Zug"),
    (snapshot(), ("q",), "Das Spiel ist gespeichert und kann jederzeit"),
    (snapshot(), ("h",), "Was geschah und warum Cleo legt einen Stein L7"),
    (snapshot(), ("f1",), "s / Leertaste Stein p Passen"),
    (snapshot(question=asked()), (), "Es fehlen noch: Anna und Cleo Zugestimmt: Ben"),
    (snapshot(question=asked()), (), "– 1 Stein: Topf → Steine von Anna"),
    (snapshot(question=asked("end")), (), "Das Spiel hier beenden?"),
    (over(), ("escape",), "Ben hat noch 12 Steine: ein Punkt für je sechs L18"),
    (over(winners=(0, 2)), ("escape",), "Anna und Cleo teilen sich den Sieg"),
    (snapshot(devices=(StationState("centre", "lost"),)), (), "Mitte: nicht verbunden"),
)
"""What is shown, what is pressed then, and what can be read then."""


@SIZES
def test_every_question_and_every_answer_is_german(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(snapshot(), size, language="de") as tonight:
            for shown, keys, words in MOMENTS:
                await tonight.show(shown)
                await tonight.press(*keys)
                assert words in flat(tonight)
                assert ENGLISH.findall(tonight.text()) == []
                await tonight.show(snapshot())
                while tonight.app.screen.is_modal:
                    await tonight.press("escape")

    play(story)


def test_complaints_and_faults_are_german() -> None:
    async def story() -> None:
        async with evening(full(), language="de") as tonight:
            tonight.referee.reply = Told(9, "refused", "no stalemate", "L16")
            await tonight.press("s")
            await tonight.until(lambda: "nahm (L16)" in tonight.text())
            tonight.referee.send(Fault("oops"))
            await tonight.until(lambda: "Der Schiedsrichter meldet: oops" in tonight.text())
            await tonight.show(full(game="chess"))
            assert "kennt chess nicht" in tonight.text()

    play(story)


# --- Switching ------------------------------------------------------------------------------------------------


@SIZES
def test_key_and_button_switch_there_and_back(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with evening(full(), size) as tonight:
            english = tonight.text()
            await tonight.press("l")
            assert "Anna: Stein legen und bleiben, oder passen und" in tonight.text()
            assert "Cleo legt einen Stein  L7" in tonight.text()
            assert ENGLISH.findall(tonight.text()) == []
            if size[0] <= 66:  # there the button is behind "More"
                await tonight.click("Mehr")
            await tonight.click("EN")
            await tonight.press("escape")
            tonight.app.screen.set_focus(None)
            await tonight.pilot.pause()
            assert tonight.text() == english
            assert tonight.referee.heard == []

    play(story)


def test_the_language_is_switched_also_while_the_referee_is_away() -> None:
    async def story() -> None:
        async with evening(None) as tonight:
            await tonight.press("l")
            assert "Warten auf den Schiedsrichter" in tonight.text()
            await tonight.show(snapshot())
            await tonight.referee.close()
            await tonight.until(lambda: tonight.text().count("Warten auf den Schiedsrichter") == 1)
            await tonight.press("l")
            assert "Waiting for the referee" in tonight.text()

    play(story)


def test_in_the_middle_of_a_hand_over_nothing_is_lost() -> None:
    async def story() -> None:
        async with evening(choosing(False, True, True)) as tonight:
            await tonight.press("c", "l")
            assert "Den Bildschirm an Anna geben" in tonight.text()
            await tonight.click("Ich bin Anna")
            assert isinstance(tonight.app.screen, Secret)
            await tonight.press("tab", "tab")
            focused = tonight.app.screen.focused
            await tonight.click("l EN")
            assert tonight.app.screen.focused is focused
            assert isinstance(focused, Button)
            assert words_on(focused) == "2 ■ yellow"
            await tonight.press("l")
            assert words_on(focused) == "2 ■ gelb"
            await tonight.press("enter")
            (act,) = await tonight.heard()
            assert act.action == {"do": "choose", "seat": 0, "colour": "yellow"}
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_an_open_question_stays_open_and_is_answered_as_before() -> None:
    async def story() -> None:
        async with evening(snapshot(question=asked())) as tonight:
            await tonight.press("l")
            assert isinstance(tonight.app.screen, QuestionDialog)
            assert "Frage an alle" in tonight.text()
            await tonight.press("3")
            assert (await tonight.heard(1))[-1].seat == 2
            await tonight.click("Ablehnen")
            await tonight.heard(2)

    play(story)


def test_a_card_that_is_being_named_can_be_named_in_either_language() -> None:
    async def story() -> None:
        async with evening(drawing()) as tonight:
            await tonight.press("d", "l")
            assert "Welches Tier wurde gezogen?" in tonight.text()
            await tonight.press("5", "l")
            assert "Which mammoth?" in tonight.text()
            await tonight.press("l", "1")
            (act,) = await tonight.heard()
            left = [card for card in IDS if card.startswith("mammoth") and card not in table().row]
            assert act.action == {"do": "draw", "card": left[0]}

    play(story)


def test_an_undo_is_confirmed_with_the_key_of_either_language() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press("u", "l")
            assert "j Rückgängig" in tonight.text()
            await tonight.press("j")
            await tonight.heard(1)

    play(story)


def test_pieces_to_put_back_and_a_complaint_are_said_again() -> None:
    async def story() -> None:
        first = snapshot()
        async with evening(first) as tonight:
            undone = Told(2, "undone", "undone", moves=(STONE_BACK,))
            refused = Told(3, "refused", "out of turn", "L10", {"seat": 1, "turn": 0})
            await tonight.show(snapshot(history=(*first.history, undone, refused)))
            await tonight.press("l")
            assert "1 Stein: Topf → Steine von Anna" in tonight.text()
            await tonight.click("Erledigt")
            assert "Anna ist am Zug, nicht Ben (L10)" in tonight.text()
            await tonight.press("l")
            assert "It is Anna's turn, not Ben's (L10)" in tonight.text()

    play(story)


def test_switching_does_not_let_a_key_speak_twice() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            tonight.referee.answering = False
            await tonight.press("s", "l", "s", "p")
            assert len(await tonight.heard()) == 1

    play(story)


def test_a_player_who_reads_the_past_stays_where_they_are() -> None:
    async def story() -> None:
        lines = tuple(Told(n, "accepted", "lays a stone", "L7", {"seat": n % 3}) for n in range(1, 61))
        async with evening(snapshot(history=lines)) as tonight:
            await tonight.press("h", "home", "down", "down", "l")
            past = tonight.app.screen.query_one(OptionList)
            assert past.highlighted == 2
            assert "legt einen Stein  L7" in tonight.text()
            assert "lays" not in tonight.text()
            await tonight.press("end", "l")
            assert past.highlighted == 59

    play(story)


def test_the_help_tells_the_rules_in_both_languages() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.press("f1", *["pagedown"] * 9)
            assert "docs/rules/lascaux.md tells it in full" in flat(tonight)
            await tonight.press("l", *["pagedown"] * 6)
            assert "docs/rules/lascaux.de.md erklärt sie ausführlich" in flat(tonight)
            await tonight.press(*["pageup"] * 12, "pagedown", "pagedown")
            assert "nächste Sprache: English" in tonight.text()

    play(story)


# --- Around ---------------------------------------------------------------------------------------------------


def test_a_screen_speaks_the_language_of_the_system_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    spoken: list[str] = []

    class Quiet(CompanionApp):
        def __init__(self, *_: object, language: str, **__: object) -> None:
            spoken.append(language)
            self._failure = None

        def run(self, *_: object, **__: object) -> None:  # type: ignore[override]
            pass

    monkeypatch.setattr(app, "CompanionApp", Quiet)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGUAGE", "de")
    app.run(Path("s"))
    app.run(Path("s"), language="en")
    monkeypatch.delenv("LANGUAGE")
    app.run(Path("s"))
    assert spoken == ["de", "en", "en"]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_s_buttons_have_room_for_their_words_on_the_smallest_screen(name: str, code: str) -> None:
    """Beside the button for the own hand a game's have 11 cells; 9 where there are more than two of them."""
    face = find_face(name)
    with speaking(code):
        looks = [Sight(seen(name, state), face) for seed in range(3) for state in positions(name, seed, turns=80)[::4]]
        words = {f"{command.keys[0]} {command.label}" for look in looks for command in face.commands(look)}
    assert [each for each in words if cell_len(each) > (11 if face.places == 2 else 9)] == []


@pytest.mark.parametrize("name", GAMES)
def test_no_key_of_a_game_means_something_else_on_every_table(name: str) -> None:
    face = find_face(name)
    assert face is not None
    keys = [key for command in face.commands() for key in command.keys]
    assert {"u", "h", "n", "m", "q", "l", "t", "f1"}.isdisjoint(keys)


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_are_told_in_every_language(name: str) -> None:
    face = find_face(name)
    assert face is not None
    told = set()
    for code in LANGUAGES:
        speak(code)
        told.add(face.rules())
    speak("en")
    assert len(told) == len(LANGUAGES)
    assert all(len(text) > 1000 for text in told)


def test_german_has_big_letters() -> None:
    for text in ("Jörg: Stein?", "Marker wählen", "Übung", "Gleichstand", "Straße"):
        assert big(text) is not None
    assert big("Ä") != big("A")

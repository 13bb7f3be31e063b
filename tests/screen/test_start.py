"""Before the table and after it: by keys, by touch, and with two keys alone; nothing typed is lost."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace
from textual.widgets import Button

from companion.errors import DeviceError, LinkError, UsageError
from companion.gamekit import discovery
from companion.gamekit.game import Awaiting
from companion.gamekit.screen.face import Choice, Menu
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.screen.picker import Choices
from companion.gamekit.snapshot import Result
from companion.language.screen_language import LANGUAGES, speak
from companion.messages.lobby import (
    GameOffer,
    GamePlan,
    HallOffer,
    LaidCard,
    PastEvening,
    PlayerStanding,
    PluggedOffer,
    PuzzleOffer,
)
from companion.processes.screen_process import _offer
from companion.screen.screens.evening_list import EveningsDialog
from companion.screen.screens.setup_screen import ABOUT_KINDS, KINDS, NameDialog, SetupScreen
from companion.screen.screens.table_screen import TableScreen
from companion.screen.widgets.game_card import GameCard, about
from tests.ours import GAMES
from tests.screen.evening_flow import DAMAGED, FINISHED, OPEN, FakeLobby, Visit, visit
from tests.screen.table import LARGE, SMALL, evening, over, snapshot
from tests.strangers import gops_installed

QUICK = GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2), kit="full", levels={1: "easy", 2: "easy"})
DEFAULTS = {"stones": "open", "tie": "shared", "direction": "clockwise", "first_stone": "may", "match": "alternate"}
WIDE = (160, 45)
HOSTILE = (
    "[/b]",
    "[@click=app.bell]x[/]",
    "a\x1b[31mb",
    "\u202eevil\u200f",
    "\N{MAN}\u200d\N{WOMAN}",
    "x" * 500,
    "{seat}",
)


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


# --- The start screen -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, LARGE, WIDE])
def test_everything_that_can_be_done_is_in_sight(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with visit((OPEN, FINISHED, DAMAGED), size) as here:
            text = here.text()
            quick = "Play Lascaux" if size != WIDE else "Play Lascaux against Ben and Cleo"
            for words in (quick, "Resume: Lascaux with Anna, Ben and Cleo", "New game …"):
                assert words in text
            for game in GAMES:
                assert discovery.title(game) in text
            assert "no reader is plugged in: the pads are simulated" in text
            for words in ("34 actions so far", "Xaver 24, » Yvonne 31, Zoe 18", "entry 7 cannot be read"):
                assert words in text
            for words in ("e Evenings", "F1 Help", "l DE", "t Light", "q Quit"):
                assert words in text
            assert max(len(line) for line in text.splitlines()) == size[0]

    play(story)


def test_before_the_evenings_are_listed_nothing_is_said_of_them() -> None:
    async def story() -> None:
        async with visit((FINISHED,), looked=False) as here:
            await here.pilot.pause(0.3)
            assert "New game" in here.text()
            assert "No evening" not in here.text()
            here.lobby.may_look.set()
            await here.until(lambda: "Last evenings" in here.text())

    play(story)


@pytest.mark.parametrize("size", [(20, 10), (4, 4), (1, 1), (3, 30)])
@pytest.mark.parametrize("key", ["", "n", "e", "f1"])
def test_a_window_that_becomes_far_too_small_ends_nothing(key: str, size: tuple[int, int]) -> None:
    async def story() -> None:
        async with visit((OPEN, FINISHED)) as here:
            if key:
                await here.press(key)
            for each in (size, LARGE):
                await here.pilot.resize_terminal(*each)
                await here.pilot.pause()
            assert here.app.is_running

    play(story)


def test_a_table_of_a_hall_takes_its_players_with_one_press() -> None:
    async def story() -> None:
        async with visit() as here:
            assert "Take the table" not in here.text()
            here.lobby.club = HallOffer("Café", "7", "the hall does not answer")
            here.start.on_screen_resume()
            await here.until(lambda: here.start.query_one("#hall").display)
            await here.pilot.pause()
            assert "Take the table from the hall (Café, table 7)" in here.text()
            assert "The hall does not answer" in here.text()
            await here.press("enter")
            await here.at_table()
            assert here.lobby.heard == ["take the table"]

    play(story)


def test_if_the_hall_does_not_answer_the_start_screen_says_why_and_stays() -> None:
    async def story() -> None:
        async with visit() as here:
            here.lobby.club = HallOffer("Café", "7")
            here.lobby.refusal = LinkError("the hall is away; you can play on alone")
            here.start.on_screen_resume()
            await here.until(lambda: here.start.query_one("#hall").display)
            await here.press("h")
            await here.until(lambda: "The hall is away; you can play on alone" in here.text())
            assert here.app.screen is here.start

    play(story)


def test_a_reader_that_is_plugged_in_is_offered_and_played_with() -> None:
    async def story() -> None:
        async with visit() as here:
            assert "Play with it" not in here.text()
            here.lobby.offered = PluggedOffer("ACS ACR122U PICC Interface", True)
            await here.until(lambda: here.start.query_one("#plugged").display)
            await here.pilot.pause()
            assert "A reader is plugged in. Play with it?" in here.text()
            assert "plugged in: ACS ACR122U PICC Interface" in here.text()
            await here.press("p")
            await here.until(lambda: isinstance(here.app.screen, SetupScreen))
            assert here.lobby.heard == ["adopt"]
            await here.press("escape")
            await here.at_start()
            assert "Play with it" not in here.text(), "it is the table's reader now"

    play(story)


def test_a_puzzle_is_offered_as_soon_as_there_is_one() -> None:
    async def story() -> None:
        async with visit([FINISHED]) as here:
            assert "Puzzle" not in here.text()
            await here.press("z")
            assert here.lobby.heard == []
            here.lobby.riddle = PuzzleOffer(FINISHED.id, 1, 42, "Lascaux", "Anna")
            await here.until(lambda: here.start.query_one("#puzzle").display)
            await here.pilot.pause()
            assert "z Puzzle" in here.text()
            await here.press("z")
            await here.at_table()
            assert here.lobby.heard == [here.lobby.riddle]

    play(story)


def test_players_tap_themselves_in_until_the_game_begins() -> None:
    async def story() -> None:
        async with visit() as here:
            await here.press("n")
            await here.until(lambda: isinstance(here.app.screen, SetupScreen) and here.lobby.laid is not None)
            assert here.lobby.laid is not None
            here.lobby.laid(LaidCard("04A1", "Zoe", None))
            await here.pilot.pause()
            assert "Zoe plays." in here.text()
            assert "2  Zoe" in here.text()
            shown = here.lobby.card_phones._view
            assert shown.cards
            assert (shown.texts["en"].notice, shown.texts["de"].notice) == ("Zoe plays.", "Zoe spielt mit.")
            assert "Zoe" in shown.texts["en"].progress
            here.lobby.laid(LaidCard("04A2", "", 1))
            await here.pilot.pause()
            assert "--card 04A2" in here.text()
            await here.press("b")
            await here.until(lambda: bool(here.lobby.heard))
            assert here.lobby.laid is None, "the referee has the readers now"
            plan = here.lobby.heard[-1]
            assert plan.players[1] == "Zoe"
            assert 1 not in plan.simulated

    play(story)


def test_what_may_be_something_else_is_asked_only_when_a_player_says_so_and_may_say_no() -> None:
    async def story() -> None:
        async with visit() as here:
            here.lobby.offered = PluggedOffer("CH340", False)
            here.lobby.refusal = DeviceError("The PN532: no PN532 answers; is it a PN532?")
            await here.until(lambda: here.start.query_one("#plugged").display)
            await here.pilot.pause()
            assert "CH340 is plugged in. Is it a reader to play with?" in here.text()
            assert here.lobby.heard == []
            await here.press("p")
            await here.until(lambda: "no PN532 answers" in here.text())
            assert here.app.screen is here.start
            here.lobby.offered = None
            await here.until(lambda: not here.start.query_one("#plugged").display)

    play(story)


def test_one_enter_plays_at_once() -> None:
    async def story() -> None:
        async with visit() as here:
            await here.press("enter")
            await here.at_table()
            assert here.lobby.heard == [QUICK]
            assert isinstance(here.app.screen, TableScreen)

    play(story)


def test_enter_pressed_twice_begins_only_one_evening() -> None:
    async def story() -> None:
        async with visit() as here:
            here.lobby.may_go.clear()
            await here.press("enter", "enter", "r", "n", "e")
            assert "Setting the table" in here.text()
            here.lobby.may_go.set()
            await here.at_table()
            assert here.lobby.heard == [QUICK]

    play(story)


@pytest.mark.parametrize("way", [("r",), ("tab", "enter"), ("down", "enter")])
def test_the_open_game_is_gone_on_with(way: tuple[str, ...]) -> None:
    async def story() -> None:
        async with visit((FINISHED, OPEN)) as here:
            await here.press(*way)
            await here.at_table()
            assert here.lobby.heard == [OPEN.id]

    play(story)


def test_without_an_open_game_there_is_nothing_to_go_on_with() -> None:
    async def story() -> None:
        async with visit((FINISHED,)) as here:
            assert "Resume" not in here.text()
            await here.press("r", "tab")
            assert isinstance(here.app.focused, Button)
            assert here.app.focused.id == "new"
            assert here.lobby.heard == []

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("ended", [False, True])
def test_L21_every_game_of_a_match_is_in_sight_and_who_has_won_it(size: tuple[int, int], ended: bool) -> None:
    async def story() -> None:
        earlier = (Result((30, 10, 5), (0,)), Result((1, 9, 2), (1,)))
        match = replace(FINISHED, games=3, earlier=earlier, sums=(55, 50, 25), leaders=(0,), ended=ended)
        async with visit((match, FINISHED), size) as here:
            await here.press("e")
            for words in (
                "game 1: » Xaver 30, Yvonne 10, Zoe 5",
                "game 2: Xaver 1, » Yvonne 9, Zoe 2",
                "game 3: Xaver 24, » Yvonne 31, Zoe 18",
                "» Xaver 55, Yvonne 50, Zoe 25",
            ):
                assert words in here.text()
            assert ("match won by Xaver: » Xaver 55" in here.text()) == ended
            assert ("match: » Xaver 55" in here.text()) != ended

    play(story)


def test_any_sound_evening_is_gone_on_with_by_touch_and_a_damaged_one_is_not() -> None:
    async def story() -> None:
        async with visit((DAMAGED, OPEN, FINISHED), LARGE) as here:
            await here.click("Evenings")
            assert isinstance(here.app.screen, EveningsDialog)
            await here.click("cannot be read")
            assert here.lobby.heard == []
            await here.click("Yvonne")
            await here.at_table()
            assert here.lobby.heard == [FINISHED.id]

    play(story)


def test_what_stands_in_the_way_is_said_and_the_next_try_succeeds() -> None:
    async def story() -> None:
        async with visit() as here:
            here.lobby.refusal = LinkError("the referee did not start: no space left")
            await here.press("enter")
            await here.until(lambda: "The referee did not start: no space left" in here.text())
            here.lobby.refusal = None
            await here.press("enter")
            await here.at_table()

    play(story)


def test_people_leave_the_table_and_come_back_to_the_start() -> None:
    async def story() -> None:
        async with visit() as here:
            await here.press("enter")
            await here.at_table()
            assert "q Leave" in here.text()
            here.lobby.past = (OPEN,)
            await here.press("q")
            assert "Leave the game?" in here.text()
            await here.press("y")
            await here.at_start()
            assert here.lobby.left == 1
            assert "34 actions so far" in here.text()
            assert here.app.conversation is None
            await here.press("r")
            await here.at_table()

    play(story)


def test_from_the_result_there_is_a_way_back_too() -> None:
    async def story() -> None:
        async with visit(shown=over()) as here:
            await here.press("enter")
            await here.at_table()
            await here.click("Leave")
            await here.at_start()
            assert here.lobby.left == 1

    play(story)


def test_from_the_table_of_a_new_game_people_come_back_to_the_start_not_to_the_set_up() -> None:
    async def story() -> None:
        async with visit() as here:
            await here.press("n", "enter")
            await here.at_table()
            await here.press("q", "y")
            await here.at_start()

    play(story)


def test_a_referee_that_cannot_be_helped_is_told_on_the_start_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.screen.app.LOOK_S", 0.05)

    async def story() -> None:
        async with visit() as here:
            await here.press("enter")
            await here.at_table()
            here.lobby.problem = "the referee keeps stopping: boom"
            await here.at_start()
            await here.until(lambda: "keeps stopping: boom" in here.text())

    play(story)


def test_the_screen_is_left_with_q() -> None:
    async def story() -> None:
        async with visit() as here:
            await here.press("q")
            await here.until(lambda: not here.app.is_running)

    play(story)


@pytest.mark.parametrize(("code", "last"), [("en", "another game."), ("de", "ein anderes Spiel.")])
def test_the_hint_for_the_first_evening_is_never_cut(code: str, last: str) -> None:
    async def story() -> None:
        async with visit((), SMALL, language=code) as here:
            assert last in " ".join(here.text().split())

    play(story)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("size", [SMALL, LARGE, WIDE])
@pytest.mark.parametrize("past", [(OPEN, FINISHED), (FINISHED, OPEN), ()])
def test_no_word_on_a_card_or_on_a_button_is_cut(
    past: tuple[PastEvening, ...], size: tuple[int, int], code: str
) -> None:
    async def story() -> None:
        async with visit(past, size, language=code) as here:
            for _theme in range(3):
                for button in here.start.query("#way Button, #ways-to-play Button").results(Button):
                    if button.display:
                        label = " ".join(str(button.label).split())
                        await here.until(lambda label=label: label in " ".join(here.text().split()))  # type: ignore[misc]
                await here.press("t")
            for card in here.start.query(GameCard):
                name = (card.name or "").removeprefix("game ")
                drawn = str(card.label)
                assert "…" not in drawn
                assert set(about(name).split()) <= set(drawn.split())

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE, WIDE])
def test_a_card_opens_its_game_by_key_by_touch_and_by_focus(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with visit(size=size) as here:
            cards = list(here.start.query(GameCard))
            assert [card.name for card in cards] == [f"game {name}" for name in GAMES]
            for way in ("key", "touch", "focus"):
                if way == "key":
                    await here.press("3")
                elif way == "touch":
                    await here.pilot.click(cards[2])
                else:
                    here.start.query_one("#quick").focus()
                    await here.pilot.pause()
                    before = here.text()
                    cards[2].focus()
                    await here.pilot.pause()
                    assert here.text() != before, "the focus is seen"
                    await here.press("enter")
                assert isinstance(here.app.screen, SetupScreen)
                assert "Game: Darwinci" in here.text()
                await here.press("escape")
                await here.at_start()

    play(story)


@pytest.mark.parametrize("size", [LARGE, WIDE])
def test_the_table_of_players_says_who_leads(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with visit((FINISHED,), size) as here:
            assert "rating" not in here.text(), "no game counts yet"
            here.lobby.standing = [
                PlayerStanding("Cleo", 12, 6.5, 4.0, "24–41", 4),
                PlayerStanding("[/b]" * 9, 12, 0.0, 4.0, "3–19", 0),
            ]
            await here.press("1", "escape")
            await here.until(lambda: "24–41" in here.text())
            assert "4 in a row" in here.text()
            assert "Xaver 24, » Yvonne 31, Zoe 18" in here.text()

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE, WIDE])
def test_a_third_party_game_has_a_card_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    async def story() -> None:
        async with visit(size=size) as here:
            here.start.query(GameCard).last().focus()
            await here.pilot.pause()
            await here.until(lambda: "5 GOPS" in here.text())
            await here.press("5")
            assert "Game: GOPS" in here.text()

    with gops_installed(tmp_path, monkeypatch):
        play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE, WIDE])
def test_with_many_games_arrows_go_from_card_to_card_and_each_is_seen_whole(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    def many(lobby: FakeLobby) -> list[GameOffer]:
        offer = lobby._real.games()[0]
        return [replace(offer, title=f"Stranger {number}") for number in range(1, 12)]

    async def story() -> None:
        async with visit(size=size) as here:
            await here.until(lambda: here.start._looked and "1 Stranger 1" in here.text())
            assert ("more" in here.text()) == (size != WIDE)
            here.start.query(GameCard).first().focus()
            for number in range(1, 12):
                await here.pilot.pause()
                await here.until(lambda: "underline" in str(_focused_title(here)))
                card = here.app.focused
                assert isinstance(card, GameCard)
                assert f"Stranger {number}" in here.text()
                assert here.start.query_one("#cards").region.contains_region(card.region), "all of it"
                await here.press("down")

    monkeypatch.setattr(FakeLobby, "games", many)
    play(story)


def _focused_title(here: Visit) -> object:
    return here.app.focused.label.spans if isinstance(here.app.focused, GameCard) else ""


# --- Set-up ---------------------------------------------------------------------------------------------------


def test_on_a_small_screen_a_button_leads_to_the_options_and_back() -> None:
    async def story() -> None:
        async with visit(size=SMALL) as here:
            await here.press("n")
            assert "o Options" in here.text()
            assert "Stones of the others (L20)" not in here.text()
            await here.press("o")
            assert "Stones of the others (L20)" in here.text()
            await here.press("o")
            assert "Game: Lascaux" in here.text()

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE, WIDE])
def test_two_enters_begin_a_new_game_with_what_is_usual(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with visit(size=size) as here:
            await here.press("tab", "enter")
            assert isinstance(here.app.screen, SetupScreen)
            for words in (
                "Game: Lascaux",
                "Devices: a pad each (simulated)",
                "1  Anna",
                "person",
                "simulated",
                "⌂ starts",
            ):
                assert words in here.text()
            await here.press("enter")
            await here.at_table()
            plan = GamePlan(
                "lascaux", ("Anna", "Ben", "Cleo"), (1, 2), options=DEFAULTS, kit="full", levels=QUICK.levels
            )
            assert here.lobby.heard == [plan]

    play(story)


async def focus(here: Visit, name: str) -> None:
    """With Tab alone, as with two buttons."""
    for _step in range(80):
        if isinstance(here.app.focused, Button) and here.app.focused.name == name:
            return
        await here.press("tab")
    raise AssertionError(f"Tab never comes to {name}")


async def press(here: Visit, *names: str) -> None:
    for name in names:
        await focus(here, name)
        await here.press("enter")


def test_everything_is_agreed_on_with_two_keys_alone() -> None:
    async def story() -> None:
        async with visit() as here:
            await press(here, "new")
            await press(
                here, "add", "kind 1", "1", "first 2", "remove 0", "option 0", "option 1", "option 1", "option 2"
            )
            await press(here, "rename 1", "1", "kit", "2", "begin")
            await here.at_table()
            (plan,) = here.lobby.heard
            assert plan.players == ("Ben", "Anna", "Dora")
            assert (plan.simulated, plan.first, plan.kit) == ((1, 2), 1, "one")
            assert plan.options == DEFAULTS | {"stones": "secret", "direction": "anticlockwise"}

    play(story)


def test_everything_is_agreed_on_by_touch() -> None:
    async def story() -> None:
        async with visit(size=WIDE) as here:
            await here.click("New game")
            await here.click("Devices")
            await here.click("only this screen")
            await here.click("Add a player")
            await here.click("1  Anna")
            await here.click("Another name")
            for letter in "MAX":
                await here.click(letter)
            await here.click("OK")
            await here.click("Stones of the others")
            await here.click("Begin")
            await here.at_table()
            (plan,) = here.lobby.heard
            assert plan.players == ("Max", "Ben", "Cleo", "Dora")
            assert (plan.simulated, plan.kit) == ((), "none")
            assert plan.options["stones"] == "secret"

    play(story)


def test_a_name_is_typed_and_a_refusal_loses_nothing() -> None:
    async def story() -> None:
        async with visit() as here:
            await here.press("n")
            await press(here, "rename 0")
            await here.click("Another name")
            await here.press("B", "e", "n", "enter")
            here.lobby.refusal = UsageError("two players are called Ben: give each player a different name")
            await here.press("b")
            await here.until(lambda: "Two players are called Ben" in here.text())
            assert "1  Ben" in here.text()
            here.lobby.refusal = None
            await here.press("b")
            await here.at_table()
            assert [plan.players for plan in here.lobby.heard] == [("Ben", "Ben", "Cleo")] * 2

    play(story)


def test_people_who_change_their_mind_come_back_and_only_games_that_can_be_shown_are_offered() -> None:
    async def story() -> None:
        async with visit(size=LARGE) as here:
            await here.press("n")
            await press(here, "game")
            text = here.text()
            for name in GAMES:
                assert (name.capitalize() in text) == (name in GAMES)
            await here.press("escape", "escape")
            await here.at_start()
            assert here.lobby.heard == []

    play(story)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_agreed_on_with_as_many_people_as_it_is_for(name: str) -> None:
    async def story() -> None:
        async with visit(size=LARGE) as here:
            offer = _offer(discovery.find(name))
            await here.press("n")
            await press(here, "game", str(1 + GAMES.index(name)))
            while len(cast("Any", here.app.screen)._form.plan.players) < offer.most:
                await press(here, "add")
            assert not here.app.screen.query_one("#add").display
            await here.press("b")
            await here.at_table()
            (plan,) = here.lobby.heard
            assert (plan.game, len(plan.players)) == (name, offer.most)
            assert plan.options == {option.name: option.values[0] for option in offer.options}

    play(story)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_who_may_play_for_a_seat_is_told_in_whole_words(size: tuple[int, int], code: str) -> None:
    async def story() -> None:
        async with visit(size=size) as here:
            await here.press("n")
            if code != "en":
                await here.press("l")
            here.app.screen.query(".kind").first(Button).press()
            await here.until(lambda: isinstance(here.app.screen, Choices))
            await here.pilot.pause()
            lines = here.text().splitlines()
            boxes = [button.region for button in here.app.screen.query(".choices Button")]
            for number, (box, (kind, about_it)) in enumerate(zip(boxes, ABOUT_KINDS.items(), strict=True), 1):
                said = " ".join(line[box.x : box.right] for line in lines[box.y : box.bottom])
                assert " ".join(said.split()) == f"{number} {KINDS[kind]()}: {about_it()}"

    try:
        play(story)
    finally:
        speak("en")


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_option_has_words_that_tell_its_values_apart(name: str, code: str) -> None:
    speak(code)
    try:
        for option in _offer(discovery.find(name)).options:
            face = find_face(name)
            words = [(face.option(option.name), face.option_value(option.name, value)) for value in option.values]
            assert all(about and value for about, value in words)
            assert all(about != option.name for about, _value in words)
            assert len({value for _about, value in words}) == len(option.values)
            assert all(len(about) <= 44 and len(value) <= 44 for about, value in words)
    finally:
        speak("en")


# --- Language, theme, kiosk -----------------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [(), ("n",), ("e",), ("f1",)])
def test_language_and_theme_are_switched_anywhere_and_nothing_is_lost(keys: tuple[str, ...]) -> None:
    async def story() -> None:
        async with visit((OPEN,)) as here:
            await here.press(*keys)
            before, focused = here.text(), here.app.focused
            await here.press("l", "t")
            assert here.app.theme == "light"
            assert here.text() != before
            assert here.app.focused is focused
            await here.press("l", "t", "t")
            assert here.text() == before

    play(story)


@pytest.mark.parametrize("keys", [(), ("n",), ("e",), ("f1",)])
def test_german_before_the_table_is_german(keys: tuple[str, ...]) -> None:
    async def story() -> None:
        async with visit((OPEN, FINISHED), WIDE, language="de") as here:
            await here.press(*keys)
            words = set(here.text().replace("…", " ").replace(":", " ").split())
            english = {"the", "and", "game", "with", "Play", "New", "person", "simulated", "Back", "Quit", "Evenings"}
            assert words & english == set()

    play(story)


def test_a_kiosk_tells_no_keys_and_has_no_way_out() -> None:
    async def story() -> None:
        async with visit((OPEN,), kiosk=True) as here:
            for words in ("q Quit", "Quit", "F1", "n New game", "e Evenings"):
                assert words not in here.text()
            await here.press("q")
            assert here.app.is_running
            await here.press("enter")
            await here.at_table()
            assert "s Stone" not in here.text()
            assert "Stone" in here.text()
            await here.click("Leave")
            await here.click("Leave")
            await here.at_start()
        async with evening(snapshot(), kiosk=True) as tonight:
            assert "Quit" not in tonight.text()
            await tonight.press("q")
            assert isinstance(tonight.app.screen, TableScreen)
        async with evening(snapshot()) as tonight:
            assert "q Quit" in tonight.text()

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("keys", [(), ("n",), ("e",)])
def test_whatever_is_touched_is_three_rows_high(keys: tuple[str, ...], size: tuple[int, int]) -> None:
    async def story() -> None:
        async with visit((OPEN, FINISHED), size) as here:
            await here.press(*keys)
            shown = [button for button in here.app.screen.query(Button) if button.display and button.region]
            assert [button for button in shown if button.outer_size.height < 3 or button.outer_size.width < 5] == []

    play(story)


# --- Text from outside ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("texts", [HOSTILE[:4], HOSTILE[4:]])
def test_a_hostile_text_is_harmless_before_the_table(texts: tuple[str, ...]) -> None:
    async def story() -> None:
        players = (*texts, *(f"{text}2" for text in texts))[:5]
        name = texts[0]
        past = [
            one
            for text in texts
            for one in (
                PastEvening(text, "open", 1e300, text, players, 1, 3),
                PastEvening(text, "finished", None, text, players, 1, 3, (1, 2, 3, 4, 5), (0,)),
                PastEvening(text, "damaged", float("nan"), text, players, 1, 3, problem=text),
            )
        ]
        async with visit(past, LARGE) as here:
            here.lobby.known = players
            here.lobby.refusal = LinkError(name)
            await here.press("enter")
            await here.until(lambda: "being set" not in here.text())
            check(here)
            await here.press("e")
            check(here)
            await here.press("escape")
            await here.start._look()
            await here.press("n")
            check(here)
            await press(here, "rename 2")
            check(here)
            await here.click("Another name")
            assert isinstance(here.app.screen, NameDialog)
            for text in texts:
                here.app.screen.query_one("Input").value = text  # type: ignore[attr-defined]
                await here.pilot.pause()
                check(here)
            await here.press("enter", "b")
            await here.until(lambda: "being set" not in here.text())
            check(here)

    play(story)


def check(here: Visit) -> None:
    text = here.text()
    assert not {"\x1b", "\u202e", "\u200f", "\u200d"} & set(text)
    assert "x" * 100 not in text


def test_a_table_with_people_of_any_name_is_left_and_found_again() -> None:
    async def story() -> None:
        shown = snapshot(HOSTILE[:3], awaiting=Awaiting((0,), ("stone", "pass")))
        async with visit(shown=shown) as here:
            await here.press("enter")
            await here.at_table()
            await here.press("q", "y")
            await here.at_start()

    play(story)


# --- The table's own buttons ----------------------------------------------------------------------------------


def test_everything_is_agreed_on_with_the_two_buttons_of_the_table() -> None:
    async def story() -> None:
        async with visit((OPEN,)) as here:

            async def press(colour: str, *, held: bool = False) -> None:
                assert here.lobby.pressed
                here.lobby.pressed(colour, held)
                await here.pilot.pause()

            await here.look()
            while getattr(here.app.focused, "name", "") != "new":
                await press("green")
            await press("green", held=True)
            await here.until(lambda: isinstance(here.app.screen, SetupScreen))
            await press("red")
            await here.until(lambda: here.app.screen is here.start)
            await press("green", held=True)
            await here.until(lambda: isinstance(here.app.screen, SetupScreen))
            await press("green", held=True)
            await here.at_table()
            assert [plan.game for plan in here.lobby.heard] == ["lascaux"]
            assert here.lobby.pressed is None, "at the table the referee listens"
            here.app.get_up()
            await here.at_start()
            await here.until(lambda: here.lobby.pressed is not None)

    play(story)


def test_buttons_are_listened_to_again_when_no_table_could_be_opened() -> None:
    async def story() -> None:
        async with visit() as here:
            await here.look()
            here.lobby.refusal = UsageError("the table is on fire")
            await here.press("enter")
            await here.until(lambda: "on fire" in here.text())
            assert here.lobby.pressed is not None

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE, WIDE])
def test_a_picker_still_says_how_to_pick_after_the_start_screen_was_seen(size: tuple[int, int]) -> None:
    """Style sheets are loaded one after another, and each holds for all screens from then on."""

    async def story() -> None:
        async with visit(size=size) as here:
            choices = [Choice(f"card {number}", number, large=str(number), words="It is yours.") for number in (1, 2)]
            here.app.push_screen(Choices(lambda: Menu("Which?", choices)))
            await here.press("f5")  # means nothing, and is waited for
            assert "Arrows and Enter" in here.text()
            await here.press("right")
            assert "It is yours." in here.text()

    play(story)

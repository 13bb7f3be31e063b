"""Why? The ruling of a line in words, and what led to it."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.drawing.event_lines import counting, led_to
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.simulated import Expectation
from companion.gamekit.snapshot import Snapshot, Told
from companion.language.screen_language import LANGUAGES, speak
from companion.messages.intentions import Act, BotAct
from companion.screen.screens.table_screen import TableScreen
from companion.screen.screens.why_dialog import Lines, Why
from tests.ours import GAMES
from tests.referee.table import ALL_SIX, Table
from tests.screen.real import RealEvening, at_the_table
from tests.screen.table import LARGE, SMALL
from tests.source_tree import ROOT

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE, (160, 45)])


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def words(tonight: RealEvening) -> str:
    """What can be read of the explanation."""
    place = tonight.app.screen.query_one(".reading").region
    lines = [line[place.x + 1 : place.right] for line in tonight.text().splitlines()[place.y : place.bottom]]
    return " ".join(" ".join(lines).replace("─", " ").split())


@SIZES
def test_a_line_is_explained_by_its_ruling_and_by_what_led_to_it(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        table.act("stone", seat=0)
        table.act("pass", seat=1)
        async with at_the_table(table, size) as tonight:
            await tonight.press("h")
            assert "Ben passes and takes 1 stone" in words(tonight)
            assert "A player who passes takes all" in words(tonight)
            await tonight.press(*["space"] * 4)
            assert "– Anna lays a stone" in words(tonight)
            await tonight.press("up")
            assert "each lays one stone in the middle or passes" in words(tonight)
            await tonight.press("l", *["backspace"] * 3)
            assert "legt man einen Stein in den Topf oder passt" in words(tonight)
            await tonight.press("h")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_click_on_a_line_of_the_table_asks_why(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path)
        for card in ALL_SIX[:2]:
            table.card(card)
        async with at_the_table(table, LARGE) as tonight:
            row = next(y for y, line in enumerate(tonight.text().splitlines()) if "Anna draws aurochs brown" in line)
            await tonight.pilot.click(offset=(5, row))
            await tonight.pilot.pause()
            assert isinstance(tonight.app.screen, Why)
            assert tonight.text().count("Anna draws aurochs brown/blue") == 2
            assert "The start player draws cards one at a time" in words(tonight)

    play(story)


@SIZES
def test_points_are_explained_too(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        table = Table(tmp_path).hurry().play_to_end()
        async with at_the_table(table, size) as tonight:
            row = next(y for y, line in enumerate(tonight.text().splitlines()) if re.search(r"  L1[78] ", line))
            await tonight.pilot.click(offset=(5, row))
            await tonight.pilot.pause()
            assert isinstance(tonight.app.screen, Why)
            assert "point for e" in words(tonight)
            await tonight.press("end")
            while "has the most" not in words(tonight):
                await tonight.press("up")
            await tonight.press(*["space"] * 3)
            assert re.search(r"– \w+: \d", words(tonight))

    play(story)


@SIZES
def test_the_history_reaches_back_to_the_first_action_round_by_round(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        table = Table(tmp_path).hurry().play_to_end()
        async with at_the_table(table, size) as tonight:
            await tonight.press("h")
            await tonight.settle()
            await tonight.press("home")
            text = tonight.text()
            assert "Round 1" in text
            assert words(tonight).startswith("Anna draws")
            rounds = [option.prompt for option in tonight.app.screen.query_one(Lines).options if option.disabled]
            assert [str(each) for each in rounds] == [f"Round {n}" for n in range(1, table.seen.table.round + 1)]

    play(story)


def test_page_up_opens_the_history_at_once_and_turns_its_pages(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        for seat in (0, 1, 2) * 4:
            table.act("stone", seat=seat)
        async with at_the_table(table, SMALL) as tonight:
            await tonight.press("pageup")
            await tonight.settle()
            assert isinstance(tonight.app.screen, Why)
            lines = tonight.app.screen.query_one(Lines)
            at = lines.highlighted
            assert at is not None
            assert at < lines.option_count - 1
            tonight.app.screen.query_one(".leave").focus()
            await tonight.press("pageup")
            assert (lines.highlighted or 0) < at, "wherever the focus is"

    play(story)


def test_the_history_is_searched_for_words(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        table.act("stone", seat=0)
        table.act("pass", seat=1)
        async with at_the_table(table, LARGE) as tonight:
            await tonight.press("h", "slash", *"ben passes")
            assert "Ben passes and takes 1 stone" in tonight.text()
            lines = tonight.app.screen.query_one(Lines)
            assert [option.disabled for option in lines.options].count(False) == 1
            await tonight.press(*"zzz")
            assert "No line has these words." in tonight.text()
            await tonight.press("escape")
            assert lines.option_count > 3
            await tonight.press("escape")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_player_who_reads_an_old_line_keeps_it_and_at_the_end_the_newest_is_read(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        async with at_the_table(table, LARGE) as tonight:
            await tonight.press("h")
            table.act("stone", seat=0)
            await tonight.see()
            assert "each lays one stone in the middle" in words(tonight)
            await tonight.press("home")
            table.act("stone", seat=1)
            await tonight.see()
            assert "The start player draws cards one at a time" in words(tonight)

    play(story)


def test_what_was_taken_back_has_led_to_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path).to_bidding()
    table.act("stone", seat=0)
    table.undo()
    table.act("pass", seat=0)
    seen: Snapshot = table.seen
    face = find_face("lascaux")
    assert face is not None
    sight = Sight(replaced(seen), face)
    before = [told.what for told in led_to(sight, seen.history[-1])]
    assert "lays a stone" not in before
    assert before.count("has chosen") == 3
    assert [told.what for told in counting(seen.history)][-1] == "passes"


def replaced(seen: Snapshot) -> Snapshot:
    """As it arrives at a screen."""
    import msgspec

    return msgspec.json.decode(msgspec.json.encode(seen), type=Snapshot)


def test_only_the_same_round_has_led_to_a_line(tmp_path: Path) -> None:
    table = Table(tmp_path).to_reveal()
    table.card("goat-pink-blue")
    face = find_face("lascaux")
    assert face is not None
    newest: Told = table.newest
    assert led_to(Sight(replaced(table.seen), face), newest) == []


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_ruling_that_a_game_cites_has_its_words_in_every_language(name: str, code: str) -> None:
    face = find_face(name)
    assert face is not None
    sources = (ROOT / "games" / name).rglob("*.py")
    letter = {"lascaux": "L", "sioux": "S", "darwinci": "D", "carnuta": "C"}[name]
    cited = {rule for source in sources for rule in re.findall(rf'"({letter}\d+)"', source.read_text(encoding="utf-8"))}
    assert len(cited) > 10
    speak(code)
    try:
        assert [rule for rule in sorted(cited) if len(face.ruling(rule)) < 20] == []
    finally:
        speak("en")


@pytest.mark.parametrize("code", LANGUAGES)
def test_all_21_rulings_of_lascaux_are_told(code: str) -> None:
    face = find_face("lascaux")
    assert face is not None
    speak(code)
    try:
        assert all(face.ruling(f"L{number}") for number in range(1, 22))
        assert face.ruling("L22") == ""
    finally:
        speak("en")


# --- Why did Ben do that? -------------------------------------------------------------------------------------


def test_a_bot_says_why_after_the_reveal_in_the_words_of_the_game(tmp_path: Path) -> None:
    async def asked(tonight: RealEvening) -> str:
        await tonight.press("b")
        await tonight.until(lambda: not tonight.talk.peeking)
        await tonight.pilot.pause()
        text = " ".join(tonight.text().replace("│", " ").split())
        await tonight.press("escape")
        return text

    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        table.heed(BotAct("first", {"do": "stone", "seat": 0}, thought=Expectation(0.5)))
        async with at_the_table(table, LARGE, persons=(1,)) as tonight:
            await tonight.press("h")
            assert "Anna still hides something that led to this" in await asked(tonight), "her marker"
            table.act("pass", seat=1)
            expected = Expectation(0.414, {"do": "stone", "seat": 2}, 0.38)
            table.heed(BotAct("second", {"do": "pass", "seat": 2}, thought=expected))
            await tonight.see()
            await tonight.press("end")
            text = await asked(tonight)
            assert "Why did Cleo do that?" in text
            assert "Cleo saw a chance of about 41 % in this." in text
            assert "The best alternative (about 38 %): Cleo lays a stone." in text
            await tonight.press("home")
            text = await asked(tonight)
            assert "No bot has thought about this" in text
            assert "rules, or a player did it on instinct." in text

    play(story)


# --- What to do for a bot with real pieces --------------------------------------------------------------------


def test_the_screen_says_what_to_do_for_a_bot_and_enter_says_that_it_is_done(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        played = table.evening.played_game
        async with at_the_table(table, LARGE, persons=(1, 2)) as tonight:
            played.header = replace(played.header, real=True)
            table.heed(BotAct("errand", {"do": "stone", "seat": 0}))
            await tonight.see()
            text = " ".join(tonight.text().replace("│", " ").split())
            assert "For Anna" in text
            assert "Anna lays a stone." in text
            assert "Please move:" in text
            before = table.evening.number
            await tonight.press("enter")
            await tonight.settle()
            assert table.evening.number == before + 1
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_what_was_put_off_for_a_bot_can_be_read_again_and_the_next_is_said_even_if_it_is_the_same(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        played = table.evening.played_game
        async with at_the_table(table, LARGE, persons=(1, 2)) as tonight:
            played.header = replace(played.header, real=True)
            stone = {"do": "stone", "seat": 0}
            table.heed(BotAct("first", stone))
            await tonight.see()
            await tonight.press("escape")
            await tonight.see()
            assert isinstance(tonight.app.screen, TableScreen)
            await tonight.press("m")
            assert "For Anna" in tonight.text()
            await tonight.press("escape", "f7")
            assert "Anna lays a stone." in tonight.text()
            await tonight.press("escape")
            for seat in (0, 1, 2):
                table.heed(Act(f"stone {seat}", {"do": "stone", "seat": seat}))
            table.heed(BotAct("second", stone))
            await tonight.see()
            assert "Anna lays a stone." in tonight.text()
            assert "Please move:" in tonight.text()

    play(story)

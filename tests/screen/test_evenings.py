"""The evenings on the screen: which one Enter goes on with, and how one is put away."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

import pytest
from msgspec.structs import replace

from companion.errors import JournalError
from companion.gamekit.screen.controls import Worded
from companion.gamekit.screen.picker import Choices
from companion.gamekit.snapshot import LookedBackAt, Result
from companion.messages.intentions import Go
from companion.messages.lobby import GamePlan, PastEvening
from companion.screen.screens.evening_list import EveningButton, EveningsDialog, RemoveButton, _date
from companion.screen.widgets.game_card import card_ink
from tests.ours import GAMES
from tests.screen.evening_flow import DAMAGED, FINISHED, OPEN, visit
from tests.screen.table import LARGE, SMALL, painted, snapshot


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def test_enter_goes_on_with_the_newest_evening_if_it_is_open() -> None:
    async def story() -> None:
        async with visit((OPEN, FINISHED)) as here:
            await here.press("enter")
            await here.at_table()
            assert here.lobby.heard == [OPEN.id]

    play(story)


def test_an_old_game_that_no_player_finished_is_not_in_the_way_of_a_new_one() -> None:
    async def story() -> None:
        async with visit((FINISHED, OPEN)) as here:
            await here.press("enter")
            await here.at_table()
            (plan,) = here.lobby.heard
            assert isinstance(plan, GamePlan)

    play(story)


def test_what_the_cursor_is_on_is_not_taken_away() -> None:
    async def story() -> None:
        async with visit((OPEN,)) as here:
            await here.press("down")
            focused = here.app.focused
            await here.start._look()
            assert here.app.focused is focused

    play(story)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_an_evening_is_removed_only_after_a_question(size: tuple[int, int]) -> None:
    async def story() -> None:
        async with visit((FINISHED, DAMAGED, OPEN), size) as here:
            await here.press("e", "x")
            assert isinstance(here.app.screen, Choices)
            for words in ("Remove this evening?", "Xaver 24, » Yvonne 31, Zoe 18", "can move it back from there"):
                assert words in " ".join(here.text().split())
            await here.press("n")
            assert here.lobby.heard == []
            await here.press("x", "y")
            await here.until(lambda: here.lobby.heard == [("remove", FINISHED.id)])
            await here.until(lambda: isinstance(here.app.screen, EveningsDialog) and "Xaver" not in here.text())
            assert "34 actions so far" in here.text()

    play(story)


def test_up_and_down_go_from_evening_to_evening_and_tab_to_the_button_that_removes_one() -> None:
    async def story() -> None:
        async with visit((OPEN, DAMAGED, FINISHED), LARGE) as here:
            await here.press("e")
            for key, past in (("down", FINISHED), ("down", OPEN), ("up", FINISHED), ("up", OPEN)):
                await here.press(key)
                focused = here.app.focused
                assert isinstance(focused, EveningButton)
                assert focused.past == past
            for key, past in (("tab", OPEN), ("right", DAMAGED)):
                await here.press(key)
                focused = here.app.focused
                assert isinstance(focused, RemoveButton)
                assert focused.past == past
            await here.press("down", "enter")
            await here.at_table()
            assert here.lobby.heard == [FINISHED.id]

    play(story)


def test_a_damaged_evening_has_a_button_to_remove_it() -> None:
    async def story() -> None:
        async with visit((FINISHED, DAMAGED), LARGE) as here:
            await here.press("e")
            button = here.app.screen.query(".remove")[1]
            await here.pilot.click(button)
            await here.until(lambda: "Remove this evening?" in here.text() and "cannot be read" in here.text())
            await here.press("y")
            await here.until(lambda: here.lobby.heard == [("remove", DAMAGED.id)])

    play(story)


def test_what_cannot_be_removed_says_why_and_stays() -> None:
    async def story() -> None:
        async with visit((FINISHED,)) as here:
            here.lobby.refusal = JournalError("this evening is being played by another referee")
            await here.press("e", "x", "y")
            await here.until(lambda: "This evening is being played by another referee" in here.text())
            assert "Xaver 24" in here.text()

    play(story)


def test_after_the_last_one_is_removed_people_are_at_the_start_again() -> None:
    async def story() -> None:
        async with visit((replace(FINISHED, id="2026-11-16-9"),)) as here:
            await here.press("e", "x", "y")
            await here.at_start()
            assert "No evening has been played yet." in here.text()

    play(story)


@pytest.mark.parametrize("past", [OPEN, FINISHED])
def test_an_evening_is_replayed_from_the_list_finished_or_not(past: PastEvening) -> None:
    async def story() -> None:
        looking = replace(snapshot(), replay=LookedBackAt(3, 40, False))
        async with visit((past,), shown=looking) as here:
            await here.press("e", "p")
            await here.at_table()
            assert here.lobby.heard == [("replay", past.id, 1)]
            assert "step 3 of 40" in here.text()
            await here.press("right")
            assert isinstance(here.referee.heard[-1], Go)
            await here.press("q")
            await here.at_start()

    play(story)


def test_of_a_match_any_game_is_replayed() -> None:
    async def story() -> None:
        match = replace(FINISHED, games=2, earlier=(Result((30, 10, 5), (0,)),), sums=(54, 41, 23))
        async with visit((match,), shown=replace(snapshot(), replay=LookedBackAt(0, 40, False))) as here:
            await here.press("e", "p", "1")
            await here.at_table()
            assert here.lobby.heard == [("replay", match.id, 1)]

    play(story)


def test_a_game_s_picture_has_the_colour_that_it_has_on_the_start_screen() -> None:
    async def story() -> None:
        async with visit((replace(FINISHED, game="sioux"),), (160, 45)) as here:
            await here.press("e", "tab")
            details = here.app.screen.query_one(".details Worded", Worded).region
            cells = [segment for strip in painted(here.app) for segment in strip.crop(details.x, details.right)]
            inks = {segment.style.color.name for segment in cells if segment.style and segment.style.color}
            assert card_ink(GAMES.index("sioux") + 1, dark=True) in inks

    play(story)


def test_a_wide_screen_tells_more_about_the_evening_that_has_the_focus() -> None:
    async def story() -> None:
        match = replace(FINISHED, games=2, earlier=(Result((30, 10, 5), (0,)),), sums=(54, 41, 23))
        async with visit((OPEN, match), (160, 45)) as here:
            await here.press("e", "down")
            await here.press("tab", "tab")
            text = here.text()
            for words in ("Game 1", "Game 2", "The match so far"):
                assert words in text

    play(story)


def test_an_evening_is_dated_by_its_beginning_and_by_its_name_where_that_is_unknown() -> None:
    begun = datetime(2026, 11, 16, 19, 30).astimezone()
    past = replace(OPEN, id="2026-11-16-3", begun_at=begun.timestamp())
    assert _date(past) == "2026-11-16 19:30"
    assert _date(replace(past, begun_at=None)) == "2026-11-16-3"
    assert _date(replace(past, begun_at=1e30)) == "2026-11-16-3"

"""Secret choices: the screen is handed over, and nothing of a choice stays behind."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.widget import Widget

from companion.screen.screens.table import TableScreen
from companion.snapshot import Act, Told
from tests.screen.table import Evening, choosing, evening, snapshot


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def acts(tonight: Evening) -> list[dict[str, Any]]:
    return [message.action for message in tonight.referee.heard]


def acts_in_memory() -> list[Act]:
    return [thing for thing in gc.get_objects() if isinstance(thing, Act)]


def test_the_screen_goes_from_hand_to_hand_by_key() -> None:
    async def story() -> None:
        async with evening(choosing(False, False, False)) as tonight:
            tonight.referee.reply = Told(5, "accepted", "has chosen", "L5", {"seat": 0})
            await tonight.press("c")
            assert "Hand the screen to Anna" in tonight.text()
            assert "pink" not in tonight.text().split("Hand the screen")[1]
            await tonight.press("1")
            assert "only you should see this" in tonight.text()
            await tonight.press("5")
            assert "Hand the screen to Ben" in tonight.text()
            await tonight.press("enter", "1")
            await tonight.press("1", "2")
            await tonight.heard(3)
            assert acts(tonight) == [
                {"do": "choose", "seat": 0, "colour": "white"},
                {"do": "choose", "seat": 1, "colour": "brown"},
                {"do": "choose", "seat": 2, "colour": "yellow"},
            ]
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_the_screen_goes_from_hand_to_hand_by_mouse() -> None:
    async def story() -> None:
        async with evening(choosing(True, False, True)) as tonight:
            await tonight.click("Choose")
            await tonight.click("I am Ben")
            await tonight.click("◆ pink")
            await tonight.heard()
            assert acts(tonight) == [{"do": "choose", "seat": 1, "colour": "pink"}]
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_nothing_of_a_choice_stays_in_the_process_once_it_is_answered() -> None:
    others = {id(act) for act in acts_in_memory()}

    async def story() -> None:
        async with evening(choosing(True, False, True)) as tonight:
            tonight.referee.answering = False
            await tonight.press("c", "1", "3")
            await tonight.heard()
            assert len(tonight.talk.link.unanswered) == 1
            tonight.referee.heard.clear()
            tonight.referee.answering = True
            await tonight.referee.close()  # it comes back and hears the choice again
            await tonight.referee.open()
            await tonight.heard()
            await tonight.until(lambda: not tonight.talk.link.unanswered)
            tonight.referee.heard.clear()
            await tonight.show(snapshot())
            for _turn in range(5):
                await tonight.pilot.pause()
            gc.collect()
            assert [act for act in acts_in_memory() if id(act) not in others] == []
            for widget in tonight.app.screen.walk_children(Widget):
                assert "green" not in {str(value) for value in vars(widget).values() if isinstance(value, str)}

    play(story)


def test_esc_leaves_every_step_with_nothing_changed() -> None:
    async def story() -> None:
        async with evening(choosing(False, False, False)) as tonight:
            for keys in (("c",), ("c", "1"), ("c", "2")):
                await tonight.press(*keys, "escape")
                assert isinstance(tonight.app.screen, TableScreen)
            assert tonight.referee.heard == []

    play(story)


def test_one_person_alone_needs_no_handing_over() -> None:
    async def story() -> None:
        async with evening(choosing(True, False, True, simulated=(0, 2))) as tonight:
            await tonight.press("c", "6")
            await tonight.heard()
            assert acts(tonight) == [{"do": "choose", "seat": 1, "colour": "blue"}]
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_L6_a_choice_may_be_changed_until_the_last_one_has_chosen() -> None:
    async def story() -> None:
        async with evening(choosing(True, True, False)) as tonight:
            await tonight.press("c")
            await tonight.click("Somebody else")
            await tonight.press("1")
            assert "Hand the screen to Anna" in tonight.text()
            await tonight.press("1", "1", "escape")
            assert acts(tonight) == [{"do": "choose", "seat": 0, "colour": "brown"}]
        async with evening(choosing(True, True, False, simulated=(2,))) as tonight:
            await tonight.press("c")
            assert "Who wants to choose?" in tonight.text()
            await tonight.click("Ben")
            await tonight.press("1", "4")
            await tonight.heard()
            assert acts(tonight) == [{"do": "choose", "seat": 1, "colour": "pink"}]

    play(story)


@pytest.mark.parametrize("keys", [("c",), ("c", "1"), ("c", "2")])
def test_the_question_closes_itself_when_choosing_is_over(keys: tuple[str, ...]) -> None:
    async def story() -> None:
        async with evening(choosing(False, True, True)) as tonight:
            await tonight.press(*keys)
            await tonight.show(snapshot())
            assert isinstance(tonight.app.screen, TableScreen)
            assert tonight.referee.heard == []

    play(story)


def test_the_row_stays_in_sight_while_choosing() -> None:
    async def story() -> None:
        async with evening(choosing(False, True, True)) as tonight:
            await tonight.press("c", "1")
            rows = tonight.text().splitlines()
            assert "aurochs" in rows[4]
            assert "● brown" in rows[5]

    play(story)

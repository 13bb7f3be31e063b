"""Secret choices: the screen is handed over, and nothing of a choice stays behind."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.widget import Widget

from companion.gamekit.game import Awaiting
from companion.gamekit.screen import press_guard
from companion.gamekit.snapshot import Told
from companion.messages.intentions import Act
from companion.messages.looks import Preference
from companion.screen.screens.table_screen import TableScreen
from tests.screen.table import LARGE, SMALL, Evening, choosing, evening, snapshot


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
            await tonight.press("enter")
            assert "only you should see this" in tonight.text()
            await tonight.press("5")
            assert "Hand the screen to Ben" in tonight.text()
            await tonight.press("space", "1")
            await tonight.press("enter", "2")
            await tonight.heard(3)
            assert acts(tonight) == [
                {"do": "choose", "seat": 0, "colour": "white"},
                {"do": "choose", "seat": 1, "colour": "brown"},
                {"do": "choose", "seat": 2, "colour": "yellow"},
            ]
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_refusal_is_read_while_the_screen_waits_for_the_next_player() -> None:
    async def story() -> None:
        for size in (SMALL, LARGE):
            async with evening(choosing(False, False, False), size) as tonight:
                tonight.referee.reply = Told(5, "refused", "choices are locked", "L6", {"seat": 0})
                await tonight.press("c", "enter", "5")
                await tonight.heard(1)
                await tonight.until(lambda: "(L6)" in tonight.text().split("Hand the screen to Ben")[-1])

    play(story)


def test_a_player_who_has_the_screen_reads_it_in_their_own_language() -> None:
    async def story() -> None:
        wanted = Preference(), Preference("de"), Preference()
        async with evening(choosing(False, False, False), preferences=lambda *_: wanted) as tonight:
            tonight.referee.reply = Told(5, "accepted", "has chosen", "L5", {"seat": 0})
            await tonight.until(lambda: bool(tonight.app.conversation and tonight.app.conversation.preferences))
            await tonight.press("c", "enter")
            assert "only you should see this" in tonight.text()
            await tonight.press("5")
            assert "Hand the screen to Ben" in tonight.text(), "all players read this"
            await tonight.press("enter")
            assert "Ben, das ist nur für deine Augen" in tonight.text()
            await tonight.press("escape")
            assert isinstance(tonight.app.screen, TableScreen)
            assert "Undo" in tonight.text()
            await tonight.show(choosing(True, False, False, number=2))
            await tonight.press("c", "enter", "l")  # Ben wants English this once
            assert "Ben, only you should see this" in tonight.text()
            await tonight.press("1")
            assert "Hand the screen to Cleo" in tonight.text()

    play(story)


def test_a_player_who_plays_alone_keeps_the_language_of_the_screen() -> None:
    async def story() -> None:
        wanted = Preference("de"), Preference(), Preference()
        shown = choosing(False, False, False, simulated=(1, 2))
        async with evening(shown, preferences=lambda *_: wanted) as tonight:
            await tonight.until(lambda: bool(tonight.app.conversation and tonight.app.conversation.preferences))
            await tonight.press("c")
            assert "only you should see this" in tonight.text()

    play(story)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Presses are told apart as they are at a real table; time passes by hand."""
    clock = Clock()
    monkeypatch.setattr(press_guard, "SETTLE_S", 0.4)
    monkeypatch.setattr(press_guard, "REPEAT_S", 0.7)
    monkeypatch.setattr(press_guard, "clock", clock)
    return clock


def test_a_key_that_chooses_never_says_who_a_player_is() -> None:
    async def story() -> None:
        async with evening(choosing(False, False, False)) as tonight:
            await tonight.press("c", *"123456", "x")
            assert "Hand the screen to Anna" in tonight.text()
            assert tonight.referee.heard == []

    play(story)


def test_a_held_or_bouncing_key_never_chooses_for_the_next_person(clock: Clock) -> None:
    async def story() -> None:
        async with evening(choosing(False, False, False)) as tonight:
            clock.now += 1
            await tonight.press("c", "enter")
            assert "Hand the screen to Anna" in tonight.text()
            clock.now += 0.41
            await tonight.press("enter")
            assert "Hand the screen to Anna" in tonight.text(), "the key bounced, or is still held"
            clock.now += 1
            await tonight.press("enter", "1")
            assert "Anna, only you should see this" in tonight.text()
            clock.now += 1
            await tonight.press("1")
            for _repeat in range(50):
                clock.now += 0.03
                await tonight.press("1")
            clock.now += 1
            await tonight.press("enter")
            for _repeat in range(50):
                clock.now += 0.03
                await tonight.press("enter")
            assert acts(tonight) == [{"do": "choose", "seat": 0, "colour": "brown"}]
            assert "Ben, only you should see this" in tonight.text()

    play(story)


def test_a_person_who_presses_enter_again_and_again_is_not_ignored(clock: Clock) -> None:
    calm = press_guard.Calm()
    taken = []
    for _press in range(7):
        clock.now += 0.35
        taken.append(calm.takes("enter"))
    assert taken == [False, False, True, False, True, False, True], "too early; perhaps held; and so on"


@pytest.mark.parametrize("delay", [0.2, 0.35, 0.5, 0.66])
@pytest.mark.parametrize("rate", [0.02, 0.03, 0.1])
def test_a_held_key_counts_once_however_a_keyboard_repeats_it(clock: Clock, delay: float, rate: float) -> None:
    calm = press_guard.Calm()
    clock.now += 1
    assert calm.takes("enter")
    clock.now += delay
    for _repeat in range(100):
        assert not calm.takes("enter")
        clock.now += rate
    clock.now += 1
    assert calm.takes("enter")


def test_a_touch_that_bounces_presses_nothing_on_the_next_step(clock: Clock) -> None:
    async def story() -> None:
        async with evening(choosing(False, False, False)) as tonight:
            clock.now += 1
            await tonight.click("Choose")
            await tonight.click("I am Anna")
            assert "Hand the screen to Anna" in tonight.text()
            clock.now += 0.5
            await tonight.click("I am Anna")
            await tonight.click("◆ pink")
            assert tonight.referee.heard == []
            clock.now += 0.5
            await tonight.click("◆ pink")
            await tonight.heard()
            assert "Hand the screen to Ben" in tonight.text()

    play(story)


def test_a_held_key_lays_no_stone_for_the_next_person(clock: Clock) -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            clock.now += 1
            await tonight.press("s")
            await tonight.heard(1)
            ben = snapshot(awaiting=Awaiting((1,), ("stone", "pass")), offered=({"do": "stone", "seat": 1},))
            await tonight.show(ben)
            for _repeat in range(20):
                clock.now += 0.03
                await tonight.press("s")
            assert len(tonight.referee.heard) == 1
            clock.now += 1
            await tonight.press("s")
            await tonight.heard(2)
            assert acts(tonight)[1] == {"do": "stone", "seat": 1}

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
            await tonight.press("c", "enter", "3")
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
            for keys in (("c",), ("c", "enter"), ("c", "o")):
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
            await tonight.click("Another player")
            await tonight.press("1")
            assert "Hand the screen to Anna" in tonight.text()
            await tonight.press("enter", "1", "escape")
            assert acts(tonight) == [{"do": "choose", "seat": 0, "colour": "brown"}]
        async with evening(choosing(True, True, False, simulated=(2,))) as tonight:
            await tonight.press("c")
            assert "Who wants to choose?" in tonight.text()
            await tonight.click("Ben")
            await tonight.press("enter", "4")
            await tonight.heard()
            assert acts(tonight) == [{"do": "choose", "seat": 1, "colour": "pink"}]

    play(story)


@pytest.mark.parametrize("keys", [("c",), ("c", "enter"), ("c", "o")])
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
            await tonight.press("c", "enter")
            rows = tonight.text().splitlines()
            below = next(number for number, row in enumerate(rows) if "only you should see" in row)
            assert "Choose a marker in secret, its colour takes cards: Anna" in rows[3], "your move is never covered"
            assert "aurochs" in rows[below + 1]
            assert "● brown" in rows[below + 2]

    play(story)

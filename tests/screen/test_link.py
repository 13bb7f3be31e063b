"""The line to the referee breaks and comes back."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from companion.messages.client import RefereeLink
from companion.messages.intentions import Act
from companion.messages.protocol import Fault
from companion.screen.app import CompanionApp
from tests.screen.table import Evening, choosing, evening, snapshot


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def test_what_was_not_answered_is_sent_again_with_the_same_id() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            tonight.referee.answering = False
            await tonight.press("s")
            (first,) = await tonight.heard()
            await tonight.referee.close()
            tonight.referee.answering = True
            await tonight.referee.open()
            (_, again) = await tonight.heard(2)
            assert again == first
            assert isinstance(again, Act)
            await tonight.until(lambda: not tonight.talk.link.unanswered)
            await tonight.referee.close()
            await tonight.referee.open()
            await tonight.until(lambda: tonight.referee.hellos == 3)
            await tonight.pilot.pause()
            assert len(tonight.referee.heard) == 2

    play(story)


def test_a_dead_referee_is_waited_for_and_found_again() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            await tonight.referee.close()
            await tonight.until(lambda: "Waiting for the referee" in tonight.text())
            await tonight.press("s")
            assert tonight.talk.link.unanswered == ()
            await tonight.referee.open()
            await tonight.until(lambda: "Waiting for the referee" not in tonight.text())
            await tonight.press("s")
            assert len(await tonight.heard()) == 1

    play(story)


def test_before_the_first_snapshot_the_screen_says_that_it_waits() -> None:
    async def story() -> None:
        async with evening() as tonight:
            await tonight.pilot.pause()
            assert "Waiting for the referee" in tonight.text()
            await tonight.press("s", "c", "u", "n", "h", "f1", "escape")
            await tonight.show(choosing(False, False, False))
            assert "Choose a marker" in tonight.text()

    play(story)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "then run `companion resume`"), ("de", "dann `companion resume`")]
)
def test_a_screen_that_waits_for_long_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    monkeypatch.setattr("companion.screen.screens.table_screen.PATIENCE_S", 0.2)

    def says(tonight: Evening) -> bool:
        return words in " ".join(tonight.text().split())

    async def story() -> None:
        async with evening(language=language) as tonight:
            await tonight.until(lambda: says(tonight))
            await tonight.show(snapshot())
            assert not says(tonight)
            await tonight.referee.close()
            await tonight.until(lambda: says(tonight))
            await tonight.referee.open()
            await tonight.until(lambda: not says(tonight))

    play(story)


def test_a_table_that_no_player_can_leave_says_so_when_it_waits_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.screen.screens.table_screen.PATIENCE_S", 0.2)

    async def story() -> None:
        async with evening(snapshot(), kiosk=True) as tonight:
            await tonight.referee.close()
            await tonight.until(lambda: "Switch the table off and on" in " ".join(tonight.text().split()))

    play(story)


def test_a_referee_that_comes_late_is_found(tmp_path_factory: object) -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            heard: list[object] = []
            late = RefereeLink(tonight.referee.path.with_name("late"), heard.append)
            running = asyncio.create_task(late.run())
            await asyncio.sleep(0.15)
            tonight.referee.path.with_name("late").symlink_to(tonight.referee.path)
            await tonight.until(lambda: bool(heard))
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    play(story)


def test_a_fault_is_shown_and_what_could_not_be_read_is_not_sent_again() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            tonight.referee.answering = False
            await tonight.press("s")
            await tonight.heard()
            tonight.referee.send(Fault("cannot read this"))
            await tonight.until(lambda: "cannot read this" in tonight.text())
            assert tonight.talk.link.unanswered == ()

    play(story)


def test_a_message_that_makes_no_sense_is_complained_about() -> None:
    async def story() -> None:
        async with evening(snapshot()) as tonight:
            tonight.referee.answering = False
            await tonight.press("s")
            await tonight.heard()
            tonight.referee.send({"is": "poem"})
            await tonight.until(lambda: "cannot be read" in tonight.text())
            assert len(tonight.talk.link.unanswered) == 1, "the referee may still answer"
            await tonight.show(snapshot())

    play(story)


def test_the_referee_is_there_when_its_first_snapshot_is_heard() -> None:
    async def story() -> None:
        async with evening() as tonight:
            changes: list[str] = []
            link = RefereeLink(
                tonight.referee.path, lambda message: changes.append("heard"), lambda up: changes.append(f"up {up}")
            )
            running = asyncio.create_task(link.run())
            await tonight.until(lambda: tonight.referee.hellos == 2)
            assert changes == []
            tonight.referee.show(snapshot())
            tonight.referee.show(snapshot())
            await tonight.until(lambda: len(changes) == 3)
            assert changes == ["heard", "up True", "heard"]
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            assert changes[-1] == "up False"

    play(story)


def test_a_screen_may_end_with_its_referee() -> None:
    async def story() -> None:
        async with evening(snapshot(), exit_with_referee=True) as tonight:
            app: CompanionApp = tonight.app
            await tonight.referee.close()
            await tonight.until(lambda: app._exit)

    play(story)

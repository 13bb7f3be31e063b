"""The reveal, one step at a time. It is only drawn slowly: nothing waits for it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from companion.gamekit.screen.letters import big
from companion.screen.screens import reveal_show
from companion.screen.screens.question_dialogs import QuestionDialog
from companion.screen.screens.reveal_show import Reveal
from companion.screen.screens.table_screen import TableScreen
from companion.table.signals import ReaderFault
from tests.referee.table import ALL_SIX, Table
from tests.screen.real import RealEvening, at_the_table
from tests.screen.table import LARGE, SMALL

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE, (160, 45)])
COLOURS = ("pink", "pink", "brown")


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only keys go on."""
    for name in ("STEP_S", "HURRY_S", "LINGER_S"):
        monkeypatch.setattr(reveal_show, name, 600.0)


async def all_pass(tonight: RealEvening) -> None:
    for seat in (0, 1):
        tonight.table.act("pass", seat=seat)
    await tonight.see()


@SIZES
def test_who_reveals_what_they_take_and_why_is_shown_step_by_step(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS), size) as tonight:
            await all_pass(tonight)
            assert isinstance(tonight.app.screen, Reveal)
            assert "Cleo is the last one left and reveals first" in tonight.text()
            assert "● brown →" not in " ".join(tonight.text().split())
            await tonight.press("space")
            assert "Cleo ● brown → aurochs ●+" in " ".join(tonight.text().split())
            await tonight.press("x")
            assert "Ben ◆ pink → aurochs ▲◆" in " ".join(tonight.text().split())
            await tonight.press("enter")
            assert "no card: Ben took them before" in tonight.text()
            await tonight.press("space", "space")
            assert "Anna passed first and starts the next round" in tonight.text()
            await tonight.press("space")
            assert isinstance(tonight.app.screen, TableScreen)
            assert tonight.talk.link.unanswered == ()

    play(story)


@SIZES
@pytest.mark.parametrize("code", ["en", "de"])
def test_each_marker_is_called_in_big_letters_with_the_cards_that_it_takes(
    tmp_path: Path, size: tuple[int, int], code: str
) -> None:
    words = {"en": ("brown", "pink"), "de": ("braun", "rosa")}[code]
    taken = {"en": ("", "+ blue", "▲ green", ""), "de": ("", "+ blau", "▲ grün", "")}[code]

    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS), size, language=code) as tonight:
            await all_pass(tonight)
            calls = ("Cleo", f"Cleo: {words[0]}", f"Ben: {words[1]}", f"Anna: {words[1]}")
            for call, colour in zip(calls, taken, strict=True):
                rows = big(call)
                assert rows is not None
                assert all(row.rstrip() in tonight.text() for row in rows), call
                shown = {colour for colour in taken if colour and colour in tonight.text()}
                assert shown == ({colour} if colour else set()), "the cards that the marker takes, and no others"
                assert "L1" in tonight.text(), "its ruling stands below, small"
                await tonight.press("space")

    play(story)


def test_it_goes_on_by_itself_and_closes_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STEP_S", "LINGER_S"):
        monkeypatch.setattr(reveal_show, name, 0.02)

    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS)) as tonight:
            await all_pass(tonight)
            await tonight.until(lambda: isinstance(tonight.app.screen, TableScreen))

    play(story)


def test_the_table_goes_on_behind_it_and_then_it_hurries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reveal_show, "HURRY_S", 0.02)

    async def story() -> None:
        table = Table(tmp_path).to_bidding(*COLOURS)
        async with at_the_table(table) as tonight:
            await all_pass(tonight)
            for card in ("goat-pink-blue", "deer-brown-white"):
                assert table.card(card).kind == "accepted"
            await tonight.see()
            assert isinstance(tonight.app.screen, Reveal)
            table.card("mammoth-brown-green")
            await tonight.see()
            await tonight.press("space")
            await tonight.until(lambda: isinstance(tonight.app.screen, TableScreen))
            assert "Anna draws mammoth brown/green" in tonight.text()

    play(story)


def test_several_snapshots_at_once_are_caught_up_with(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding(*COLOURS)
        async with at_the_table(table) as tonight:
            for seat in (0, 1):
                table.act("pass", seat=seat)
            table.card("goat-pink-blue")
            await tonight.see()
            assert isinstance(tonight.app.screen, Reveal)
            await tonight.press("escape")
            assert isinstance(tonight.app.screen, TableScreen)
            assert "Anna draws goat pink/blue" in tonight.text()

    play(story)


def test_a_question_to_every_player_comes_first(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding(*COLOURS)
        async with at_the_table(table) as tonight:
            await all_pass(tonight)
            table.undo()
            await tonight.see()
            assert isinstance(tonight.app.screen, QuestionDialog)

    play(story)


def test_a_screen_that_has_just_come_is_shown_no_old_reveal(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_reveal()) as tonight:
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


# --- Where people turn the pieces over themselves, and once more ---


def without_readers(folder: Path) -> Table:
    table = Table(folder, kit="none")
    for card in ALL_SIX:
        table.act("draw", card=card)
    for seat, colour in enumerate(COLOURS):
        table.act("choose", seat=seat, colour=colour)
    return table


def test_without_readers_a_reveal_waits_for_a_press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STEP_S", "HURRY_S", "LINGER_S"):
        monkeypatch.setattr(reveal_show, name, 0.01)

    async def story() -> None:
        async with at_the_table(without_readers(tmp_path)) as tonight:
            await all_pass(tonight)
            await asyncio.sleep(0.2)
            assert isinstance(tonight.app.screen, Reveal)
            assert "● brown →" not in " ".join(tonight.text().split())
            await tonight.press("space")
            assert "Cleo ● brown → aurochs ●+" in " ".join(tonight.text().split())

    play(story)


def test_the_last_reveal_is_shown_again_step_by_step_and_backwards(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS)) as tonight:
            await tonight.press("a")
            assert isinstance(tonight.app.screen, TableScreen)
            assert "Nothing has been revealed yet" in tonight.text()
            await all_pass(tonight)
            await tonight.press("escape", "a")
            assert isinstance(tonight.app.screen, Reveal)
            await tonight.press("space", "space")
            assert "Ben ◆ pink →" in " ".join(tonight.text().split())
            await tonight.press("left")
            assert "Ben ◆ pink →" not in " ".join(tonight.text().split())
            await tonight.press("escape", "h")
            await tonight.click("The last reveal")
            await tonight.until(lambda: isinstance(tonight.app.screen, Reveal))

    play(story)


def test_a_reveal_that_was_taken_back_is_not_shown_again(tmp_path: Path) -> None:
    table = Table(tmp_path).to_reveal(*COLOURS)

    async def story() -> None:
        async with at_the_table(table) as tonight:
            table.undo()
            for seat in range(3):
                table.agree(seat)
            await tonight.see()
            await tonight.press("escape", "a")
            assert "Nothing has been revealed yet" in tonight.text()

    play(story)


@SIZES
def test_a_reveal_never_hides_a_fault(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(*COLOURS), size) as tonight:
            await all_pass(tonight)
            assert isinstance(tonight.app.screen, Reveal)
            before = tonight.app.screen.query_one(".fault").display
            tonight.table.hear(ReaderFault("pad1", tonight.table.now_ms, "the cable"))
            await tonight.see()
            assert isinstance(tonight.app.screen, Reveal)
            assert not before
            assert tonight.app.screen.query_one(".fault").display
            assert "!" in tonight.text().partition("Revealed")[2].splitlines()[1]

    play(story)

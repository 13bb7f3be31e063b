"""Every signal is visibly answered: what was accepted quietly, everything else with what, why and what to do now."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from companion.screen.screens.question_dialogs import QuestionDialog
from companion.screen.screens.table_screen import TableScreen
from companion.screen.widgets import notice
from companion.screen.widgets.notice import Notice
from companion.stations import CENTRE
from companion.table.signals import LinkUp, ReaderFault, TagPlaced
from tests.referee.table import ALL_SIX, Table
from tests.screen.real import at_the_table
from tests.screen.table import LARGE, SMALL


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def test_an_accepted_tag_is_answered_quietly_by_its_line(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path)) as tonight:
            tonight.table.card(ALL_SIX[0])
            await tonight.see()
            assert "Anna draws aurochs brown/blue  L2" in tonight.text()
            assert not tonight.app.screen.query_one(Notice).display

    play(story)


def test_a_refusal_says_what_and_why_and_what_to_do_now(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(), LARGE) as tonight:
            tonight.table.marker(1, "yellow")
            await tonight.see()
            assert "It is Anna's turn, not Ben's (L10)" in tonight.text()
            assert "► Anna: lay a stone" in tonight.text()

    play(story)


@pytest.mark.parametrize(("kind", "words"), [("unknown", "Unknown tag"), ("repeated", "Double press")])
def test_an_unknown_tag_and_a_bouncing_button_are_answered_and_kept(tmp_path: Path, kind: str, words: str) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(), LARGE) as tonight:
            if kind == "unknown":
                told = tonight.table.hear(TagPlaced(CENTRE, tonight.table.now_ms, "04DEADBEEF"))
            else:
                tonight.table.press("green", "pad0")
                tonight.table.now -= 0.99
                told = tonight.table.press("green", "pad0")
            assert told.kind == kind
            await tonight.see()
            assert tonight.text().count(words) == 2, "in the notice and in the history"

    play(story)


def test_a_complaint_ends_when_the_table_moves_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding()) as tonight:
            tonight.table.marker(1, "yellow")
            await tonight.see()
            assert tonight.app.screen.query_one(Notice).display
            tonight.table.press("green", "pad0")
            await tonight.see()
            assert not tonight.app.screen.query_one(Notice).display
            assert "Anna lays a stone  L7" in tonight.text()

    play(story)


def test_on_the_small_screen_a_complaint_uncovers_the_newest_line_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice, "LOW_SECONDS", 0.2)
    monkeypatch.setattr(notice, "SECONDS", 600.0)

    async def story() -> None:
        async with at_the_table(Table(tmp_path, players=5).to_bidding(), SMALL) as tonight:
            tonight.table.marker(1, "yellow")
            await tonight.see()
            await tonight.until(lambda: not tonight.app.screen.query_one(Notice).display)
            assert "! It is Anna's turn, not Ben's  L10" in tonight.text()

    play(story)


def test_why_something_cannot_be_written_down_can_be_read(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        async with at_the_table(table) as tonight:
            table.journal._db.execute("PRAGMA query_only=ON")
            await tonight.press("s")
            await tonight.settle()
            assert "attempt to write a readonly database" in " ".join(tonight.text().split())
            table.journal._db.execute("PRAGMA query_only=OFF")
            await tonight.press("s")
            await tonight.settle()
            assert "Anna lays a stone" in tonight.text()

    play(story)


# --- By hand, and readers -------------------------------------------------------------------------------------


def test_what_is_said_on_a_screen_although_there_are_readers_is_marked(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path).to_bidding(), LARGE) as tonight:
            await tonight.press("s")
            await tonight.settle()
            tonight.table.press("green", "pad1")
            await tonight.see()
            assert re.search(r"Anna lays a stone +L7 +on screen", tonight.text())
            assert not re.search(r"Ben lays a stone +L7 +on screen", tonight.text())

    play(story)


def test_without_readers_nothing_is_by_hand(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path, kit="none")
        async with at_the_table(table) as tonight:
            table.act("draw", card=ALL_SIX[0])
            await tonight.see()
            assert "Anna draws" in tonight.text()
            assert "on screen" not in tonight.text()

    play(story)


def test_the_marks_outlive_the_referee(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        table.act("stone", seat=0)
        async with at_the_table(table.reopen(), LARGE) as tonight:
            assert re.search(r"Anna lays a stone +L7 +on screen", tonight.text())

    play(story)


def test_readers_are_always_in_sight(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path)) as tonight:
            for station in (CENTRE, "pad0", "pad1"):
                tonight.table.hear(LinkUp(station, tonight.table.now_ms))
            await tonight.see()
            assert "3 readers" in tonight.text()
            tonight.table.hear(ReaderFault("pad1", tonight.table.now_ms, "no answer"))
            await tonight.see()
            assert "! Ben's pad: lost  2 readers" in tonight.text()

    play(story)


# --- Taking back ----------------------------------------------------------------------------------------------


def test_the_undo_names_the_action_not_its_last_consequence(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path)
        async with at_the_table(table) as tonight:
            table.to_choosing()
            await tonight.see()
            await tonight.press("u")
            assert "Anna draws aurochs green/pink" in tonight.text()
            await tonight.press("y")
            await tonight.settle()
            assert "Put these pieces back" in tonight.text()
            assert "aurochs green/pink: row → deck" in tonight.text()
            table.card(ALL_SIX[2])
            await tonight.see()
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_what_was_undone_is_not_the_newest_action_any_more(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_bidding()
        table.act("stone", seat=0)
        table.act("stone", seat=1)
        table.undo()
        async with at_the_table(table) as tonight:
            if not isinstance(tonight.app.screen, TableScreen):
                await tonight.press("escape")
            await tonight.press("u")
            assert "Anna lays a stone" in tonight.text().split("Undo the last action?")[1]

    play(story)


def test_an_undo_across_a_reveal_asks_all_players_by_the_number_of_their_seat(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path).to_reveal()
        async with at_the_table(table, LARGE) as tonight:
            await tonight.press("u", "y")
            await tonight.settle()
            assert isinstance(tonight.app.screen, QuestionDialog)
            assert "Ben passes and takes no stones" in tonight.text()
            await tonight.press("1")
            await tonight.settle()
            await tonight.press("1", "2")
            await tonight.settle()
            assert "Waiting for: Cleo" in tonight.text()
            await tonight.press("3")
            await tonight.settle()
            assert table.newest.kind == "undone"
            assert "Put these pieces back" in tonight.text()

    play(story)


def test_how_to_leave_is_known_everywhere(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path)) as tonight:
            for *keys, leaving in (("q",), ("ctrl+c",), ("d", "q"), ("h", "q"), ("f1", "q")):
                await tonight.press(*keys, leaving)
                assert "Leave the game?" in tonight.text()
                assert "The game is saved" in tonight.text()
                await tonight.press("escape", "escape")
            tonight.process._stop.set()
            await tonight.until(lambda: "Waiting for the referee" in tonight.text())
            assert "Undo" not in tonight.text()
            await tonight.press("q", "y")
            assert tonight.app._exit

    play(story)

"""Setting up on the screen: page by page with keys or touch, in both languages; skipped, or played over."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.widgets import Button

from companion.gamekit.game import Awaiting
from companion.gamekit.snapshot import Snapshot
from companion.messages.intentions import Prepare
from companion.screen.screens.layout_dialogs import PreparationDialog
from companion.screen.screens.table_screen import TableScreen
from companion.simulation.real_time import next_deed
from tests.referee.test_preparation import Table
from tests.screen.real import RealEvening, at_the_table
from tests.screen.table import LARGE, SMALL, evening

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE])


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


async def turn(tonight: RealEvening, key: str) -> None:
    await tonight.press(key)
    await tonight.settle()


@SIZES
def test_every_step_can_be_read_and_then_how_it_lies(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story() -> None:
        table = Table(tmp_path)
        async with at_the_table(table, size) as tonight:
            assert isinstance(tonight.app.screen, PreparationDialog)
            pages = table.told.pages
            for page in range(1, pages + 1):
                assert f"Setting up ({page}/{pages})" in tonight.text()
                if page == 4:
                    assert "14 stones" in tonight.text()
                    assert "2 sets" in tonight.text()
                if page == pages:
                    assert "deck: 54 cards" in tonight.text()
                    assert "Anna's stones: 12 stones" in tonight.text()
                await turn(tonight, "enter")
            assert isinstance(tonight.app.screen, TableScreen)
            assert table.seen.preparation is None

    play(story)


def test_it_speaks_german_and_goes_back_a_page(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path), LARGE, language="de") as tonight:
            await turn(tonight, "enter")
            assert "Aufbau (2/7)" in tonight.text()
            assert "Alle nehmen einen Satz von 6 Markern" in tonight.text()
            await turn(tonight, "b")
            assert "Aufbau (1/7)" in tonight.text()
            for name, page in (("next", 2), ("next", 3), ("back", 2), ("back", 1)):
                next(each for each in tonight.app.screen.query(Button) if each.name == name).press()
                await tonight.settle()
                assert f"Aufbau ({page}/7)" in tonight.text()
            await tonight.press("l")
            assert "Setting up (1/7)" in tonight.text()

    play(story)


@pytest.mark.parametrize("key", ["x", "escape"])
def test_it_is_skipped_with_one_key(tmp_path: Path, key: str) -> None:
    async def story() -> None:
        table = Table(tmp_path)
        async with at_the_table(table) as tonight:
            await turn(tonight, key)
            assert isinstance(tonight.app.screen, TableScreen)
            assert [entry.kind for entry in table.entries] == ["game", "prepared"]

    play(story)


def test_a_key_that_means_something_on_the_table_skips_it_and_is_heard_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with at_the_table(Table(tmp_path)) as tonight:
            await turn(tonight, "d")
            assert "Which animal was drawn?" in tonight.text()
            await turn(tonight, "escape")
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_a_button_at_the_table_leafs_on_every_screen(tmp_path: Path) -> None:
    async def story() -> None:
        table = Table(tmp_path)
        async with at_the_table(table) as tonight:
            table.press("green", "pad1")
            await tonight.see()
            assert "Setting up (2/7)" in tonight.text()
            table.hold("green", "pad2")
            await tonight.see()
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_who_only_watches_is_not_told(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(Table(tmp_path).seen, watch=True) as tonight:
            assert isinstance(tonight.app.screen, TableScreen)

    play(story)


def test_simulated_hands_wait_until_people_have_set_the_table_up(tmp_path: Path) -> None:
    """Anna is a person; Ben, who starts, and Cleo are not."""

    async def story() -> None:
        table = Table(tmp_path, persons=1, first=1)
        simulated = table.simulation(1, 0)
        referee = _Watched(table)
        waiting = asyncio.create_task(next_deed(simulated, referee, 1000.0))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not waiting.done()
        table.heed(Prepare("done", 99))
        referee.tell()
        async with asyncio.timeout(60):
            await waiting

    play(story)


class _Watched:
    """The table as simulated hands see it."""

    def __init__(self, table: Table) -> None:
        self._table, self._news = table, asyncio.Event()
        self.deliver, self.heed = table.hear, table.heed

    @property
    def snapshot(self) -> Snapshot:
        seen = self._table.seen
        assert seen.awaiting == Awaiting((1,), ("draw",))
        return seen

    async def changed(self) -> None:
        await self._news.wait()

    def tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

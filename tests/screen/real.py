"""A screen at a table with the real referee: hands and other screens do things, and the screen has seen them."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from companion.referee.event_loop import Process
from companion.screen.app import CompanionApp
from tests.places import short_folder
from tests.referee.table import Table
from tests.screen.table import SMALL, Evening


class RealEvening(Evening):
    def __init__(self, app: CompanionApp, table: Table, process: Process, pilot: Pilot[None]) -> None:
        super().__init__(app, None, pilot)  # type: ignore[arg-type]
        self.table, self.process = table, process

    async def see(self) -> None:
        """What was done at the table meanwhile is published, and the screen has drawn it."""
        before = self.talk.drawn
        self.process._publish()
        await self.until(lambda: self.talk.drawn > before)
        await self.pilot.pause()

    async def settle(self) -> None:
        """Everything that was posted is answered and drawn."""
        await self.until(lambda: not self.talk.link.unanswered)
        await self.see()


@asynccontextmanager
async def at_the_table(
    table: Table, size: tuple[int, int] = SMALL, persons: tuple[int, ...] = (0, 1, 2), **how: Any
) -> AsyncIterator[RealEvening]:
    """The screen comes when the table stands as it does now."""
    table.simulate(*(seat for seat in range(table.players) if seat not in persons))
    folder = short_folder()
    process = Process(table.referee, table.journal, folder / "s")
    serving = asyncio.create_task(process.run([]))
    app = CompanionApp(folder / "s", **how)
    try:
        async with app.run_test(size=size) as pilot:
            running = RealEvening(app, table, process, pilot)
            await running.until(lambda: app.conversation is not None and app.conversation.drawn > 0)
            await pilot.pause()
            yield running
    finally:
        serving.cancel()
        await asyncio.wait([serving])
        shutil.rmtree(folder)

"""The way to the table and back: lists what there is, begins or resumes an evening, and leaves it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from companion.errors import CompanionError
from companion.reception import PastEvening, Reception, Wish
from companion.screen.face import FACES
from companion.screen.party import Offer
from companion.wording import plain

PROBLEM_LENGTH = 240


class Hall:
    """The reception may block: everything is asked in another thread. A problem is a sentence; "" if there is none."""

    def __init__(self, reception: Reception, show_table: Callable[[Path], Awaitable[None]]) -> None:
        self._reception, self._show_table = reception, show_table
        self.offer = Offer()
        self.problem = ""
        """What the last one who came back from a table has to be told."""

    async def look(self) -> str:
        """Find out what there is."""
        try:
            self.offer = await asyncio.to_thread(self._look)
        except CompanionError as error:
            return _sentence(str(error))
        return ""

    async def begin(self, wish: Wish) -> str:
        return await self._go(lambda: self._reception.begin(wish))

    async def resume(self, evening: PastEvening) -> str:
        return await self._go(lambda: self._reception.resume(evening.id))

    async def leave(self) -> None:
        await asyncio.to_thread(self._reception.leave)

    @property
    def lost(self) -> str:
        """Why the referee of this table cannot be kept at work."""
        return _sentence(self._reception.problem)

    async def _go(self, going: Callable[[], Path]) -> str:
        try:
            socket = await asyncio.to_thread(going)
        except CompanionError as error:
            return _sentence(str(error))
        await self._show_table(socket)
        return ""

    def _look(self) -> Offer:
        known = [game for game in self._reception.games() if game.name in FACES]
        return Offer(self._reception.evenings(), known, self._reception.kits(), self._reception.names())


def _sentence(problem: str) -> str:
    """A message of the command line, fit for a notice."""
    problem = plain(problem, PROBLEM_LENGTH)
    return problem[:1].upper() + problem[1:]

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

    def __init__(
        self,
        reception: Reception,
        show_table: Callable[[Path], Awaitable[None]],
        pressed: Callable[[str, bool], object] = lambda _colour, _held: None,
    ) -> None:
        """`pressed`: takes the presses of the table's own buttons while people are here."""
        self._reception, self._show_table, self._pressed = reception, show_table, pressed
        self._listening: asyncio.Task[None] | None = None
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

    def listen(self) -> None:
        """To the table's buttons, until people go to a table: there its referee does."""
        if self._listening is None:
            self._listening = asyncio.create_task(self._reception.buttons(self._pressed))

    async def stop_listening(self) -> None:
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()
            await asyncio.wait({listening})

    async def begin(self, wish: Wish) -> str:
        return await self._go(lambda: self._reception.begin(wish))

    async def resume(self, evening: PastEvening) -> str:
        return await self._go(lambda: self._reception.resume(evening.id))

    async def leave(self) -> None:
        await asyncio.to_thread(self._reception.leave)
        self.listen()

    @property
    def lost(self) -> str:
        """Why the referee of this table cannot be kept at work."""
        return _sentence(self._reception.problem)

    async def _go(self, going: Callable[[], Path]) -> str:
        await self.stop_listening()
        try:
            socket = await asyncio.to_thread(going)
        except CompanionError as error:
            self.listen()
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

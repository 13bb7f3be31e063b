"""From the start screen to a table and back: lists evenings and games, begins or resumes an evening, and leaves it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.errors import CompanionError
from companion.language.wording import plain
from companion.messages.lobby import Lobby, PastEvening, Wish
from companion.screen.game_setup import Invitation

PROBLEM_LENGTH = 240
T = TypeVar("T")


class EveningFlow:
    """The lobby may block, so it is called in another thread. A problem is a sentence; "" if there is none."""

    def __init__(
        self,
        lobby: Lobby,
        show_table: Callable[[Path], Awaitable[None]],
        pressed: Callable[[str, bool], object] = lambda _colour, _held: None,
    ) -> None:
        """`pressed` takes the presses of the table's buttons while no game is shown."""
        self._lobby, self._show_table, self._pressed = lobby, show_table, pressed
        self._listening: asyncio.Task[None] | None = None
        self.offer = Invitation()
        self.problem = ""
        """What to show to players who have just come back from a table."""

    async def look(self) -> str:
        """Find out which games and evenings there are."""
        self.offer, problems = await asyncio.to_thread(self._look)
        return _sentence("; ".join(problems))

    def listen(self) -> None:
        """Listen to the table's buttons until a game is shown: then its referee does."""
        if self._listening is None:
            self._listening = asyncio.create_task(self._lobby.buttons(self._pressed))

    async def stop_listening(self) -> None:
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()
            await asyncio.wait({listening})

    async def begin(self, wish: Wish) -> str:
        return await self._go(lambda: self._lobby.begin(wish))

    async def resume(self, evening: PastEvening) -> str:
        return await self._go(lambda: self._lobby.resume(evening.id))

    async def remove(self, evening: PastEvening) -> str:
        """Remove it, and list again."""
        return await self._do(lambda: self._lobby.remove(evening.id))

    async def look_at_plugs(self) -> bool:
        """Whether other readers are plugged in than before."""
        before = self.offer.plugged
        with suppress(CompanionError):
            plugged = await asyncio.to_thread(self._lobby.plugged)
            self.offer = self.offer._replace(plugged=plugged)
        return self.offer.plugged != before

    async def adopt(self) -> str:
        """Use the reader that is plugged in from now on."""
        return await self._do(self._lobby.adopt)

    async def _do(self, deed: Callable[[], None]) -> str:
        """Only the problem of this evening or reader, not those of other games."""
        try:
            await asyncio.to_thread(deed)
        except CompanionError as error:
            return _sentence(str(error))
        await self.look()
        return ""

    async def leave(self) -> None:
        await asyncio.to_thread(self._lobby.leave)
        self.listen()

    @property
    def lost(self) -> str:
        """Why the referee of this table cannot be restarted."""
        return _sentence(self._lobby.problem)

    async def _go(self, going: Callable[[], Path]) -> str:
        await self.stop_listening()
        try:
            socket = await asyncio.to_thread(going)
        except CompanionError as error:
            self.listen()
            return _sentence(str(error))
        await self._show_table(socket)
        return ""

    def _look(self) -> tuple[Invitation, list[str]]:
        """What can be played, and the problems of the rest. One problem hides nothing else."""
        problems: list[str] = []

        def asked(ask: Callable[[], T], otherwise: T) -> T:
            try:
                return ask()
            except CompanionError as error:
                problems.append(str(error))
                return otherwise

        nothing = Invitation()
        lobby = self._lobby
        games = asked(lobby.games, nothing.games)
        unplayable = [game for game in games if game.problem]
        if len(unplayable) == 1:
            problems.append(unplayable[0].problem)
        offer = Invitation(
            asked(lobby.evenings, nothing.evenings),
            [game for game in games if not game.problem],
            asked(lobby.kits, nothing.kits),
            asked(lobby.names, nothing.names),
            asked(lobby.plugged, nothing.plugged),
            [game.name for game in unplayable] if len(unplayable) > 1 else (),
        )
        return offer, list(dict.fromkeys(problems))


def _sentence(problem: str) -> str:
    """A message of the command line, made fit for a notice."""
    problem = plain(problem, PROBLEM_LENGTH)
    return problem[:1].upper() + problem[1:]

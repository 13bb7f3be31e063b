"""The way to the table and back: shows what the lobby offers, starts or resumes an evening, and leaves it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.errors import CompanionError
from companion.language.wording import plain
from companion.messages.lobby import GamePlan, LaidCard, Lobby, PastEvening, PlayerStanding, PuzzleOffer
from companion.messages.phone_access import EnrolmentPhones
from companion.screen.game_setup import Offers

PROBLEM_LENGTH = 240
T = TypeVar("T")


class EveningFlow:
    """Calls the lobby in another thread, because it may block. A method that returns a string returns the problem as a
    sentence, or "" if there is none."""

    def __init__(
        self,
        lobby: Lobby,
        show_table: Callable[[Path, bool], Awaitable[None]],
        pressed: Callable[[str, bool], object] = lambda _colour, _held: None,
    ) -> None:
        """`show_table`: shows the table at this socket, or a replay. `pressed`: takes the presses of the table's own
        buttons while no table is shown."""
        self._lobby, self._show_table, self._pressed = lobby, show_table, pressed
        self._listening: asyncio.Task[None] | None = None
        self.offers = Offers()
        self.problem = ""
        """What to report when a table was left."""

    async def look(self) -> str:
        """Ask the lobby for its offers. One game with a problem is reported here; several are listed in the offers."""
        self.offers, problems = await asyncio.to_thread(self._look)
        return _sentence("; ".join(problems))

    def listen(self) -> None:
        """Listen to the table's buttons until a table is shown. Then its referee listens."""
        if self._listening is None:
            self._listening = asyncio.create_task(self._lobby.buttons(self._pressed))

    async def stop_listening(self) -> None:
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()
            await asyncio.wait({listening})

    async def read_cards(self, laid: Callable[[LaidCard], object]) -> None:
        """Report the tags on the table's readers, and those that phones read, until cancelled."""
        await self._lobby.cards(laid)

    @property
    def card_phones(self) -> EnrolmentPhones:
        """Phones that read player cards."""
        return self._lobby.card_phones

    async def begin(self, plan: GamePlan) -> str:
        return await self._go(lambda: self._lobby.begin(plan))

    async def take_table(self) -> str:
        """Play what the hall has planned for this table."""
        return await self._go(self._lobby.take_table)

    async def resume(self, evening: PastEvening) -> str:
        return await self._go(lambda: self._lobby.resume(evening.id))

    async def replay(self, evening: PastEvening, game: int) -> str:
        """Page through this game of an evening."""
        return await self._go(lambda: self._lobby.replay(evening.id, game), is_replay=True)

    async def solve(self, puzzle: PuzzleOffer) -> str:
        return await self._go(lambda: self._lobby.solve(puzzle))

    async def look_at_puzzle(self) -> bool:
        """Whether there is another puzzle than before."""
        before = self.offers.puzzle
        with suppress(CompanionError):
            self.offers = self.offers._replace(puzzle=await asyncio.to_thread(self._lobby.puzzle))
        return self.offers.puzzle != before

    async def standings(self) -> Sequence[PlayerStanding]:
        """The table of players; empty if the journals cannot be read, which is reported elsewhere."""
        try:
            return await asyncio.to_thread(self._lobby.standings)
        except CompanionError:
            return ()

    async def remove(self, evening: PastEvening) -> str:
        """Remove it from the list."""
        return await self._do(lambda: self._lobby.remove(evening.id))

    async def look_at_plugs(self) -> bool:
        """Whether something else is plugged in now than before."""
        before = self.offers.plugged
        with suppress(CompanionError):
            plugged = await asyncio.to_thread(self._lobby.plugged)
            self.offers = self.offers._replace(plugged=plugged)
        return self.offers.plugged != before

    async def adopt(self) -> str:
        """Use the reader that is plugged in, from now on."""
        return await self._do(self._lobby.adopt)

    async def _do(self, deed: Callable[[], None]) -> str:
        """Only the problem of this deed: a game with a problem has nothing to do with it."""
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
        """Why the referee of this table could not be kept running."""
        return _sentence(self._lobby.problem)

    async def _go(self, going: Callable[[], Path], *, is_replay: bool = False) -> str:
        await self.stop_listening()
        try:
            socket = await asyncio.to_thread(going)
        except CompanionError as error:
            self.listen()
            return _sentence(str(error))
        await self._show_table(socket, is_replay)
        return ""

    def _look(self) -> tuple[Offers, list[str]]:
        """The offers, and the problems. A problem with one kind of offer leaves the others."""
        problems: list[str] = []

        def asked(ask: Callable[[], T], otherwise: T) -> T:
            try:
                return ask()
            except CompanionError as error:
                problems.append(str(error))
                return otherwise

        nothing = Offers()
        lobby = self._lobby
        games = asked(lobby.games, nothing.games)
        unplayable = [game for game in games if game.problem]
        if len(unplayable) == 1:
            problems.append(unplayable[0].problem)
        offers = Offers(
            asked(lobby.evenings, nothing.evenings),
            [game for game in games if not game.problem],
            asked(lobby.kits, nothing.kits),
            asked(lobby.names, nothing.names),
            asked(lobby.plugged, nothing.plugged),
            [game.name for game in unplayable] if len(unplayable) > 1 else (),
            asked(lobby.hall, nothing.hall),
            asked(lobby.puzzle, nothing.puzzle),
        )
        return offers, list(dict.fromkeys(problems))


def _sentence(problem: str) -> str:
    """A message of the command line as a sentence for the screen."""
    problem = plain(problem, PROBLEM_LENGTH)
    return problem[:1].upper() + problem[1:]

"""A lobby that starts no referee: it keeps the plans, and every table is one that only listens."""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.gamekit.snapshot import Snapshot
from companion.messages.lobby import (
    Feat,
    GameOffer,
    GamePlan,
    HallOffer,
    KitOffer,
    LaidCard,
    PastEvening,
    PlayerStanding,
    PluggedOffer,
    PuzzleOffer,
)
from companion.processes.phone_server import EnrolmentPhoneServer
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from companion.screen.app import CompanionApp
from companion.screen.screens.start_screen import StartScreen
from tests.places import short_folder
from tests.screen.table import SMALL, Evening, FakeReferee, snapshot

OPEN = PastEvening("2026-11-16-2", "open", 1794600000.0, "lascaux", ("Anna", "Ben", "Cleo"), 1, 34, title="Lascaux")
FINISHED = PastEvening(
    "2026-11-16-1",
    "finished",
    1794500000.0,
    "lascaux",
    ("Xaver", "Yvonne", "Zoe"),
    1,
    134,
    (24, 31, 18),
    (1,),
    title="Lascaux",
)
DAMAGED = PastEvening("2026-11-15-1", "damaged", 1794400000.0, "", (), 0, 0, problem="entry 7 cannot be read")


class FakeLobby:
    """Games and kits are the real ones."""

    def __init__(self, socket: Path, past: Sequence[PastEvening] = ()) -> None:
        self._socket = socket
        self._real = TableLobby(SimulationSettings())
        self.past = past
        self.offered: PluggedOffer | None = None
        self.club: HallOffer | None = None
        self.riddle: PuzzleOffer | None = None
        self.standing: Sequence[PlayerStanding] = ()
        self.known: Sequence[str] = ("Anna", "Ben", "Cleo", "Dora", "Emil")
        self.problem = ""
        self.refusal: CompanionError | None = None
        self.heard: list[Any] = []
        self.left = 0
        self.pressed: Callable[[str, bool], object] | None = None
        """Takes presses of the table's buttons, while a screen listens."""
        self.laid: Callable[[LaidCard], object] | None = None
        """Takes tags on the table's readers, while the set-up screen listens."""
        self.card_phones: EnrolmentPhoneServer = self._real.card_phones
        self.may_go = threading.Event()
        """While it is not set, every screen that wants to go to a table has to wait."""
        self.may_go.set()
        self.may_look = threading.Event()
        """While it is not set, nobody knows yet which evenings there are."""
        self.may_look.set()

    def evenings(self) -> Sequence[PastEvening]:
        self.may_look.wait()
        return self.past

    def remove(self, evening: str) -> None:
        self.heard.append(("remove", evening))
        if self.refusal:
            raise self.refusal
        self.past = [past for past in self.past if past.id != evening]

    def games(self) -> Sequence[GameOffer]:
        return self._real.games()

    def kits(self) -> Sequence[KitOffer]:
        return self._real.kits()

    def plugged(self) -> PluggedOffer | None:
        return self.offered

    def adopt(self) -> None:
        self.heard.append("adopt")
        if self.refusal:
            raise self.refusal
        self.offered = None

    def hall(self) -> HallOffer | None:
        return self.club

    def take_table(self) -> Path:
        return self._go("take the table")

    def names(self) -> Sequence[str]:
        return self.known

    def standings(self) -> Sequence[PlayerStanding]:
        return self.standing

    def feat(self, evening: str, game: int) -> Feat | None:
        return None

    def begin(self, plan: GamePlan) -> Path:
        return self._go(plan)

    def resume(self, evening: str) -> Path:
        return self._go(evening)

    def replay(self, evening: str, game: int) -> Path:
        return self._go(("replay", evening, game))

    def puzzle(self) -> PuzzleOffer | None:
        return self.riddle

    def solve(self, puzzle: PuzzleOffer) -> Path:
        return self._go(puzzle)

    async def cards(self, laid: Callable[[LaidCard], object]) -> None:
        self.laid = laid
        try:
            await asyncio.Event().wait()
        finally:
            self.laid = None

    async def buttons(self, pressed: Callable[[str, bool], object]) -> None:
        self.pressed = pressed
        try:
            await asyncio.Event().wait()
        finally:
            self.pressed = None

    def leave(self) -> None:
        self.left += 1

    def _go(self, heard: Any) -> Path:
        self.heard.append(heard)
        self.may_go.wait(20)
        if self.refusal:
            raise self.refusal
        return self._socket


class Visit(Evening):
    """A screen that begins before the table."""

    lobby: FakeLobby

    @property
    def start(self) -> StartScreen:
        screen = self.app.screen_stack[1]
        assert isinstance(screen, StartScreen)
        return screen

    async def at_table(self) -> None:
        await self.until(lambda: self.app.conversation is not None and self.talk.drawn > 0)
        await self.pilot.pause()

    async def at_start(self) -> None:
        await self.until(lambda: self.app.screen is self.start)
        await self.look()

    async def look(self) -> None:
        await self.until(lambda: self.start.is_mounted and not self.start.query_one("#new").disabled)
        await self.pilot.pause()


@asynccontextmanager
async def visit(
    past: Sequence[PastEvening] = (),
    size: tuple[int, int] = SMALL,
    shown: Snapshot | None = None,
    *,
    looked: bool = True,
    **how: Any,
) -> AsyncIterator[Visit]:
    """`looked`: begin when the start screen knows which evenings there are."""
    folder = short_folder()
    referee = FakeReferee(folder / "s")
    referee.newest = shown or snapshot()
    lobby = FakeLobby(referee.path, past)
    if not looked:
        lobby.may_look.clear()
    app = CompanionApp(None, lobby=lobby, **how)
    try:
        await referee.open()
        async with app.run_test(size=size) as pilot:
            running = Visit(app, referee, pilot)
            running.lobby = lobby
            await running.until(lambda: len(app.screen_stack) > 1)
            if looked:
                await running.look()
            yield running
    finally:
        lobby.may_go.set()
        lobby.may_look.set()
        await referee.close()
        await asyncio.sleep(0)
        shutil.rmtree(folder)

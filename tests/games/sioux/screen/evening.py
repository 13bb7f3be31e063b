"""An evening of Sioux: a real referee on a real socket, and a screen beside it."""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from textual.pilot import Pilot
from textual.widgets import Button

from companion.gamekit import discovery
from companion.gamekit.game import Seat
from companion.gamekit.game_start import Header
from companion.gamekit.screen.picker import Choices
from companion.gamekit.snapshot import Snapshot, Told
from companion.journal.store import Journal
from companion.messages.intentions import Act, Intention
from companion.processes.referee_process import seat_pads_of
from companion.referee.event_loop import Process
from companion.referee.referee import Referee
from companion.screen.app import CompanionApp
from companion.screen.screens.handover import Secret
from companion.session import evening as journalled
from companion.table.signals import Pressed
from tests.places import short_folder
from tests.screen.table import clicked, looked, words_on

GAME = discovery.find("sioux")
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")
SMALL, LARGE = (66, 20), (100, 30)

Deed = dict[str, Any]


# --- What players do, in short --------------------------------------------------------------------------------


def hunt(*cards: str) -> list[Deed]:
    """Seat 0 lays the first card, seat 1 the second…"""
    return [{"do": "play", "seat": seat, "card": card} for seat, card in enumerate(cards)]


def crow(seat: Seat, call: bool) -> Deed:
    return {"do": "crow", "seat": seat, "call": call}


def duel(seat: Seat, card: str | None) -> Deed:
    return {"do": "duel", "seat": seat, "card": card}


def gifts(seat: Seat, *givers: Seat) -> Deed:
    return {"do": "gifts", "seat": seat, "from": list(givers)}


SHAMAN = hunt("shaman", "2", "3")
TIED = hunt("13", "13", "2")
DUEL = [*TIED, crow(0, True)]
LEVEL = [*hunt("5", "3", "2"), *hunt("2", "5", "3")]
"""Ben has drawn level with Anna."""
BOTH_LEVEL = [*hunt("5", "3", "2"), *hunt("3", "5", "crow"), gifts(1), *hunt("2", "2", "4")]
"""Cleo has drawn level with Anna and Ben."""
WINTER = [*hunt("13", "2", "2"), *hunt("12", "3", "3")]
"""Anna has 20, Ben and Cleo have nothing."""
EMPTY_HANDED = [
    *(deed for card in ("crow", "2", "3", "4", "5", "9", "10", "11", "12") for deed in hunt(card, card, card)),
    *hunt("shaman", "shaman", "13"),
    *hunt("13", "13", "shaman"),
    {"do": "name", "seat": 2, "value": 6},
    crow(0, False),
    crow(1, True),
]
"""Anna and Ben are tied with their last cards, and Ben called the crow."""


# --- The referee ----------------------------------------------------------------------------------------------


class Listening(Process):
    """Keeps what the screens wanted."""

    def __init__(self, *how: Any) -> None:
        super().__init__(*how)
        self.heard: list[Intention] = []

    def heed(self, intention: Intention) -> Told:
        self.heard.append(intention)
        return super().heed(intention)


class RefereedTable:
    """A referee with its journal; no screen yet."""

    def __init__(self, folder: Path, names: tuple[str, ...], simulated: Iterable[Seat], box: str | None) -> None:
        self.socket = folder / "s"
        self.journal = Journal.create(folder, date=date(2000, 1, 1))
        body = journalled.game_body(Header("sioux", names), box or GAME.standin(), tuple(simulated), "full")
        self.evening = journalled.Evening([self.journal.append("game", body, "", "", 0.0)])
        self.referee = Referee(self.journal, self.evening, seat_pads_of(self.evening))

    @property
    def state(self) -> Any:
        return self.evening.state

    def do(self, *deeds: Deed) -> None:
        for deed in deeds:
            told = self.referee.heed(Act(uuid4().hex, deed), time.time())
            assert told.kind == "accepted", (deed, told)

    def press(self, station: str, colour: str) -> None:
        """A button at a pad."""
        self.referee.hear(Pressed(station, 0, colour, uuid4().hex), time.time())

    def snapshot(self) -> Snapshot:
        """As it reaches a screen."""
        return msgspec.json.decode(msgspec.json.encode(self.referee.snapshot()), type=Snapshot)


@asynccontextmanager
async def refereed_table(
    names: tuple[str, ...] = NAMES[:3], simulated: Iterable[Seat] = (), box: str | None = None
) -> AsyncIterator[RefereedTable]:
    folder = short_folder()
    there = RefereedTable(folder, names, simulated, box)
    try:
        yield there
    finally:
        there.journal.close()
        shutil.rmtree(folder)


# --- The screen -----------------------------------------------------------------------------------------------


class Evening:
    """A table with its screen, and words for what tests do."""

    def __init__(self, at: RefereedTable, process: Listening, app: CompanionApp, pilot: Pilot[None]) -> None:
        self.table, self.process, self.app, self.pilot = at, process, app, pilot

    @property
    def state(self) -> Any:
        return self.table.state

    async def until(self, condition: Callable[[], bool]) -> None:
        for _turn in range(1000):
            if condition():
                return
            await asyncio.sleep(0.005)
        raise AssertionError(f"it never happened:\n{self.text()}")

    async def settle(self) -> None:
        """The screen has drawn the newest snapshot."""
        await self.until(lambda: self._shown() >= self.process.snapshot.number)
        await self.pilot.pause()

    def _shown(self) -> int:
        talk = self.app.conversation
        sight = talk.screen._sight if talk else None
        return sight.snapshot.number if sight else -1

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await looked(self.app, self.pilot)

    async def click(self, label: str) -> None:
        await self.until(lambda: bool(self._found(label)))
        await clicked(self.pilot, self._button(label))
        await looked(self.app, self.pilot)

    async def pick(self, label: str) -> None:
        """Press the key that stands before this label, as soon as it can be seen."""
        await self.until(lambda: bool(self._found(label)))
        text = words_on(self._button(label))
        key = text.split(maxsplit=1)[0].lower()
        await self.press(*(key if key.isdigit() else [key]))
        if key.isdigit() and isinstance(self.app.screen, Choices) and self.app.screen._typed:
            await self.press("enter")  # a 2 that might have become a 21

    async def take(self, name: str) -> None:
        """The screen is in this one's hands, and shows what is theirs."""
        await self.pick(f"I am {name}")
        await self.until(lambda: isinstance(self.app.screen, Secret))
        await self.pilot.pause()

    def _found(self, label: str) -> list[Button]:
        return [each for each in self.app.screen.query(Button) if each.visible and label in _words(each)]

    def _button(self, label: str) -> Button:
        found = self._found(label)
        exact = [each for each in found if _words(each).split()[1:] == label.split()]
        assert found, f"no button {label!r} among {[_words(each) for each in self.app.screen.query(Button)]}"
        return (exact or found)[0]

    async def heard(self, count: int = 1) -> list[Deed]:
        """The actions that the screen has posted, once there are so many."""
        await self.until(lambda: len(self.process.heard) >= count)
        await self.settle()
        return [each.action for each in self.process.heard if isinstance(each, Act)]

    async def do(self, *deeds: Deed) -> None:
        """Another player acts, at another screen."""
        for deed in deeds:
            assert Process.heed(self.process, Act(uuid4().hex, deed)).kind == "accepted"
        await self.settle()

    def text(self) -> str:
        """All that can be read on the screen now."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    def painted(self) -> list[list[tuple[str, str]]]:
        """All that can be seen, with its colours."""
        strips = self.app.screen._compositor.render_strips()
        return [[(segment.text, str(segment.style)) for segment in strip] for strip in strips]


def _words(button: Button) -> str:
    return " ".join(words_on(button).split())


@asynccontextmanager
async def evening(
    deeds: Iterable[Deed] = (),
    names: tuple[str, ...] = NAMES[:3],
    *,
    size: tuple[int, int] = SMALL,
    simulated: Iterable[Seat] = (),
    box: str | None = None,
    **how: Any,
) -> AsyncIterator[Evening]:
    """What has been done before, who sits there, and how the screen is."""
    async with refereed_table(names, simulated, box) as at:
        at.do(*deeds)
        process = Listening(at.referee, at.journal, at.socket)
        serving = asyncio.create_task(process.run([]))
        while not at.socket.exists():
            await asyncio.sleep(0)
        app = CompanionApp(at.socket, **how)
        try:
            async with app.run_test(size=size) as pilot:
                running = Evening(at, process, app, pilot)
                await running.settle()
                yield running
        finally:
            serving.cancel()
            await asyncio.wait([serving])

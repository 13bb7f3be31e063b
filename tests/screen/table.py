"""A table to look at: snapshots made by hand, and a tiny referee on a real socket that only listens and repeats."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from textual._context import visible_screen_stack
from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button

from companion.gamekit.game import Awaiting, Part, Score
from companion.gamekit.screen.picker import ChoiceCard
from companion.gamekit.snapshot import OwnView, Player, Proposal, Snapshot, Told
from companion.games.lascaux.components import ANIMALS
from companion.games.lascaux.view import Table
from companion.messages.intentions import Intention, Peek
from companion.messages.protocol import FROM_SCREEN, Reply, ScreenHello
from companion.screen.app import CompanionApp
from companion.screen.conversation import Conversation
from tests.places import short_folder

SMALL, LARGE = (66, 20), (100, 30)
COLOURS = ("brown", "yellow", "green", "pink", "white", "blue")
PAIRS = [(COLOURS[n % 6], COLOURS[(n + 1 + n // 6) % 6]) for n in range(9)]
CARDS = [
    {"id": f"{animal}-{one}-{other}", "animal": animal, "colours": [one, other]}
    for animal in ANIMALS
    for one, other in PAIRS
]
BOX = {"game": "lascaux", "provenance": "stand-in", "colours": list(COLOURS), "cards": CARDS}
IDS = [str(card["id"]) for card in CARDS]
NEXT_OPTIONS = {
    "stones": "open",
    "tie": "shared",
    "direction": "anticlockwise",
    "first_stone": "may",
    "match": "alternate",
}
"""What Lascaux proposes for a second game."""


def words_on(button: Button) -> str:
    """A card's letters may be drawn large."""
    return button.said if isinstance(button, ChoiceCard) else str(button.label)


# --- Snapshots ------------------------------------------------------------------------------------------------


def table(players: int = 3, **changed: Any) -> Table:
    base = Table(
        round=2,
        start=0,
        direction="clockwise",
        phase="bid",
        row=tuple(IDS[8 * n] for n in range(6)),
        deck=40,
        pot=3,
        stones=(11, 10, 12, 9, 8)[:players],
        won=((IDS[1], IDS[2]), (IDS[30],), (), (), ())[:players],
        pile=(),
        chosen=(True,) * players,
    )
    return replace(base, **changed)


def snapshot(
    names: tuple[str, ...] = ("Anna", "Ben", "Cleo"), simulated: tuple[int, ...] = (), **changed: Any
) -> Snapshot:
    """By default it is Anna's turn to lay a stone or to pass."""
    base = Snapshot(
        number=1,
        entry=1,
        evening="e",
        game="lascaux",
        players=tuple(Player(name, seat in simulated) for seat, name in enumerate(names)),
        kit="none",
        options={},
        box=BOX,
        table=table(len(names)),
        awaiting=Awaiting((0,), ("stone", "pass")),
        offered=({"do": "stone", "seat": 0}, {"do": "pass", "seat": 0}),
        can_undo=True,
        newest=Told(0, "accepted", "lays a stone", "L7", {"seat": 2}),
        history=(Told(1, "accepted", "lays a stone", "L7", {"seat": 2, "pot": 3}),),
    )
    return replace(base, **changed)


def choosing(*chosen: bool, **changed: Any) -> Snapshot:
    seats = range(len(chosen))
    offered = tuple({"do": "choose", "seat": seat, "colour": colour} for seat in seats for colour in COLOURS)
    shown = table(len(chosen), phase="choose", pot=0, chosen=chosen)
    asked = {"awaiting": Awaiting(tuple(seats), ("choose",)), "offered": offered, "secret": ("choose",)}
    settled = tuple(seat for seat in seats if chosen[seat])
    return snapshot(**{"table": shown, **asked, "settled": settled} | changed)


def drawing(**changed: Any) -> Snapshot:
    shown = table(phase="draw", pot=0, chosen=(False,) * 3)
    offered = tuple({"do": "draw", "card": card} for card in IDS if card not in shown.row)
    return snapshot(**{"table": shown, "awaiting": Awaiting((0,), ("draw",)), "offered": offered} | changed)


def over(**changed: Any) -> Snapshot:
    mammoths = {"seat": 0, "animal": "mammoth", "cards": 4, "seats_all": (0, 1, 2), "counts": (4, 1, 0)}
    parts = (
        (Part("mammoth", 4, "L17", "has the most", mammoths),),
        (Part("stones", 2, "L18", "stones left", {"seat": 1, "stones": 12}),),
        (),
    )
    scores = tuple(Score(seat, some) for seat, some in enumerate(parts))
    shown = table(phase="over", pot=0, chosen=(False,) * 3, deck=0, row=())
    end = {"table": shown, "awaiting": None, "offered": (), "scores": scores, "winners": (0,)}
    end["following"] = None if changed.get("ended") or changed.get("replay") else Proposal(1, NEXT_OPTIONS)
    return snapshot(**end | changed)


# --- A referee that only listens ------------------------------------------------------------------------------


async def looked(app: CompanionApp, pilot: Pilot[None]) -> None:
    """A player who was to see their own hand sees it, and everything is drawn."""
    await pilot.pause()
    for _turn in range(1000):
        if app.conversation is None or not app.conversation.peeking:
            break
        await asyncio.sleep(0.005)
    await pilot.pause()


async def clicked(pilot: Pilot[None], button: Widget) -> None:
    """While a button still looks pressed it is deaf."""
    for _turn in range(1000):
        if not button.has_class("-active"):
            break
        await asyncio.sleep(0.005)
    assert await pilot.click(button)


class FakeReferee:
    """Shows the snapshot it was given, keeps what the screens said, and answers as it was told to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.heard: list[Any] = []
        self.hellos = 0
        self.answering = True
        self.reply = Told(90, "accepted", "lays a stone", "L7", {"seat": 0})
        self.newest: Snapshot | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        self._server = await asyncio.start_unix_server(self._welcome, self.path)

    async def close(self) -> None:
        """Go away: as if the process had been killed."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in tuple(self._writers):
            writer.transport.abort()
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
        while self._writers:
            await asyncio.sleep(0)

    def show(self, shown: Snapshot) -> None:
        self.newest = shown
        self.send(shown)

    def send(self, message: Any) -> None:
        for writer in self._writers:
            writer.write(msgspec.json.encode(message) + b"\n")

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        decoder = msgspec.json.Decoder(FROM_SCREEN)
        try:
            while line := await reader.readline():
                message = decoder.decode(line)
                if isinstance(message, ScreenHello):
                    self.hellos += 1
                    if self.newest:
                        writer.write(msgspec.json.encode(self.newest) + b"\n")
                elif isinstance(message, Peek):
                    writer.write(msgspec.json.encode(self.own_view(message)) + b"\n")
                else:
                    self._note(message, writer)
                del message  # tests look for choices that stayed behind
        except OSError:
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    def own_view(self, peek: Peek) -> OwnView:
        """Nothing of their own, and what every player is offered."""
        offered = self.newest.offered if self.newest else ()
        return OwnView(peek.id, peek.seat, 0, None, tuple(each for each in offered if each.get("seat") == peek.seat))

    def _note(self, message: Intention, writer: asyncio.StreamWriter) -> None:
        self.heard.append(message)
        if self.answering:
            writer.write(msgspec.json.encode(Reply(message.id, self.reply)) + b"\n")


# --- An evening -----------------------------------------------------------------------------------------------


class Evening:
    """A screen and its referee, with words for what tests do."""

    def __init__(self, app: CompanionApp, referee: FakeReferee, pilot: Pilot[None]) -> None:
        self.app, self.referee, self.pilot = app, referee, pilot

    @property
    def talk(self) -> Conversation:
        assert self.app.conversation is not None
        return self.app.conversation

    async def show(self, shown: Snapshot) -> None:
        """The referee shows this, and the screen has drawn it."""
        before = self.talk.drawn
        self.referee.show(shown)
        await self.until(lambda: self.talk.drawn > before)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.app._press_keys([key])  # the pilot's own press waits for every widget once more
            await looked(self.app, self.pilot)

    async def click(self, label: str) -> None:
        """Click in the middle of the button that says this."""

        buttons = [button for button in self.app.screen.query(Button) if label in words_on(button) and button.visible]
        assert buttons, f"no button {label!r} among {[words_on(b) for b in self.app.screen.query(Button)]}"
        await clicked(self.pilot, buttons[0])
        await looked(self.app, self.pilot)

    async def until(self, condition: Callable[[], bool]) -> None:
        for _turn in range(500):
            if condition():
                return
            await asyncio.sleep(0.01)
        raise AssertionError("it never happened")

    async def heard(self, count: int = 1) -> list[Any]:
        """What the referee heard, once it is so much."""
        await self.until(lambda: len(self.referee.heard) >= count)
        await self.pilot.pause()
        return self.referee.heard

    def text(self) -> str:
        """All that can be read on the screen now."""
        return "\n".join("".join(segment.text for segment in strip) for strip in painted(self.app))


def painted(app: App[None]) -> list[Strip]:
    """The whole screen, with what lies behind a dialog."""
    visible_screen_stack.set(app._background_screens)
    return app.screen._compositor.render_strips()


@asynccontextmanager
async def evening(shown: Snapshot | None = None, size: tuple[int, int] = SMALL, **how: Any) -> AsyncIterator[Evening]:
    folder = short_folder()
    referee = FakeReferee(folder / "s")
    app = CompanionApp(referee.path, **how)
    try:
        await referee.open()
        async with app.run_test(size=size) as pilot:
            running = Evening(app, referee, pilot)
            await running.until(lambda: referee.hellos > 0)
            if shown is not None:
                await running.show(shown)
            yield running
    finally:
        await referee.close()
        shutil.rmtree(folder)

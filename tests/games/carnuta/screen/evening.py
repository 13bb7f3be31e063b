"""An evening of Carnuta: a real referee on a real socket, a screen beside it, and ways to any moment of a game."""

import asyncio
import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import date
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import msgspec
from textual.pilot import Pilot
from textual.widgets import Button

from companion.gamekit import discovery
from companion.gamekit.game import Seat
from companion.gamekit.game_start import Header
from companion.gamekit.screen.face import Action, Menu, Sight
from companion.gamekit.screen.picker import Choices
from companion.gamekit.snapshot import Snapshot, Told
from companion.games.carnuta.screen.face import FACE
from companion.journal.store import Journal
from companion.messages.intentions import Act, Intention, Prepare
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.event_loop import Process
from companion.referee.referee import Referee
from companion.screen.app import CompanionApp
from companion.session import evening as journalled
from companion.table.signals import Held, Pressed
from tests.places import short_folder
from tests.screen.table import clicked, looked, words_on

SMALL, LARGE = (66, 20), (100, 30)
GAME = discovery.find("carnuta")
NAMES = ("Anna", "Benedikta", "Cleo", "Dora")

Moment = Callable[[Any], bool]
"""Whether the state of the game is the one that a test wants."""


# --- Moments of a game ----------------------------------------------------------------------------------------

STARTS = ("egg-1", "moth-2", "berry-2", "skull-2")
ROWS = {
    "sun": ("honey-2", "clover-1", "salt-2", "egg-3"),
    "moon": ("mushroom-1", "salt-1", "skull-1", "berry-1"),
}


def begun(players: int = 2, starts: Sequence[str] = STARTS) -> list[Action]:
    """Every player has a start card, and both rows are laid out."""
    cards = [{"do": "start", "seat": seat, "card": starts[seat]} for seat in range(players)]
    return cards + [{"do": "deal", "row": row, "card": card} for row, cards_ in ROWS.items() for card in cards_]


def phase(wanted: str, left: int | None = None) -> Moment:
    return lambda state: state.phase == wanted and left in (None, state.actions_left)


def too_many_cards(state: Any) -> bool:
    return state.phase == "act" and not state.actions_left and len(state.players[state.turn].hand) > 3


def done_is_possible(state: Any) -> bool:
    return state.phase == "act" and not state.actions_left and len(state.players[state.turn].hand) <= 3


MOMENTS: dict[str, Moment] = {
    "start": phase("start"),
    "deal": phase("deal"),
    "act": phase("act", 2),
    "one action left": phase("act", 1),
    "bonus": phase("bonus"),
    "too many cards": too_many_cards,
    "done": done_is_possible,
    "last round": lambda state: state.last_round and state.phase == "act",
    "over": phase("over"),
}
ENGLISH = re.compile(
    r"\b(the|and|card|cards|action|actions|sun|moon|deck|row|discards|take|play|flip|sickle|honey|clover"
    r"|flower|egg|mushroom|skull|berry|moth|salt|done|more|undo|round|which|column|points|wins|for|per)\b",
    re.IGNORECASE,
)


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


def plain(action: Any) -> Action:
    """An action as it is sent."""
    built: Action = msgspec.to_builtins(action)
    return built


def likely(state: Any, chance: Random) -> Any:
    """A legal action, mostly a sensible one: cards are played as soon as they can be."""
    legal = list(GAME.legal(state))
    kinds = {action.__struct_config__.tag for action in legal}
    for kind, how_often in (("play", 0.9), ("sickle", 0.05), ("runes", 0.4), ("take", 0.9)):
        if kind in kinds and chance.random() < how_often:
            legal = [action for action in legal if action.__struct_config__.tag == kind]
            break
    return chance.choice(legal)


# --- The referee ----------------------------------------------------------------------------------------------


class RefereedTable:
    """A referee with its journal, at a table that is set up; no screen yet."""

    def __init__(
        self,
        folder: Path,
        names: tuple[str, ...],
        simulated: Iterable[Seat],
        options: dict[str, Any],
        seed: int | None = None,
    ) -> None:
        """With a seed the simulated stack deals to persons, too, as without hardware."""
        self.socket, self.presses = folder / "s", 0
        self.journal = Journal.create(folder, date=date(2000, 1, 1))
        header = Header("carnuta", names, 0, options)
        body = journalled.game_body(header, GAME.standin(), tuple(simulated), "full", seed or 0)
        self.evening = journalled.Evening([self.journal.append("game", body, "", "", 0.0)])
        seat_pads = seat_pads_of(self.evening)
        dealer = None if seed is None else simulated_table(self.evening, seat_pads, SimulationSettings(), deals=True)
        self.referee = Referee(self.journal, self.evening, seat_pads, dealer=dealer)
        self.referee.heed(Prepare("set up", 99), 0.0)

    @property
    def state(self) -> Any:
        return self.evening.state

    def do(self, *actions: Action) -> None:
        for action in actions:
            told = self.referee.heed(Act(uuid4().hex, action), time.time())
            assert told.kind == "accepted", (action, told)

    def wander(self, moment: Moment, chance: Random | int) -> None:
        """Play at random until then."""
        chance = Random(chance) if isinstance(chance, int) else chance
        while not moment(self.state):
            assert self.state.phase != "over", "this moment never came"
            self.do(plain(likely(self.state, chance)))

    def press(self, colour: str, *, held: bool = False) -> None:
        """A button at the centre."""
        self.presses += 1
        kind = Held if held else Pressed
        self.referee.hear(kind("centre", 1000 * self.presses, colour, uuid4().hex), time.time())

    def sight(self) -> Sight:
        """As a screen sees it."""
        sent = msgspec.json.encode(self.referee.snapshot())
        return Sight(msgspec.json.decode(sent, type=Snapshot), FACE)


@contextmanager
def refereed_table(
    players: int = 2,
    names: tuple[str, ...] = NAMES,
    simulated: Iterable[Seat] = (),
    seed: int | None = None,
    **options: Any,
) -> Iterator[RefereedTable]:
    folder = short_folder()
    try:
        at = RefereedTable(folder, names[:players], simulated, options, seed)
        yield at
        at.journal.close()
    finally:
        shutil.rmtree(folder)


# --- The screen -----------------------------------------------------------------------------------------------


class Listening(Process):
    """Keeps what the screens wanted."""

    def __init__(self, *how: Any) -> None:
        super().__init__(*how)
        self.heard: list[Intention] = []

    def heed(self, intention: Intention) -> Told:
        self.heard.append(intention)
        return super().heed(intention)


class Night:
    """A table with its screen; any action can be given by keys or by mouse."""

    def __init__(self, at: RefereedTable, process: Listening, app: CompanionApp, pilot: Pilot[None]) -> None:
        self.table, self.process, self.app, self.pilot = at, process, app, pilot

    @property
    def sight(self) -> Sight | None:
        return self.app.conversation.screen._sight if self.app.conversation else None

    async def until(self, condition: Callable[[], bool]) -> None:
        for _turn in range(1000):
            if condition():
                return
            await asyncio.sleep(0.005)
        raise AssertionError(f"it never happened:\n{self.text()}")

    async def settle(self) -> None:
        """The screen has drawn the newest snapshot."""
        newest = self.process.snapshot.number
        await self.until(lambda: self.sight is not None and self.sight.snapshot.number >= newest)
        await self.pilot.pause()

    async def skip(self, moment: Moment, chance: Random) -> None:
        """What happens until then is told somewhere else, and the screen shows how it came out."""
        self.table.wander(moment, chance)
        self.process._publish()
        await self.settle()

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await looked(self.app, self.pilot)

    async def click(self, label: str) -> None:
        buttons = [each for each in self.app.screen.query(Button) if each.visible and label in words_on(each)]
        assert buttons, f"no button {label!r} among {[words_on(each) for each in self.app.screen.query(Button)]}"
        await clicked(self.pilot, buttons[0])
        await looked(self.app, self.pilot)

    async def give(self, action: Action, *, by_mouse: bool = False) -> Action:
        """Find this action among the buttons and menus, and return what was posted."""
        sight, count = self.sight, len(self.process.heard)
        assert sight is not None
        command = next(each for each in sight.face.commands() if each.do == action["do"])
        await (self.click(command.label) if by_mouse else self.press(command.keys[0]))
        if action["do"] == "start" and len(sight.persons) > 1:
            await (self.click("I am ") if by_mouse else self.press("enter"))
        actions = sight.doing(action["do"])
        if len(actions) > 1:
            for number in way(FACE.choices(sight, actions), action):
                await self.choose(number, by_mouse)
        await self.until(lambda: len(self.process.heard) > count)
        await self.settle()
        posted = self.process.heard[-1]
        assert isinstance(posted, Act)
        return posted.action

    async def choose(self, number: int, by_mouse: bool) -> None:
        if by_mouse:
            await self.pilot.pause()
            await clicked(self.pilot, self.app.screen.query(".choices Button, ChoiceCard")[number - 1])
            await self.pilot.pause()
        else:
            dialog = self.app.screen
            await self.press(*str(number))
            if isinstance(dialog, Choices) and dialog._typed:
                await self.press("enter")  # a 1 that might have become a 12

    def text(self) -> str:
        """All that can be read on the screen now."""
        return "\n".join("".join(text for text, _style in line) for line in self.painted())

    def painted(self) -> list[list[tuple[str, str]]]:
        """All that can be seen, with its colours."""
        strips = self.app.screen._compositor.render_strips()
        return [[(segment.text, str(segment.style)) for segment in strip] for strip in strips]


def way(menu: Menu, action: Action) -> list[int]:
    """The numbers to press until this action is chosen."""
    found = _way(menu, action)
    assert found is not None, f"{action} is in no menu"
    return found


def _way(menu: Menu, action: Action) -> list[int] | None:
    for number, choice in enumerate(menu.choices, 1):
        if choice.value == action:
            return [number]
        below = _way(choice.value, action) if isinstance(choice.value, Menu) else None
        if below is not None:
            return [number, *below]
    return None


@asynccontextmanager
async def screen(at: RefereedTable, size: tuple[int, int] = SMALL, **how: Any) -> AsyncIterator[Night]:
    process = Listening(at.referee, at.journal, at.socket)
    serving = asyncio.create_task(process.run([]))
    while not at.socket.exists():
        await asyncio.sleep(0)
    app = CompanionApp(at.socket, **how)
    try:
        async with app.run_test(size=size) as pilot:
            tonight = Night(at, process, app, pilot)
            await tonight.settle()
            yield tonight
    finally:
        serving.cancel()
        await asyncio.wait([serving])

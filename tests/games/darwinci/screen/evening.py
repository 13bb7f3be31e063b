"""An evening of Darwinci: a real referee on a real socket, a screen beside it, fingers that say any action by keys."""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import msgspec

from companion.gamekit import discovery
from companion.gamekit.game import Seat, Setup, Step
from companion.gamekit.game_start import Header
from companion.gamekit.screen.face import next_menu
from companion.gamekit.screen.picker import Choices
from companion.games.darwinci.rules.engine import discardable
from companion.games.darwinci.rules.public_view import awaiting
from companion.games.darwinci.rules.state import State
from companion.games.darwinci.screen import TEXTS
from companion.games.darwinci.screen.bid_dialog import Bidding
from companion.games.darwinci.screen.build_dialog import Building
from companion.games.darwinci.screen.line_choice import Scoring
from companion.games.darwinci.sentences import shape, shape_of
from companion.journal.store import Journal
from companion.messages.intentions import Act, Prepare
from companion.processes.referee_process import seat_pads_of
from companion.referee.event_loop import Process
from companion.referee.referee import Referee
from companion.screen.app import CompanionApp
from companion.screen.screens.handover import Secret
from companion.screen.screens.show_dialog import Show
from companion.session import evening as journalled
from tests.games.sioux.screen.evening import Evening, Listening
from tests.places import short_folder
from tests.screen.table import looked

GAME = discovery.find("darwinci")
BOX = GAME.parse_box(GAME.standin(), "the stand-in")
NAMES = ("Anna", "Benedikta", "Cleo", "Dora", "Emil")
SMALL, LARGE = (66, 20), (100, 30)

Deed = dict[str, Any]
Moment = Callable[[State], bool]


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


# --- Games that were played so far ----------------------------------------------------------------------------


def at(phase: str, round_: int = 1, **facts: Any) -> Moment:
    """In this phase of this round or a later one, with these facts."""

    def moment(state: State) -> bool:
        there = state.phase == phase and state.round >= round_
        return there and all(getattr(state, name) == fact for name, fact in facts.items())

    return moment


@cache
def played(moment: Moment, players: int = 3, seed: int = 1, **options: str) -> tuple[Deed, ...]:
    """What chance did until this moment; no player buys, so that there is a lot to build and to score."""
    chance = Random(seed)
    state = GAME.setup(Setup(players, 0, GAME.options(**options), BOX))
    deeds = []
    while not moment(state):
        assert state.phase != "over", "this moment never comes"
        action = _any(state, chance)
        step = GAME.apply(state, action)
        assert isinstance(step, Step)
        state = step.state
        deeds.append(plain(action))
    return tuple(deeds)


def plain(action: Any) -> Deed:
    """As it comes over the line."""
    deed: Deed = msgspec.json.decode(msgspec.json.encode(action))
    return deed


def _any(state: State, chance: Random) -> Any:
    legal: Sequence[Any] = GAME.legal(state)
    if state.phase in ("buy", "jewels"):
        return legal[-1]
    return legal[chance.randrange(len(legal))]


def has_jewels(state: State) -> bool:
    asked = awaiting(state)
    return state.phase == "jewels" and state.round > 3 and asked is not None and "jewels" in asked.do


def may_discard(state: State) -> bool:
    return state.phase == "build" and len(discardable(state, state.turn)) > 1


SETUP, SECOND = at("setup"), at("setup", looked=(0, 0, 0), hands=(3, 4, 4))
BUY, OFFER, BID, BID_MORE = at("buy", 2), at("offer", 2), at("bid", 2), at("bid", 2, bidding=2)
BUILD, OVER = at("build", 2), at("over")


def legal(tonight: Evening, do: str) -> list[Deed]:
    actions = [plain(action) for action in GAME.legal(tonight.state)]
    return [action for action in actions if action["do"] == do]


def used(moment: Moment) -> set[str]:
    return {deed["tile"] for deed in played(moment) if "tile" in deed}


# --- The referee and the screen -------------------------------------------------------------------------------


class RefereedTable:
    """A referee with its journal, at a table that is set up; no screen yet."""

    def __init__(
        self, folder: Path, names: tuple[str, ...], simulated: Iterable[Seat], options: dict[str, str]
    ) -> None:
        self.socket = folder / "s"
        self.journal = Journal.create(folder, date=date(2000, 1, 1))
        header = Header("darwinci", names, options=options)
        body = journalled.game_body(header, GAME.standin(), tuple(simulated), "full")
        self.evening = journalled.Evening([self.journal.append("game", body, "", "", 0.0)])
        self.referee = Referee(self.journal, self.evening, seat_pads_of(self.evening))
        self.referee.heed(Prepare("set up", 99), 0.0)

    @property
    def state(self) -> State:
        state: State = self.evening.state
        return state

    def do(self, *deeds: Deed) -> None:
        for deed in deeds:
            told = self.referee.heed(Act(uuid4().hex, deed), time.time())
            assert told.kind == "accepted", (deed, told)


@asynccontextmanager
async def evening(
    deeds: Iterable[Deed] = (),
    names: tuple[str, ...] = NAMES[:3],
    *,
    size: tuple[int, int] = SMALL,
    simulated: Iterable[Seat] = (),
    options: dict[str, str] | None = None,
    **how: Any,
) -> AsyncIterator[Evening]:
    """What has been done before, who sits there, and how the screen is."""
    folder = short_folder()
    there = RefereedTable(folder, names, simulated, options or {})
    there.do(*deeds)
    process = Listening(there.referee, there.journal, there.socket)
    serving = asyncio.create_task(process.run([]))
    try:
        while not there.socket.exists():
            await asyncio.sleep(0)
        app = CompanionApp(there.socket, **how)
        async with app.run_test(size=size) as pilot:
            running = Evening(there, process, app, pilot)  # type: ignore[arg-type]
            await running.settle()
            yield running
    finally:
        serving.cancel()
        await asyncio.wait([serving])
        shutil.rmtree(folder)


def elsewhere(tonight: Evening, deed: Deed) -> None:
    """A player acts at another screen; this one need not look up."""
    assert Process.heed(tonight.process, Act(uuid4().hex, deed)).kind == "accepted"


async def meanwhile(tonight: Evening, moment: Moment, chance: Random) -> None:
    """Chance plays at another screen until this moment."""
    while not moment(tonight.state):
        assert tonight.state.phase != "over", "this moment never comes"
        elsewhere(tonight, plain(_any(tonight.state, chance)))
    await tonight.settle()
    await seen(tonight)


async def seen(tonight: Evening) -> None:
    """Every player has seen how the auction was settled."""
    while isinstance(tonight.app.screen, Show):
        await tonight.press("escape")


# --- Any action by keys ---------------------------------------------------------------------------------------

ARROWS = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}


async def say(tonight: Evening, action: Deed) -> None:
    """Press what it takes until the screen has posted this very action."""
    count = len(tonight.process.heard)
    await FINGERS[action["do"]](tonight, action)
    assert (await tonight.heard(count + 1))[-1] == action
    await seen(tonight)


async def _press(tonight: Evening, *keys: str) -> None:
    """Fast fingers: one key after another, without looking."""
    await tonight.pilot.press(*keys)
    await looked(tonight.app, tonight.pilot)


async def _build(tonight: Evening, action: Deed) -> None:
    await _press(tonight, "b")
    if isinstance(tonight.app.screen, Choices):
        await pick_tile(tonight, action["tile"])
    dialog = tonight.app.screen
    assert isinstance(dialog, Building)
    while dialog._tile != action["tile"]:
        await _press(tonight, "tab")
    await go_to(tonight, dialog, (action["x"], action["y"]))
    await _press(tonight, *["r"] * (action["turn"] // 90), "enter")


async def go_to(tonight: Evening, dialog: Building, place: tuple[int, int]) -> None:
    """By arrows, on a way that the dialog itself was asked for."""
    ways = {dialog._place: ()}
    waiting = [dialog._place]
    start = dialog._place
    while place not in ways:
        here = waiting.pop(0)
        for step, key in ARROWS.items():
            dialog._place = here
            there = dialog.next_place(*step)
            if there not in ways:
                ways[there] = (*ways[here], key)  # type: ignore[arg-type]
                waiting.append(there)
    dialog._place = start
    await _press(tonight, *ways[place])
    assert dialog._place == place


async def pick_tile(tonight: Evening, tile: str) -> None:
    """First its shape, if there are many, then its number."""
    dialog = tonight.app.screen
    assert isinstance(dialog, Choices)
    if next_menu(dialog._menu.choices[0].value):
        kind = shape_of(next(each for each in BOX.tiles if each.id == tile))
        labels = [str(choice.label) for choice in dialog._menu.choices]
        await _press(tonight, str(labels.index(shape(kind, TEXTS.text)) + 1))
    number = [choice.value["tile"] for choice in dialog._menu.choices].index(tile) + 1
    await _press(tonight, *str(number))
    if tonight.app.screen is dialog:
        await _press(tonight, "enter")


async def _offer(tonight: Evening, action: Deed) -> None:
    if not isinstance(tonight.app.screen, Secret):
        if "Hand the screen" not in tonight.text():
            await _press(tonight, "o")
        if "Hand the screen" in tonight.text():
            await _press(tonight, "space")
    await pick_tile(tonight, action["tile"])


async def _bid(tonight: Evening, action: Deed) -> None:
    await _press(tonight, "s")
    dialog = tonight.app.screen
    assert isinstance(dialog, Bidding)
    for part in action["stones"]:
        while dialog._on != part["on"]:
            await _press(tonight, "right")
        await _press(tonight, *[str(part["colour"] + 1)] * part["count"])
    await _press(tonight, "enter")


async def _jewels(tonight: Evening, action: Deed) -> None:
    await _press(tonight, "j")
    dialog = tonight.app.screen
    assert isinstance(dialog, Scoring)
    at_ = [line for _worth, line in dialog._lines].index(action)
    await _press(tonight, *["down"] * at_, "enter")
    if "all the same" in tonight.text():
        await _press(tonight, "y")


async def _discard(tonight: Evening, action: Deed) -> None:
    await _press(tonight, "d")
    dialog = tonight.app.screen
    if isinstance(dialog, Choices):
        values = [choice.value for choice in dialog._menu.choices]
        await _press(tonight, str(values.index(action) + 1))


def _keys(*keys: str) -> Any:
    async def press(tonight: Evening, action: Deed) -> None:
        await _press(tonight, *keys)

    return press


FINGERS: dict[str, Any] = {
    "build": _build,
    "buy": _keys("y"),
    "keep": _keys("k"),
    "offer": _offer,
    "bid": _bid,
    "discard": _discard,
    "jewels": _jewels,
    "skip": _keys("x"),
}

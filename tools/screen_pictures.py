"""`make pictures`: the screenshots in README and docs, taken from real games that simulated hands play."""

import asyncio
import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import cairosvg
from msgspec.structs import replace

from companion.gamekit import discovery
from companion.gamekit.snapshot import Snapshot
from companion.home.paths import evenings_folder
from companion.journal.store import Journal
from companion.messages.intentions import Act
from companion.messages.lobby import GamePlan
from companion.processes.evenings import first_entry
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.event_loop import Process
from companion.referee.referee import Referee
from companion.screen.app import CompanionApp
from companion.screen.screens.show_dialog import Show
from companion.screen.screens.start_screen import StartScreen
from companion.screen.widgets.game_card import GameCard
from companion.session.evening import Evening
from companion.simulation.simulated_table import SimulatedTable
from tools.animated_svg import Frame, animated, drawn

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
PLAYERS = ("Anna", "Ben", "Cleo", "Dora")
SIMULATION = SimulationSettings(seed=7)
SMALL, LARGE, WALL = (66, 20), (100, 30), (160, 45)

Moment = Callable[[Snapshot], bool]


class Picture(NamedTuple):
    """What is to be seen: a moment of a game, or the start screen after some keys."""

    size: tuple[int, int] = LARGE
    moment: Moment | None = None
    game: str = "lascaux"
    keys: tuple[str, ...] = ()
    language: str = "en"
    theme: str = "dark"
    reveal: bool = False
    """Play on from that moment until something is revealed."""


def _awaits_anna(seen: Snapshot) -> bool:
    return seen.awaiting is not None and seen.awaiting.seats == (0,)


def _anna_bids(seen: Snapshot) -> bool:
    return seen.table.phase == "bid" and seen.table.round == 4 and seen.table.pot > 1 and _awaits_anna(seen)


def _some_choose(seen: Snapshot) -> bool:
    return bool(seen.table.round == 2 and sum(seen.table.chosen) == 2)


def _second_round(seen: Snapshot) -> bool:
    """From the first choice to the last card that changes hands."""
    return bool(seen.table.round == 2 and seen.table.phase != "draw")


def _is_over(seen: Snapshot) -> bool:
    return seen.awaiting is None


def _in_the_middle(seen: Snapshot) -> bool:
    return seen.entry > 60 and seen.awaiting is not None and 0 in seen.awaiting.seats


PICTURES = {
    "start": Picture(),
    "start-small": Picture(SMALL),
    "start-de-light": Picture(language="de", theme="light"),
    "start-contrast": Picture(theme="contrast"),
    "set-up": Picture(keys=("n",)),
    "set-up-small": Picture(SMALL, keys=("n",)),
    "set-up-de-light": Picture(keys=("n",), language="de", theme="light"),
    "set-up-contrast": Picture(keys=("n",), theme="contrast"),
    "table": Picture(moment=_anna_bids),
    "table-small": Picture(SMALL, _anna_bids),
    "table-de": Picture(moment=_anna_bids, language="de"),
    "table-light": Picture(moment=_anna_bids, theme="light"),
    "table-de-light": Picture(moment=_anna_bids, language="de", theme="light"),
    "table-contrast": Picture(moment=_anna_bids, theme="contrast"),
    "table-de-contrast": Picture(moment=_anna_bids, language="de", theme="contrast"),
    "table-wall": Picture(WALL, _anna_bids),
    "seats-small-de": Picture(SMALL, _anna_bids, keys=("f2",), language="de"),
    "choosing": Picture(moment=_some_choose),
    "reveal": Picture(moment=_anna_bids, keys=("space",), reveal=True),
    "why": Picture(moment=_anna_bids, keys=("h",)),
    "result": Picture(moment=_is_over),
    "result-whole": Picture(moment=_is_over, keys=("r",)),
    "sioux": Picture(moment=_in_the_middle, game="sioux"),
    "darwinci": Picture(moment=_in_the_middle, game="darwinci"),
    "carnuta": Picture(moment=_in_the_middle, game="carnuta"),
    "sioux-wall-de-light": Picture(WALL, _in_the_middle, "sioux", language="de", theme="light"),
    "darwinci-small": Picture(SMALL, _in_the_middle, "darwinci"),
    "carnuta-wall-contrast": Picture(WALL, _in_the_middle, "carnuta", theme="contrast"),
}


ROUND = "round"
"""One round of Lascaux as a moving picture, for README."""
MOMENT_S, REVEAL_S = 0.9, 2.0


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or (*PICTURES, ROUND):
        if name == ROUND:
            with tempfile.TemporaryDirectory(dir="/tmp") as folder:
                os.environ["COMPANION_HOME"] = folder
                frames = asyncio.run(_round(Path(folder)))
            still = [frame.lasts_s for frame in frames].index(REVEAL_S) - 1  # the last bid
            (FOLDER / "round.svg").write_text(animated(frames, still, LARGE), encoding="utf-8")
            print(FOLDER / "round.svg")
            continue
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            os.environ["COMPANION_HOME"] = folder
            svg = _with_own_font(asyncio.run(_taken(PICTURES[name], Path(folder))))
        cairosvg.svg2png(bytestring=svg.encode(), write_to=str(FOLDER / f"{name}.png"), output_width=1200)
        print(FOLDER / f"{name}.png")


def _with_own_font(svg: str) -> str:
    """Textual's pictures ask the net for a font. DejaVu Sans Mono is on the machine, a little narrower."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return re.sub(r"font-family: [^;]*;\s*font-size: 20px", "font-family: DejaVu Sans Mono; font-size: 20.27px", svg)


async def _taken(picture: Picture, folder: Path) -> str:
    looks: dict[str, Any] = {"language": picture.language, "theme": picture.theme}
    if picture.moment is None:
        _play(_all_simulated("lascaux", PLAYERS), _is_over).close()
        _play(_all_simulated("lascaux", PLAYERS[:3]), _anna_bids).close()
        return await _screenshot(CompanionApp(None, lobby=TableLobby(SIMULATION), **looks), picture)
    players = PLAYERS[: discovery.find(picture.game).players[-1]]
    socket = folder / "screen.sock"
    async with _referee(_all_simulated(picture.game, players), picture.moment, socket) as (_, play_on):
        return await _screenshot(CompanionApp(socket, **looks), picture, play_on)


async def _round(folder: Path) -> list[Frame]:
    """What the screen shows after each deed, from one round's begin to the next one's."""
    socket = folder / "screen.sock"
    frames: list[Frame] = []
    async with _referee(_all_simulated("lascaux", PLAYERS[:3]), _second_round, socket) as (referee, play_on):
        app = CompanionApp(socket, language="en", theme="dark")
        async with app.run_test(size=LARGE) as pilot:
            while app.conversation is None or not app.conversation.drawn:
                await pilot.pause(0.05)
            await pilot.pause(0.5)
            while _second_round(referee.snapshot()):
                play_on()
                await pilot.pause(0.4)
                while isinstance(app.screen, Show):
                    await pilot.press("space")  # all of it at once, then away with it
                    await pilot.pause(0.4)
                    frames += _changed(app, frames, REVEAL_S)
                frames += _changed(app, frames, MOMENT_S)
    return frames


def _changed(app: CompanionApp, frames: list[Frame], lasts_s: float) -> Iterator[Frame]:
    """What the screen shows now, unless it showed the same before."""
    svg = app.export_screenshot(title="Companion")
    if not frames or drawn(svg) != drawn(frames[-1].svg):
        yield Frame(svg, lasts_s if isinstance(app.screen, Show) else MOMENT_S)


# --- Games that are played up to some moment ------------------------------------------------------------------


@asynccontextmanager
async def _referee(plan: GamePlan, moment: Moment, socket: Path) -> AsyncIterator[tuple[Referee, Callable[[], None]]]:
    """A referee at its work, with Anna as the only person; and how hands play on, hers included."""
    seated = _play(plan, moment)
    process = Process(seated.referee, seated.journal, socket)
    serving = asyncio.create_task(process.run([]))
    while not socket.exists():
        await asyncio.sleep(0.01)
    try:
        yield seated.referee, lambda: seated.go_on(process.heed, process.deliver)
    finally:
        serving.cancel()
        await asyncio.wait([serving])


class _Seated(NamedTuple):
    journal: Journal
    referee: Referee
    table: SimulatedTable

    def go_on(self, heed: Callable[[Any], object], hear: Callable[[Any], object]) -> None:
        """What hands do next at this table."""
        deed = self.table.next(self.referee.snapshot(), 0)
        assert deed, "no player acts any more"
        for _wait, given in deed.steps:
            heed(given) if isinstance(given, Act) else hear(given)

    def close(self) -> None:
        self.journal.close()


def _all_simulated(game: str, players: tuple[str, ...]) -> GamePlan:
    return GamePlan(game, players, tuple(range(len(players))))


def _play(plan: GamePlan, moment: Moment) -> _Seated:
    """All hands are simulated, even those of the person in the picture."""
    journal = Journal.create(evenings_folder(), date=date(2026, 11, 16))
    evening = Evening([journal.append("game", first_entry(plan), "", "", time.time())])
    table = simulated_table(evening, seat_pads_of(evening), SIMULATION)
    evening.played_game.header = replace(evening.header, simulated=plan.simulated[1:])
    referee = Referee(journal, evening, seat_pads_of(evening))
    seated = _Seated(journal, referee, table)
    while not moment(referee.snapshot()):
        seated.go_on(lambda act: referee.heed(act, time.time()), lambda signal: referee.hear(signal, time.time()))
    return seated


async def _screenshot(app: CompanionApp, picture: Picture, play_on: Callable[[], None] = lambda: None) -> str:
    async with app.run_test(size=picture.size) as pilot:
        while len(app.screen_stack) < 2 or (app.conversation is not None and not app.conversation.drawn):
            await pilot.pause(0.05)
        while isinstance(app.screen, StartScreen) and not app.screen.query(GameCard):  # the lobby is still looking
            await pilot.pause(0.05)
        await pilot.pause(0.5)
        while picture.reveal and not isinstance(app.screen, Show):
            play_on()
            await pilot.pause(0.3)
        await pilot.press(*picture.keys)
        await pilot.pause(0.3)
        return app.export_screenshot(title="Companion")


if __name__ == "__main__":
    main()

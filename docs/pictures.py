"""`make pictures`: the screenshots in README and docs, taken from real games that simulated hands play."""

import asyncio
import re
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import cairosvg

from companion import games
from companion.boxes import find_box
from companion.games.beginning import Header
from companion.journal.evening import Evening, game_body
from companion.journal.store import Journal
from companion.referee.process import Process
from companion.referee.referee import Referee
from companion.screen.app import CompanionApp
from companion.snapshot import Snapshot
from companion.verbs.table import Pace, desk_of, simulated_table

FOLDER = Path(__file__).parent / "pictures"
PLAYERS = ("Anna", "Ben", "Cleo", "Dora")
PACE = Pace(seed=7)

Moment = Callable[[Snapshot], bool]


def _anna_bids(seen: Snapshot) -> bool:
    return seen.table.phase == "bid" and seen.table.round == 4 and seen.table.pot > 1 and seen.awaiting.seats == (0,)


PICTURES: dict[str, tuple[Moment, tuple[int, int]]] = {
    "table": (_anna_bids, (100, 30)),
    "table-small": (_anna_bids, (66, 20)),
    "choosing": (lambda seen: seen.table.round == 2 and sum(seen.table.chosen) == 2, (100, 30)),
    "result": (lambda seen: seen.awaiting is None, (100, 30)),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (moment, size) in PICTURES.items():
        svg = _with_own_font(asyncio.run(_picture(moment, size)))
        cairosvg.svg2png(bytestring=svg.encode(), write_to=str(FOLDER / f"{name}.png"), output_width=1200)
        print(FOLDER / f"{name}.png")


def _with_own_font(svg: str) -> str:
    """Textual's pictures ask the net for a font. DejaVu Sans Mono is on the machine, a little narrower."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return re.sub(r"font-family: [^;]*;\s*font-size: 20px", "font-family: DejaVu Sans Mono; font-size: 20.27px", svg)


async def _picture(moment: Moment, size: tuple[int, int]) -> str:
    game = games.find("lascaux")
    body = game_body(Header(game.name, PLAYERS), find_box(game).text, (1, 2, 3), "full")
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.create(Path(folder), date=date(2000, 1, 1))
        evening = Evening([journal.append("game", body, "", "", 0.0)])
        referee = Referee(journal, evening, desk_of(evening))
        _play_until(moment, referee, evening)
        socket = Path(folder) / "screen.sock"
        serving = asyncio.create_task(Process(referee, journal, socket).run([]))
        while not socket.exists():
            await asyncio.sleep(0.01)
        try:
            return await _screenshot(CompanionApp(socket), size)
        finally:
            serving.cancel()
            await asyncio.wait([serving])


def _play_until(moment: Moment, referee: Referee, evening: Evening) -> None:
    opening = evening.opening
    opening["simulated"] = list(range(len(PLAYERS)))  # all hands are simulated, also those of the person in the picture
    table = simulated_table(evening, desk_of(evening), PACE)
    opening["simulated"] = [1, 2, 3]
    snapshot = referee.snapshot()
    while not moment(snapshot):
        deed = table.next(snapshot, 0)
        assert deed, "this moment never comes"
        for _, signal in deed.steps:
            referee.hear(signal, time.time())
        snapshot = referee.snapshot()


async def _screenshot(app: CompanionApp, size: tuple[int, int]) -> str:
    async with app.run_test(size=size) as pilot:
        while app.conversation is None or not app.conversation.drawn:
            await pilot.pause(0.05)
        await pilot.pause(0.3)
        return app.export_screenshot(title="Companion")


if __name__ == "__main__":
    main()

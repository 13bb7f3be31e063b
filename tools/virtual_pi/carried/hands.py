"""Inside the guest: a referee with the devices of this table, and hands outside that touch them.

/opt/companion/bin/python hands.py lascaux full [--speed 4] [--seed 7] [--go-on] [--signals] [--mark /dev/vdc]

The referee and its devices are the installed ones, and `companion screen` can look on. Players decide here what to do;
what they do goes out over a line, to the program that lays tags on readers and presses buttons. The same line hears how
far the journal has come ("entry 17"), after it is durable and not before, and how the game ended. With `--mark` the
same is written to the end of a disk, so that a log of that disk says what had been accepted when.
"""

import asyncio
import mmap
import os
import signal
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.config import find_table
from companion.gamekit import discovery
from companion.gamekit.game_start import usual_names
from companion.home.paths import evenings_folder, home
from companion.journal import evening_folder
from companion.messages.intentions import EndMatch, LookedOver, NextGame, Prepare
from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening, find_evening, socket_of, table_clock
from companion.processes.referee_process import seat_pads_of
from companion.processes.table_devices import equipment
from companion.referee.event_loop import Process
from companion.referee.referee import Referee
from companion.simulation import hands_on_hardware, real_time
from companion.simulation.simulated_table import SimulatedTable
from companion.table.pieces import simulated_pack

LINE = "/dev/virtio-ports/hands"
SECTOR = 512
PRESS_MS, HOLD_MS = 90.0, 2300.0


class Outside:
    """The hardware, as far as hands reach it from here."""

    has_buttons = True

    def __init__(self, mark: str | None) -> None:
        self._line = os.open(LINE, os.O_WRONLY)
        self._mark = os.open(mark, os.O_WRONLY | os.O_DIRECT) if mark else None
        self._sector = mmap.mmap(-1, SECTOR)  # aligned, as O_DIRECT wants it

    def reached(self, evening: str, entry: int) -> None:
        """The journal has come this far, for sure."""
        self.tell("entry", entry)
        if self._mark is not None:
            self._sector[:] = f"{evening} {entry}".encode().ljust(SECTOR, b"\0")
            os.pwrite(self._mark, self._sector, os.lseek(self._mark, 0, os.SEEK_END) - SECTOR)

    def tell(self, *words: object) -> None:
        os.write(self._line, (" ".join(map(str, words)) + "\n").encode())

    def lay(self, station: str, uid: str) -> None:
        self.tell("lay", station, uid)

    def lift(self, station: str, uid: str) -> None:
        self.tell("lift", station, uid)

    async def press(self, station: str, button: str, *, held: bool) -> None:
        for_ms = HOLD_MS if held else PRESS_MS
        self.tell("press", station, button, for_ms)
        await asyncio.sleep(for_ms / 1000)


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("kit", choices=("one", "full"))
    parser.add_argument("--speed", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--go-on", action="store_true")
    parser.add_argument("--signals", action="store_true", help="without devices: hands give their signals themselves")
    parser.add_argument("--mark")
    parser.add_argument("--games", type=int, default=1, help="of the match")
    said = parser.parse_args()
    people = usual_names(discovery.find(said.game).players[0])
    path = (
        find_evening(None, unfinished=True)
        if said.go_on
        else begin_evening(GamePlan(said.game, people, (), kit=said.kit))
    )
    asyncio.run(referee(path, said))


async def referee(path: Path, said: Namespace) -> None:
    outside, ears = Outside(said.mark), hands_on_hardware.Ears()
    journal, evening = evening_folder.resume(path, folder=evenings_folder())
    seat_pads = seat_pads_of(evening)
    process = Process(
        Referee(journal, evening, seat_pads, resumed=True), journal, socket_of(path), seat_pads.pads, table_clock().now
    )
    seats = range(len(evening.header.players))
    table = SimulatedTable(said.seed, seats, said.kit, 0.0, simulated_pack(evening.game, evening.setup.box))
    wired = [] if said.signals else equipment(find_table(home()))
    outside.tell("evening", path.stem, "begins", process.snapshot.entry)

    async def hands(referee: Process) -> None:
        async with asyncio.TaskGroup() as group:
            if said.signals:
                playing = group.create_task(real_time.run(table, referee, said.speed))
            else:
                playing = group.create_task(hands_on_hardware.act(table, outside, ears, referee, said.speed))
            await watch(referee, outside, said.games)
            playing.cancel()
        os.kill(os.getpid(), signal.SIGTERM)  # as a service is ended

    await process.run([hands_on_hardware.Overheard(device, ears) for device in wired], hands)


async def watch(referee: Process, outside: Outside, games: int) -> None:
    """Sets the table up, looks it over, says how far it has come, and ends with the last game."""
    entry = -1
    while True:
        seen = referee.snapshot
        if seen.entry != entry:
            entry = seen.entry
            outside.reached(seen.evening, entry)
        if seen.layout:
            referee.heed(LookedOver(f"looked-{entry}"))
        elif seen.preparation:
            referee.heed(Prepare(f"prepared-{entry}", seen.preparation.pages))
        elif seen.awaiting is None:
            outside.tell("over", seen.game, ",".join(str(score.total) for score in seen.scores), entry)
            games -= 1
            if not games:
                referee.heed(EndMatch(f"end-{entry}"))
                outside.reached(seen.evening, referee.snapshot.entry)
                return
            referee.heed(NextGame(f"next-{entry}"))
        else:
            await referee.changed()


if __name__ == "__main__":
    main()

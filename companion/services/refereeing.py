"""`companion table`: the referee of one evening, with its devices, without a screen."""

import asyncio
import random
import tempfile
from functools import partial
from pathlib import Path

from companion.config import NAME, find_table
from companion.files import keep_from_others
from companion.home.boxes import keep_changed
from companion.home.packs import find_pack
from companion.home.paths import evenings_folder, home
from companion.journal import shelf
from companion.journal.evening import Evening
from companion.referee.process import PlayHands, Process
from companion.referee.referee import Referee
from companion.services.accounts import keep_values_out
from companion.services.bench import bench
from companion.services.console import console, console_of
from companion.services.equipment import equipment
from companion.services.evenings import socket_of, table_clock
from companion.services.introducing import introductions
from companion.services.pace import Pace
from companion.simulation import acting, running
from companion.simulation.table import SimulatedTable
from companion.stations import pad
from companion.table.interpreter import Desk
from companion.table.pieces import Pack, simulated_pack


def run_table(path: Path, pace: Pace, *, parent: int | None = None) -> int:
    """Be the referee of this evening until told to stop. Raises JournalError, ConfigError, DeviceError, LinkError."""
    keep_values_out()
    keep_from_others(home() / NAME)  # it may hold the Wi-Fi's password, and earlier versions left it open
    wired = find_table(home())
    clock = table_clock(path)
    journal, evening = shelf.resume(path, folder=evenings_folder())
    desk = desk_of(evening)
    deals = desk.kit != "none" and (pace.through != "signals" or wired.kit == "none")
    table = simulated_table(evening, desk, pace, deals=deals)
    referee = Referee(journal, evening, desk, resumed=True, dealer=table if deals else None)
    process = Process(referee, journal, socket_of(path), desk.pads, clock.now)
    process.keep_box = partial(keep_changed, evening.game.name)
    if desk.kit == "none":
        running_table = process.run(parent=parent)
    elif pace.through == "signals":
        running_table = process.run(equipment(wired, introductions(desk.pack)), _hands(table, pace), parent=parent)
    else:
        running_table = _run_on_hardware(process, table, desk, pace, parent)
    asyncio.run(running_table)
    return 0


async def _run_on_hardware(process: Process, table: SimulatedTable, desk: Desk, pace: Pace, parent: int | None) -> None:
    """Simulated hands touch simulated hardware, which real drivers watch."""
    ears = acting.Ears()
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        async with (
            bench(pace.through, desk.kit, len(desk.pads), Path(folder)) as touched,
            console(touched, console_of(process.socket_path), _title(process)),
        ):
            devices = [acting.Overheard(device, ears) for device in equipment(touched.table)]
            hands = partial(acting.act, table, touched, ears, speed=pace.speed)
            await process.run(devices, hands, parent=parent)


def _title(process: Process) -> str:
    """What `companion faults` calls this table."""
    names = ", ".join(player.name for player in process.snapshot.players)
    return f"{process.snapshot.game} with {names}"


def desk_of(evening: Evening) -> Desk:
    """Real tags and simulated ones side by side: somebody alone with one reader plays against simulated neighbours.
    Raises PackError."""
    game, box = evening.game, evening.setup.box
    pack = Pack(simulated_pack(game, box).tags | find_pack(game, box).tags)
    return Desk(evening.opening["kit"], pack, {pad(seat): seat for seat in range(len(evening.header.players))})


def simulated_table(evening: Evening, desk: Desk, pace: Pace, *, deals: bool = False) -> SimulatedTable:
    """The stack lies as it was shuffled when the evening began: people find their hands again when they resume it."""
    known = [seed for seed in (pace.seed, evening.opening.get("stack"), pace.otherwise) if seed is not None]
    seed = known[0] if known else random.randrange(2**32)
    seats = frozenset(evening.opening["simulated"])
    pack = simulated_pack(evening.game, evening.setup.box)
    return SimulatedTable(seed, seats, "one" if desk.kit == "one" else "full", pace.mischief, pack, deals=deals)


def _hands(table: SimulatedTable, pace: Pace) -> PlayHands:
    return lambda referee: running.run(table, referee, pace.speed)

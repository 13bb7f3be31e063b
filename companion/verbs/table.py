"""`companion table`: the referee of one evening, with its devices, without a screen."""

import asyncio
import random
import tempfile
from functools import partial
from pathlib import Path

from msgspec import Struct

from companion.boxes import home
from companion.config import find_table
from companion.journal import shelf
from companion.journal.evening import Evening
from companion.packs import find_pack
from companion.referee.process import Hands, Process
from companion.referee.referee import Referee
from companion.simulation import acting, running
from companion.simulation.table import SimulatedTable
from companion.table.interpreter import Desk
from companion.table.pieces import Pack, simulated_pack
from companion.verbs import hardware
from companion.verbs.equipment import equipment
from companion.verbs.evenings import evenings_folder, socket_of
from companion.verbs.introducing import introductions


class Pace(Struct, frozen=True):
    """How simulated hands play, and what they touch."""

    seed: int | None = None
    speed: float = 1.0
    mischief: float = 0.0
    through: hardware.Through = "signals"


def run_table(path: Path, pace: Pace, *, parent: int | None = None) -> int:
    """Be the referee of this evening until told to stop. Raises JournalError, ConfigError, DeviceError, LinkError."""
    wired = find_table(home())
    journal, evening = shelf.resume(path, folder=evenings_folder())
    desk = desk_of(evening)
    process = Process(Referee(journal, evening, desk, resumed=True), journal, socket_of(path), desk.pads)
    table = simulated_table(evening, desk, pace)
    if desk.kit == "none":
        running_table = process.run(parent=parent)
    elif pace.through == "signals":
        greet = introductions(evening.game, evening.setup.box, desk.pack)
        running_table = process.run(equipment(wired, greet), _hands(table, pace), parent=parent)
    else:
        running_table = _run_on_hardware(process, table, desk, pace, parent)
    asyncio.run(running_table)
    return 0


async def _run_on_hardware(process: Process, table: SimulatedTable, desk: Desk, pace: Pace, parent: int | None) -> None:
    """Simulated hands touch simulated hardware, which real drivers watch."""
    ears = acting.Ears()
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        async with (
            hardware.bench(pace.through, desk.kit, len(desk.pads), Path(folder)) as bench,
            hardware.console(bench, hardware.console_of(process.socket_path), _title(process)),
        ):
            devices = [acting.Overheard(device, ears) for device in equipment(bench.table)]
            hands = partial(acting.act, table, bench, ears, speed=pace.speed)
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
    return Desk(evening.opening["kit"], pack, {f"pad{seat}": seat for seat in range(len(evening.header.players))})


def simulated_table(evening: Evening, desk: Desk, pace: Pace) -> SimulatedTable:
    seed = random.randrange(2**32) if pace.seed is None else pace.seed
    seats = frozenset(evening.opening["simulated"])
    pack = simulated_pack(evening.game, evening.setup.box)
    return SimulatedTable(seed, seats, "one" if desk.kit == "one" else "full", pace.mischief, pack)


def _hands(table: SimulatedTable, pace: Pace) -> Hands:
    return lambda referee: running.run(table, referee, pace.speed)

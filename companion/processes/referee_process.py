"""`companion table`: the referee of one evening, with its devices, without a screen."""

import asyncio
import random
import tempfile
from functools import partial
from pathlib import Path

from companion.config import NAME, find_table
from companion.devices.reader import Greet
from companion.files import keep_from_others
from companion.home.box_files import keep_changed
from companion.home.crash_log import keep_values_out
from companion.home.paths import evenings_folder, home
from companion.home.tag_packs import find_pack
from companion.journal import evening_folder
from companion.processes.evenings import socket_of, table_clock
from companion.processes.fault_console import console, console_of
from companion.processes.simulated_hardware import bench
from companion.processes.simulation_settings import Pace
from companion.processes.table_devices import equipment
from companion.referee.event_loop import PlayHands, Process
from companion.referee.referee import Referee
from companion.session.evening import Evening
from companion.simulation import hands_on_hardware, real_time
from companion.simulation.search_players import SearchPlayers
from companion.simulation.simulated_table import SimulatedTable
from companion.stations import ReaderKit, pad
from companion.table.interpreter import SeatPads
from companion.table.pieces import Pack, simulated_pack

# --- Tags that this table has never seen, but that say themselves what they sit on (`companion tags write`).


def introductions(pack: Pack) -> Greet | None:
    """For `equipment(table, greet=…)`: a tag that is not in this pack is asked for its text, which comes as a signal.

    Without ndeflib there are no introductions, and such a tag stays unknown. A satellite's pads do not read texts."""
    try:
        from companion.devices.ndef import Introductions
    except ImportError:
        return None
    return Introductions(frozenset(pack.tags))


def run_table(path: Path, pace: Pace, *, parent: int | None = None) -> int:
    """Be the referee of this evening until told to stop. Raises JournalError, ConfigError, DeviceError, LinkError."""
    keep_values_out()
    keep_from_others(home() / NAME)  # it may hold the Wi-Fi's password, and earlier versions left it open
    wired = find_table(home())
    clock = table_clock(path)
    journal, evening = evening_folder.resume(path, folder=evenings_folder())
    seat_pads = desk_of(evening)
    deals = seat_pads.kit != "none" and (pace.through != "signals" or wired.kit == "none")
    table = simulated_table(evening, seat_pads, pace, deals=deals)
    referee = Referee(journal, evening, seat_pads, resumed=True, dealer=table if deals else None)
    process = Process(referee, journal, socket_of(path), seat_pads.pads, clock.now)
    process.keep_box = partial(keep_changed, evening.game.name)
    if seat_pads.kit == "none":
        running_table = process.run(parent=parent)
    elif pace.through == "signals":
        running_table = process.run(equipment(wired, introductions(seat_pads.pack)), _hands(table, pace), parent=parent)
    else:
        running_table = _run_on_hardware(process, table, seat_pads, pace, parent)
    asyncio.run(running_table)
    return 0


async def _run_on_hardware(
    process: Process, table: SimulatedTable, seat_pads: SeatPads, pace: Pace, parent: int | None
) -> None:
    """Simulated hands touch simulated hardware, which real drivers watch."""
    ears = hands_on_hardware.Ears()
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        async with (
            bench(pace.through, seat_pads.kit, len(seat_pads.pads), Path(folder)) as touched,
            console(touched, console_of(process.socket_path), _title(process)),
        ):
            devices = [hands_on_hardware.Overheard(device, ears) for device in equipment(touched.table)]
            hands = partial(hands_on_hardware.act, table, touched, ears, speed=pace.speed)
            await process.run(devices, hands, parent=parent)


def _title(process: Process) -> str:
    """What `companion faults` calls this table."""
    names = ", ".join(player.name for player in process.snapshot.players)
    return f"{process.snapshot.game} with {names}"


def desk_of(evening: Evening) -> SeatPads:
    """Real tags and simulated ones side by side: somebody alone with one reader plays against simulated neighbours.
    Raises PackError."""
    game, box = evening.game, evening.setup.box
    pack = Pack(simulated_pack(game, box).tags | find_pack(game, box).tags)
    return SeatPads(evening.opening["kit"], pack, {pad(seat): seat for seat in range(len(evening.header.players))})


def simulated_table(evening: Evening, seat_pads: SeatPads, pace: Pace, *, deals: bool = False) -> SimulatedTable:
    """The stack lies as it was shuffled when the evening began: people find their hands again when they resume it."""
    known = [seed for seed in (pace.seed, evening.opening.get("stack"), pace.otherwise) if seed is not None]
    seed = known[0] if known else random.randrange(2**32)
    seats = frozenset(evening.opening["simulated"])
    pack = simulated_pack(evening.game, evening.setup.box)
    kit: ReaderKit = "one" if seat_pads.kit == "one" else "full"
    search = SearchPlayers(evening, seed)
    return SimulatedTable(seed, seats, kit, pace.mischief, pack, deals=deals, search=search)


def _hands(table: SimulatedTable, pace: Pace) -> PlayHands:
    return lambda referee: real_time.run(table, referee, pace.speed)

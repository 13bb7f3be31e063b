"""`companion table`: the referee of one evening, with its devices and without a screen."""

import asyncio
import random
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.config import NAME, find_table
from companion.devices.reader import Greet
from companion.files import keep_from_others
from companion.gamekit.game import Seat
from companion.home.box_files import keep_changed
from companion.home.crash_log import keep_values_out
from companion.home.paths import evenings_folder, home
from companion.home.tag_packs import find_pack
from companion.journal import evening_folder
from companion.processes.bot_supervisor import BotSupervisor
from companion.processes.evenings import socket_of, table_clock
from companion.processes.fault_console import console, console_of
from companion.processes.simulated_hardware import bench
from companion.processes.simulation_settings import SIGNALS, SimulationSettings
from companion.processes.table_devices import equipment
from companion.referee.event_loop import PlayHands, Process, last_alive
from companion.referee.referee import Referee
from companion.session.evening import Evening
from companion.simulation import hands_on_hardware, real_time
from companion.simulation.real_seats import RealSeats
from companion.simulation.search_players import SearchPlayers
from companion.simulation.simulated_table import SimulatedTable
from companion.stations import pad
from companion.table.interpreter import SeatPads
from companion.table.pieces import Pack, simulated_pack


def run_referee(path: Path, simulation: SimulationSettings, *, parent: int | None = None) -> int:
    """Referee this evening until a signal stops us. Raises JournalError, ConfigError, DeviceError, LinkError."""
    keep_values_out()
    keep_from_others(home() / NAME)  # it may hold the Wi-Fi password
    wired = find_table(home())
    alive_at = last_alive(socket_of(path))
    clock = table_clock(path)
    journal, evening = evening_folder.resume(path, folder=evenings_folder())
    seat_pads = seat_pads_of(evening)
    real = bool(evening.header.real)
    no_pieces = seat_pads.kit != "none" and (simulation.through != SIGNALS or wired.kit == "none") and not real
    deals = bool(evening.header.deals) or no_pieces
    bots = BotSupervisor(evening.game.name)
    table = simulated_table(evening, seat_pads, simulation, deals=deals, ask=bots.ask)
    referee = Referee(
        journal,
        evening,
        seat_pads,
        resumed=True,
        dealer=table if deals else None,
        resumed_at=clock.now(),
        alive_at=alive_at,
    )
    process = Process(referee, journal, socket_of(path), seat_pads.pads, clock.now)
    process.keep_box = partial(keep_changed, evening.game.name)
    if real:
        seats = RealSeats(evening, search_players(evening, simulation, bots.ask))
        devices = equipment(wired, introductions(seat_pads.pack)) if seat_pads.kit != "none" else ()
        running_table = process.run(devices, seats.run, parent=parent)
    elif seat_pads.kit == "none":
        running_table = process.run(hands=_hands(table, simulation) if deals else None, parent=parent)
    elif simulation.through == SIGNALS:
        running_table = process.run(
            equipment(wired, introductions(seat_pads.pack)), _hands(table, simulation), parent=parent
        )
    else:
        running_table = _run_on_hardware(process, table, seat_pads, simulation, parent)
    with bots:
        asyncio.run(running_table)
    return 0


def introductions(pack: Pack) -> Greet | None:
    """For `equipment(table, greet=…)`: reads the text of a tag that is not in this pack (`companion tags write`), and
    reports it as a signal. None without ndeflib: such a tag stays unknown. A satellite's pads do not read texts."""
    try:
        from companion.devices.ndef import Introductions
    except ImportError:
        return None
    return Introductions(frozenset(pack.tags))


async def _run_on_hardware(
    process: Process, table: SimulatedTable, seat_pads: SeatPads, simulation: SimulationSettings, parent: int | None
) -> None:
    """Simulated hands use simulated hardware, and the real drivers read it."""
    ears = hands_on_hardware.Ears()
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        async with (
            bench(simulation.through, seat_pads.kit, len(seat_pads.pads), Path(folder)) as touched,
            console(touched, console_of(process.socket_path), _title(process), _named(seat_pads.pack)),
        ):
            devices = [hands_on_hardware.Overheard(device, ears) for device in equipment(touched.table)]
            hands = partial(hands_on_hardware.act, table, touched, ears, speed=simulation.speed)
            await process.run(devices, hands, parent=parent)


def _named(pack: Pack) -> dict[str, str]:
    """The tag of each piece, by the words that `companion faults` takes for it: marker white 1."""
    return {
        f"{piece.kind} {piece.id}{'' if piece.owner is None else f' {piece.owner + 1}'}": uid
        for uid, piece in pack.tags.items()
    }


def _title(process: Process) -> str:
    """The name of this table in `companion faults`."""
    names = ", ".join(player.name for player in process.snapshot.players)
    return f"{process.snapshot.game} with {names}"


def seat_pads_of(evening: Evening) -> SeatPads:
    """The pads of this evening, with real and simulated tags: a player alone with one reader plays against simulated
    neighbours. Raises PackError."""
    game, box = evening.game, evening.setup.box
    own = find_pack(game, box)
    pack = own.with_tags(simulated_pack(game, box).tags | own.tags)
    return SeatPads(evening.header.kit, pack, {pad(seat): seat for seat in range(len(evening.header.players))})


def simulated_table(
    evening: Evening,
    seat_pads: SeatPads,
    simulation: SimulationSettings,
    *,
    deals: bool = False,
    ask: Callable[[Seat, bytes], bytes] | None = None,
) -> SimulatedTable:
    """The simulated players of this evening. The stack is shuffled as it was when the evening started, so that players
    have the same hands when they resume it. `ask`: bots that run in processes of their own."""
    seed = _seed(evening, simulation)
    seats = frozenset(evening.header.simulated)
    pack = simulated_pack(evening.game, evening.setup.box)
    search = SearchPlayers(evening, seed, ask) if ask else SearchPlayers(evening, seed)
    return SimulatedTable(seed, seats, seat_pads.kit, simulation.mischief, pack, deals=deals, search=search)


def search_players(
    evening: Evening, simulation: SimulationSettings, ask: Callable[[Seat, bytes], bytes]
) -> SearchPlayers:
    return SearchPlayers(evening, _seed(evening, simulation), ask)


def _seed(evening: Evening, simulation: SimulationSettings) -> int:
    known = [seed for seed in (simulation.seed, evening.header.stack, simulation.fallback_seed) if seed is not None]
    return known[0] if known else random.randrange(2**32)


def _hands(table: SimulatedTable, simulation: SimulationSettings) -> PlayHands:
    return lambda referee: real_time.run(table, referee, simulation.speed)

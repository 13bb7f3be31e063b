"""`companion table`: the referee of one evening, with its devices, without a screen."""

import asyncio
import random
from pathlib import Path

from msgspec import Struct

from companion.journal import shelf
from companion.journal.evening import Evening
from companion.referee.process import Hands, Process
from companion.referee.referee import Referee
from companion.simulation import running
from companion.simulation.table import SimulatedTable
from companion.table.interpreter import Desk
from companion.table.pieces import simulated_pack
from companion.verbs.evenings import evenings_folder, socket_of


class Pace(Struct, frozen=True):
    """How simulated hands play."""

    seed: int | None = None
    speed: float = 1.0
    mischief: float = 0.0


def run_table(path: Path, pace: Pace, *, parent: int | None = None) -> int:
    """Be the referee of this evening until told to stop."""
    journal, evening = shelf.resume(path, folder=evenings_folder())
    desk = desk_of(evening)
    process = Process(Referee(journal, evening, desk, resumed=True), journal, socket_of(path), desk.pads)
    hands = None if desk.kit == "none" else _simulated_hands(evening, desk, pace)
    asyncio.run(process.run((), hands, parent=parent))
    return 0


def desk_of(evening: Evening) -> Desk:
    seats = range(len(evening.header.players))
    pack = simulated_pack(evening.game, evening.setup.box)
    return Desk(evening.opening["kit"], pack, {f"pad{seat}": seat for seat in seats})


def simulated_table(evening: Evening, desk: Desk, pace: Pace) -> SimulatedTable:
    seed = random.randrange(2**32) if pace.seed is None else pace.seed
    seats = frozenset(evening.opening["simulated"])
    return SimulatedTable(seed, seats, "one" if desk.kit == "one" else "full", pace.mischief, desk.pack)


def _simulated_hands(evening: Evening, desk: Desk, pace: Pace) -> Hands:
    table = simulated_table(evening, desk, pace)
    return lambda process: running.run(table, process, pace.speed)

"""A whole game of Lascaux through real drivers on simulated hardware, in a process of its own:

    python -m tests.simulation.whole_game one --faults

prints the result, and what went wrong meanwhile, as JSON. A process has only one Pi.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from companion.processes.table_devices import equipment
from companion.referee.event_loop import Process
from companion.simulation.hands_on_hardware import Ears, Overheard, act
from companion.simulation.rig import Rig
from companion.simulation.simulated_table import SimulatedTable
from companion.table.signals import LinkDown, LinkUp, ReaderFault
from tests.referee.table import Table

SEED = 7
SPEED = 200.0
LIMIT_S = 240.0
PLAYERS = 3

Name = TypeVar("Name", bound=Hashable)
Faults = tuple[tuple[str, str], ...]
"""One after another: what goes wrong, and a moment later something else, or well again."""

FAULTS: dict[str, Faults] = {
    "one": (
        ("centre gone", "centre well"),
        ("pigpiod kill", "pigpiod start"),
        ("centre hung", "centre well"),
        ("centre garbled", "centre well"),
        ("pigpiod silence", "pigpiod speak"),
        ("centre unpowered", "centre well"),
        ("centre refused", "centre well"),
        ("centre colliding", "centre well"),
        ("centre stuck", "centre well"),
        ("centre blocked", "centre well"),
        ("centre weak", "pigpiod bounce"),
        ("pigpiod wrap", "centre flicker"),
        ("centre well", "pigpiod well"),
    ),
    "full": (
        ("satellite unplug", "satellite plug"),
        ("satellite noise", "satellite clear"),
        ("centre gone", "centre well"),
        ("pad1 break", "pad1 mend"),
        ("satellite half", "satellite garbage"),
        ("pad0 blur", "pad0 mend"),
        ("satellite silence", "satellite speak"),
        ("pad2 break", "satellite reset"),
        ("satellite lose", "pad2 mend"),
        ("centre hung", "centre well"),
    ),
}


class Trial(NamedTuple):
    """What is played, how often something goes wrong, and when it is too long."""

    seed: int = SEED
    every: int = 12
    """So many entries lie between two faults."""
    limit_s: float = LIMIT_S


TRIAL = Trial()


class Outcome(Struct, frozen=True):
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    actions: int
    injected: int
    """How many faults were switched on, each of them off again or overtaken by another."""
    faults: int
    """How often a driver told that something was wrong."""
    recoveries: int
    undone: int
    seconds: float


async def play(kit: Any, *, faulty: bool) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder) / "evenings", kit=kit).hurry()
        async with Rig(kit, Path(folder), pads=PLAYERS) as rig:
            return await play_through(table, rig, Path(folder), FAULTS[kit] if faulty else ())


async def play_through(table: Table, rig: Any, folder: Path, faults: Faults, trial: Trial = TRIAL) -> Outcome:
    """To the end, through the drivers of this rig, while one fault follows another."""
    began = time.monotonic()
    ears = Ears()
    told: list[Any] = []
    process = Process(table.referee, table.journal, folder / "s", table.seat_pads.pads)
    _overhear(process, told.append)
    hands = SimulatedTable(trial.seed, range(PLAYERS), table.seat_pads.kit, 0.0, table.seat_pads.pack)
    devices = [Overheard(device, ears) for device in equipment(rig.table)]
    running = asyncio.create_task(process.run(devices, lambda heard: act(hands, rig, ears, heard, SPEED)))
    injected: list[str] = []
    trouble = asyncio.create_task(_make_trouble(rig, process, faults, injected, trial.every))
    async with asyncio.timeout(trial.limit_s):
        while process.snapshot.awaiting is not None and not running.done():
            await process.changed()
    for task in (trouble, running):
        task.cancel()
    for ended in await asyncio.gather(trouble, running, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    seen = process.snapshot
    return Outcome(
        tuple(score.total for score in seen.scores),
        seen.winners,
        len(table.evening.played_game.played),
        len(injected),
        sum(isinstance(signal, ReaderFault | LinkDown) for signal in told),
        sum(isinstance(signal, LinkUp) for signal in told),
        sum(line.kind == "undone" for line in seen.history),
        time.monotonic() - began,
    )


def _overhear(process: Process, note: Callable[[Any], object]) -> None:
    deliver = process.deliver

    def overhear(signal: Any) -> Any:
        note(signal)
        return deliver(signal)

    process.deliver = overhear  # type: ignore[method-assign]


async def _make_trouble(rig: Any, process: Process, faults: Faults, injected: list[str], every: int) -> None:
    """Each time so many entries have been written, something goes wrong, in the middle of whatever hands are doing."""
    for number, (wrong, well) in enumerate(faults, 1):
        while process.snapshot.entry < every * number:
            await process.changed()
        await asyncio.sleep(0.013 * number)
        assert rig.misbehave(wrong) == "done", wrong
        await asyncio.sleep(0.4 + 0.11 * number)
        assert rig.misbehave(well) == "done", well
        injected.append(wrong)


def outcomes(commands: Mapping[Name, Sequence[str]], limit_s: float) -> dict[Name, Outcome]:
    """What comes of games that are played all at the same time, each in a process of its own: most of it is waiting."""
    root = Path(__file__).parents[2]
    games = {
        name: subprocess.Popen((sys.executable, "-m", *words), cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for name, words in commands.items()
    }
    try:
        told = {name: game.communicate(timeout=limit_s + 30) for name, game in games.items()}
    finally:
        for game in games.values():
            game.kill()
            game.communicate()
    problems = {name: err.decode() for name, (_, err) in told.items() if games[name].returncode}
    assert problems == {}
    return {name: msgspec.json.decode(out, type=Outcome) for name, (out, _) in told.items()}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("kit", choices=("one", "full"))
    parser.add_argument("--faults", action="store_true")
    said = parser.parse_args()
    print(msgspec.json.encode(asyncio.run(play(said.kit, faulty=said.faults))).decode())
    return 0


if __name__ == "__main__":
    sys.exit(main())

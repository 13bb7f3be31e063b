"""A whole game of any title through one reader on USB, in a process of its own:

    python -m tests.simulation.whole_game_on_usb pn532 sioux --faults

prints the result, and what went wrong meanwhile, as JSON.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from companion.gamekit import discovery
from companion.gamekit.beginning import Header
from companion.journal.evening import Evening, game_body
from companion.journal.store import Journal
from companion.messages.intentions import Act
from companion.referee.process import Process
from companion.referee.referee import Referee
from companion.services.equipment import equipment
from companion.services.refereeing import desk_of
from companion.simulation.acting import Ears, Overheard, act
from companion.simulation.hardware.usb_rig import UsbKind, UsbRig
from companion.simulation.table import SimulatedTable
from companion.table.signals import LinkDown, LinkUp, ReaderFault
from tests.left_open import at_the_end
from tests.referee.table import NAMES, TONIGHT
from tests.simulation.whole_game import SEED, SPEED, Outcome, _make_trouble, _overhear

LIMIT_S = 900.0
PLAYERS = 3
FAULTS = {
    "pn532": (
        ("centre unplug", "centre plug"),
        ("centre lost_acks", "centre well"),
        ("centre garbled", "centre well"),
        ("centre reset", "centre babble"),
        ("centre hung", "centre well"),
        ("centre deaf", "centre well"),
        ("centre noisy", "centre well"),
        ("centre lost_answers", "centre well"),
        ("centre babbling", "centre well"),
        ("centre weak", "centre reset"),
        ("centre flicker", "centre well"),
    ),
    "pcsc": (
        ("centre killed", "centre well"),
        ("centre failing", "centre well"),
        ("centre silent", "centre well"),
        ("centre unplugged", "centre well"),
        ("centre weak", "centre well"),
    ),
}
EVERY = {"pn532": 6, "pcsc": 10}
"""So many entries lie between two faults."""


class UsbTable:
    """A real referee and its journal, for any game with its stand-in box. Nobody waits for the disk."""

    def __init__(self, folder: Path, game: str) -> None:
        self.journal = Journal.create(folder, date=TONIGHT)
        at_the_end(self.journal.close)
        self.journal._db.execute("PRAGMA synchronous=OFF")
        body = game_body(Header(game, NAMES[:PLAYERS], 0, {}), discovery.find(game).standin(), range(PLAYERS), "one")
        self.evening = Evening([self.journal.append("game", body, "", "", 1_794_600_000.0)])
        self.desk = desk_of(self.evening)
        self.referee = Referee(self.journal, self.evening, self.desk)


def undisturbed(folder: Path, game: str) -> tuple[tuple[int, ...], int]:
    """The same hands without any hardware: totals, and how many actions it took."""
    table = UsbTable(folder, game)
    hands = SimulatedTable(SEED, range(PLAYERS), "one", 0.0, table.desk.pack)
    at_ms = 0
    while deed := hands.next(table.referee.snapshot(), at_ms):
        for wait_ms, given in deed.steps:
            at_ms += wait_ms
            if isinstance(given, Act):
                table.referee.heed(given, 0.0)
            else:
                table.referee.hear(given, 0.0)
    seen = table.referee.snapshot()
    return tuple(score.total for score in seen.scores), len(table.evening.sitting.played)


async def play(kind: UsbKind, game: str, *, faulty: bool) -> Outcome:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        table = UsbTable(Path(folder) / "evenings", game)
        async with UsbRig(kind, Path(folder)) as rig:
            ears = Ears()
            told: list[Any] = []
            process = Process(table.referee, table.journal, Path(folder) / "s", table.desk.pads)
            _overhear(process, told.append)
            hands = SimulatedTable(SEED, range(PLAYERS), "one", 0.0, table.desk.pack)
            devices = [Overheard(device, ears) for device in equipment(rig.table)]
            running = asyncio.create_task(process.run(devices, lambda heard: act(hands, rig, ears, heard, SPEED)))
            injected: list[str] = []
            faults = FAULTS[kind] if faulty else ()
            trouble = asyncio.create_task(_make_trouble(rig, process, faults, injected, EVERY[kind]))
            async with asyncio.timeout(LIMIT_S):
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
            len(table.evening.sitting.played),
            len(injected),
            sum(isinstance(signal, ReaderFault | LinkDown) for signal in told),
            sum(isinstance(signal, LinkUp) for signal in told),
            sum(line.kind == "undone" for line in seen.history),
            time.monotonic() - began,
        )


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("pn532", "pcsc"))
    parser.add_argument("game")
    parser.add_argument("--faults", action="store_true")
    said = parser.parse_args()
    print(msgspec.json.encode(asyncio.run(play(said.kind, said.game, faulty=said.faults))).decode())
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A whole game of any title through one reader on USB, in a process of its own:

    python -m tests.simulation.whole_game_on_a_reader pn532 sioux --faults

prints the result, and what went wrong meanwhile, as JSON.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

import msgspec

from companion.messages.intentions import Act
from companion.simulation.reader_rig import ReaderRig
from companion.simulation.simulated_table import SimulatedTable
from tests.referee.table import Table
from tests.simulation.whole_game import PLAYERS, Faults, Outcome, Trial, play_through

LIMIT_S = 900.0
FAULTS: dict[str, Faults] = {
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
SEEDS = {"lascaux": 20, "sioux": 17, "darwinci": 30, "carnuta": 9}
"""Of games with kit one that are shorter than most."""
EVERY = {"pn532": 6, "pcsc": 10}
"""So many entries lie between two faults."""


def undisturbed(folder: Path, game: str) -> tuple[tuple[int, ...], int]:
    """The same hands without any hardware: totals, and how many actions it took."""
    table = Table(folder, PLAYERS, "one", game=game).hurry()
    hands = SimulatedTable(SEEDS[game], range(PLAYERS), "one", 0.0, table.seat_pads.pack)
    at_ms = 0
    while deed := hands.next(table.referee.snapshot(), at_ms):
        for wait_ms, given in deed.steps:
            at_ms += wait_ms
            if isinstance(given, Act):
                table.referee.heed(given, 0.0)
            else:
                table.referee.hear(given, 0.0)
    seen = table.referee.snapshot()
    return tuple(score.total for score in seen.scores), len(table.evening.played_game.played)


async def play(kind: str, game: str, *, faulty: bool) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder) / "evenings", PLAYERS, "one", game=game).hurry()
        async with ReaderRig(kind, Path(folder)) as rig:
            faults = FAULTS[kind] if faulty else ()
            trial = Trial(SEEDS[game], EVERY[kind], LIMIT_S)
            return await play_through(table, rig, Path(folder), faults, trial)


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

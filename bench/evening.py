"""What an action costs late in an evening, beside one at its beginning; how much memory an entry takes, and what a
screen grows by.

Two evenings: a match of many games, and a single game in which a player keeps changing their mind."""

import gc
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from bench.screen import OURS, QUIET_S, Terminal, in_memory
from companion.gamekit.snapshot import Snapshot
from companion.journal.store import Journal
from companion.messages.intentions import Act, NextGame, Peek, Undo
from companion.messages.lobby import GamePlan
from companion.processes.evenings import first_entry
from companion.processes.referee_process import seat_pads_of, simulated_table
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.referee import Referee
from companion.session.evening import Evening
from companion.verbs.demo import DEMO_DAY

EARLY, LATE = 100, 10_000
ROUNDS = 15
BLOCK = 200
"""Entries a round: about a game."""
SLOWER = 1.2
FIRST, LAST = 1_000, 20_000
"""From which entry on, and up to which, memory is measured."""
ENTRY_BYTES = 300
NAMES = ("Anna", "Ben", "Cleo", "Dora")
WARM, SHOWN = 600, 2_400
"""Snapshots: about two games of Lascaux, and eight."""
GROWTH = 1.05
FRAME_S = 0.015
"""How long nothing may come before the next snapshot is sent: frames are drawn, and the last one is not waited for."""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        times = [_slower(Path(folder), kind, effort) for kind in KINDS]
        screen = _screen(Path(folder), effort)
    return [*times, *(_memory(kind, effort) for kind in KINDS), screen]


# --- Evenings -------------------------------------------------------------------------------------------------


class LongEvening(ABC):
    """A referee at work, with its journal in memory: bench/journal.py measures the disk."""

    name: str
    plan: GamePlan

    def __init__(self, folder: Path) -> None:
        self.journal = Journal.create(folder, date=DEMO_DAY)
        self.journal._ledger.durable = False
        evening = Evening([self.journal.append("game", first_entry(self.plan), "", "", 0.0)])
        seat_pads = seat_pads_of(evening)
        self.table = simulated_table(evening, seat_pads, SimulationSettings(seed=1), deals=True)
        self.referee = Referee(self.journal, evening, seat_pads, dealer=self.table)
        self.seen: Snapshot = self.referee.snapshot()
        self._ids = itertools.count(1)

    def close(self) -> None:
        self.journal.close()

    def reach(self, entry: int) -> "LongEvening":
        self.play(entry - self.seen.entry)
        return self

    def play(self, entries: int) -> float:
        """Some entries more: the median of the times that they took, in seconds."""
        times, upto = [0.0], self.seen.entry + entries
        while self.seen.entry < upto:
            for given in self.next():
                before = self.seen.entry
                spent = self._give(given)
                if self.seen.entry > before:
                    times.append(spent)
        return statistics.median(times)

    def _give(self, given: Any) -> float:
        """Received, judged, stored and shown to all; then a player looks at their own hand, as a phone does."""
        given = replace(given, id=f"{next(self._ids):032x}")
        answer: Callable[..., object] = (
            self.referee.heed if isinstance(given, Act | NextGame | Undo) else self.referee.hear
        )
        began = time.perf_counter()
        answer(given, 2.0 * self.seen.entry)
        self.seen = self.referee.snapshot()
        msgspec.json.encode(self.seen)
        msgspec.json.encode(self.referee.inform(Peek("look", len(self.plan.players) - 1)))
        return time.perf_counter() - began

    @abstractmethod
    def next(self) -> list[Any]:
        """What is given to the referee next; how that is decided is not measured."""


class Match(LongEvening):
    """One game after the other, played by simulated hands."""

    name = "a match of many games"
    plan = GamePlan("sioux", NAMES, tuple(range(len(NAMES))), kit="full")

    def next(self) -> list[Any]:
        deed = self.table.next(self.seen, 0)
        return [given for _wait, given in deed.steps] if deed else [NextGame("")]


class OneGame(LongEvening):
    """A player of Lascaux keeps choosing another marker, and undoes every third choice. The others wait."""

    name = "a single game"
    plan = GamePlan("lascaux", NAMES, tuple(range(len(NAMES) - 1)), kit="full")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        while not (mine := [each for each in self.seen.offered if getattr(each, "seat", None) == len(NAMES) - 1]):
            deed = self.table.next(self.seen, 0)
            assert deed  # simulated hands draw the cards
            for _wait, given in deed.steps:
                self._give(given)
        choices = itertools.cycle(Act("", msgspec.to_builtins(choose)) for choose in mine)
        self._wishes = (wish for one, other in zip(choices, choices, strict=False) for wish in (one, other, Undo("")))

    def next(self) -> list[Any]:
        return [next(self._wishes)]


KINDS: tuple[type[LongEvening], ...] = (Match, OneGame)


# --- Time -----------------------------------------------------------------------------------------------------


def _slower(folder: Path, kind: type[LongEvening], effort: Effort) -> Figure:
    """An evening that has lasted long and one that has just begun, in turn."""
    early, late, block = effort.of(EARLY), effort.of(LATE), effort.of(BLOCK)
    with ExitStack() as stack:
        old = stack.enter_context(closing(kind(folder).reach(late)))

        def begun() -> float:
            with closing(kind(folder).reach(early)) as young:
                return young.play(block)

        results = medians(effort.of(ROUNDS), lambda: old.play(block), begun, warm_up=effort.warm_up)
        ended = old.seen.entry
    times = [median(results, which) * 1e6 for which in range(2)]
    spans = f"entries {late:,} to {ended:,} against {early:,} to {early + block:,}"
    detail = f"{times[0]:.0f} µs against {times[1]:.0f} µs; {spans}"
    return Figure(f"an action at entry 10,000 ÷ at entry 100, {kind.name}", ratio(results, 0, 1), SLOWER, False, detail)


# --- Memory ---------------------------------------------------------------------------------------------------


def _memory(kind: type[LongEvening], effort: Effort) -> Figure:
    """A process of its own, so that nothing is measured but the referee and its journal."""
    entries = [max(20, effort.of(entry)) for entry in (FIRST, LAST)]
    command = [sys.executable, "-m", "bench.evening", str(KINDS.index(kind)), *map(str, entries)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    before, after = map(int, told)
    each = (after - before) / max(1, entries[1] - entries[0])
    detail = (
        f"{each:.0f} bytes: {before / 1e6:.1f} MB resident at entry {entries[0]:,}, {after / 1e6:.1f} at {entries[1]:,}"
    )
    return Figure(
        f"memory of an entry ÷ {ENTRY_BYTES} bytes, {kind.name}", max(0.0, each) / ENTRY_BYTES, 1, False, detail
    )


def _screen(folder: Path, effort: Effort) -> Figure:
    """A screen that is kept busy by a match: dialogs open and close, and no two frames are alike."""
    with closing(Shown(folder)) as match:
        screen = Terminal(OURS, folder / "shown")
        try:
            sizes = [match.show(screen, effort.of(snapshots)) for snapshots in (WARM, SHOWN - WARM)]
        finally:
            screen.end()
        games = len(match.seen.match)
    detail = f"{sizes[1] / 1e6:.1f} MB after {games} games against {sizes[0] / 1e6:.1f} after two"
    return Figure("memory of a screen after eight games ÷ after two", sizes[1] / sizes[0], GROWTH, False, detail)


class Shown(Match):
    plan = GamePlan("lascaux", NAMES[:3], (0, 1, 2), kit="full")

    def show(self, screen: Terminal, snapshots: int) -> int:
        """So many snapshots more: the memory that the screen then has, in bytes."""
        upto = self.seen.number + snapshots
        while self.seen.number < upto:
            for given in self.next():
                self._give(given)
                screen.send(msgspec.json.encode(self.seen) + b"\n")
                screen.swallow(FRAME_S)
        screen.swallow(QUIET_S)
        return _resident(screen.process_id)


def _resident(process_id: int | None = None) -> int:
    gc.collect()
    return int(Path(f"/proc/{process_id or 'self'}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _play(kind: type[LongEvening], entries: list[int]) -> None:
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder, closing(kind(Path(folder))) as evening:
        for entry in entries:
            evening.reach(entry)
            print(_resident())


if __name__ == "__main__":
    _play(KINDS[int(sys.argv[1])], [int(entry) for entry in sys.argv[2:]])

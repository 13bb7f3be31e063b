"""The journal: flushes per action (counted by strace), time beside a bare append + fsync, and resuming."""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from companion.gamekit import discovery
from companion.gamekit.game_start import Header, begin
from companion.journal import evening_folder
from companion.journal.store import Journal
from companion.session.entry import action_body
from companion.session.evening import game_body

ROUNDS = 15
BLOCK = 100
COUNTED = 2000
SHORT, LONG = 1_000, 10_000
DAY = date(2000, 1, 1)
PLAYERS = ("Anna", "Ben", "Cleo", "Dora")


def figures(effort: Effort = WHOLE) -> list[Figure]:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # on the disk, not in memory
        return [part(Path(folder), effort) for part in (_flushes, _appending, _resuming)]


# --- Flushes --------------------------------------------------------------------------------------------------


def _flushes(folder: Path, effort: Effort) -> Figure:
    """A child appends this many actions under strace; what it flushes without appending any is taken off."""
    name = "flushes per action"
    if not shutil.which("strace"):
        return Figure(name, float("nan"), 1.1, False, "not measured: there is no strace here")
    actions = effort.of(COUNTED)
    count = _count_flushes(folder, actions) - _count_flushes(folder, 0)
    return Figure(name, count / actions, 1.1, False, f"{count} fsync and fdatasync for {actions} actions, by strace")


def _count_flushes(folder: Path, actions: int) -> int:
    trace = folder / "trace"
    command = ["strace", "-f", "-e", "trace=fsync,fdatasync", "-o", str(trace)]
    command += [sys.executable, "-m", "bench.journal", str(folder), str(actions)]
    subprocess.run(command, check=True)
    return len(re.findall(r"\b(?:fsync|fdatasync)\(", trace.read_text()))


# --- Appending ------------------------------------------------------------------------------------------------


def _appending(folder: Path, effort: Effort) -> Figure:
    block = effort.of(BLOCK)
    bodies = [body for kind, body in _entries(block * 3) if kind == "action"][:block]
    with Journal.create(folder, date=DAY) as journal, (folder / "bare").open("ab", buffering=0) as bare:

        def ours() -> float:
            began = time.perf_counter()
            for body in bodies:
                journal.append("action", body, "tag", "", 0.0)
            return time.perf_counter() - began

        def append_and_fsync() -> float:
            began = time.perf_counter()
            for body in bodies:
                bare.write(body)
                os.fsync(bare.fileno())
            return time.perf_counter() - began

        results = medians(effort.of(ROUNDS), ours, append_and_fsync)
    each = [median(results, which) / block * 1e6 for which in range(2)]
    detail = f"{each[0]:,.0f} µs against {each[1]:,.0f} µs an action, blocks of {block} in turn"
    return Figure("journal ÷ bare append + fsync", ratio(results, 0, 1), 1.5, False, detail)


# --- Resuming -------------------------------------------------------------------------------------------------


def _resuming(folder: Path, effort: Effort) -> Figure:
    long, short = effort.of(LONG), effort.of(SHORT)
    results = medians(effort.of(7), *(partial(_resume, _written(folder, actions)) for actions in (long, short)))
    times = [median(results, which) * 1000 for which in range(2)]
    detail = f"{times[0]:,.0f} ms for {long:,} actions, {times[1]:,.0f} ms for {short:,}"
    return Figure("resuming 10,000 ÷ 1,000 actions", ratio(results, 0, 1), 11, False, detail)


def _resume(path: Path) -> float:
    began = time.perf_counter()
    journal, _ = evening_folder.resume(path)
    spent = time.perf_counter() - began
    journal.close()
    return spent


def _written(folder: Path, actions: int) -> Path:
    with Journal.create(folder, date=DAY) as journal:
        for kind, body in _entries(actions):
            journal.append(kind, body, "", "", 0.0)
        return journal.path


def _entries(actions: int) -> Iterator[tuple[Any, bytes]]:
    """Random games, one after another, until this many actions were played."""
    game: Any = discovery.find("lascaux")
    text = game.standin()
    header = Header("lascaux", PLAYERS)
    chance = random.Random(1)
    while actions:
        yield "game", game_body(header, text)
        _setup, state = begin(header, game.parse_box(text, "the stand-in"))
        while actions and (legal := game.legal(state)):
            action = chance.choice(legal)
            state = game.apply(state, action).state  # what is legal is not refused
            yield "action", action_body(action)
            actions -= 1


if __name__ == "__main__":
    _written(Path(sys.argv[1]), int(sys.argv[2]))

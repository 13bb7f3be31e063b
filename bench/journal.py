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
from pathlib import Path
from typing import Any

from bench.figures import Figure, median, medians, ratio
from companion import games
from companion.games.beginning import Header, begin
from companion.journal import shelf
from companion.journal.evening import action_body, game_body
from companion.journal.store import Journal

ROUNDS = 15
BLOCK = 100
COUNTED = 2000
SHORT, LONG = 1_000, 10_000
DAY = date(2000, 1, 1)
PLAYERS = ("Anna", "Ben", "Cleo", "Dora")


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # on the disk, not in memory
        return [_flushes(Path(folder)), _appending(Path(folder)), _resuming(Path(folder))]


# --- Flushes --------------------------------------------------------------------------------------------------


def _flushes(folder: Path) -> Figure:
    """A child appends so many actions under strace; what it flushes without appending any is taken off."""
    name = "flushes per action"
    if not shutil.which("strace"):
        return Figure(name, float("nan"), 1.1, False, "not measured: there is no strace here")
    count = _count_flushes(folder, COUNTED) - _count_flushes(folder, 0)
    return Figure(name, count / COUNTED, 1.1, False, f"{count} fsync and fdatasync for {COUNTED} actions, by strace")


def _count_flushes(folder: Path, actions: int) -> int:
    trace = folder / "trace"
    command = ["strace", "-f", "-e", "trace=fsync,fdatasync", "-o", str(trace)]
    command += [sys.executable, "-m", "bench.journal", str(folder), str(actions)]
    subprocess.run(command, check=True)
    return len(re.findall(r"\b(?:fsync|fdatasync)\(", trace.read_text()))


# --- Appending ------------------------------------------------------------------------------------------------


def _appending(folder: Path) -> Figure:
    bodies = [body for kind, body in _entries(BLOCK * 3) if kind == "action"][:BLOCK]
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

        results = medians(ROUNDS, ours, append_and_fsync)
    each = [median(results, which) / BLOCK * 1e6 for which in range(2)]
    detail = f"{each[0]:,.0f} µs against {each[1]:,.0f} µs an action, blocks of {BLOCK} in turn"
    return Figure("journal ÷ bare append + fsync", ratio(results, 0, 1), 1.5, False, detail)


# --- Resuming -------------------------------------------------------------------------------------------------


def _resuming(folder: Path) -> Figure:
    paths = [_written(folder, actions) for actions in (LONG, SHORT)]
    results = medians(7, *(lambda path=path: _resume(path) for path in paths))
    times = [median(results, which) * 1000 for which in range(2)]
    detail = f"{times[0]:,.0f} ms for {LONG:,} actions, {times[1]:,.0f} ms for {SHORT:,}"
    return Figure("resuming 10,000 ÷ 1,000 actions", ratio(results, 0, 1), 11, False, detail)


def _resume(path: Path) -> float:
    began = time.perf_counter()
    journal, _ = shelf.resume(path)
    spent = time.perf_counter() - began
    journal.close()
    return spent


def _written(folder: Path, actions: int) -> Path:
    with Journal.create(folder, date=DAY) as journal:
        for kind, body in _entries(actions):
            journal.append(kind, body, "", "", 0.0)
        return journal.path


def _entries(actions: int) -> Iterator[tuple[Any, bytes]]:
    """Random games, one after another, until so many actions were played."""
    game = games.find("lascaux")
    text = game.standin()
    header = Header("lascaux", PLAYERS)
    chance = random.Random(1)
    while actions:
        yield "game", game_body(header, text)
        state = begin(header, game.parse_box(text, "the stand-in")).state
        while actions and (legal := game.legal(state)):
            action = chance.choice(legal)
            state = game.apply(state, action).state  # what is legal is not refused
            yield "action", action_body(action)
            actions -= 1


if __name__ == "__main__":
    _written(Path(sys.argv[1]), int(sys.argv[2]))

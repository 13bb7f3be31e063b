"""Which small changes does no test notice? python -m tools.mutants --count 200 --seed 1

Takes a sample of the changes that `tools.changes` knows in rules, table, referee, journal, devices and the reading of
table.toml; carries out one after another in a copy of the house; runs the tests of that room, those that name the
module first, until one fails; and names the changes that all of them let through. Some of those change nothing that
anybody could notice. All others are holes in the tests. The checkout is never touched.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import cache_from_source
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

from msgspec import Struct

from tools.changes import Change, changes

ROOT = Path(__file__).parents[1]
GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
ROOMS: dict[str, str] = {
    **{f"companion/games/{game}/rules": f"tests/games/{game}" for game in GAMES},
    "companion/table": "tests/table",
    "companion/referee": "tests/referee",
    "companion/journal": "tests/journal",
    "companion/devices": "tests/devices",
    "companion/config": "tests/config",
}
"""Where changes are made, and the tests that have to notice them."""
LEFT_BEHIND = (".git", ".venv", ".hypothesis", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", "build")
PATIENCE = 3
"""So many times as long as without a change, and some seconds; after that somebody would notice."""
SECONDS = 30

Fate: TypeAlias = Literal["noticed", "timeout", "alive"]


class Trial(Struct, frozen=True):
    change: Change
    fate: Fate
    seconds: float


class House:
    """A copy of the checkout, in which things may be broken."""

    def __init__(self, root: Path, folder: Path, rooms: Mapping[str, str], marks: str = "not slow") -> None:
        self.root, self.rooms, self._marks = folder / "house", rooms, marks
        shutil.copytree(root, self.root, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
        self._usual: dict[str, float] = {}

    def sample(self, chance: Random, count: int) -> list[Change]:
        """The rooms by turns, so that a large one does not hide a small one."""
        decks = {room: self._all(room) for room in self.rooms}
        for deck in decks.values():
            chance.shuffle(deck)
        drawn: list[Change] = []
        while len(drawn) < count and any(decks.values()):
            drawn += [deck.pop() for deck in decks.values() if deck]
        return drawn[:count]

    def _all(self, room: str) -> list[Change]:
        paths = sorted((self.root / room).rglob("*.py"))
        return [each for path in paths for each in changes(str(path.relative_to(self.root)), path.read_bytes())]

    def try_out(self, change: Change) -> Trial:
        """Carry out the change, run the tests, and put everything back."""
        room = next(room for room in self.rooms if change.path.startswith(f"{room}/"))
        limit = PATIENCE * self._usually(room) + SECONDS
        path = self.root / change.path
        before = path.read_bytes()
        began = time.monotonic()
        try:
            self._write(path, change.applied(before))
            fate = self._fate(self._ordered(room, change), limit)
        finally:
            self._write(path, before)
        return Trial(change, fate, time.monotonic() - began)

    def _fate(self, tests: Sequence[str], limit: float) -> Fate:
        try:
            return "noticed" if self._run(tests, limit) else "alive"
        except subprocess.TimeoutExpired:
            return "timeout"

    def _usually(self, room: str) -> float:
        """How long the tests of a room take. Raises SystemExit if they fail without any change."""
        if room not in self._usual:
            began = time.monotonic()
            if self._run([self.rooms[room]], None):
                raise SystemExit(f"{self.rooms[room]} fails without any change: mend that first")
            self._usual[room] = time.monotonic() - began
        return self._usual[room]

    def _ordered(self, room: str, change: Change) -> list[str]:
        """The test files of a room, those first that name the module."""
        module = Path(change.path).stem
        files = sorted((self.root / self.rooms[room]).rglob("test_*.py"))
        named = sorted(files, key=lambda file: (module not in file.stem, module not in file.read_text("utf-8")))
        return [str(file.relative_to(self.root)) for file in named]

    def _run(self, tests: Sequence[str], limit: float | None) -> int:
        """The exit status of pytest. Processes that tests start find the copy, too."""
        words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", self._marks, *tests]
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        with subprocess.Popen(
            [sys.executable, *words],
            cwd=self.root,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as running:
            try:
                return running.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, 9)
                raise

    @staticmethod
    def _write(path: Path, source: bytes) -> None:
        """Python trusts a compiled file if time and length are the same: it must not be there."""
        Path(cache_from_source(str(path))).unlink(missing_ok=True)
        path.write_bytes(source)


def trials(house: House, sample: Sequence[Change]) -> Iterator[Trial]:
    for change in sample:
        yield house.try_out(change)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description="Small changes that no test notices.")
    parser.add_argument("--count", type=int, default=200, help="how many changes (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default 1)")
    parser.add_argument("--room", choices=ROOMS, action="append", help="only here; may be given several times")
    said = parser.parse_args(words)
    rooms = {room: ROOMS[room] for room in said.room or ROOMS}
    with tempfile.TemporaryDirectory(prefix="companion-mutants-") as folder:
        house = House(ROOT, Path(folder), rooms)
        done: list[Trial] = []
        for trial in trials(house, house.sample(Random(said.seed), said.count)):
            done.append(trial)
            print(f"{trial.fate:8} {trial.seconds:6.1f} s  {trial.change}", flush=True)
    for line in summary(done):
        print(line)
    return 0


def summary(done: Sequence[Trial]) -> list[str]:
    alive = [trial for trial in done if trial.fate == "alive"]
    noticed = len(done) - len(alive)
    return ["", f"{noticed} of {len(done)} changes were noticed.", *(f"  alive  {trial.change}" for trial in alive)]


if __name__ == "__main__":
    sys.exit(main())

"""Which small changes does no test notice? python -m tools.mutants --count 300 --seed 1

First the tests of the chosen areas run once, and coverage records which test enters which line. Then a sample of the
changes that `tools.changes` knows is carried out, one after another, in copies of the checkout; each change meets the
tests that enter its line, the quickest first, until one fails. A change that all of them let through is named: it is
a hole in the tests, unless it changes nothing that a player could notice. `explained_changes.toml` says so of some,
with the reason, and they are told apart. The checkout is never touched.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Literal, TypeAlias

from coverage import CoverageData
from msgspec import Struct

from tools.changes import Change, changes

ROOT = Path(__file__).parents[1]
EXPLAINED = Path(__file__).with_name("explained_changes.toml")
LEFT_BEHIND = (".git", ".venv", ".hypothesis", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache")


class Area(Struct, frozen=True):
    """Where changes are made, and the tests that have to notice them. Patterns of folders below the checkout."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    spared: tuple[str, ...] = ()
    """Folders among the sources that belong to another area."""
    unmeasured: tuple[str, ...] = ()
    """Tests that start processes which may write no file, so that what they enter is recorded nowhere."""


AREAS: dict[str, Area] = {
    "rules": Area(
        ("companion/games/*", "companion/gamekit"),
        (
            *("tests/games", "tests/gamekit", "tests/paper", "tests/enrolment", "tests/simulation"),
            *("tests/verbs/test_adjudicate.py", "tests/verbs/test_print.py", "tests/screen/test_pictures.py"),
        ),
        ("companion/games/*/screen", "companion/gamekit/screen", "companion/gamekit/contract"),
    ),
    "screens": Area(
        ("companion/games/*/screen", "companion/gamekit/screen", "companion/screen", "companion/drawing"),
        (
            *("tests/games/*/screen", "tests/screen", "tests/games/test_contract.py"),
            *("tests/web/test_figures.py", "tests/web/test_styled_text.py"),
        ),
    ),
    "web": Area(
        ("companion/web",),
        (
            *("tests/web", "tests/verbs/test_phones*.py", "tests/processes/test_certificate.py"),
            "tests/screen/test_pictures.py",
        ),
        unmeasured=("tests/verbs/test_phones.py", "tests/web/test_server_process.py"),
    ),
    "devices": Area(
        ("companion/devices", "companion/config", "companion/table"),
        (
            *("tests/devices", "tests/config", "tests/table", "tests/firmware/test_em*.py"),
            *("tests/processes/test_reader_detection.py", "tests/processes/test_simulated_hardware.py"),
            *("tests/verbs/test_config.py", "tests/verbs/test_doctor.py", "tests/verbs/test_usb_readers.py"),
        ),
    ),
    "session": Area(
        ("companion/referee", "companion/session", "companion/journal"),
        (
            *("tests/referee", "tests/session", "tests/journal", "tests/processes/test_evenings.py"),
            *("tests/verbs/test_adjudicate.py", "tests/verbs/test_archive.py", "tests/verbs/test_hostile_files.py"),
        ),
    ),
}
MOST_S = 120.0
"""A change that lives through so many seconds of tests is alive: it is not worth waiting longer."""
FIRST_S = 3.0
"""The quickest tests run by themselves first: most changes go no further."""
PATIENCE = 5
"""So many times as long as without a change, and some seconds; after that someone would notice."""
SPARE_S = 30.0

ChangeKey: TypeAlias = tuple[str, str, str]
Fate: TypeAlias = Literal["noticed", "timeout", "alive", "unreached"]


class Trial(Struct, frozen=True):
    change: Change
    fate: Fate
    seconds: float


class Reach(Struct, frozen=True):
    """Which tests enter which line, and how long each takes."""

    lines: Mapping[tuple[str, int], frozenset[str]]
    files: Mapping[str, frozenset[str]]
    seconds: Mapping[str, float]
    unmeasured: frozenset[str] = frozenset()

    def tests(self, change: Change) -> list[str]:
        """Those that enter the line, themselves or in a child process; of what is carried out while the file is
        imported, those that enter the file. The quickest first, up to `MOST_S`."""
        inside = None if change.at_import else self.lines.get((change.path, change.line))
        entered = inside or self.files.get(change.path, frozenset()) | self.unmeasured
        chosen: list[str] = []
        left_s = MOST_S
        for test in sorted(entered, key=lambda test: (self.seconds.get(test, MOST_S), test)):
            left_s -= self.seconds.get(test, MOST_S)
            if chosen and left_s < 0:
                break
            chosen.append(test)
        return chosen

    def portions(self, tests: Sequence[str]) -> Iterator[tuple[list[str], float]]:
        """The quickest by themselves, then all others; and how long each portion takes."""
        cut, total_s = 0, 0.0
        for cut, test in enumerate(tests, 1):  # noqa: B007 - how far it went is what is wanted
            total_s += self.seconds.get(test, MOST_S)
            if total_s >= FIRST_S:
                break
        for portion in (tests[:cut], tests[cut:]):
            if portion:
                yield list(portion), sum(self.seconds.get(test, MOST_S) for test in portion)


class Copy:
    """A copy of the checkout, in which things may be broken."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = folder / "checkout"
        shutil.copytree(root, self.root, ignore=shutil.ignore_patterns(*LEFT_BEHIND))

    def changes(self, area: Area) -> list[Change]:
        found: list[Change] = []
        for path in sorted(self._files(area)):
            found += changes(str(path.relative_to(self.root)), path.read_bytes())
        return found

    def _files(self, area: Area) -> set[Path]:
        def below(patterns: Sequence[str]) -> set[Path]:
            return {path for each in patterns for folder in self.root.glob(each) for path in folder.rglob("*.py")}

        return below(area.sources) - below(area.spared)

    def tests(self, areas: Sequence[Area]) -> list[str]:
        paths = {path for area in areas for each in area.tests for path in self.root.glob(each)}
        return sorted(str(path.relative_to(self.root)) for path in paths)

    def reach(self, areas: Sequence[Area], workers: int) -> Reach:
        """Run the tests of these areas once. A test that fails without any change proves nothing: it is named, and left
        out."""
        words = ["-p", "pytest_cov", "--cov", "--cov-context=test", "--cov-report="]
        words += ["-p", "tools.spent", "-p", "tools.contexts"]
        shared = ["-n", str(workers)] if workers > 1 else []
        said = self._pytest([*words, *shared, *self.tests(areas)], None, LONGEST="1000000")
        failed = frozenset(
            re.findall(r"^(?:FAILED|ERROR) (tests/\S+?(?:\[.*?\])?)(?: - .*)?$", said.stdout, re.MULTILINE)
        )
        if said.returncode not in (0, 1) or not (self.root / ".coverage").exists():
            raise SystemExit(f"{said.stdout[-2000:]}\nThe tests cannot be run without any change: fix that first.")
        for test in sorted(failed):
            print(f"fails without any change, left out: {test}")
        unmeasured = tuple(path for area in areas for path in area.unmeasured)
        return _reach(self.root, said.stdout, failed, unmeasured)

    def try_out(self, change: Change, reach: Reach) -> Trial:
        """Carry out the change, run the tests that reach it, and put everything back."""
        tests = reach.tests(change)
        path = self.root / change.path
        before = path.read_bytes()
        began = time.monotonic()
        fate: Fate = "alive" if tests else "unreached"
        try:
            self._write(path, change.applied(before))
            for portion, usual_s in reach.portions(tests):
                if self._fails(portion, PATIENCE * usual_s + SPARE_S):
                    fate = "noticed"
                    break
        except subprocess.TimeoutExpired:
            fate = "timeout"
        finally:
            self._write(path, before)
        return Trial(change, fate, time.monotonic() - began)

    def _fails(self, tests: Sequence[str], limit_s: float) -> bool:
        """Whether one of these tests fails, or cannot even be imported. Raises SystemExit for a test that is not there:
        it would count as one that notices everything."""
        said = self._pytest(["-x", *tests], limit_s)
        if said.returncode in (0, 1, 2) or "error" in said.stdout.lower():
            return said.returncode != 0
        raise SystemExit(f"{said.stdout[-2000:]}\nThese tests cannot be run (status {said.returncode}).")

    def _pytest(self, words: Sequence[str], limit_s: float | None, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run pytest here; processes that tests start find this copy, too."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
        environment = {**os.environ, **settings, "PYTHONPATH": str(self.root)}
        with subprocess.Popen(
            command,
            cwd=self.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as running:
            try:
                said, _ = running.communicate(timeout=limit_s)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                raise
            return subprocess.CompletedProcess(command, running.returncode, said)

    @staticmethod
    def _write(path: Path, source: bytes) -> None:
        """Python trusts a compiled file if time and length are the same: it must not be there."""
        Path(cache_from_source(str(path))).unlink(missing_ok=True)
        path.write_bytes(source)


def _reach(root: Path, said: str, left_out: frozenset[str], unmeasured: tuple[str, ...]) -> Reach:
    """What coverage has recorded, and what `tools.spent` has printed."""
    data = CoverageData(str(root / ".coverage"))
    data.read()
    lines: dict[tuple[str, int], frozenset[str]] = {}
    files: dict[str, frozenset[str]] = {}
    for file in data.measured_files():
        path = str(Path(file).relative_to(root)) if Path(file).is_relative_to(root) else file
        entered: dict[str, None] = {}
        for line, contexts in data.contexts_by_lineno(file).items():
            tests = frozenset(context.rpartition("|")[0] for context in contexts if "|" in context) - left_out
            lines[path, line] = tests
            entered |= dict.fromkeys(tests)
        files[path] = frozenset(entered)
    longest = re.findall(r"^ *(\d+\.\d) +\d+\.\d  (tests/\S.*)$", said, re.MULTILINE)
    seconds = {test: float(wall_s) for wall_s, test in longest}
    unseen = frozenset(test for test in seconds if test.startswith(unmeasured)) if unmeasured else frozenset()
    return Reach(lines, files, seconds, unseen - left_out)


def sample(copy: Copy, areas: Sequence[Area], chance: Random, count: int) -> list[Change]:
    """The areas by turns, so that a large one does not hide a small one."""
    decks = [copy.changes(area) for area in areas]
    for deck in decks:
        chance.shuffle(deck)
    drawn: list[Change] = []
    while len(drawn) < count and any(decks):
        drawn += [deck.pop() for deck in decks if deck]
    return drawn[:count]


def trials(copies: Sequence[Copy], reach: Reach, drawn: Sequence[Change]) -> Iterator[Trial]:
    """As many at a time as there are copies; in the order of the sample."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def try_out(change: Change) -> Trial:
        copy = free.get()
        try:
            return copy.try_out(change, reach)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        yield from pool.map(try_out, drawn)


def explained() -> dict[ChangeKey, str]:
    """A change that no test has to notice (`Change.key`) → why."""
    rows = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("explained", [])
    return {(row["path"], row["code"], row["change"]): row["why"] for row in rows}


def summary(done: Sequence[Trial], reasons: Mapping[ChangeKey, str]) -> list[str]:
    """How many were noticed, by folder and in all, and those that were not."""
    folders: dict[str, list[Trial]] = defaultdict(list)
    for trial in done:
        folders["/".join(Path(trial.change.path).parts[:2])].append(trial)
    missed = [trial for trial in done if trial.fate in ("alive", "unreached")]
    rows = [
        f"  {sum(trial.fate not in ('alive', 'unreached') for trial in rows)} of {len(rows)}  {folder}"
        for folder, rows in sorted(folders.items())
    ]
    total = f"{len(done) - len(missed)} of {len(done)} changes were noticed."
    told = [f"  {trial.fate}  {trial.change}{_because(trial, reasons)}" for trial in missed]
    left = sum(trial.change.key not in reasons for trial in missed)
    return ["", *rows, total, *told, f"{left} of them is a hole in the tests." if left == 1 else f"{left} are holes."]


def _because(trial: Trial, reasons: Mapping[ChangeKey, str]) -> str:
    reason = reasons.get(trial.change.key)
    return f"\n      explained: {reason}" if reason else ""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description="Small changes that no test notices.")
    parser.add_argument("--count", type=int, default=300, help="how many changes (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default 1)")
    parser.add_argument("--area", choices=AREAS, action="append", help="only here; may be given several times")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time (default: one a core)"
    )
    said = parser.parse_args(words)
    areas = [AREAS[name] for name in said.area or AREAS]
    done: list[Trial] = []
    with tempfile.TemporaryDirectory(prefix="companion-mutants-") as folder:
        copies = [Copy(ROOT, Path(folder, str(number))) for number in range(said.jobs)]
        reach = copies[0].reach(areas, 2 * said.jobs)
        for trial in trials(copies, reach, sample(copies[0], areas, Random(said.seed), said.count)):
            done.append(trial)
            print(f"{trial.fate:9} {trial.seconds:6.1f} s  {trial.change}", flush=True)
    print(*summary(done, explained()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Which small changes does no test notice? python -m tools.mutants --count 300 --seed 1

A sample of the changes that `tools.changes` knows is drawn. Area by area, the tests run once; coverage records which
test enters which line. Then each change is carried out in a copy of the checkout and meets the tests that enter its
line, the quickest first, until one fails. A test that waits for processes or clocks has to fail twice: on a busy
machine it may fail without any change. A change that all tests let through is named: it is a hole in the tests, unless
it changes nothing that a player could notice. `explained_changes.toml` says so of some, with the reason, and they are
told apart. The checkout is never touched.

With `--results FILE` each verdict is added to a file: the same command continues an interrupted run. `--quick` begins
with the tests of `make fast`, which notice most. `--again` tries what was missed once more, in the checkout as it is
now; `--again --tests tests/games/sioux` with these tests alone.
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
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import cache_from_source
from itertools import islice, zip_longest
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Literal, TypeAlias

from coverage import CoverageData
from msgspec import Struct, json
from msgspec.structs import replace

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
            *("tests/screen/test_pictures.py", "tests/hall/test_live_hall.py"),
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
            *("tests/simulation/test_real_seats.py", "tests/web/test_reading.py"),
        ),
    ),
}
MOST_S = 120.0
"""A change that lives through so many seconds of tests is alive: it is not worth waiting longer."""
PORTIONS_S = (3.0, 20.0)
"""So long the quickest tests run by themselves, then the next quickest: most changes go no further."""
SURE_S = 1.0
"""A test that takes longer than this waits for processes or clocks, or computes much."""
QUICK = ("-m", "not slow", "--hypothesis-profile=few")
PATIENCE = 5
"""So many times as long as without a change, and some seconds; after that someone would notice."""
SPARE_S = 30.0

ChangeKey: TypeAlias = tuple[str, str, str]
Fate: TypeAlias = Literal["noticed", "timeout", "alive", "unreached"]


class Trial(Struct, frozen=True):
    change: Change
    fate: Fate
    seconds: float
    by: str = ""
    """The test that noticed it."""

    @property
    def is_missed(self) -> bool:
        return self.fate in ("alive", "unreached")


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
        """The quickest by themselves, then those that take a little longer, then all others; and how long each portion
        takes."""
        portion: list[str] = []
        total_s, bounds = 0.0, list(PORTIONS_S)
        for test in tests:
            portion.append(test)
            total_s += self.seconds.get(test, MOST_S)
            if bounds and total_s >= bounds[0]:
                yield portion, total_s
                portion, total_s = [], 0.0
                bounds.pop(0)
        if portion:
            yield portion, total_s


class Copy:
    """A copy of the checkout, in which things may be broken."""

    def __init__(self, root: Path, folder: Path, words: Sequence[str] = ()) -> None:
        """With these words pytest runs only some tests here, or tries fewer examples."""
        self.root, self._words = folder / "checkout", words
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

    def tests(self, area: Area) -> list[str]:
        paths = {path for each in area.tests for path in self.root.glob(each)}
        return sorted(str(path.relative_to(self.root)) for path in paths)

    def reach(self, area: Area, workers: int) -> Reach:
        """Run the tests of this area once. A test that fails without any change proves nothing: it is named, and left
        out."""
        words = ["-p", "pytest_cov", "--cov", "--cov-context=test", "--cov-report="]
        words += ["-p", "tools.spent", "-p", "tools.contexts"]
        shared = ["-p", "xdist", "-n", str(workers)] if workers > 1 else []
        for old in self.root.glob(".coverage*"):
            old.unlink()
        said = self._pytest([*words, *shared, *self.tests(area)], None, LONGEST="1000000")
        failed = _failed(said.stdout)
        if said.returncode not in (0, 1) or not (self.root / ".coverage").exists():
            raise SystemExit(f"{said.stdout[-2000:]}\nThe tests cannot be run without any change: fix that first.")
        for test in sorted(failed):
            print(f"fails without any change, left out: {test}")
        return _reach(self.root, said.stdout, failed, area.unmeasured)

    def try_out(self, change: Change, reach: Reach) -> Trial:
        """Carry out the change, run the tests that reach it, and put everything back."""
        tests = reach.tests(change)
        path = self.root / change.path
        before = path.read_bytes()
        began = time.monotonic()
        fate: Fate = "alive" if tests else "unreached"
        by = ""
        try:
            self._write(path, change.applied(before))
            for portion, usual_s in reach.portions(tests):
                by = self._noticing(portion, usual_s, reach)
                if by:
                    fate = "noticed"
                    break
        except subprocess.TimeoutExpired:
            fate = "timeout"
        finally:
            self._write(path, before)
        return Trial(change, fate, time.monotonic() - began, by)

    def _noticing(self, tests: Sequence[str], usual_s: float, reach: Reach) -> str:
        """The first of these tests that fails; "" if none does. One that takes long counts if it fails once more."""
        left = list(tests)
        while left:
            failed = self._failing(left, PATIENCE * usual_s + SPARE_S)
            test_s = reach.seconds.get(failed, 0.0)
            if test_s < SURE_S or self._failing([failed], PATIENCE * test_s + SPARE_S):
                return failed
            left = [test for test in left if test != failed]
        return ""

    def _failing(self, tests: Sequence[str], limit_s: float) -> str:
        """The first of these tests that fails; the first of all if something cannot even be imported. Raises SystemExit
        for a test that is not there: it would count as one that notices everything."""
        said = self._pytest(["-x", *tests], limit_s)
        if said.returncode == 0:
            return ""
        if said.returncode in (1, 2) or "error" in said.stdout.lower():
            named = _failed(said.stdout) & {*tests}
            return min(named) if named else tests[0]
        raise SystemExit(f"{said.stdout[-2000:]}\nThese tests cannot be run (status {said.returncode}).")

    def _pytest(self, words: Sequence[str], limit_s: float | None, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run pytest here; processes that tests start find this copy, too."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *self._words, *words]
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


def _failed(said: str) -> frozenset[str]:
    """The tests that pytest names as failed."""
    return frozenset(re.findall(r"^(?:FAILED|ERROR) (tests/\S+?(?:\[.*?\])?)(?: - .*)?$", said, re.MULTILINE))


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


def sample(copy: Copy, areas: Mapping[str, Area], chance: Random, count: int | None) -> dict[str, list[Change]]:
    """By area; drawn in turns, so that a large one does not hide a small one. None: all of them."""
    decks: dict[str, list[Change]] = {}
    for name, area in areas.items():
        found = copy.changes(area)
        chance.shuffle(found)
        decks[name] = list({change.key: change for change in found}.values())
    rows = zip_longest(*([(name, change) for change in deck] for name, deck in decks.items()))
    drawn: dict[str, list[Change]] = {name: [] for name in areas}
    for name, change in islice((each for row in rows for each in row if each), count):
        drawn[name].append(change)
    return drawn


def trials(copies: Sequence[Copy], reach: Reach, drawn: Sequence[Change]) -> Iterator[Trial]:
    """As many at a time as there are copies, as they end."""
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
        for done in as_completed([pool.submit(try_out, change) for change in drawn]):
            yield done.result()


def explained() -> dict[ChangeKey, str]:
    """A change that no test has to notice (`Change.key`) → why."""
    rows = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("explained", [])
    return {(row["path"], row["code"], row["change"]): row["why"] for row in rows}


def earlier(results: Path | None) -> dict[ChangeKey, Trial]:
    """What this file says of each change; of one that was tried again, what came of it in the end."""
    if results is None or not results.exists():
        return {}
    rows = (json.decode(line, type=Trial) for line in results.read_bytes().splitlines())
    return {trial.change.key: trial for trial in rows}


def summary(done: Sequence[Trial], reasons: Mapping[ChangeKey, str]) -> list[str]:
    """How many were noticed, by folder and in all, and those that were not."""
    folders: dict[str, list[Trial]] = defaultdict(list)
    for trial in done:
        folders["/".join(Path(trial.change.path).parts[:2])].append(trial)
    missed = [trial for trial in done if trial.is_missed]
    rows = [
        f"  {sum(not trial.is_missed for trial in rows)} of {len(rows)}  {folder}"
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
    parser.add_argument("--results", type=Path, metavar="FILE", help="add each verdict to this file, and continue it")
    parser.add_argument("--quick", action="store_true", help="only the tests of `make fast`, with few examples")
    parser.add_argument("--again", action="store_true", help="only what was missed, as --results says")
    parser.add_argument(
        "--tests", action="append", metavar="PATH", help="instead of the tests of the area; may be repeated"
    )
    said = parser.parse_args(words)
    if said.again and not said.results:
        parser.error("--again needs --results")
    areas = {name: AREAS[name] for name in said.area or AREAS}
    done = earlier(said.results)
    with tempfile.TemporaryDirectory(prefix="companion-mutants-") as folder:
        words = QUICK if said.quick else ()
        copies = [Copy(ROOT, Path(folder, str(number)), words) for number in range(said.jobs)]
        drawn = sample(copies[0], areas, Random(said.seed), None if said.again else said.count)
        for name, changed in drawn.items():
            missed = {key for key, trial in done.items() if trial.is_missed}
            left = [each for each in changed if (each.key in missed if said.again else each.key not in done)]
            if not left:
                continue
            area = replace(areas[name], tests=tuple(said.tests)) if said.tests else areas[name]
            reach = copies[0].reach(area, 2 * said.jobs)
            for trial in trials(copies, reach, left):
                done[trial.change.key] = trial
                print(f"{trial.fate:9} {trial.seconds:6.1f} s  {trial.change}", flush=True)
                if said.results:
                    with said.results.open("ab") as file:
                        file.write(json.encode(trial) + b"\n")
    print(*summary(list(done.values()), explained()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

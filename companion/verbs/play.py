"""Playing: a referee in a process of its own, which is kept alive, and a screen in this one."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from companion.boxes import home
from companion.errors import LinkError
from companion.journal.store import SUFFIX
from companion.referee.link import answers
from companion.screen.app import run
from companion.verbs.evenings import Plan, agree, evenings_folder, find_evening, socket_of, write_down
from companion.verbs.table import Pace

START_S = 15.0
"""How long a referee may take to start on a slow machine."""
RESTARTS = 5
"""More often than this in RESTARTS_WITHIN_S, and the referee cannot be helped by starting it again."""
RESTARTS_WITHIN_S = 30.0


def play(plan: Plan, pace: Pace) -> int:
    """Begin an evening and show it."""
    agreed = agree(plan)
    _need_a_terminal()
    return _show(write_down(agreed), pace)


def resume(named: str | None, pace: Pace) -> int:
    """Go on with an evening. If its referee is still running, join it."""
    path = find_evening(named, unfinished=named is None)
    _need_a_terminal()
    return _show(path, pace)


def watch(plan: Plan, pace: Pace) -> int:
    """Watch simulated people play. Nothing is kept."""
    agreed = agree(plan)
    _need_a_terminal()
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        os.environ["COMPANION_HOME"] = folder
        return _show(write_down(agreed), pace, keep=False)


def join(named: str | None) -> int:
    """One more screen for a referee that is running."""
    path = find_evening(named) if named else _running()
    if not answers(socket_of(path)):
        raise LinkError(f"nobody is playing {path.stem} now; `companion resume {path.stem}` goes on with it")
    _need_a_terminal()
    return _screen(path)


def _running() -> Path:
    running = [path for path in evenings_folder().glob(f"*{SUFFIX}") if answers(socket_of(path))]
    if not running:
        raise LinkError("no referee is running; `companion play` begins an evening, `companion resume` goes on")
    if len(running) > 1:
        raise LinkError(f"several referees are running, say which: {', '.join(sorted(path.stem for path in running))}")
    return running[0]


def _need_a_terminal() -> None:
    """Asked before an evening is begun that nobody could see."""
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise LinkError("the screen needs a terminal; `companion demo --headless` tells a game without one")


def _show(path: Path, pace: Pace, *, keep: bool = True) -> int:
    if answers(socket_of(path)):
        return _screen(path)
    with RefereeKeeper(path, pace) as keeper:
        status = _screen(path)
    if keeper.problem:
        raise LinkError(keeper.problem)
    if keep:
        print(f"This evening is kept as {path.stem}. `companion resume` goes on, `companion games` lists all.")
    return status


def _screen(path: Path) -> int:
    run(socket_of(path))
    return 0


class RefereeKeeper:
    """Starts the referee as a process of its own, and again if it dies: the journal has everything."""

    def __init__(self, path: Path, pace: Pace) -> None:
        self._path = path
        self._arguments = ["table", "--evening", str(path), "--parent", str(os.getpid()), "--speed", str(pace.speed)]
        self._arguments += ["--mischief", str(pace.mischief)]
        if pace.seed is not None:
            self._arguments += ["--seed", str(pace.seed)]
        self._leaving = threading.Event()
        self._log = home() / "logs" / f"{path.stem}.log"
        self._process = self._start()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self.problem = ""

    def __enter__(self) -> "RefereeKeeper":
        deadline = time.monotonic() + START_S
        while not answers(socket_of(self._path)):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise LinkError(f"the referee did not start: {self._last_words()}")
            time.sleep(0.01)
        self._keeper.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._leaving.set()
        self._process.terminate()
        self._keeper.join(START_S)

    def _start(self) -> "subprocess.Popen[bytes]":
        self._log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "companion", *self._arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def _keep(self) -> None:
        starts = [time.monotonic()]
        while True:
            self._process.wait()
            if self._leaving.is_set():
                return
            starts = [start for start in starts if time.monotonic() - start < RESTARTS_WITHIN_S]
            if len(starts) > RESTARTS:
                self.problem = f"the referee stopped again and again: {self._last_words()}"
                return
            starts.append(time.monotonic())
            self._process = self._start()
            if self._leaving.is_set():
                self._process.terminate()

    def _last_words(self) -> str:
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return lines[-1].removeprefix("companion: ") if lines else "it said nothing"

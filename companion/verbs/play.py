"""Playing: a referee in a process of its own, which is kept alive, and a screen in this one."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.errors import JournalError, LinkError
from companion.journal import shelf
from companion.journal.store import SUFFIX
from companion.referee.link import answers
from companion.screen.app import run
from companion.screen.memory import Memory
from companion.verbs.evenings import Plan, agree, evenings_folder, find_evening, socket_of, write_down
from companion.verbs.reception import TableReception
from companion.verbs.table import Pace
from companion.wording import plain


class Looks(Struct, frozen=True):
    """What was said on the command line about the screen; None: as somebody chose on it last time."""

    language: str | None = None
    theme: str | None = None
    kiosk: bool = False
    memory: Path | None = None
    """The file that keeps what is chosen on the screen; None: nothing is kept."""

    def of(self) -> dict[str, Any]:
        """What the app wants to know."""
        memory = Memory(self.memory) if self.memory else None
        return {"language": self.language, "theme": self.theme, "kiosk": self.kiosk, "memory": memory}


def start(pace: Pace, looks: Looks) -> int:
    """Let people decide on the screen what to play, as often as they like."""
    _need_a_terminal()
    reception = TableReception(pace)
    try:
        run(reception=reception, **looks.of())
    finally:
        reception.leave()
    return 0


def play(plan: Plan, pace: Pace, looks: Looks) -> int:
    """Begin an evening and show it."""
    agreed = agree(plan)
    _need_a_terminal()
    return _show(write_down(agreed), pace, looks)


def resume(named: str | None, pace: Pace, looks: Looks) -> int:
    """Go on with an evening. If its referee is still running, join it."""
    path = find_evening(named) if named else _newest_that_can_go_on()
    _need_a_terminal()
    return _show(path, pace, looks)


def _newest_that_can_go_on() -> Path:
    """A damaged evening is set aside, which is told, and the one before is tried."""
    while True:
        path = find_evening(None, unfinished=True)
        if answers(socket_of(path)):
            return path
        try:
            journal, _ = shelf.resume(path, folder=evenings_folder())
        except JournalError as error:
            if path.exists():
                raise  # it could not be set aside
            print(f"companion: {plain(str(error), 1000)}", file=sys.stderr)
        else:
            journal.close()
            return path


def watch(plan: Plan, pace: Pace, looks: Looks) -> int:
    """Watch simulated people play. Nothing is kept."""
    agreed = agree(plan)
    _need_a_terminal()
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder, _home_in(folder):
        return _show(write_down(agreed), pace, looks, keep=False)


@contextmanager
def _home_in(folder: str) -> Iterator[None]:
    """For a while, evenings are kept elsewhere; a referee that is started meanwhile looks there, too."""
    before = os.environ.get("COMPANION_HOME")
    os.environ["COMPANION_HOME"] = folder
    try:
        yield
    finally:
        del os.environ["COMPANION_HOME"]
        if before is not None:
            os.environ["COMPANION_HOME"] = before


def join(named: str | None, looks: Looks) -> int:
    """One more screen for a referee that is running."""
    path = find_evening(named) if named else _running()
    if not answers(socket_of(path)):
        raise LinkError(f"nobody is playing {path.stem} now; `companion resume {path.stem}` goes on with it")
    _need_a_terminal()
    return _screen(path, looks)


def _running() -> Path:
    running = [path for path in evenings_folder().glob(f"*{SUFFIX}") if answers(socket_of(path))]
    if not running:
        raise LinkError("no referee is running; `companion play` begins an evening, `companion resume` goes on")
    if len(running) > 1:
        raise LinkError(f"several referees are running, say which: {', '.join(sorted(path.stem for path in running))}")
    return running[0]


def _need_a_terminal() -> None:
    """Asked before an evening is begun that nobody could see."""
    answers(socket_of(evenings_folder()))  # raises if screens and referee cannot meet
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise LinkError("the screen needs a terminal; `companion demo --headless` tells a game without one")


def _show(path: Path, pace: Pace, looks: Looks, *, keep: bool = True) -> int:
    reception = TableReception(pace)
    reception.resume(str(path))
    try:
        status = _screen(path, looks)
    finally:
        problem = reception.problem
        reception.leave()
    if problem:
        raise LinkError(problem)
    if keep:
        print(f"This evening is kept as {path.stem}. `companion resume` goes on, `companion games` lists all.")
    return status


def _screen(path: Path, looks: Looks) -> int:
    run(socket_of(path), **looks.of())
    return 0

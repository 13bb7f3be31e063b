"""How long it takes until something is there: the command line, and the screen's first frame."""

import os
import pty
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening, socket_of
from companion.referee.link import answers

ROUNDS = 15

EMPTY = """
from textual.app import App
from bench.startup import tell_first_frame

class Empty(App):
    def post_display_hook(self):
        tell_first_frame(self)

Empty().run()
"""

OURS = """
import sys
from pathlib import Path
from companion.screen.app import CompanionApp
from bench.startup import tell_first_frame

class Ours(CompanionApp):
    def post_display_hook(self):
        tell_first_frame(self)

Ours(Path(sys.argv[1])).run()
"""

TABLE = OURS.replace(
    "tell_first_frame(self)", "self.conversation and self.conversation.drawn and tell_first_frame(self)"
)
"""The first frame that shows the table, not only that the screen is there."""


def figures(effort: Effort = WHOLE) -> list[Figure]:
    rounds = effort.of(ROUNDS)
    companion = str(Path(sys.executable).with_name("companion"))
    starts = medians(rounds, lambda: _run([companion, "--version"]), lambda: _run([sys.executable, "-c", "pass"]))
    with tempfile.TemporaryDirectory() as folder, _referee(Path(folder)) as socket:
        apps = [partial(_first_frame, app, str(socket)) for app in (OURS, EMPTY, TABLE)]
        frames = medians(rounds, *apps, warm_up=effort.warm_up)
    version, bare = (median(starts, which) * 1000 for which in range(2))
    ours, empty, table = (median(frames, which) * 1000 for which in range(3))
    detail = f"{version:.0f} ms against {bare:.0f} ms"
    frame_detail = (
        f"{ours:.0f} ms against {empty:.0f} ms from start to first frame, in a pseudo-terminal of 100×30; "
        f"{table:.0f} ms until the table is shown ({ratio(frames, 2, 1):.2f}×)"
    )
    return [
        Figure("companion --version ÷ bare Python", ratio(starts, 0, 1), 3, False, detail),
        Figure("first frame of the screen ÷ empty Textual app", ratio(frames, 0, 1), 1.3, False, frame_detail),
    ]


@contextmanager
def _referee(home: Path) -> Iterator[Path]:
    """A referee of a game that waits for a person, and where it listens."""
    before = os.environ.get("COMPANION_HOME")
    os.environ["COMPANION_HOME"] = str(home)
    evening = begin_evening(GamePlan("lascaux", ("Anna", "Ben", "Cleo"), kit="none"))
    child = subprocess.Popen([sys.executable, "-m", "companion", "table", "--evening", str(evening)])
    try:
        while not answers(socket_of(evening)):
            time.sleep(0.05)
        yield socket_of(evening)
    finally:
        child.terminate()
        child.wait()
        if before is None:
            del os.environ["COMPANION_HOME"]
        else:
            os.environ["COMPANION_HOME"] = before


def _run(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _first_frame(program: str, socket: str) -> float:
    """Start an app in a terminal of its own; it says when its first frame is out, and leaves."""
    terminal, its_end = pty.openpty()
    told, telling = os.pipe()
    began = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, "-c", program, socket],
        stdin=its_end, stdout=its_end, stderr=its_end, pass_fds=[telling], start_new_session=True,
        env=os.environ | {"COLUMNS": "100", "LINES": "30", "TERM": "xterm-256color", "FIRST_FRAME": str(telling)},
    )  # fmt: skip
    os.close(its_end)
    os.close(telling)
    threading.Thread(target=_swallow, args=(terminal,), daemon=True).start()
    shown = float(os.read(told, 100))
    child.wait(20)
    os.close(told)
    return shown - began


def _swallow(terminal: int) -> None:
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        os.close(terminal)


def tell_first_frame(app: Any) -> None:
    """Runs in the app: the moment of its first frame, on the clock that all processes share."""
    if (pipe := os.environ.pop("FIRST_FRAME", None)) is not None:
        os.write(int(pipe), str(time.monotonic()).encode())
        app.exit()

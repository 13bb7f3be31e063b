"""How long it takes until something is there: the command line, and the screen's first frame."""

import os
import pty
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench.figures import Figure, median, medians, ratio

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


def figures() -> list[Figure]:
    companion = str(Path(sys.executable).with_name("companion"))
    starts = medians(ROUNDS, lambda: _run([companion, "--version"]), lambda: _run([sys.executable, "-c", "pass"]))
    with tempfile.TemporaryDirectory() as folder:
        nobody = str(Path(folder) / "nobody.sock")
        frames = medians(ROUNDS, lambda: _first_frame(OURS, nobody), lambda: _first_frame(EMPTY, nobody))
    version, bare, ours, empty = (median(rows, which) * 1000 for rows in (starts, frames) for which in range(2))
    detail = f"{version:.0f} ms against {bare:.0f} ms"
    frame_detail = f"{ours:.0f} ms against {empty:.0f} ms from start to first frame, in a pseudo-terminal of 100×30"
    return [
        Figure("companion --version ÷ bare Python", ratio(starts, 0, 1), 3, False, detail),
        Figure("first frame of the screen ÷ empty Textual app", ratio(frames, 0, 1), 1.3, False, frame_detail),
    ]


def _run(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _first_frame(program: str, socket: str) -> float:
    """Start an app in a terminal of its own; it says when its first frame is out, and leaves."""
    terminal, its_end = pty.openpty()
    told, telling = os.pipe()
    os.environ["COLUMNS"], os.environ["LINES"] = "100", "30"
    began = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, "-c", program, socket],
        stdin=its_end, stdout=its_end, stderr=its_end, pass_fds=[telling], start_new_session=True,
        env=os.environ | {"TERM": "xterm-256color", "FIRST_FRAME": str(telling)},
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


def tell_first_frame(app: object) -> None:
    """Runs in the app: the moment of its first frame, on the clock that all processes share."""
    if (pipe := os.environ.pop("FIRST_FRAME", None)) is not None:
        os.write(int(pipe), str(time.monotonic()).encode())
        app.exit()  # type: ignore[attr-defined]

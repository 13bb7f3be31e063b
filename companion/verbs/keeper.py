"""Keeps a referee at work: a process of its own, started again when it dies."""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

from companion.boxes import home
from companion.errors import LinkError
from companion.referee.link import answers
from companion.verbs.evenings import socket_of
from companion.verbs.table import Pace

START_S = 15.0
"""How long a referee may take to start on a slow machine."""
RESTARTS = 5
"""More often than this in RESTARTS_WITHIN_S, and the referee cannot be helped by starting it again."""
RESTARTS_WITHIN_S = 30.0


class RefereeKeeper:
    """Starts the referee as a process of its own, and again if it dies: the journal has everything."""

    def __init__(self, path: Path, pace: Pace) -> None:
        self._path = path
        seed = random.randrange(2**32) if pace.seed is None else pace.seed  # the same hands after every restart
        self._arguments = ["table", "--evening", str(path), "--parent", str(os.getpid()), "--seed", str(seed)]
        self._arguments += ["--speed", str(pace.speed), "--mischief", str(pace.mischief), "--through", pace.through]
        self._leaving = threading.Event()
        self._log = home() / "logs" / f"{path.stem}.log"
        self._words_from = 0
        self._process = self._start()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self.problem = ""

    def start(self) -> None:
        """Wait until it listens. Raises LinkError with its last words if it does not."""
        deadline = time.monotonic() + START_S
        while not answers(socket_of(self._path)):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._end()
                raise LinkError(f"the referee did not start: {self._last_words()}")
            time.sleep(0.01)
        self._keeper.start()

    def stop(self) -> None:
        """Let it go. What it had accepted is in the journal."""
        self._leaving.set()
        self._end()
        if self._keeper.is_alive():
            self._keeper.join()

    def __enter__(self) -> "RefereeKeeper":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _start(self) -> "subprocess.Popen[bytes]":
        """In a session of its own: a terminal that is closed takes the screen with it, not the game."""
        self._log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self._words_from = log.tell()
            return subprocess.Popen(
                [sys.executable, "-m", "companion", *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _end(self) -> None:
        """Ask it to go; if it does not, end it: nothing that it accepted can be lost."""
        self._process.terminate()
        try:
            self._process.wait(START_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

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
                self._end()

    def _last_words(self) -> str:
        """The last line that says something, of this start: a traceback's frame is drawn around it."""
        with self._log.open(errors="replace") as log:
            log.seek(self._words_from)
            lines = [line.strip(" |+-\n") for line in log]
        said = [line for line in lines if line]
        return said[-1].removeprefix("companion: ") if said else "it said nothing"

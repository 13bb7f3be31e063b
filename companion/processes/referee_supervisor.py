"""Keeps a referee at work: a process of its own, started again when it dies, whoever started it."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from companion.errors import LinkError
from companion.files import load_end, make_folder, opened_log
from companion.home.paths import log_path
from companion.journal.lock import holder
from companion.processes.evenings import socket_of
from companion.processes.simulation_settings import Pace
from companion.referee.link import answers

TAIL = 64 * 1024
"""Last words are no further from the end of a log."""
START_S = 60.0
"""How long a referee may take to start. A small computer that has just been switched on is busy with other things."""
END_S = 15.0
"""How long it may take to end when asked to."""
LOOK_S = 1.0
"""How often to look whether a referee that somebody else started is still there."""
PARTING_S = 3.0
"""How long a referee that nobody needs any more may take to go."""
RESTARTS = 5
"""More often than this in RESTARTS_WITHIN_S, and starting the referee again will not help."""
RESTARTS_WITHIN_S = 30.0


OTHERWISE = "?"
"""Marks a seed that nobody has asked for: it counts if the evening has none of its own."""


class RefereeSupervisor:
    """Whoever shows a table keeps its referee at work: the one that is there, or one of its own; the journal has
    everything. Of several keepers any may start one: the journal's lock lets one of them play."""

    def __init__(self, path: Path, pace: Pace) -> None:
        self._path = path
        self._seed = random.randrange(2**32) if pace.seed is None else pace.seed
        """The same hands after every restart. Whoever knew it would know what they have chosen: so only the referee is
        told, and not on its command line, which everybody on this computer can read."""
        self._said = pace.seed is not None
        self._arguments = ["table", "--evening", str(path), "--parent", str(os.getpid()), "--seed-follows"]
        self._arguments += ["--speed", str(pace.speed), "--mischief", str(pace.mischief), "--through", pace.through]
        self._leaving = threading.Event()
        self._log = log_path(path.stem)
        self._words_from = 0
        self._process: subprocess.Popen[bytes] | None = None
        """Ours, if we had to start one."""
        self._supervisor = threading.Thread(target=self._keep, daemon=True)
        self.problem = ""

    def start(self) -> None:
        """Find the referee, or start one, and wait until it listens. Raises LinkError with its last words if it does
        not."""
        deadline = time.monotonic() + START_S
        while not answers(socket_of(self._path)):
            if self._process is None and not holder(self._path):
                self._process = self._start()
            ended = self._process is not None and self._process.poll() is not None and not holder(self._path)
            if ended or time.monotonic() > deadline:
                raise LinkError(self._why_not())
            time.sleep(0.01)
        self._supervisor.start()

    def _why_not(self) -> str:
        playing = holder(self._path)
        if self._process is None:
            return f"the referee of {self._path.stem} is not responding; kill process {playing} (the game is saved)"
        self._end()
        return f"the referee did not start: {self._last_words()}"

    def stop(self) -> None:
        """Let it go. What it had accepted is in the journal. If others still look at its table, it stays for them."""
        self._leaving.set()
        if self._is_ours():
            self._part()
        if self._supervisor.is_alive():
            self._supervisor.join()

    def __enter__(self) -> "RefereeSupervisor":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _is_ours(self) -> bool:
        """Whether a referee that we started is at work."""
        return self._process is not None and self._process.poll() is None

    def _start(self) -> "subprocess.Popen[bytes]":
        """In a session of its own: a terminal that is closed takes the screen with it, not the game."""
        make_folder(self._log.parent, 0o700)
        with opened_log(self._log) as log:
            self._words_from = log.tell()
            referee = subprocess.Popen(
                [sys.executable, "-m", "companion", *self._arguments],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        assert referee.stdin is not None
        with suppress(OSError), referee.stdin as line:  # one that has ended already says why in its log
            line.write(f"{self._seed}{'' if self._said else OTHERWISE}\n".encode())
        return referee

    def _part(self) -> None:
        """Tell it that we are leaving. One that has other screens stays; one that no longer answers is ended."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PARTING_S)
        if self._is_ours() and not answers(socket_of(self._path)):
            self._end()
        threading.Thread(target=self._process.wait, daemon=True).start()  # it leaves no zombie when it goes

    def _end(self) -> None:
        """Ask it to go; if it does not, end it: nothing that it accepted can be lost."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _keep(self) -> None:
        starts = [time.monotonic()]
        while not self._leaving.is_set():
            if self._process is not None and self._is_ours():
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(LOOK_S)
            elif holder(self._path) or answers(socket_of(self._path)):
                self._leaving.wait(LOOK_S)  # somebody else's plays
            else:
                starts = [start for start in starts if time.monotonic() - start < RESTARTS_WITHIN_S]
                if len(starts) > RESTARTS:
                    self.problem = f"the referee keeps stopping: {self._last_words()}"
                    return
                starts.append(time.monotonic())
                try:
                    self._process = self._start()
                except OSError as error:  # a disk that cannot be written any more, no memory for a process
                    self.problem = f"the referee could not be restarted: {error.strerror}"
                    return
                if self._leaving.is_set():
                    self._end()

    def _last_words(self) -> str:
        """The last line that says something, of this start: a traceback's frame is drawn around it."""
        since = max(0, self._log.stat().st_size - self._words_from)
        words = load_end(self._log, min(since, TAIL)).decode(errors="replace")
        lines = [line.strip(" |+-") for line in words.split("\n")]
        said = [line for line in lines if line]
        return said[-1].removeprefix("companion: ") if said else "it said nothing"

"""Keeps the referee of a shown table running in a process of its own, and restarts it when it dies.

Every screen of a table supervises its referee, even if it did not start it. The journal holds everything that was
accepted, so a restart loses nothing. If several screens start a referee at once, the journal's lock lets one of them
run.
"""

import os
import random
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

from companion.errors import LinkError
from companion.files import PYTHON, load_end, make_folder, opened_log
from companion.home.paths import log_path
from companion.journal.lock import holder
from companion.processes.evenings import socket_of
from companion.processes.simulation_settings import SimulationSettings
from companion.referee.link import answers

TAIL = 64 * 1024
"""How many bytes of a log are searched for the last line that says something."""
START_S = 60.0
"""How long a referee may take to start. A small computer is busy just after it was switched on."""
END_S = 15.0
"""How long it may take to stop when asked to."""
LOOK_S = 1.0
"""How often to check that a referee which another screen started is still running."""
PARTING_S = 3.0
"""How long a referee without screens may take to stop."""
RESTARTS = 5
"""After so many restarts in RESTARTS_WITHIN_S we give up: one more will not help."""
RESTARTS_WITHIN_S = 30.0


FALLBACK = "?"
"""Follows a seed that was not asked for: it counts only if the evening has none of its own."""


class RefereeSupervisor:
    """Starts `companion table` for one evening, and restarts it until `stop`."""

    def __init__(self, path: Path, simulation: SimulationSettings) -> None:
        self._path = path
        self._seed = random.randrange(2**32) if simulation.seed is None else simulation.seed
        """The same after every restart. It would reveal what simulated players have chosen, so it is sent to the
        referee's standard input: every user of this computer can read a command line."""
        self._is_seed_given = simulation.seed is not None
        self._arguments = ["table", "--evening", str(path), "--parent", str(os.getpid()), "--seed-follows"]
        self._arguments += [
            "--speed",
            str(simulation.speed),
            "--mischief",
            str(simulation.mischief),
            "--through",
            simulation.through,
        ]
        self._leaving = threading.Event()
        self._log = log_path(path.stem)
        self._words_from = 0
        self._process: subprocess.Popen[bytes] | None = None
        """The referee, if we have started it."""
        self._thread = threading.Thread(target=self._supervise, daemon=True)
        self.problem = ""

    def start(self) -> None:
        """Find the referee or start one, and wait until it listens. Raises LinkError with the last line of its log if
        it does not."""
        deadline = time.monotonic() + START_S
        while not answers(socket_of(self._path)):
            if self._process is None and not holder(self._path):
                self._process = self._start()
            ended = self._process is not None and self._process.poll() is not None and not holder(self._path)
            if ended or time.monotonic() > deadline:
                raise LinkError(self._why_not())
            time.sleep(0.01)
        self._thread.start()

    def _why_not(self) -> str:
        playing = holder(self._path)
        if self._process is None:
            return f"the referee of {self._path.stem} is not responding; kill process {playing} (the game is saved)"
        self._end()
        return f"the referee did not start: {self._last_words()}"

    def stop(self) -> None:
        """Release the referee. It stays if other screens show its table. What it has accepted is in the journal."""
        self._leaving.set()
        if self._is_ours():
            self._part()
        if self._thread.is_alive():
            self._thread.join()

    def __enter__(self) -> "RefereeSupervisor":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _is_ours(self) -> bool:
        """Whether a referee that we started is running."""
        return self._process is not None and self._process.poll() is None

    def _start(self) -> "subprocess.Popen[bytes]":
        """In a session of its own: closing the terminal ends the screen, not the referee."""
        make_folder(self._log.parent, 0o700)
        with opened_log(self._log) as log:
            self._words_from = log.tell()
            referee = subprocess.Popen(
                [*PYTHON, "-m", "companion", *self._arguments],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        assert referee.stdin is not None
        with suppress(OSError), referee.stdin as line:  # if it has ended already, its log says why
            line.write(f"{self._seed}{'' if self._is_seed_given else FALLBACK}\n".encode())
        return referee

    def _part(self) -> None:
        """Tell it that we are leaving. It stays if it has other screens; if it no longer answers, we stop it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PARTING_S)
        if self._is_ours() and not answers(socket_of(self._path)):
            self._end()
        threading.Thread(target=self._process.wait, daemon=True).start()  # no zombie is left when it stops

    def _end(self) -> None:
        """Stop it, by force if it does not obey. Nothing that it accepted can be lost."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _supervise(self) -> None:
        starts = [time.monotonic()]
        while not self._leaving.is_set():
            if self._process is not None and self._is_ours():
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(LOOK_S)
            elif holder(self._path) or answers(socket_of(self._path)):
                self._leaving.wait(LOOK_S)  # another screen's referee
            else:
                starts = [start for start in starts if time.monotonic() - start < RESTARTS_WITHIN_S]
                if len(starts) > RESTARTS:
                    self.problem = f"the referee keeps stopping: {self._last_words()}"
                    return
                starts.append(time.monotonic())
                try:
                    self._process = self._start()
                except OSError as error:  # the disk is full, or there is no memory for a process
                    self.problem = f"the referee could not be restarted: {error.strerror}"
                    return
                if self._leaving.is_set():
                    self._end()

    def _last_words(self) -> str:
        """The last line of the log since this start that says something, without the frame around a traceback."""
        since = max(0, self._log.stat().st_size - self._words_from)
        words = load_end(self._log, min(since, TAIL)).decode(errors="replace")
        lines = [line.strip(" |+-") for line in words.split("\n")]
        said = [line for line in lines if line]
        return said[-1].removeprefix("companion: ") if said else "it said nothing"

"""Starts a process for each bot of a table, and restarts it when it dies.

A bot has no memory: it gets all that its seat may know with each question. So when it is killed nothing is lost, and
the next one is asked again.
"""

import subprocess
import time
from contextlib import suppress

import msgspec

from companion.files import PYTHON
from companion.gamekit import discovery
from companion.gamekit.game import Seat

RESTARTS, RESTARTS_WITHIN_S = 5, 30.0
"""After so many restarts in this time a bot is not asked again in that position: one more will not help."""


class BotSupervisor:
    """The bots of one table, each in a process of its own."""

    def __init__(self, game: str) -> None:
        self._brief = msgspec.json.encode(discovery.found().only(game)) + b"\n"
        self._processes: dict[Seat, subprocess.Popen[bytes]] = {}
        self._leaving = False

    def start(self, seat: Seat) -> "subprocess.Popen[bytes]":
        """The process of this seat's bot: the one that runs, or a new one. Raises OSError."""
        process = self._processes.get(seat)
        if process is None or process.poll() is not None:
            if process is not None:
                _end(process)
            process = self._processes[seat] = self._begin()
        return process

    def _begin(self) -> "subprocess.Popen[bytes]":
        """Its errors are in the referee's log."""
        process = subprocess.Popen(
            [*PYTHON, "-m", "companion.simulation.bot_process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with suppress(OSError):  # it has ended already: `ask` finds out
            assert process.stdin is not None
            process.stdin.write(self._brief)
            process.stdin.flush()
        return process

    def ask(self, seat: Seat, position: bytes) -> bytes:
        """What the bot of this seat answers; b"" if there is none. It blocks: call it in a thread of its own."""
        starts: list[float] = []
        while not self._leaving:
            starts = [each for each in starts if time.monotonic() - each < RESTARTS_WITHIN_S]
            if len(starts) > RESTARTS:
                break
            starts.append(time.monotonic())
            with suppress(OSError, ValueError):  # ValueError: its line was closed by `stop`
                if answer := _answer(self.start(seat), position):
                    return answer
        return b""

    def stop(self) -> None:
        """May be called twice, and while a bot thinks."""
        self._leaving = True
        for process in self._processes.values():
            _end(process)

    def __enter__(self) -> "BotSupervisor":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    for line in (process.stdin, process.stdout):
        with suppress(OSError):
            if line is not None:
                line.close()
    process.wait()


def _answer(process: "subprocess.Popen[bytes]", position: bytes) -> bytes:
    """b"" if it dies over it."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(position + b"\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer.endswith(b"\n"):
        process.wait()
        return b""
    return answer

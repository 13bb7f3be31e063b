"""`python -m companion.simulation.emulated`: a satellite in a process of its own, its USB line on a pseudo-terminal.

Deeds come in on stdin, what it shows goes out on stdout (see deeds.py). It runs in real time, whoever is busy beside
it, and ends when stdin does.
"""

import os
import pty
import select
import sys
import time
import tty
from contextlib import suppress

import msgspec

from companion.errors import CompanionError
from companion.simulation.deeds import Deed, Failed, Lay, Lift, Misbehave, Press, Ready, Report, Reset, Shown
from companion.simulation.emulated_board import EmulatedBoard
from companion.simulation.firmware import build

SLICE_MS = 1.0
"""How far it may run ahead of what comes in."""
LATE_MS = 200.0
"""More than this behind real time, on a busy machine, and it does not try to catch up."""
CHUNK = 4096


class Bench:
    """A board, a pseudo-terminal, and somebody who says what happens on it."""

    def __init__(self, board: EmulatedBoard, deeds: int, reports: int) -> None:
        self._board, self._deeds, self._reports = board, deeds, reports
        self._line, self._plug = pty.openpty()  # the plug stays open, so that the host may come and go
        tty.setraw(self._plug)
        os.set_blocking(self._line, False)
        self._heard = b""
        self._shown: Shown | None = None

    def run(self) -> None:
        """Until nobody says anything any more."""
        self._tell(Ready(os.ttyname(self._plug)))
        ahead_ms = time.monotonic() * 1_000 - self._board.now_ms
        while True:
            due_ms = time.monotonic() * 1_000 - ahead_ms
            if due_ms - self._board.now_ms > LATE_MS:
                ahead_ms += due_ms - self._board.now_ms
            wait_s = max(0.0, self._board.now_ms + SLICE_MS - due_ms) / 1_000
            ready, _, _ = select.select([self._line, self._deeds], [], [], wait_s)
            if self._line in ready:
                self._board.send(os.read(self._line, CHUNK))
            if self._deeds in ready and not self._take_deeds():
                return
            if not ready:
                self._step()

    def _step(self) -> None:
        self._board.run(SLICE_MS)
        said = self._board.received()
        if said:
            self._say(said)
        lamps = tuple(self._board.lamp(pad) for pad in range(len(self._board.chips)))
        shown = Shown(lamps, self._board.buzzes)
        if shown != self._shown:
            self._shown = shown
            self._tell(shown)

    def _say(self, said: bytes) -> None:
        """What nobody reads in time is lost, as on any serial line."""
        with suppress(BlockingIOError):
            os.write(self._line, said)

    def _take_deeds(self) -> bool:
        data = os.read(self._deeds, CHUNK)
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            self._do(msgspec.json.decode(line, type=Deed))
        return bool(data)

    def _do(self, deed: Deed) -> None:
        board = self._board
        match deed:
            case Lay(pad, uid):
                board.lay(pad, uid)
            case Lift(pad, uid):
                board.lift(pad, uid)
            case Press(pad, button, for_ms):
                board.press(pad, button, for_ms)
            case Misbehave(pad, fault, value):
                setattr(board.chips[pad].faults, fault, value)
            case Reset():
                board.reset()

    def _tell(self, report: Report) -> None:
        os.write(self._reports, msgspec.json.encode(report) + b"\n")


def main() -> int:
    try:
        with EmulatedBoard(build()) as board:
            Bench(board, sys.stdin.fileno(), sys.stdout.fileno()).run()
    except CompanionError as error:
        os.write(sys.stdout.fileno(), msgspec.json.encode(Failed(str(error))) + b"\n")
        return 2
    except (BrokenPipeError, KeyboardInterrupt):  # whoever started it has gone
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m companion.devices.satellite.emulated_process PATH [SLOWER]`: a satellite with its USB at PATH.

Commands come in on stdin, what it shows goes out on stdout (see emulator_commands.py). It runs in real time,
or SLOWER times as slowly, for a host that is itself slow; it ends when stdin does. PATH becomes a
link to a pseudo-terminal for as long as the satellite is plugged in.
"""

import os
import select
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.devices.satellite.emulated_board import EmulatedBoard
from companion.devices.satellite.emulator_commands import (
    FAULTS,
    WELL,
    BoardDeed,
    BoardReport,
    Disturb,
    EmulationEnded,
    Hang,
    Jam,
    LayTag,
    LiftTag,
    Outputs,
    Plug,
    PressButton,
    Ready,
    Reset,
    Spoil,
    Unplug,
)
from companion.devices.satellite.firmware_build import build
from companion.devices.satellite.simulated_board import Weather
from companion.errors import CompanionError

SLICE_MS = 4.0
"""How far it may run ahead of what comes in, and how long it waits for that: what has come is dealt with at once."""
LATE_MS = 200.0
"""More than this behind real time, on a busy machine, and it does not try to catch up."""
CHUNK = 4096


class Cable:
    """A pseudo-terminal that can be pulled and plugged in again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ends: tuple[int, int] | None = None
        """The satellite's, and the host's, which is kept open so that hosts may come and go."""
        self._weather = Weather()

    @property
    def end(self) -> list[int]:
        """What to wait for, if it is plugged in."""
        return [] if self._ends is None else [self._ends[0]]

    def plug(self) -> None:
        import tty

        own, hosts = self._ends = os.openpty()
        tty.setraw(hosts)
        os.set_blocking(own, False)
        self._path.unlink(missing_ok=True)
        self._path.symlink_to(os.ttyname(hosts))

    def unplug(self) -> None:
        if self._ends is not None:
            self._path.unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def disturb(self, flipped: float) -> None:
        self._weather = Weather(flipped=flipped)

    def read(self) -> bytes:
        return self._weather.spoil(os.read(self.end[0], CHUNK))

    def write(self, data: bytes) -> None:
        """What is not read in time is lost, as on any serial line."""
        if self._ends is not None and data:
            with suppress(BlockingIOError):
                os.write(self._ends[0], self._weather.spoil(data))


class EmulatedBench:
    """A board, its cable, and the commands for both."""

    def __init__(self, board: EmulatedBoard, cable: Cable, deeds: int, reports: int, slower: int = 1) -> None:
        self._board, self._cable, self._deeds, self._reports = board, cable, deeds, reports
        self._slower = slower
        self._heard = b""
        self._shown: Outputs | None = None

    def run(self) -> None:
        """Until both are silent."""
        self._cable.plug()
        self._tell(Ready())
        behind_ms = self._now_ms() - self._board.now_ms
        while True:
            late_ms = self._now_ms() - behind_ms - self._board.now_ms
            if late_ms > LATE_MS or not self._cable.end:  # without power its time stands still
                behind_ms += late_ms
            wait_s = max(0.0, SLICE_MS - late_ms) / 1_000 * self._slower
            ready, _, _ = select.select([*self._cable.end, self._deeds], [], [], wait_s)
            if self._deeds in ready and not self._take_deeds():
                return
            if self._cable.end and self._cable.end[0] in ready:
                self._board.send(self._cable.read())
            due_ms = self._now_ms() - behind_ms - self._board.now_ms
            if self._cable.end and due_ms > 0 and (ready or due_ms >= SLICE_MS):
                self._step(min(due_ms, SLICE_MS))

    def _now_ms(self) -> float:
        return time.monotonic() * 1_000 / self._slower

    def _step(self, for_ms: float) -> None:
        self._board.run(for_ms)
        self._cable.write(self._board.received())
        lamps = tuple(self._board.lamp(pad) for pad in range(len(self._board.chips)))
        self._show(Outputs(lamps, self._board.buzzes))

    def _show(self, shown: Outputs) -> None:
        if shown != self._shown:
            self._shown = shown
            self._tell(shown)

    def _take_deeds(self) -> bool:
        data = os.read(self._deeds, CHUNK)
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            self._do(msgspec.json.decode(line, type=BoardDeed))
        return bool(data)

    def _do(self, deed: BoardDeed) -> None:
        board, cable = self._board, self._cable
        match deed:
            case LayTag(pad, uid):
                board.lay(pad, uid)
            case LiftTag(pad, uid):
                board.lift(pad, uid)
            case PressButton(pad, button, for_ms):
                if cable.end:  # else there is no host to notice
                    board.press(pad, button, for_ms)
            case Jam(pad, button, down):
                board.hold(pad, button, down)
            case Spoil(pad, fault) if fault == WELL:
                board.chips[pad].faults.clear()
            case Spoil(pad, fault):
                setattr(board.chips[pad].faults, fault, FAULTS[fault])
            case Disturb(flipped):
                cable.disturb(flipped)
            case Reset():
                board.reset()
            case Hang():
                board.emulator.hang()
            case Unplug():
                cable.unplug()
                self._show(Outputs((False,) * len(board.chips), False))
            case Plug():
                cable.unplug()
                cable.plug()
                board.reset()

    def _tell(self, report: BoardReport) -> None:
        os.write(self._reports, msgspec.json.encode(report) + b"\n")


def main() -> int:
    said = sys.argv[1:]
    if len(said) not in (1, 2) or not all(number.isdecimal() and int(number) for number in said[1:]):
        sys.stderr.write("usage: python -m companion.devices.satellite.emulated_process PATH [SLOWER]\n")
        return 2
    cable = Cable(Path(said[0]))
    slower = int(said[1]) if len(said) == 2 else 1
    try:
        with EmulatedBoard(build()) as board:
            EmulatedBench(board, cable, sys.stdin.fileno(), sys.stdout.fileno(), slower).run()
    except CompanionError as error:
        os.write(sys.stdout.fileno(), msgspec.json.encode(EmulationEnded(str(error))) + b"\n")
        return 2
    except (BrokenPipeError, KeyboardInterrupt):  # the process that started it has gone
        pass
    finally:
        cable.unplug()
    return 0


if __name__ == "__main__":
    sys.exit(main())

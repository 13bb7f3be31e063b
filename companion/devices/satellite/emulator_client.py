"""An emulated satellite in a process of its own.

with Workbench(folder / "satellite") as bench:
    bench.path                     # for pyserial, as /dev/ttyUSB0 would be
    bench.do(Lay(0, "04…"))        # see deeds.py
"""

import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.devices.satellite.avr_emulator import EmulatorError
from companion.devices.satellite.emulator_commands import BoardDeed, BoardReport, EmulationEnded, Outputs, Ready
from companion.devices.satellite.wire import PADS
from companion.files import PYTHON

END_S = 5.0


class Workbench:
    """Starts the process, which first builds firmware and emulator if they are not there. Raises EmulatorError."""

    def __init__(self, path: Path, slower: int = 1) -> None:
        """`slower`: how many of our seconds one of its own takes."""
        self.path = path
        self._process = subprocess.Popen(
            [*PYTHON, "-m", "companion.devices.satellite.emulated_process", str(path), str(slower)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C is for this process
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._deeds, self._reports = self._process.stdin, self._process.stdout
        self.shown = Outputs((False,) * PADS, False)
        """What its lamps and its buzzer do now."""
        self.problem = ""
        """Why it has ended; empty while it runs."""
        self._wait_until_ready()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _wait_until_ready(self) -> None:
        line = self._reports.readline()
        report = msgspec.json.decode(line, type=BoardReport) if line else EmulationEnded("it ended before it began")
        if isinstance(report, Ready):
            return
        self._end()
        self._reports.close()
        raise EmulatorError(report.problem if isinstance(report, EmulationEnded) else "it did not begin as it should")

    def _watch(self) -> None:
        for line in self._reports:
            report = msgspec.json.decode(line, type=BoardReport)
            if isinstance(report, Outputs):
                self.shown = report
            elif isinstance(report, EmulationEnded):
                self.problem = report.problem

    def do(self, deed: BoardDeed) -> None:
        """Let something happen on the board. Raises EmulatorError if the emulation has ended."""
        try:
            self._deeds.write(msgspec.json.encode(deed) + b"\n")
            self._deeds.flush()
        except (BrokenPipeError, ValueError) as error:
            raise EmulatorError(self.problem or "the emulated satellite has ended") from error

    def close(self) -> None:
        """End the process. Twice is as good as once."""
        self._end()
        self._watcher.join()
        self._reports.close()

    def _end(self) -> None:
        with suppress(BrokenPipeError):
            self._deeds.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

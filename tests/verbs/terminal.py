"""A terminal for tests: runs a command in a pseudo-terminal, reads what it paints, types keys."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 60.0
"""More than anything here takes on a slow and busy machine."""
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?<=>]*[ -/]*[@-~]|[\]P_].*?(?:\x07|\x1b\\)|[ -/]*[0-~])", re.DOTALL)


class Terminal:
    """`companion …` in a terminal of 100 × 40. Everything that was painted is kept, without its colours."""

    def __init__(self, *words: str, module: str = "companion") -> None:
        self._descriptor, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
            start_new_session=True,
        )
        os.close(inner)
        self._painted = ""

    @property
    def text(self) -> str:
        return _ESCAPE.sub(" ", self._painted)

    @property
    def left_behind(self) -> str:
        """What stands there when the screen has gone: all that was printed after it."""
        return self._painted.rpartition("\x1b[?1049l")[2]

    def forget(self) -> None:
        """Only what is painted from now on counts."""
        self._painted = ""

    def press(self, key: str) -> None:
        os.write(self._descriptor, key.encode())

    def read(self, within_s: float = 0.05) -> bool:
        """Take in what was painted; False when the terminal is closed."""
        ready, _, _ = select.select([self._descriptor], [], [], within_s)
        if not ready:
            return True
        try:
            data = os.read(self._descriptor, 1 << 16)
        except OSError:  # the last one who had it open has gone
            return False
        self._painted += data.decode(errors="replace")
        return bool(data)

    def until(self, condition: Callable[[], Any], what: str = "") -> None:
        """Keep reading until something is so: a program whose output nobody reads stands still."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"waited in vain for {what}; painted so far:\n{self.text[-3000:]}"
            self.read()

    def until_painted(self, pattern: str) -> None:
        self.until(lambda: re.search(pattern, self.text), f"{pattern!r}")

    def quit(self) -> int:
        """Press q, and y if it asks because the game is still running. The exit status."""
        self.forget()
        self.press("q")
        self.until(lambda: self.process.poll() is not None or "Leave the screen?" in self.text, "the screen to leave")
        if self.process.poll() is None:
            self.press("y")
        return self.wait()

    def wait(self) -> int:
        """The exit status, once the command has ended."""
        self.until(lambda: not self.read() or self.process.poll() is not None, "the end of the command")
        status = self.process.wait(PATIENCE_S)
        while self.read(0) and select.select([self._descriptor], [], [], 0)[0]:
            pass
        return status

    def kill(self) -> None:
        """The plug is pulled."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_S)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
        with contextlib.suppress(OSError):
            os.close(self._descriptor)

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
_BEGUN = re.compile(r"\x1b(?!\\)(?:[^\x1b]|\x1b\\)*\Z")
"""The last escape, which may go on in what is painted next, and all that follows it."""
_LONGEST_SIGN = 200
_MOST_AT_ONCE = 1 << 20


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
        self.forget()

    @property
    def text(self) -> str:
        return self._text_from(0)

    def _text_from(self, place: int) -> str:
        return self._plain[place:] + _ESCAPE.sub(" ", self._begun)

    @property
    def left_behind(self) -> str:
        """What stands there when the screen has gone: all that was printed after it."""
        return "".join(self._painted).rpartition("\x1b[?1049l")[2]

    def forget(self) -> None:
        """Only what is painted from now on counts."""
        self._painted: list[str] = []
        self._plain = self._begun = ""

    def press(self, key: str) -> None:
        os.write(self._descriptor, key.encode())

    def read(self, within_s: float = 0.05) -> bool:
        """Take in all that was painted; False when the terminal is closed."""
        data = bytearray()
        is_open = True
        while is_open and select.select([self._descriptor], [], [], 0 if data else within_s)[0]:
            try:
                data += (more := os.read(self._descriptor, 1 << 16))
                is_open = bool(more)
            except OSError:  # the last one who had it open has gone
                is_open = False
            if len(data) > _MOST_AT_ONCE:
                break
        self._take(data.decode(errors="replace"))
        return is_open

    def _take(self, painted: str) -> None:
        """Escapes are taken out once, not again at each look."""
        self._painted.append(painted)
        self._begun += painted
        begun = _BEGUN.search(self._begun)
        whole = begun.start() if begun else len(self._begun)
        self._plain += _ESCAPE.sub(" ", self._begun[:whole])
        self._begun = self._begun[whole:]

    def until(self, condition: Callable[[], Any], what: str = "") -> None:
        """Keep reading until something is so: a program whose output nothing reads stands still."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"waited in vain for {what}; painted so far:\n{self.text[-3000:]}"
            self.read()

    def until_painted(self, pattern: str) -> None:
        looked_through = 0

        def is_painted() -> bool:
            nonlocal looked_through
            found = re.search(pattern, self._text_from(looked_through))
            looked_through = max(0, len(self._plain) - _LONGEST_SIGN)
            return found is not None

        self.until(is_painted, f"{pattern!r}")

    def quit(self) -> int:
        """Press q, and y if it asks because the game is still running. The exit status."""
        self.forget()
        self.press("q")
        self.until(lambda: self.process.poll() is not None or "Leave the game?" in self.text, "the screen to leave")
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

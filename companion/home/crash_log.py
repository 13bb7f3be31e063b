"""The log of crashes: where our own mistakes happened, and when. It holds no values, so it can be sent to us.

It also takes the errors that no code catches: those of threads, of tasks that are not awaited, and what libraries log.
Python would print them with the values in them, which may be secret. A thread writes the log, so that the event loop
does not wait for a slow SD card.
"""

import atexit
import logging
import queue
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from companion import __version__
from companion.crash import account
from companion.errors import UsageError
from companion.files import changing, load_end, make_folder, store
from companion.home.paths import crashes_path

KEPT = 64 * 1024
"""How many bytes of earlier accounts are kept."""
SAME_S = 60.0
"""The same account is written once in this time."""
MOST, WITHIN_S = 20, 3600.0
"""At most so many accounts are written in this time."""
_STAMP = "%Y-%m-%d %H:%M:%S%z"
_ENTRY = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}) companion \S+\n(.*)$", re.MULTILINE)


class _Written(NamedTuple):
    age_s: float
    first_line: str


def note(account: str) -> bool:
    """Append an account to the log, unless the same was written a moment ago. Returns whether it is in the log now."""
    now = datetime.now().astimezone()
    try:
        path = crashes_path()
        make_folder(path.parent, 0o700)
        with changing(path.parent):
            earlier = ""
            with suppress(FileNotFoundError):
                earlier = load_end(path, KEPT).decode(errors="replace")
            lately = [each for each in _written(earlier, now) if 0 <= each.age_s < WITHIN_S]
            first_line = account.partition("\n")[0]
            if any(each.first_line == first_line and each.age_s < SAME_S for each in lately):
                return True
            if len(lately) >= MOST:
                return False
            store(path, f"{earlier}{now:{_STAMP}} companion {__version__}\n{account}\n\n")
    except (OSError, ValueError, UsageError):  # UsageError: this user has no home
        return False
    return True


def _written(log: str, now: datetime) -> Iterator[_Written]:
    for stamp, first_line in _ENTRY.findall(log):
        with suppress(ValueError):
            yield _Written((now - datetime.fromisoformat(stamp)).total_seconds(), first_line)


# --- Errors that no code catches ------------------------------------------------------------------------------

WAITING = 20
"""How many accounts may wait to be written. More are dropped: `note` would not write them anyway."""
LAST_S = 2.0
"""How long a process that ends may take to write the last accounts."""


def keep_values_out() -> None:
    """From now on, errors that no code catches go to the log of crashes without their values."""
    sys.excepthook = lambda _kind, error, _trace: _note(error)
    sys.unraisablehook = lambda failed: _note(failed.exc_value)
    threading.excepthook = lambda failed: _note(failed.exc_value)
    logging.lastResort = _Accounts(logging.WARNING)


def _note(error: BaseException | None) -> None:
    if error is not None and not isinstance(error, SystemExit):
        _writer.put(account(error))


class _Accounts(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        """Keep the logger and the line, not the message: asyncio quotes callbacks with their arguments."""
        said = f"{record.levelname} of {record.name}, {record.filename}:{record.lineno}"
        error = record.exc_info[1] if record.exc_info else None
        _writer.put(f"{said}: {account(error)}" if error else said)


class _Writer:
    """A thread that starts with the first account and ends with the process."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[str | None] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None

    def put(self, text: str) -> None:
        """Returns at once."""
        if self._thread is None:
            thread = threading.Thread(target=self._write, daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the process is ending
                note(text)
                return
            self._thread = thread
            atexit.register(self.finish)
        with suppress(queue.Full):  # then the log has enough of them
            self._waiting.put_nowait(text)

    def finish(self) -> None:
        """Write the waiting accounts, if that does not take long."""
        if self._thread is not None:
            try:
                self._waiting.put(None, timeout=LAST_S)
            except queue.Full:
                return
            self._thread.join(LAST_S)
            self._thread = None

    def _write(self) -> None:
        while (text := self._waiting.get()) is not None:
            note(text)


_writer = _Writer()

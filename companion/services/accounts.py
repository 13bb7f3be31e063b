"""Where nobody catches an error: in a thread, in a task that nobody waits for, in what a library logs.

Python and its libraries would print it, with its text and the values in it. Ours is an account in the log of crashes.
"""

import logging
import sys
import threading

from companion.crash import account
from companion.home.crashes import note


def keep_values_out() -> None:
    """From now on, in this process."""
    sys.excepthook = lambda _kind, error, _trace: _note(error)
    sys.unraisablehook = lambda failed: _note(failed.exc_value)
    threading.excepthook = lambda failed: _note(failed.exc_value)
    logging.lastResort = _Accounts(logging.WARNING)


def _note(error: BaseException | None) -> None:
    if error is not None and not isinstance(error, SystemExit):
        note(account(error))


class _Accounts(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        """Who logged something, and where, but not what: asyncio's messages quote callbacks with their arguments."""
        said = f"{record.levelname} of {record.name}, {record.filename}:{record.lineno}"
        error = record.exc_info[1] if record.exc_info else None
        note(f"{said}\n{account(error)}" if error else said)

"""One writer for each evening: an advisory lock on the journal itself, whatever it is called."""

import os
import re
from contextlib import suppress
from pathlib import Path

from companion.errors import JournalError
from companion.files import lock

LOCKS = Path("/proc/locks")
_ours: dict[tuple[int, int], int] = {}
"""What this process has locked, by device and inode, and the open descriptor for it. Trying a file again would open it
again, and closing any descriptor of an SQLite file drops SQLite's own locks on it."""


class WriterLock:
    """Held for the life of a Journal. The kernel releases it when the process dies, however it dies.

    A link, a second name or a name that was removed meanwhile leads to the same file, and so to the same lock. (SQLite
    locks the same file in another way, by `fcntl`; `flock` does not meet it.)
    """

    def __init__(self, journal: Path) -> None:
        """Raises JournalError when another process holds the lock, OSError when the file cannot be opened."""
        while True:
            self._file = _identity(journal)
            if self._file in _ours:
                raise _played(journal, str(os.getpid()))
            self._descriptor = _locked(journal)
            if _identity(journal) == self._file == _identity(self._descriptor):
                _ours[self._file] = self._descriptor
                return
            os.close(self._descriptor)  # another process put a different file there as we opened it

    def is_on(self, journal: Path) -> bool:
        """Whether this is still the file that is locked."""
        with suppress(OSError):
            return _identity(journal) == self._file
        return False

    def release(self) -> None:
        """Idempotent. Only when SQLite has closed the file: see `_ours`."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            _ours.pop(self._file, None)


def descriptor_of(journal: Path) -> int | None:
    """The descriptor through which this process may read the journal that it plays; None if it plays another or none.
    Raises OSError."""
    return _ours.get(_identity(journal))


def holders() -> dict[int, str]:
    """Inode → the process that has locked it, for all locks on files. The kernel's list is read: trying the lock
    ourselves could block a referee that starts at this moment."""
    with suppress(OSError):
        found = re.findall(r"FLOCK +\w+ +\w+ +(-?\d+) \w+:\w+:(\d+) ", LOCKS.read_text(encoding="ascii"))
        return {int(inode): process for process, inode in found}
    return {}


def holder(journal: Path) -> str:
    """The process that plays this journal; "" if there is none, or if the system does not say."""
    with suppress(OSError):
        return holders().get(journal.stat().st_ino, "")
    return ""


def _locked(journal: Path) -> int:
    descriptor = os.open(journal, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not lock(descriptor):
            raise _played(journal, holder(journal) or "unknown")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _identity(file: Path | int) -> tuple[int, int]:
    found = os.fstat(file) if isinstance(file, int) else file.stat()
    return found.st_dev, found.st_ino


def _played(journal: Path, process: str) -> JournalError:
    return JournalError(f"{journal}: this evening is being played by another referee (process {process})")

"""One writer per evening: an advisory lock on a file beside the journal."""

import fcntl
import os
from pathlib import Path

from companion.errors import JournalError


class WriterLock:
    """Held for the life of a Journal. The kernel releases it when the process dies, however it dies.

    A sidecar, not the journal itself: closing any descriptor of an SQLite file drops SQLite's own locks on it.
    """

    def __init__(self, journal: Path) -> None:
        """Raises JournalError when another process holds the lock, OSError when there can be no lock file."""
        self.path = journal.with_name(journal.name + ".lock")
        self._descriptor: int | None = self._take(journal)
        try:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)
        except OSError:
            self.release()
            raise

    def _take(self, journal: Path) -> int:
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(descriptor, self.path):
                    return descriptor
            except BlockingIOError:
                holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
                os.close(descriptor)
                raise JournalError(
                    f"{journal}: this evening is being played by another referee (process {holder})"
                ) from None
            os.close(descriptor)

    def release(self) -> None:
        """Idempotent. The file goes first, while it is still locked: see `_is_at`."""
        if self._descriptor is not None:
            self.path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether this lock file is still the one at its path: its last holder may have removed it as we opened it."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False

"""The time of day, on a computer that may not know it: most Pis have no real-time clock.

Without a network such a Pi starts with the time at which it was switched off, or earlier. Then the clock of the table
continues from the newest entry or file that it knows. As soon as the system's clock is set, it is used again.
"""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
"""Exists if the clock was set over the network since the computer started."""
FAR = 4_102_444_800.0
"""The year 2100. Later times are wrong and are ignored."""


class TableClock:
    """Unix time in seconds. Never earlier than `newest`, unless the system's clock is known to be right."""

    def __init__(
        self,
        newest: float,
        *,
        says: Callable[[], float] = time.time,
        passes: Callable[[], float] = time.monotonic,
        is_right: Callable[[], bool] = SYNCHRONISED.exists,
    ) -> None:
        self._newest, self._says, self._passes, self._is_right = newest, says, passes, is_right
        self._began = passes()

    def now(self) -> float:
        said = self._says()
        if said >= self._newest or self._is_right():
            return said
        return max(said, self._newest + self._passes() - self._began)


def newest_known(folder: Path) -> float:
    """The newest modification time of a file in this folder; 0 if there is none."""
    try:
        return newest(map(_written_at, folder.iterdir()))
    except OSError:
        return 0.0


def _written_at(path: Path) -> float:
    with suppress(OSError):  # it was removed meanwhile
        if path.is_file():
            return path.stat().st_mtime
    return 0.0


def newest(times: Iterable[float]) -> float:
    """The newest plausible time; 0 if there is none."""
    return max((at for at in times if 0.0 < at < FAR), default=0.0)

"""The time of day, on a computer that may not know it: most Pis have no clock of their own.

Without a network such a Pi begins where it was switched off, or in the past. Then an evening is dated by the newest
thing that the table knows, and goes on from there. As soon as the clock is set, it is believed again.
"""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
"""Is there when the clock was set over the network since the computer started."""
FAR = 4_102_444_800.0
"""The year 2100. Whatever says that it is of a later time is not believed."""


class TableClock:
    """Unix time in seconds. Never before the newest thing that is known, unless the clock is known to be right."""

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
    """When a file in a folder was last written, as the computer dates it; 0 where there is none."""
    try:
        return newest(map(_written_at, folder.iterdir()))
    except OSError:
        return 0.0


def _written_at(path: Path) -> float:
    with suppress(OSError):  # gone again
        if path.is_file():
            return path.stat().st_mtime
    return 0.0


def newest(times: Iterable[float]) -> float:
    """Of those that can be believed; 0 where there is none."""
    return max((at for at in times if 0.0 < at < FAR), default=0.0)

"""The log of our own mistakes: where each happened, and when. It may be sent to anybody, for it holds no values.

A mistake may happen a thousand times a second, in one process or in one that is started again and again. The log itself
says what was written lately, so all of them keep to one limit.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from companion import __version__
from companion.files import changing, load_end, make_folder, store
from companion.home.paths import crashes_path

KEPT = 64 * 1024
"""Bytes of earlier accounts that are kept."""
SAME_S = 60.0
"""How long an account that is like an earlier one is not written again."""
MOST, WITHIN_S = 20, 3600.0
"""No more accounts than this are written within this time, however they differ."""
_STAMP = "%Y-%m-%d %H:%M:%S%z"
_ENTRY = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}) companion \S+\n(.*)$", re.MULTILINE)


class _Written(NamedTuple):
    age_s: float
    first_line: str


def note(account: str) -> bool:
    """Write an account down, after the earlier ones, unless the like was written a moment ago. Whether it is in the
    log now."""
    path = crashes_path()
    now = datetime.now().astimezone()
    try:
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
    except (OSError, ValueError):
        return False
    return True


def _written(log: str, now: datetime) -> Iterator[_Written]:
    for stamp, first_line in _ENTRY.findall(log):
        with suppress(ValueError):
            yield _Written((now - datetime.fromisoformat(stamp)).total_seconds(), first_line)

"""The log of our own mistakes: where each happened, and when. It may be sent to anybody, for it holds no values."""

from contextlib import suppress
from datetime import datetime

from companion import __version__
from companion.files import changing, load_end, make_folder, store
from companion.home.paths import crashes_path

KEPT = 64 * 1024
"""Bytes of earlier accounts that are kept."""


def note(account: str) -> bool:
    """Write an account down, after the earlier ones. Whether that was possible."""
    path = crashes_path()
    try:
        make_folder(path.parent, 0o700)
        with changing(path.parent):
            earlier = ""
            with suppress(FileNotFoundError):
                earlier = load_end(path, KEPT).decode(errors="replace")
            now = f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S%z}"
            store(path, f"{earlier}{now} companion {__version__}\n{account}\n\n")
    except (OSError, ValueError):
        return False
    return True

"""Where trials take place."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def quick_place() -> str | None:
    """In memory, if there is such a place: what is looked at is what was called, and not a real disk."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


@contextmanager
def at_home(home: Path) -> Iterator[None]:
    """While this lasts, the owner's files lie there, also for processes that are started."""
    before = {name: os.environ.pop(name, None) for name in ("COMPANION_HOME", "XDG_RUNTIME_DIR")}
    os.environ["COMPANION_HOME"] = str(home)
    try:
        yield
    finally:
        del os.environ["COMPANION_HOME"]
        os.environ.update({name: value for name, value in before.items() if value is not None})

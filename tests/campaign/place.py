"""Where trials take place."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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

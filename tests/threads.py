"""Threads that were started since, and are to have ended."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

PATIENCE_S = 30.0
"""On a machine that is busy elsewhere a thread that has nothing left to do may take a while to end."""


@contextmanager
def none_left_behind() -> Iterator[None]:
    """What ran before, of other tests in this process, does not matter here."""
    before = set(threading.enumerate())
    yield
    running = still_running(set(threading.enumerate()) - before)
    assert not running, f"still running: {', '.join(running)}"


def still_running(threads: Iterable[threading.Thread]) -> list[str]:
    names = []
    for thread in threads:
        thread.join(PATIENCE_S)
        names += [thread.name] if thread.is_alive() else []
    return names

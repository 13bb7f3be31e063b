"""What a test opens and leaves open is closed when it has ended: a journal, say, whose referee is still at work."""

from collections.abc import Callable

_to_close: list[Callable[[], None]] = []


def at_the_end(close: Callable[[], None]) -> None:
    """Of the test that is under way, whatever comes of it. The newest is closed first."""
    _to_close.append(close)


def close_all() -> None:
    while _to_close:
        _to_close.pop()()

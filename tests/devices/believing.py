"""What is believed of a station after all that its reader has told."""

from collections.abc import Iterable
from typing import Any

from companion.table.signals import LinkUp, ReaderFault, TagFound, TagPlaced, TagRemoved


def believed(signals: Iterable[Any]) -> set[str]:
    """The tags on the reader, by its signals. No tag is placed twice, and none is removed that was not there."""
    lying: set[str] = set()
    for signal in signals:
        match signal:
            case TagFound(_, _, uid) | TagPlaced(_, _, uid):
                assert uid not in lying, f"{uid} was placed twice"
                lying.add(uid)
            case TagRemoved(_, _, uid):
                assert uid in lying, f"{uid} was removed twice"
                lying.remove(uid)
    return lying


def is_ready(signals: Iterable[Any]) -> bool:
    states = [signal for signal in signals if isinstance(signal, LinkUp | ReaderFault)]
    return bool(states) and isinstance(states[-1], LinkUp)

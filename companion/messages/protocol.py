"""What the referee and its screens send each other, as JSON Lines."""

from functools import reduce
from operator import or_
from typing import Any, TypeAlias

from msgspec import Struct

from companion.gamekit.snapshot import (
    Before,
    EarlierGame,
    EarlierLines,
    OwnView,
    Past,
    PieceRead,
    SetTable,
    Snapshot,
    Thoughts,
    Told,
)
from companion.messages.intentions import INQUIRIES, INTENTIONS, Inquiry, Intention

PROTOCOL = 11
"""Raised with every change that an older screen or referee could not read."""


class Reply(Struct, frozen=True, tag_field="is", tag="reply"):
    """The answer to the intention with this id. It comes before the snapshot that shows the effect."""

    id: str
    told: Told


class Fault(Struct, frozen=True, tag_field="is", tag="fault"):
    """The referee could not read a screen's message; this says why."""

    message: str


class ScreenHello(Struct, frozen=True, tag_field="is", tag="hello"):
    """A screen's first message."""

    protocol: int


Knowledge: TypeAlias = OwnView | PieceRead | Past | Before | SetTable | EarlierLines | EarlierGame | Thoughts
"""The answer to an inquiry."""
FromReferee: TypeAlias = Snapshot | Reply | Fault | Knowledge
FromScreen: TypeAlias = ScreenHello | Intention | Inquiry[Any]
FROM_SCREEN: Any = reduce(or_, (*INTENTIONS, *INQUIRIES), ScreenHello)
"""The same, kind by kind: what a decoder needs to know."""

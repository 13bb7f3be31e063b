"""What travels over the link between the referee and its screens, as JSON Lines."""

from typing import TypeAlias

from msgspec import Struct

from companion.gamekit.snapshot import Before, OwnView, Past, Snapshot, Told
from companion.messages.intentions import Inquiry, Intention

PROTOCOL = 10
"""Raised with every change that an older screen or referee could not read."""


class Reply(Struct, frozen=True, tag_field="is", tag="reply"):
    """The answer to the intention of this id. It comes before the snapshot that shows the effect."""

    id: str
    told: Told


class Fault(Struct, frozen=True, tag_field="is", tag="fault"):
    """The referee could not read what a screen sent, and says why."""

    message: str


class ScreenHello(Struct, frozen=True, tag_field="is", tag="hello"):
    """The first thing a screen says."""

    protocol: int


Knowledge: TypeAlias = OwnView | Past | Before
"""What answers an inquiry."""
FromReferee: TypeAlias = Snapshot | Reply | Fault | Knowledge
FromScreen: TypeAlias = ScreenHello | Intention | Inquiry

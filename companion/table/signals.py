"""Signals: what devices report. They know stations, tags and pins, and nothing of games.

A station is a place with a reader or buttons: see `companion/stations.py`.
"""

from typing import TypeAlias

from msgspec import Struct


class TagPlaced(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    uid: str
    """All bytes of the UID, hexadecimal, capitals: "04A1B2C3D4E5F6"."""
    id: str = ""
    """Names this very event, so that one that is sent again after a crash is known; "" if the device cannot."""


class TagIntroduced(Struct, frozen=True, tag=True):
    """A tag carries a text. It comes before the tag itself, so that somebody who has never seen it may know it then."""

    station: str
    at_ms: int
    uid: str
    text: str
    id: str = ""


class TagFound(Struct, frozen=True, tag=True):
    """A tag lies there, and nobody knows since when: the reader has only just been connected, or has come back."""

    station: str
    at_ms: int
    uid: str
    id: str = ""


class TagRemoved(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    uid: str
    id: str = ""


class TagsUnclear(Struct, frozen=True, tag=True):
    """Something lies there, but too many tags, or too close, to tell which. What was known before still counts."""

    station: str
    at_ms: int
    id: str = ""


class Pressed(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    button: str
    """"green" or "red"."""
    id: str = ""


class Held(Struct, frozen=True, tag=True):
    """A button was held for two seconds. Its `Pressed` did not come before: a press is told on release."""

    station: str
    at_ms: int
    button: str
    id: str = ""


class Missed(Struct, frozen=True, tag=True):
    """Something was pressed or laid while the station was away, too long ago to count: it has to be done again."""

    station: str
    at_ms: int
    id: str = ""


class ReaderFault(Struct, frozen=True, tag=True):
    """A reader does not answer. Never a removal: what lay there may still lie there."""

    station: str
    at_ms: int
    problem: str
    id: str = ""


class Connecting(Struct, frozen=True, tag=True):
    """The station is being looked for, for the first time or again. Until it is ready nothing it says is believed."""

    station: str
    at_ms: int
    id: str = ""


class LinkUp(Struct, frozen=True, tag=True):
    """The station is ready: all that lies there has been told."""

    station: str
    at_ms: int
    id: str = ""


class LinkDown(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    problem: str
    id: str = ""


class Remarked(Struct, frozen=True, tag=True):
    """Something that people should know about a device that works: it has restarted, or is an odd copy."""

    station: str
    at_ms: int
    problem: str
    id: str = ""


Signal: TypeAlias = (
    TagPlaced
    | TagIntroduced
    | TagFound
    | TagRemoved
    | TagsUnclear
    | Pressed
    | Held
    | Missed
    | ReaderFault
    | Connecting
    | LinkUp
    | LinkDown
    | Remarked
)

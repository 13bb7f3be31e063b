"""Signals: what devices report. Devices know stations, tags and pins, and nothing of games.

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
    """Identifies this event, so that it counts once when it is sent again after a crash; "" if the device cannot."""


class TagTapped(Struct, frozen=True, tag=True):
    """A phone has touched a tag. It says nothing about where the tag is now: a phone sees no tag leave."""

    station: str
    at_ms: int
    uid: str
    id: str = ""


class TagIntroduced(Struct, frozen=True, tag=True):
    """The text on a tag. It comes before the tag itself, so that an unknown tag is known by then."""

    station: str
    at_ms: int
    uid: str
    text: str
    id: str = ""


class TagFound(Struct, frozen=True, tag=True):
    """A tag is there, since when is unknown: the reader has just been connected, or has come back."""

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
    """Too many tags, or too close together, to tell them apart. What was known before still counts."""

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
    """A button was held for two seconds. No `Pressed` came before it: a press is reported on release."""

    station: str
    at_ms: int
    button: str
    id: str = ""


class Missed(Struct, frozen=True, tag=True):
    """A button was pressed or a tag placed while the station was away, too long ago to count: players do it again."""

    station: str
    at_ms: int
    id: str = ""


class ReaderFault(Struct, frozen=True, tag=True):
    """A reader does not answer. This is never a removal: tags may still be there."""

    station: str
    at_ms: int
    problem: str
    id: str = ""


class Connecting(Struct, frozen=True, tag=True):
    """The station is being searched for. Until it is ready, nothing it reports counts."""

    station: str
    at_ms: int
    id: str = ""


class LinkUp(Struct, frozen=True, tag=True):
    """The station is ready: it has reported all tags on it."""

    station: str
    at_ms: int
    id: str = ""


class LinkDown(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    problem: str
    id: str = ""


class Remarked(Struct, frozen=True, tag=True):
    """Something players should know about a device that works: it has restarted, or is an odd clone."""

    station: str
    at_ms: int
    problem: str
    id: str = ""


Signal: TypeAlias = (
    TagPlaced
    | TagTapped
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

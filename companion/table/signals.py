"""Signals: what devices report. They know stations, tags and pins, and nothing of games.

A station is a place with a reader or buttons: "centre", or "pad0" … "pad4".
"""

from typing import TypeAlias

from msgspec import Struct

CENTRE = "centre"


class TagPlaced(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    uid: str
    """All bytes of the UID, hexadecimal, capitals: "04A1B2C3D4E5F6"."""
    id: str = ""
    """Names this very event, so that one that is sent again after a crash is known; "" if the device cannot."""


class TagRemoved(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    uid: str
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


class ReaderFault(Struct, frozen=True, tag=True):
    """A reader does not answer. Never a removal: what lay there may still lie there."""

    station: str
    at_ms: int
    problem: str
    id: str = ""


class LinkUp(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    id: str = ""


class LinkDown(Struct, frozen=True, tag=True):
    station: str
    at_ms: int
    problem: str
    id: str = ""


Signal: TypeAlias = TagPlaced | TagRemoved | Pressed | Held | ReaderFault | LinkUp | LinkDown

"""What can be done to an emulated satellite in a process of its own, and what it shows: JSON, line by line."""

from typing import Any, TypeAlias

from msgspec import Struct


class Lay(Struct, frozen=True, tag_field="do", tag="lay"):
    pad: int
    uid: str


class Lift(Struct, frozen=True, tag_field="do", tag="lift"):
    pad: int
    uid: str


class Press(Struct, frozen=True, tag_field="do", tag="press"):
    pad: int
    button: str
    for_ms: float


class Misbehave(Struct, frozen=True, tag_field="do", tag="misbehave"):
    """Switch a fault of a reader on or off, by its name in `companion/simulation/faults.py`."""

    pad: int
    fault: str
    value: Any


class Reset(Struct, frozen=True, tag_field="do", tag="reset"):
    """The reset button of the board."""


Deed: TypeAlias = Lay | Lift | Press | Misbehave | Reset


class Ready(Struct, frozen=True, tag_field="is", tag="ready"):
    """The first thing that is said: where the satellite's USB line is."""

    port: str


class Shown(Struct, frozen=True, tag_field="is", tag="shown"):
    """What can be seen and heard has changed."""

    lamps: tuple[bool, ...]
    buzzes: bool


class Failed(Struct, frozen=True, tag_field="is", tag="failed"):
    """The emulation has ended."""

    problem: str


Report: TypeAlias = Ready | Shown | Failed

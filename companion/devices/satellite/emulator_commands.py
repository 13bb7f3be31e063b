"""What can be done to an emulated satellite in a process of its own, and what it shows: JSON, line by line."""

from typing import TypeAlias

from msgspec import Struct

FAULTS: dict[str, float] = {
    "gone": 0x00,
    "stuck": 0x00,
    "hung": True,
    "garbled": True,
    "colliding": True,
    "muffled": True,
    "stubborn": True,
    "sparks": 0.002,
    "unpowered": True,
}
"""What can be wrong with a reader on the emulated bus (see faults.py), and how that is switched on."""
WELL = "well"


class LayTag(Struct, frozen=True, tag_field="do", tag="lay"):
    pad: int
    uid: str


class LiftTag(Struct, frozen=True, tag_field="do", tag="lift"):
    pad: int
    uid: str


class PressButton(Struct, frozen=True, tag_field="do", tag="press"):
    pad: int
    button: str
    for_ms: float


class Spoil(Struct, frozen=True, tag_field="do", tag="spoil"):
    """Let a reader go wrong, one of FAULTS, or WELL again."""

    pad: int
    fault: str


class Jam(Struct, frozen=True, tag_field="do", tag="jam"):
    """A button stays down, or comes up again."""

    pad: int
    button: str
    down: bool


class Disturb(Struct, frozen=True, tag_field="do", tag="disturb"):
    """This share of the bytes on the wire, in both directions, has one bit flipped."""

    flipped: float


class Reset(Struct, frozen=True, tag_field="do", tag="reset"):
    """The reset button of the board."""


class Hang(Struct, frozen=True, tag_field="do", tag="hang"):
    """The program hangs, until its watchdog restarts it."""


class Unplug(Struct, frozen=True, tag_field="do", tag="unplug"):
    """Its USB cable is pulled; that is its power, too."""


class Plug(Struct, frozen=True, tag_field="do", tag="plug"):
    pass


BoardDeed: TypeAlias = LayTag | LiftTag | PressButton | Spoil | Jam | Disturb | Reset | Hang | Unplug | Plug


class Ready(Struct, frozen=True, tag_field="is", tag="ready"):
    """The first thing that is said: it is plugged in."""


class Outputs(Struct, frozen=True, tag_field="is", tag="shown"):
    """What can be seen and heard has changed."""

    lamps: tuple[bool, ...]
    buzzes: bool


class EmulationEnded(Struct, frozen=True, tag_field="is", tag="failed"):
    """The emulation has ended."""

    problem: str


BoardReport: TypeAlias = Ready | Outputs | EmulationEnded

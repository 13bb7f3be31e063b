"""How long it takes. No kit has been built yet: each number here is a guess, and the pages say so.

If you build one, please write the hours into docs/acceptance.md; then these numbers can be corrected.
"""

from typing import NamedTuple

from hardware.harness.cables import kit_one_wires
from hardware.pages.sources import PADS, joints

JOINT_MIN = 1.0
"""A leg: part put in, soldered, looked at, cut off."""
WIRE_MIN = 2.0
"""A jumper wire, from the list to both its ends."""
PLUG_MIN = 3.0
"""Pressed onto a flat cable."""
MEASURE_MIN = 3.0
BOX_MIN = 15.0
"""Put together and screwed up."""
PROGRAM_MIN = 10.0
"""Installed or flashed, configured, and the doctor asked."""
PI_MIN = 45.0
"""A Pi's card written, its first start, and the same."""


class Work(NamedTuple):
    what: str
    number: int
    each_min: float

    def __str__(self) -> str:
        return (
            f"{self.number} {self.what} ({self.each_min:g} min each)"
            if self.number > 1
            else f"{self.what} ({self.each_min:g} min)"
        )


PROGRAM = Work("the program", 1, PROGRAM_MIN)


def laptop() -> list[Work]:
    return [PROGRAM]


def kit_one(measures: int) -> list[Work]:
    return [
        Work("joints", joints("kit-one"), JOINT_MIN),
        Work("wires", len(kit_one_wires()), WIRE_MIN),
        Work("things to measure", measures, MEASURE_MIN),
        Work("the box", 1, BOX_MIN),
        Work("the Pi with its program", 1, PI_MIN),
    ]


def full_kit(measures: int) -> list[Work]:
    """The satellite and all pads, without the centre."""
    return [
        Work("joints", joints("satellite") + PADS * joints("pad"), JOINT_MIN),
        Work("plugs on cables", 2 * PADS, PLUG_MIN),
        Work("things to measure", measures * PADS, MEASURE_MIN),
        Work("boxes", PADS + 1, BOX_MIN),
        Work("programs, the Nano's and the table's", 2, PROGRAM_MIN),
    ]


def about(works: list[Work]) -> str:
    """Up to an hour in minutes, then in half hours, rounded up."""
    minutes = sum(each.number * each.each_min for each in works)
    if minutes <= 60:
        return f"about {minutes:.0f} minutes"
    return f"about {-(-minutes // 30) / 2:g} hours"


def told(works: list[Work]) -> str:
    """The sentence of a page."""
    return f"Time: {about(works)}. A guess, not measured: {', '.join(map(str, works))}. Printing boxes is not counted."

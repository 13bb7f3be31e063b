"""How much room each part takes: its outline and its height, from its data sheet, for boards, perfboards and boxes.

Outlines are rectangles in millimetres around leg 1, as KiCad draws the part without turning it (x right, y down).
Heights go up from the board. What sits in a socket is measured with its socket.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hardware.dimensions import (
    BOARD_THICKNESS,
    BUZZER_HEIGHT,
    NANO_TOP,
    READER_SIZE,
    READER_SOCKET_HEIGHT,
    READER_TALLEST_PART,
    READER_TOP,
    Rectangle,
)

PLASTIC = 2.5
"""Of a pin header, between the socket and the module."""


class Body(NamedTuple):
    outline: Rectangle
    top: float
    bottom: float = 0.0
    """What is below may have something else: a module stands on its socket."""


class Placed(NamedTuple):
    """A body on a board."""

    ref: str
    left: float
    top: float
    right: float
    bottom: float
    low: float
    high: float


def _around(x: float, y: float, width: float, height: float) -> Rectangle:
    return Rectangle(x - width / 2, y - height / 2, width, height)


_AXIAL = Body(_around(3.81, 0, 6.3, 2.5), 3.0)
_DO35 = Body(_around(3.81, 0, 4.25, 1.9), 2.5)
_CERAMIC = Body(_around(2.5, 0, 5.1, 3.2), 9.0)
_ELECTROLYTIC = Body(_around(1, 0, 5.0, 5.0), 12.0)

BODIES: dict[str, tuple[Body, ...]] = {
    **{f"MFR-25FBF52-{ohms}": (_AXIAL,) for ohms in ("100R", "330R", "470R", "680R", "1K", "2K2", "8K2")},
    "4606X-101-103LF": (Body(_around(6.35, 0, 15.1, 2.5), 6.0),),
    "C320C104K5R5TA": (_CERAMIC,),
    "C320C105K5R5TA": (_CERAMIC,),
    "ECA-1HM100": (_ELECTROLYTIC,),
    "ECA-1EM470": (_ELECTROLYTIC,),
    "MF-R110": (Body(_around(2.55, 0.6, 13.0, 3.0), 18.5),),
    "BAT85-TAP": (_DO35,),
    "1N4148": (_DO35,),
    "WP7113YD": (Body(_around(1.27, 0, 5.9, 5.9), 20.0),),  # on long legs, up to the lid
    "WP710A10LGD": (Body(_around(1.27, 0, 3.8, 3.8), 8.0),),
    "BC33740TA": (Body(Rectangle(0.0, -2.6, 5.2, 4.4), 10.0),),
    "MCP1826S-3302E/AB": (Body(Rectangle(-2.8, -3.4, 10.7, 4.7), 20.0),),
    "SN74LVC245AN": (Body(_around(3.81, 11.43, 10.2, 25.5), 8.6),),
    "CD74HCT125E": (Body(_around(3.81, 7.62, 10.2, 17.9), 8.6),),
    "A000005": (  # its board, and the USB socket that stands out over the end
        Body(Rectangle(-1.4, -3.8, 18.0, 43.2), NANO_TOP + 2),
        Body(Rectangle(3.7, 32.7, 7.8, 9.2), NANO_TOP + 4, NANO_TOP),
    ),
    "RFID-RC522 (MFRC522), 60 × 39.5 mm": (
        Body(_around(0, 8.89, 2.5, 20.4), READER_SOCKET_HEIGHT + PLASTIC),
        Body(
            Rectangle(-2, 8.89 - READER_SIZE[1] / 2, *READER_SIZE),
            READER_TOP + READER_TALLEST_PART,
            READER_TOP - BOARD_THICKNESS,
        ),
    ),
    "61201421721": (Body(Rectangle(-1.3, -5.1, 14.6, 25.4), 9.0),),
    "USB-B1HSB6": (Body(Rectangle(-1.5, -4.8, 16.5, 12.1), 11.0),),
    "CMI-1295IC-0585T": (Body(_around(3.8, 0, 12.0, 12.0), BUZZER_HEIGHT),),
    "B3F-4055": (Body(_around(6.25, 2.5, 12.0, 12.0), 7.3),),
    "–": (),
}
"""Part number → its bodies. A test point is a bare hole."""


def turned(outline: Rectangle, x: float, y: float, degrees: float) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an outline whose leg 1 is at x, y, turned against the clock."""
    angle = math.radians(degrees)
    corners = [
        (dx * math.cos(angle) + dy * math.sin(angle), -dx * math.sin(angle) + dy * math.cos(angle))
        for dx in (outline.x, outline.right)
        for dy in (outline.y, outline.bottom)
    ]
    xs, ys = [x + dx for dx, _ in corners], [y + dy for _, dy in corners]
    return min(xs), min(ys), max(xs), max(ys)


def placed(ref: str, bodies: Iterable[Body], x: float, y: float, degrees: float) -> Iterator[Placed]:
    for body in bodies:
        yield Placed(ref, *turned(body.outline, x, y, degrees), body.bottom, body.top)


def collisions(bodies: Iterable[Placed]) -> list[str]:
    """Which two parts would be in the same place. Touching is allowed."""
    every = list(bodies)
    least = 1e-6
    wrong = []
    for index, one in enumerate(every):
        for other in every[index + 1 :]:
            over = min(one.right, other.right) - max(one.left, other.left)
            along = min(one.bottom, other.bottom) - max(one.top, other.top)
            up = min(one.high, other.high) - max(one.low, other.low)
            if one.ref != other.ref and min(over, along, up) > least:
                wrong.append(f"{one.ref} and {other.ref} overlap by {over:.1f} × {along:.1f} mm")
    return wrong

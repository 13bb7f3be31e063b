"""Legs on holes, 2.54 mm apart. Columns are numbered from the left, rows from the top, seen from the parts' side.

Two parts are others than on the printed boards: plugs stand upright, and instead of the USB socket a USB cable is cut
off, its red wire soldered to 5 V, its black one to ground.
"""

from typing import NamedTuple

from hardware.circuits.catalogue import GATES, NANO, SHIFTER
from hardware.circuits.netlist import Leg, Netlist

PITCH = 2.54
"""From hole to hole, in millimetres."""


class Hole(NamedTuple):
    column: int
    row: int

    @property
    def name(self) -> str:
        return f"{self.column}/{self.row}"


class Wire(NamedTuple):
    net: str
    start: Hole
    end: Hole


def _chip(legs: int, apart: int) -> dict[str, Hole]:
    half = legs // 2
    left = {str(leg): Hole(0, leg - 1) for leg in range(1, half + 1)}
    return left | {str(leg): Hole(apart, legs - leg) for leg in range(half + 1, legs + 1)}


def _row(legs: int, step: int = 1) -> dict[str, Hole]:
    return {str(leg): Hole((leg - 1) * step, 0) for leg in range(1, legs + 1)}


LEGS: dict[str, dict[str, Hole]] = {
    "R": _row(2, 3),
    "D": _row(2, 3),
    "BZ": _row(2, 3),
    "C": _row(2, 2),
    "CP": _row(2),
    "LED": _row(2),
    "RN": _row(6),
    "Q": _row(3),
    "LDO": _row(3),
    "TP": _row(1),
    "RC522": _row(8),
    "USB_B": {"1": Hole(0, 0), "4": Hole(1, 0), "5": Hole(2, 0)},
    "IDC": {str(wire): Hole((wire - 1) // 2, 1 - (wire - 1) % 2) for wire in range(1, 15)},
    "SW": {"1": Hole(0, 0), "2": Hole(0, 2)},
    SHIFTER.name: _chip(20, 3),
    GATES.name: _chip(14, 3),
    NANO.name: _chip(30, 6),
}
"""Kind → where its legs are, from leg 1. Of a button the two legs that are always connected count as one."""
ALSO = {"SW": (Hole(5, 0), Hole(5, 2))}
"""Holes that a part fills besides."""


class Sheet(NamedTuple):
    columns: int
    rows: int
    spots: dict[str, tuple[int, int, int]]
    """Part → column and row of its leg 1, and how it is turned (degrees, against the clock)."""


def _turned(hole: Hole, degrees: int) -> Hole:
    column, row = hole
    for _ in range(degrees // 90):
        column, row = row, -column
    return Hole(column, row)


def legs_of(netlist: Netlist, sheet: Sheet) -> dict[Leg, Hole]:
    found = {}
    for ref, (column, row, turned) in sheet.spots.items():
        for pin, hole in LEGS[netlist.parts[ref].kind.name].items():
            at = _turned(hole, turned)
            found[Leg(ref, pin)] = Hole(column + at.column, row + at.row)
    return found


def filled(netlist: Netlist, sheet: Sheet) -> list[Hole]:
    """Every hole with something in it."""
    holes = list(legs_of(netlist, sheet).values())
    return holes + [hole for ref in sheet.spots for hole in also_of(netlist, sheet, ref)]


def also_of(netlist: Netlist, sheet: Sheet, ref: str) -> list[Hole]:
    """The holes that a part fills besides those of its legs."""
    column, row, turned = sheet.spots[ref]
    turns = [_turned(hole, turned) for hole in ALSO.get(netlist.parts[ref].kind.name, ())]
    return [Hole(column + at.column, row + at.row) for at in turns]


def wires(netlist: Netlist, sheet: Sheet) -> list[Wire]:
    """For each net the shortest wires that connect its legs."""
    legs = legs_of(netlist, sheet)
    found = []
    for net, members in sorted(netlist.nets.items()):
        left = sorted({legs[leg] for leg in members if leg in legs})
        reached = left[:1]
        left = left[1:]
        while left:
            start, end = min(((one, other) for one in reached for other in left), key=lambda pair: _apart(*pair))
            found.append(Wire(net, start, end))
            reached.append(end)
            left.remove(end)
    return found


def _apart(one: Hole, other: Hole) -> tuple[int, Hole, Hole]:
    return (one.column - other.column) ** 2 + (one.row - other.row) ** 2, one, other


# --- Where the parts are ----------------------------------------------------------------------------------------


def _plug(pad: int) -> dict[str, tuple[int, int, int]]:
    """A plug at the edge, and behind it its five resistors."""
    first = 5 * pad + 1
    column = 2 + 12 * (pad % 3)
    if pad < 3:
        places = {f"J{pad + 1}": (column, 2, 0)}
        return places | {f"R{first + number}": (column + 2 * number, 9, 90) for number in range(5)}
    places = {f"J{pad + 1}": (column, 36, 0)}
    return places | {f"R{first + number}": (column + 2 * number, 31, 270) for number in range(5)}


SATELLITE = Sheet(
    38,
    38,
    {
        **{ref: spot for pad in range(5) for ref, spot in _plug(pad).items()},
        "U1": (8, 15, 90),
        "C1": (6, 12, 270),
        "RN1": (21, 14, 0),
        "RN2": (29, 14, 0),
        "A1": (17, 18, 270),
        "U2": (20, 23, 90),
        "C2": (28, 20, 270),
        "R28": (20, 25, 270),
        "R29": (22, 25, 270),
        "R30": (24, 25, 270),
        "R26": (26, 25, 270),
        "R27": (28, 25, 270),
        "BZ1": (31, 17, 0),
        "D2": (31, 19, 0),
        "Q1": (32, 22, 0),
        "R31": (31, 24, 0),
        "U3": (31, 29, 0),
        "C3": (28, 32, 0),
        "C4": (34, 32, 0),
        "C5": (31, 32, 0),
        "J6": (28, 35, 0),
        "R32": (32, 35, 0),
        "D1": (32, 37, 0),
        "TP1": (36, 27, 0),
        "TP2": (36, 29, 0),
        "TP3": (36, 25, 0),
    },
)
PAD = Sheet(
    34,
    13,
    {
        "U1": (32, 3, 270),  # the module lies beside the perfboard, to the right: no wire under its antenna
        "J1": (22, 2, 0),
        "SW1": (3, 6, 0),
        "SW2": (20, 6, 0),
        "D3": (14, 7, 0),
        "D1": (3, 11, 0),
        "D2": (20, 11, 0),
        "R1": (27, 9, 0),
        "C1": (27, 5, 0),
        "C2": (27, 7, 0),
    },
)
SHEETS = {"satellite": SATELLITE, "pad": PAD}

"""Legs on holes, 2.54 mm apart. Columns are numbered from the left, rows from the top, seen from the parts' side.

Two parts are others than on the printed boards: plugs stand upright, and instead of the USB socket a USB cable is cut
off, its red wire soldered to 5 V, its black one to ground.
"""

from collections.abc import Sequence
from typing import NamedTuple

from hardware.circuits import bodies
from hardware.circuits.bodies import Body
from hardware.circuits.catalogue import GATES, NANO, PLUG, POWER_SOCKET, READER, SHIFTER
from hardware.circuits.netlist import Leg, Netlist
from hardware.dimensions import PLUG_BODY, Rectangle

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
    "F": _row(2, 2),
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


OTHERS: dict[str, tuple[Body, ...]] = {
    PLUG.number: (Body(Rectangle(-5.1, -3.2, PLUG_BODY[0], PLUG_BODY[1]), 9.5),),  # upright
    POWER_SOCKET.number: (),  # the wires of a cut cable
    READER.number: (Body(Rectangle(-1.3, -1.25, 20.4, 2.5), 11.0),),  # the module lies beside the board
}
"""Part number → its bodies where they are others than on the printed boards, around its spot."""


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


def bodies_of(netlist: Netlist, sheet: Sheet) -> list[bodies.Placed]:
    """The room that each part takes, in millimetres from hole 0/0."""
    found: list[bodies.Placed] = []
    for ref, (column, row, degrees) in sheet.spots.items():
        number = netlist.parts[ref].kind.number
        own = OTHERS.get(number, bodies.BODIES.get(number, ()))
        if netlist.parts[ref].kind.name == "SW":
            own = tuple(body._replace(outline=Rectangle(0.35, -3.46, 12, 12)) for body in own)
        found += bodies.placed(ref, own, column * PITCH, row * PITCH, degrees)
    return found


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


# --- What must be so --------------------------------------------------------------------------------------------


def sheet_faults(netlist: Netlist, sheet: Sheet) -> list[str]:
    """Every part is there, each leg in a hole of its own on the board, and no two bodies are in one place."""
    wrong = [f"{ref} is on one side only" for ref in sorted(netlist.parts.keys() ^ sheet.spots.keys())]
    if wrong:
        return wrong
    holes = filled(netlist, sheet)
    wrong += [f"two legs in {hole.name}" for hole in sorted({hole for hole in holes if holes.count(hole) > 1})]
    beside = {hole for hole in holes if not (0 <= hole.column < sheet.columns and 0 <= hole.row < sheet.rows)}
    wrong += [f"{hole.name} is not on the board" for hole in sorted(beside)]
    return wrong + bodies.collisions(bodies_of(netlist, sheet))


def wire_faults(netlist: Netlist, sheet: Sheet, laid: Sequence[Wire]) -> list[str]:
    """The wires connect what the circuit connects, and nothing else."""
    legs = legs_of(netlist, sheet)
    groups: dict[Hole, frozenset[Hole]] = {hole: frozenset({hole}) for hole in legs.values()}
    for wire in laid:
        one = groups.get(wire.start, frozenset({wire.start})) | groups.get(wire.end, frozenset({wire.end}))
        groups |= dict.fromkeys(one, one)
    wrong = []
    for net, members in sorted(netlist.nets.items()):
        holes = frozenset(legs[leg] for leg in members if leg in legs)
        if any(groups[hole] != holes for hole in holes):
            wrong.append(f"{net} is not connected as in the circuit")
    return wrong


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
        "D2": (31, 20, 0),
        "Q1": (32, 22, 0),
        "R31": (31, 24, 0),
        "U3": (31, 29, 0),
        "C3": (28, 32, 0),
        "C4": (34, 32, 0),
        "C5": (31, 32, 0),
        "F1": (25, 33, 90),
        "J6": (28, 35, 0),
        "R32": (32, 35, 0),
        "D1": (32, 37, 0),
        "TP1": (36, 27, 0),
        "TP2": (36, 29, 0),
        "TP3": (36, 25, 0),
        **{f"TP{number}": (2 * number - 6, 28, 0) for number in range(4, 13)},
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
        "R2": (8, 11, 0),
        "R3": (25, 11, 0),
        "R1": (27, 10, 0),
        "C1": (27, 6, 0),
        "C2": (27, 8, 0),
    },
)
SHEETS = {"satellite": SATELLITE, "pad": PAD}

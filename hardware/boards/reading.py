"""Reads a KiCad board without KiCad: its outline, its holes, and which net each pad of each part has."""

import math
import re
from pathlib import Path
from typing import NamedTuple

from hardware import dimensions as mm
from hardware.circuits.netlist import Leg, Netlist

OFFSET = 40.0
"""Where (0, 0) of a layout is on the sheet (hardware/boards/kicad.py)."""
TOLERANCE = 0.35
"""How far the legs of a part may be from where a box has its hole: half a step of the grid."""
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s()]+)|([()])')
Tree = list["Tree | str"]


class Footprint(NamedTuple):
    name: str
    ref: str
    x: float
    y: float
    turned: float
    pads: dict[str, str]
    """Number of a pad → its net. Of pads with one number the first that has a net."""
    places: dict[str, list[mm.Point]]
    layer: str = "F.Cu"
    number: str = ""
    """The part number that was put into the board file."""


class Print(NamedTuple):
    """Something that is printed on the board."""

    words: str
    height: float
    stroke: float
    at: mm.Point | None = None
    """Its middle, if it belongs to no part."""


class Board(NamedTuple):
    outline: mm.Rectangle
    footprints: dict[str, Footprint]
    planes: dict[str, float]
    """Layer → square millimetres of ground that were poured there."""
    stitches: list[mm.Point]
    """Vias between the two."""
    prints: list[Print]


def parse(text: str) -> Tree:
    stack: list[Tree] = [[]]
    for match in _TOKEN.finditer(text):
        quoted, word, bracket = match.groups()
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word if word is not None else quoted)
    (root,) = stack[0]
    assert isinstance(root, list)
    return root


def every(tree: Tree, name: str) -> list[Tree]:
    return [each for each in tree if isinstance(each, list) and each[:1] == [name]]


def _numbers(tree: Tree) -> list[float]:
    return [float(str(word)) for word in tree[1:]]


def read(path: Path) -> Board:
    root = parse(path.read_text(encoding="utf-8"))
    (rectangle,) = [
        shape for shape in every(root, "gr_rect") if any(layer[1] == "Edge.Cuts" for layer in every(shape, "layer"))
    ]
    (x1, y1), (x2, y2) = (_numbers(every(rectangle, corner)[0]) for corner in ("start", "end"))
    outline = mm.Rectangle(round(x1 - OFFSET, 3), round(y1 - OFFSET, 3), round(x2 - x1, 3), round(y2 - y1, 3))
    found = [_footprint(each) for each in every(root, "footprint")]
    parts = {footprint.ref: footprint for footprint in found}
    return Board(outline, parts, _planes(root), _ground_vias(root), _prints(root))


def _planes(root: Tree) -> dict[str, float]:
    areas: dict[str, float] = {}
    for zone in every(root, "zone"):
        for poured in every(zone, "filled_polygon") if every(zone, "net_name")[0][1] == "GND" else []:
            layer = str(every(poured, "layer")[0][1])
            corners = [_numbers(point) for point in every(every(poured, "pts")[0], "xy")]
            pairs = zip(corners, corners[1:] + corners[:1], strict=True)
            areas[layer] = areas.get(layer, 0.0) + abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2
    return areas


def _ground_vias(root: Tree) -> list[mm.Point]:
    ground = next((net[1] for net in every(root, "net") if net[2] == "GND"), "")
    vias = [via for via in every(root, "via") if every(via, "net")[0][1] == ground]
    places = [_numbers(every(via, "at")[0]) for via in vias]
    return [mm.Point(round(x - OFFSET, 3), round(y - OFFSET, 3)) for x, y in places]


def _prints(root: Tree) -> list[Print]:
    """Words on the upper side, names and values of parts among them; hidden ones are not printed."""
    texts = [(each, str(each[1])) for each in every(root, "gr_text")]
    for footprint in every(root, "footprint"):
        texts += [(each, str(each[2])) for each in every(footprint, "property")]
        texts += [(each, str(each[2])) for each in every(footprint, "fp_text")]
    found = []
    for text, words in texts:
        shown = not any(hide[1:] != ["no"] for hide in every(text, "hide"))
        if shown and every(text, "layer")[0][1] == "F.SilkS":
            font = every(every(text, "effects")[0], "font")[0]
            sizes = [*_numbers(every(font, "size")[0]), *(_numbers(each)[0] for each in every(font, "thickness"))]
            x, y = _numbers(every(text, "at")[0])[:2]
            at = mm.Point(round(x - OFFSET, 3), round(y - OFFSET, 3)) if text[0] == "gr_text" else None
            found.append(Print(words, min(sizes[:2]), [*sizes, 0.0][2], at))
    return found


def _footprint(tree: Tree) -> Footprint:
    x, y, turned = [*_numbers(every(tree, "at")[0]), 0.0][:3]
    ref = next(str(each[2]) for each in every(tree, "property") if each[1] == "Reference")
    pads: dict[str, str] = {}
    places: dict[str, list[mm.Point]] = {}
    for pad in every(tree, "pad"):
        nets = every(pad, "net")
        number = str(pad[1])
        pads[number] = str(nets[0][-1]) if nets else pads.get(number, "")
        dx, dy = _numbers(every(pad, "at")[0])[:2]
        angle = math.radians(turned)
        where = mm.Point(
            round(x - OFFSET + dx * math.cos(angle) + dy * math.sin(angle), 3),
            round(y - OFFSET - dx * math.sin(angle) + dy * math.cos(angle), 3),
        )
        places.setdefault(number, []).append(where)
    number = next((str(each[2]) for each in every(tree, "property") if each[1] == "MPN"), "")
    layer = str(every(tree, "layer")[0][1])
    return Footprint(str(tree[1]), ref, x - OFFSET, y - OFFSET, turned, pads, places, layer, number)


def drawn_outline(footprint: Tree) -> mm.Rectangle:
    """What KiCad draws of a part on the sheet for those who solder, around its leg 1, before it is turned."""
    points: list[tuple[float, float]] = []
    for kind in ("fp_line", "fp_rect", "fp_circle", "fp_arc", "fp_poly"):
        for shape in every(footprint, kind):
            if every(shape, "layer")[0][1] != "F.Fab":
                continue
            ends = [_numbers(each) for name in ("start", "mid", "end", "center") for each in every(shape, name)]
            ends += [_numbers(each) for pts in every(shape, "pts") for each in every(pts, "xy")]
            if kind == "fp_circle":
                (x, y), (ex, ey) = _numbers(every(shape, "center")[0]), _numbers(every(shape, "end")[0])
                radius = math.hypot(ex - x, ey - y)
                ends = [[x - radius, y - radius], [x + radius, y + radius]]
            points += [(x, y) for x, y in ends]
    if not points:
        return mm.Rectangle(0, 0, 0, 0)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return mm.Rectangle(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


# --- What must be so --------------------------------------------------------------------------------------------


def netlist_faults(board: Board, netlist: Netlist) -> list[str]:
    """The board has the parts of the circuit in their cases, and each pad has the net of its leg."""
    parts = {ref: each for ref, each in board.footprints.items() if not ref.startswith("H")}
    wrong = [
        f"{ref} is {'not in the circuit' if ref in parts else 'not on the board'}"
        for ref in sorted(parts.keys() ^ netlist.parts.keys())
    ]
    for ref in sorted(parts.keys() & netlist.parts.keys()):
        if parts[ref].name != netlist.parts[ref].kind.footprint:
            wrong.append(f"{ref} has the case {parts[ref].name}")
        for number, net in parts[ref].pads.items():
            expected = netlist.net_of(ref, number)
            if net != expected and not (not expected and net.startswith("unconnected-")):
                wrong.append(f"{ref}.{number} is at {net or 'nothing'}, in the circuit at {expected or 'nothing'}")
    on_board = {Leg(ref, number) for ref, each in parts.items() for number in each.pads}
    missing = {leg for legs in netlist.nets.values() for leg in legs} - on_board
    return wrong + [f"{leg.ref}.{leg.pin} has no pad" for leg in sorted(missing)]


def hole_faults(board: Board, outline: mm.Rectangle, holes: tuple[mm.Point, ...]) -> list[str]:
    """The outline and the screw holes are where the boxes have them."""
    wrong = [] if board.outline == outline else [f"the outline is {board.outline}, and should be {outline}"]
    there = {(round(each.x, 2), round(each.y, 2)) for ref, each in board.footprints.items() if ref.startswith("H")}
    expected = {(round(hole.x, 2), round(hole.y, 2)) for hole in holes}
    return wrong + [f"a hole at {hole} is only on one side" for hole in sorted(there ^ expected)]


def middle_of(board: Board, ref: str) -> mm.Point:
    """The middle of a part's pads."""
    places = [place for several in board.footprints[ref].places.values() for place in several]
    xs, ys = [place.x for place in places], [place.y for place in places]
    return mm.Point((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)


def place_faults(board: Board, places: dict[str, mm.Point]) -> list[str]:
    """These parts have their middle under the opening of the lid, or their leg 1 where the module wants it."""
    wrong = []
    for ref, place in places.items():
        found = middle_of(board, ref)
        if math.hypot(found.x - place.x, found.y - place.y) > TOLERANCE:
            wrong.append(f"{ref} is at {found.x:.2f}, {found.y:.2f}, and should be at {place.x:g}, {place.y:g}")
    return wrong

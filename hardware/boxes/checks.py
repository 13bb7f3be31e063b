"""What must hold of the printed parts, measured on their meshes: that a printer can make them, and that everything is
where `hardware/dimensions.py` has it. Each check gives its complaints; none is good."""

from collections.abc import Iterator, Mapping
from math import cos, pi, sin
from typing import NamedTuple

from hardware import dimensions as d
from hardware.boards import reading
from hardware.boards.inspection import rooms
from hardware.boards.manifest import MADE as BOARDS
from hardware.boxes import parameters as p
from hardware.boxes.solids import Solid

BED = 220.0
"""A common printer's bed is so wide and so deep, in millimetres."""
BRIDGE = 10.0
"""Plastic spans that much without support."""
EXACT = 0.35
"""How far the edge of a hole may be from where it belongs, so that the measure is a measure."""
SOLDERED = 2.0
"""Below a strip of perfboard."""
FARTHEST = 6.0
"""Between the antenna and the piece."""


THROUGH_THE_LID: dict[str, set[str]] = {"pad": {"D3", "U1"}, "satellite": set()}
"""The lamp on its long legs; and the crystal of the reader, which has a pocket of its own."""


class PartKind(NamedTuple):
    """How a part is made: its source, what OpenSCAD is told, and whether it is printed on its face."""

    source: str
    part: str
    lid_top: float | None = None
    bottom: float = p.BASE_BOTTOM


class Occupied(NamedTuple):
    """Where something lies in a box: nothing of the box may be there."""

    name: str
    area: d.Rectangle
    low: float
    high: float


class Wall(NamedTuple):
    """The wall of a half, from where to where it goes up, and on which side of an opening it goes on."""

    outline: d.Rectangle
    begins: float
    ends: float
    is_base: bool = True


PARTS = {
    "pad-base": PartKind("pad", "base"),
    "pad-lid": PartKind("pad", "lid", p.PAD_TOP),
    "centre-base": PartKind("centre", "base", bottom=p.CENTRE_BOTTOM),
    "satellite-base": PartKind("satellite", "base"),
    "satellite-lid": PartKind("satellite", "lid", p.SATELLITE_TOP),
    "plunger": PartKind("plunger", "", bottom=p.PLUNGER_BOTTOM),
    "rest": PartKind("rest", ""),
}


def complaints(parts: Mapping[str, Solid]) -> list[str]:
    """Everything that is wrong."""
    found = [f"{name}: {told}" for name, solid in parts.items() for told in printable(name, solid)]
    found += [f"pad: {told}" for told in pad(parts["pad-base"], parts["pad-lid"])]
    found += [f"centre: {told}" for told in centre(parts["centre-base"], parts["pad-lid"])]
    found += [f"satellite: {told}" for told in satellite(parts["satellite-base"], parts["satellite-lid"])]
    found += [f"plunger: {told}" for told in plunger(parts["plunger"])]
    found += [f"rest: {told}" for told in rest(parts["rest"])]
    return found + [f"antenna: {told}" for told in antenna(parts["pad-lid"])]


# --- Can it be printed? -------------------------------------------------------------------------------------------


def printable(name: str, solid: Solid) -> Iterator[str]:
    mesh = solid.mesh
    if not mesh.is_watertight or not mesh.is_winding_consistent or mesh.volume <= 0:
        yield "it is not a closed body"
    if (bodies := solid.bodies()) != 1:
        yield f"it falls into {bodies} pieces"
    width, depth, _height = solid.high - solid.low
    if width > BED or depth > BED:
        yield f"{width:.0f} × {depth:.0f} mm does not fit on a bed of {BED:.0f} mm"
    thin, where = solid.thinnest()
    if thin < p.THINNEST - 0.01:
        yield f"only {thin:.2f} mm thick at {where.round(1).tolist()}, expected {p.THINNEST}"
    up = -1 if PARTS[name].lid_top is not None else 1
    if (widest := max(solid.overhangs(up), default=0.0)) > BRIDGE:
        yield f"{widest:.0f} mm hang over nothing, expected {BRIDGE:.0f} at most"


# --- Is everything where it belongs? --------------------------------------------------------------------------------


def pad(base: Solid, lid: Solid) -> Iterator[str]:
    for name, place, diameter in (
        ("green button", d.BUTTON_GREEN, d.BUTTON_HOLE),
        ("red button", d.BUTTON_RED, d.BUTTON_HOLE),
        ("lamp", d.LAMP, d.LAMP_HOLE),
    ):
        yield from _hole(lid, name, place, diameter, p.PAD_TOP - 0.5)
    yield from _screws(base, lid, d.PAD_HOLES)
    yield from _opening(base, "plug", d.PAD_PLUG_OPENING, Wall(d.LABEL, p.BASE_BOTTOM, p.PAD_SPLIT))
    yield from _room(base, lid, Occupied("board", d.PAD_BOARD, -d.BOARD_THICKNESS + 0.1, -0.1))
    yield from _room(base, lid, Occupied("reader", d.READER, d.READER_TOP - 1.6, d.READER_TOP + 1.0))
    tall = d.Rectangle(d.READER.x + 40, d.READER.y, d.READER.width - 40, d.READER.height)
    yield from _room(
        base, lid, Occupied("the reader's crystal", tall, d.READER_TOP, d.READER_TOP + d.READER_TALLEST_PART)
    )
    yield from _parts(base, lid, "pad", p.PAD_TOP)
    yield from _apart(base, lid)
    outline = (float(lid.high[0] - lid.low[0]), float(lid.high[1] - lid.low[1]))
    if max(abs(outline[0] - d.LABEL.width), abs(outline[1] - d.LABEL.height)) > 0.05:
        yield f"the top has {outline[0]:.1f} × {outline[1]:.1f} mm, and the label {d.LABEL.width} × {d.LABEL.height}"
    yield from _groove(lid)


def centre(base: Solid, lid: Solid) -> Iterator[str]:
    yield from _screws(base, lid, d.PAD_HOLES, p.CENTRE_BOTTOM)
    yield from _opening(base, "wires", p.CENTRE_OPENING, Wall(d.LABEL, p.CENTRE_BOTTOM, p.PAD_SPLIT))
    plugs = d.Rectangle(d.READER_HEADER_X - 1.3, d.READER_PIN_1.y - 19.1, 2.6, 20.4)
    upright = d.HEADER_PLASTIC + d.DUPONT_PLUG + d.WIRE_BEND
    yield from _room(base, lid, Occupied("plugs under the reader", plugs, p.READER_BOTTOM - upright, p.READER_BOTTOM))
    floor = p.CENTRE_BOTTOM + p.FLOOR_THICKNESS
    yield from _room(base, lid, Occupied("buzzer", p.BUZZER_TRAY, floor + 0.1, floor + d.BUZZER_MODULE[2]))
    if floor + d.BUZZER_MODULE[2] > -d.BOARD_THICKNESS - SOLDERED:
        yield "the buzzer touches what is soldered under the strip"
    for hole in p.BUZZER_HOLES:
        if base.has(hole.x, d.LABEL.bottom - p.WALL / 2, hole.y):
            yield f"the wall is closed where the buzzer should be heard, at {hole.x}"
    yield from _room(base, lid, Occupied("reader", d.READER, p.READER_BOTTOM + 0.1, d.READER_TOP + 1.0))
    yield from _room(base, lid, Occupied("perfboard", p.STRIP, -d.BOARD_THICKNESS + 0.1, 3.0))
    for x in (d.READER.x + 1, d.READER.right - 1):
        for y in (d.READER.y + 1, d.READER.bottom - 1):
            if not base.has(x, y, p.READER_BOTTOM - 0.5):
                yield f"nothing holds the reader at {x}, {y}"
    yield from _apart(base, lid)


def satellite(base: Solid, lid: Solid) -> Iterator[str]:
    yield from _screws(base, lid, d.SATELLITE_HOLES)
    for opening in p.SATELLITE_OPENINGS:
        name = f"opening at {opening.along} in the {opening.side} wall"
        yield from _opening(base, name, opening, Wall(p.SATELLITE_OUTLINE, p.BASE_BOTTOM, p.SATELLITE_SPLIT))
        upper = Wall(p.SATELLITE_OUTLINE, p.SATELLITE_SPLIT, p.SATELLITE_TOP, is_base=False)
        yield from _opening(lid, name, opening, upper)
    yield from _room(base, lid, Occupied("board", d.SATELLITE_BOARD, -d.BOARD_THICKNESS + 0.1, -0.1))
    yield from _parts(base, lid, "satellite", p.SATELLITE_TOP)
    yield from _apart(base, lid)
    for name, place in (("the buzzer", d.BUZZER), ("the power LED", d.POWER_LED)):
        if lid.has(*place, p.SATELLITE_TOP - 0.5):
            yield f"the lid is closed over {name}"
    open_ = [lid.has(d.REGULATOR.x + x / 2, d.REGULATOR.y, p.SATELLITE_TOP - 0.5) for x in range(-12, 13)]
    if open_.count(False) < len(open_) / 3:
        yield "the lid keeps the regulator's warm air"


def plunger(solid: Solid) -> Iterator[str]:
    """The button's stem goes into its socket. It comes out of the lid, and cannot fall out."""
    ceiling = solid.crossed((0, 0, p.PLUNGER_BOTTOM - 5), (0.0, 0.0, 1.0))
    if len(ceiling) != 2:
        yield "there is no socket for the button's stem"
        return
    seated = d.BUTTON_STEM_TOP - (float(solid.low[2]) - float(p.PLUNGER_BOTTOM) + float(ceiling[0]) - 5)
    low, high = seated, seated + float(solid.high[2] - solid.low[2])
    if abs(high - p.PLUNGER_TOP) > 0.05:
        wanted = p.PLUNGER_TOP - p.PAD_TOP
        yield f"on its stem it reaches {high - p.PAD_TOP:.1f} mm above the lid, expected {wanted:.1f}"
    if low < d.BUTTON_BODY_HEIGHT + d.BUTTON_TRAVEL + 0.2:
        yield f"pressed down, it meets the button's body: it ends at {low:.1f} mm"
    if not d.BUTTON_HOLE < solid.high[0] - solid.low[0] < d.BUTTON_HOLE + 4:
        yield "its collar does not keep it in the box"
    if solid.has(d.BUTTON_HOLE / 2 - 0.1, 0, p.PAD_TOP) or not solid.has(d.BUTTON_HOLE / 2 - 0.8, 0, p.PAD_TOP):
        yield f"it does not fit through a hole of {d.BUTTON_HOLE} mm"
    if p.PLUNGER_COLLAR + low > p.PAD_TOP - p.LID_THICKNESS - 0.3:
        yield "its collar presses the button all the time"


def rest(solid: Solid) -> Iterator[str]:
    """As it was printed, on its side: a slot as high as the module's underside, and no higher than the lid."""
    height = float(solid.high[1] - solid.low[1])
    if not p.READER_BOTTOM + 1.6 < height < p.PAD_TOP - p.LID_THICKNESS:
        yield f"it is {height:.1f} mm high"
    middle = p.REST.height / 2
    edge = float(solid.high[0]) - p.REST_SLOT / 2
    foot = float(solid.high[1])  # on the bed it is on its side, its foot away from us
    if solid.has(edge, foot - p.READER_BOTTOM - 0.8, middle) or not solid.has(
        edge, foot - p.READER_BOTTOM + 0.8, middle
    ):
        yield f"the module does not go into it {p.READER_BOTTOM:.1f} mm above the board"


def antenna(lid: Solid) -> Iterator[str]:
    """No metal around it, nothing but thin plastic over it."""
    for hole in d.PAD_HOLES:
        near = _distance(hole, d.METAL_FREE)
        if near < d.SCREW_HEAD / 2:
            yield f"a screw at {hole.x}, {hole.y} is {near:.1f} mm from where no metal may be"
    if p.ANTENNA_TO_PIECE > FARTHEST:
        yield f"{p.ANTENNA_TO_PIECE:.1f} mm to the piece, expected {FARTHEST} at most"
    for x in range(int(d.LABEL_FRAME.x) + 2, int(d.LABEL_FRAME.right) - 1, 6):
        for y in range(int(d.LABEL_FRAME.y) + 2, int(d.LABEL_FRAME.bottom) - 1, 6):
            through = lid.crossed((x, y, 0.0), (0.0, 0.0, 1.0))
            if len(through) != 2 or through[1] - through[0] > p.LID_THICKNESS + 0.01:
                yield f"over the antenna, at {x}, {y}, is more or less than a lid"


# --- Measuring ------------------------------------------------------------------------------------------------------


def _distance(point: d.Point, area: d.Rectangle) -> float:
    across = max(area.x - point.x, 0, point.x - area.right)
    down = max(area.y - point.y, 0, point.y - area.bottom)
    return float((across**2 + down**2) ** 0.5)


def _hole(solid: Solid, name: str, place: d.Point, diameter: float, z: float) -> Iterator[str]:
    """Free just inside its edge, plastic just outside, all around."""
    for number in range(12):
        x, y = cos(number * pi / 6), sin(number * pi / 6)
        free, full = diameter / 2 - EXACT, diameter / 2 + EXACT
        if solid.has(place.x + free * x, place.y + free * y, z):
            yield f"{name}: plastic where the hole of {diameter} mm at {place.x}, {place.y} should be"
            return
        if not solid.has(place.x + full * x, place.y + full * y, z):
            yield f"{name}: nothing where the hole of {diameter} mm at {place.x}, {place.y} should end"
            return


def _screws(base: Solid, lid: Solid, holes: tuple[d.Point, ...], bottom: float = p.BASE_BOTTOM) -> Iterator[str]:
    """Through the base, through the whole insert in a pillar of the lid, and not to the end of its hole."""
    tip = p.BASE_BOTTOM + p.FLOOR_THICKNESS - 0.2 + p.SCREW_LENGTH
    if not d.INSERT_LENGTH <= tip <= p.PILOT_DEPTH:
        yield f"a screw of {p.SCREW_LENGTH} mm ends {tip:.1f} mm above the board"
    for number, hole in enumerate(holes, 1):
        yield from _hole(base, f"screw {number}", hole, d.SCREW_HOLE, p.BASE_BOTTOM + p.FLOOR_THICKNESS + 1)
        yield from _hole(base, f"head of screw {number}", hole, d.SCREW_HEAD + 0.6, bottom + 0.5)
        yield from _hole(base, f"head of screw {number}", hole, d.SCREW_HEAD + 0.6, p.BASE_BOTTOM + 1.0)
        yield from _hole(lid, f"insert of screw {number}", hole, d.INSERT_HOLE, 2.0)
        yield from _hole(lid, f"end of screw {number}", hole, d.SCREW_HOLE, p.PILOT_DEPTH - 0.5)


def _opening(solid: Solid, name: str, opening: d.Opening, wall: Wall) -> Iterator[str]:
    """Through the middle of the wall: free inside, plastic beside it, and where the wall goes on."""
    low = max(opening.z - opening.height / 2, wall.begins)
    high = min(opening.z + opening.height / 2, wall.ends)
    if high - low < 1.0:
        return
    half = opening.width / 2
    beyond = low - EXACT if wall.is_base else high + EXACT
    inside = [(a, z) for a in (-half + EXACT, 0.0, half - EXACT) for z in (low + EXACT, high - EXACT)]
    outside = [(a, (low + high) / 2) for a in (-half - EXACT, half + EXACT)]
    outside += [(a, beyond) for a in (-half + 1, 0.0, half - 1)]
    if any(solid.has(*_in_wall(opening, wall.outline, along), z) for along, z in inside):
        yield f"{name}: plastic where the opening should be"
    if not all(solid.has(*_in_wall(opening, wall.outline, along), z) for along, z in outside):
        yield f"{name}: nothing where the opening should end"


def _in_wall(opening: d.Opening, outline: d.Rectangle, along: float) -> tuple[float, float]:
    middle = p.WALL / 2
    match opening.side:
        case "left":
            return outline.x + middle, opening.along + along
        case "right":
            return outline.right - middle, opening.along + along
        case "top":
            return opening.along + along, outline.y + middle
    return opening.along + along, outline.bottom - middle


def _room(base: Solid, lid: Solid, thing: Occupied) -> Iterator[str]:
    """Neither half is where this thing is."""
    area = thing.area
    across = (area.x + 0.1, area.x + area.width * 0.27, area.x + area.width * 0.71, area.right - 0.1)
    down = (area.y + 0.1, area.y + area.height * 0.27, area.y + area.height * 0.71, area.bottom - 0.1)
    for x, y in ((x, y) for x in across for y in down):
        for half in (base, lid):
            met = half.crossed((x, y, thing.low), (0.0, 0.0, 1.0))
            if len(met) % 2 == 1 or (len(met) and met[0] < thing.high - thing.low):
                yield f"{thing.name}: plastic in its way at {x:.1f}, {y:.1f}"
                return


def _parts(base: Solid, lid: Solid, name: str, top: float) -> Iterator[str]:
    """Every part as it is on the board, with its own height. What looks out of the lid does so through its hole."""
    for part in rooms(reading.read(BOARDS / name / f"{name}.kicad_pcb")):
        room = top - p.LID_THICKNESS
        if part.high > room and part.ref not in THROUGH_THE_LID[name]:
            yield f"{part.ref} is {part.high:.1f} mm high, and the lid is {room:.1f} mm above the board"
        area = d.Rectangle(part.left, part.top, part.right - part.left, part.bottom - part.top)
        high = min(part.high, room - 0.1)
        yield from _room(base, lid, Occupied(part.ref, area, part.low + 0.3, high))


def _apart(base: Solid, lid: Solid) -> Iterator[str]:
    """The halves go into each other, and not through."""
    corners = lid.mesh.vertices
    for x, y, z in corners[:: max(1, len(corners) // 150)].tolist():
        if z < float(base.high[2]) - 0.05 and base.has(x, y, z):
            yield f"lid and base are both at {x:.1f}, {y:.1f}, {z:.1f}"
            return


def _groove(lid: Solid) -> Iterator[str]:
    """The frame of the label, cut into the lid."""
    frame, z = d.LABEL_FRAME, p.PAD_TOP - p.GROOVE / 2
    for x, y in ((frame.x, frame.centre.y), (frame.right, frame.centre.y), (frame.centre.x, frame.y)):
        if lid.has(x, y, z) or not lid.has(x + 1.2, y + 1.2, z):
            yield f"the label's frame is not where it belongs, at {x}, {y}"

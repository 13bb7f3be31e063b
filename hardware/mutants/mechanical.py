"""Faults in boards, perfboards, label and boxes: parts and holes that are moved, turned, mirrored or forgotten."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hardware import dimensions as d
from hardware.boards import inspection, manifest, reading
from hardware.boards.inspection import BESIDE, FACES, UNDER_OPENINGS
from hardware.boards.reading import Board, Footprint
from hardware.boxes import checks
from hardware.boxes.sources import parts_made
from hardware.circuits.netlist import Netlist
from hardware.mutants.trials import Mutant, asked, untouched
from hardware.perfboard import holes, strip
from hardware.perfboard.holes import Sheet, Wire

STEPS = ((1.5, 0.0), (-1.5, 0.0), (0.0, 1.5), (0.0, -1.5))
"""Millimetres by which something is moved that has to fit a box."""
LABEL = Path(__file__).parents[1] / "labels.svg"


@cache
def board(name: str) -> Board:
    return reading.read(manifest.MADE / name / f"{name}.kicad_pcb")


# --- Boards -------------------------------------------------------------------------------------------------------


def moved(footprint: Footprint, across: float, down: float) -> Footprint:
    places = {
        number: [d.Point(place.x + across, place.y + down) for place in places]
        for number, places in footprint.places.items()
    }
    return footprint._replace(x=footprint.x + across, y=footprint.y + down, places=places)


def turned(footprint: Footprint, degrees: int) -> Footprint:
    """Around its leg 1, against the clock."""
    quarter = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[degrees % 360]
    places = {
        number: [
            d.Point(
                footprint.x + (place.x - footprint.x) * quarter[0] + (place.y - footprint.y) * quarter[1],
                footprint.y - (place.x - footprint.x) * quarter[1] + (place.y - footprint.y) * quarter[0],
            )
            for place in places
        ]
        for number, places in footprint.places.items()
    }
    return footprint._replace(turned=footprint.turned + degrees, places=places)


def _board_faults(changed: Board, netlist: Netlist) -> list[str]:
    return [*inspection.faults(changed, netlist.name), *reading.netlist_faults(changed, netlist)]


def layout(netlist: Netlist) -> Iterator[Mutant]:
    name, there = netlist.name, board(netlist.name)

    def mutant(what: str, changed: Board) -> Mutant:
        return Mutant("layout", f"{name}: {what}", asked(_board_faults, changed, netlist))

    def with_part(ref: str, changed: Footprint) -> Board:
        return there._replace(footprints=there.footprints | {ref: changed})

    yield untouched("layout", mutant("", there).faults)
    fitted = {*FACES[name], *UNDER_OPENINGS[name], *(("U1",) if name == "pad" else ())}
    near = {capacitor for capacitor, _, _ in BESIDE[name]}
    for ref, part in there.footprints.items():
        if ref in fitted or ref.startswith("H"):
            for step in STEPS:
                yield mutant(f"{ref} moved by {step}", with_part(ref, moved(part, *step)))
        if ref in fitted:
            for degrees in (90, 180, 270):
                yield mutant(f"{ref} turned by {degrees}°", with_part(ref, turned(part, degrees)))
        if ref in near:
            yield mutant(f"{ref} far away", with_part(ref, moved(part, *_away(there, part))))
        less = {other: each for other, each in there.footprints.items() if other != ref}
        yield mutant(f"{ref} is missing", there._replace(footprints=less))
        if not ref.startswith(("H", "TP")):
            yield mutant(f"{ref} on the lower side", with_part(ref, part._replace(layer="B.Cu")))
            yield mutant(f"{ref} beside the board", with_part(ref, moved(part, 0, 120)))
            hole = there.footprints["H1"]
            yield mutant(f"{ref} on a screw", with_part(ref, moved(part, hole.x - part.x, hole.y - part.y)))
    yield from _crowded(mutant, there)
    yield from _copper(mutant, there)
    for ref, part in there.footprints.items():
        for one, other in itertools.combinations(part.pads, 2):
            if part.pads[one] != part.pads[other]:
                swapped = part.pads | {one: part.pads[other], other: part.pads[one]}
                yield mutant(f"pads {one} and {other} of {ref} swapped", with_part(ref, part._replace(pads=swapped)))


def _away(there: Board, part: Footprint) -> tuple[float, float]:
    """To the middle of the opposite half of the board."""
    middle = there.outline.centre
    return (40.0 if part.x < middle.x else -40.0, 30.0 if part.y < middle.y else -30.0)


def _crowded(mutant: Callable[[str, Board], Mutant], there: Board) -> Iterator[Mutant]:
    """A part lies on its neighbour."""
    refs = sorted(ref for ref in there.footprints if not ref.startswith(("H", "TP")))
    for one, other in itertools.pairwise(refs):
        part, target = there.footprints[one], there.footprints[other]
        laid = moved(part, target.x - part.x, target.y - part.y)
        yield mutant(f"{one} on {other}", there._replace(footprints=there.footprints | {one: laid}))


def _copper(mutant: Callable[[str, Board], Mutant], there: Board) -> Iterator[Mutant]:
    for layer in there.planes:
        planes = {name: area for name, area in there.planes.items() if name != layer}
        yield mutant(f"no ground plane on {layer}", there._replace(planes=planes))
    yield mutant("no vias between the planes", there._replace(stitches=there.stitches[:3]))
    for width, height in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
        outline = there.outline._replace(width=there.outline.width + width, height=there.outline.height + height)
        yield mutant(f"the outline is larger by {width}, {height}", there._replace(outline=outline))
    for index, words in enumerate(there.prints):
        for thin in (words._replace(height=0.8), words._replace(stroke=0.12)):
            prints = [*there.prints[:index], thin, *there.prints[index + 1 :]]
            yield mutant(f"“{words.words}” printed too small", there._replace(prints=prints))
    yield from _words(mutant, there)


def _words(mutant: Callable[[str, Board], Mutant], there: Board) -> Iterator[Mutant]:
    """Two words have changed places, or one is not printed."""
    known = {words for table in inspection.WORDS.values() for words, *_ in table}
    places = [index for index, each in enumerate(there.prints) if each.at is not None and each.words in known]
    for one, other in itertools.combinations(places, 2):
        first, second = there.prints[one], there.prints[other]
        if first.words != second.words:
            prints = list(there.prints)
            prints[one], prints[other] = first._replace(words=second.words), second._replace(words=first.words)
            yield mutant(f"“{first.words}” and “{second.words}” swapped", there._replace(prints=prints))
    for index in places:
        prints = [each for number, each in enumerate(there.prints) if number != index]
        yield mutant(f"“{there.prints[index].words}” is not printed", there._replace(prints=prints))


# --- Perfboards ---------------------------------------------------------------------------------------------------


def perfboard(netlist: Netlist, sheet: Sheet) -> Iterator[Mutant]:
    def mutant(what: str, changed: Sheet) -> Mutant:
        return Mutant("perfboard", f"{netlist.name}: {what}", lambda: holes.sheet_faults(netlist, changed))

    refs = sorted(sheet.spots)
    laid = holes.wires(netlist, sheet)
    yield untouched("perfboard", mutant("", sheet).faults)
    yield untouched("perfboard", _wired(netlist, sheet, "", laid).faults)
    for one, other in itertools.permutations(refs, 2):
        if not {one, other} & {"J6"}:  # two wires instead of a socket
            spots = sheet.spots | {one: (*sheet.spots[other][:2], sheet.spots[one][2])}
            yield mutant(f"{one} on {other}", sheet._replace(spots=spots))
    for ref in refs:
        less = {other: spot for other, spot in sheet.spots.items() if other != ref}
        yield mutant(f"{ref} is missing", sheet._replace(spots=less))
        yield mutant(f"{ref} beside the board", sheet._replace(spots=sheet.spots | {ref: (sheet.columns, 0, 0)}))
    for index, wire in enumerate(laid):
        yield _wired(netlist, sheet, f"no wire {wire.net} from {wire.start.name}", [*laid[:index], *laid[index + 1 :]])
        after = laid[(index + 1) % len(laid)]
        if after.net != wire.net:
            crossed = [*laid[:index], wire._replace(end=after.end), *laid[index + 1 :]]
            yield _wired(netlist, sheet, f"a wire of {wire.net} goes to {after.net}", crossed)


def _wired(netlist: Netlist, sheet: Sheet, what: str, laid: Sequence[Wire]) -> Mutant:
    return Mutant("perfboard", f"{netlist.name}: {what}", lambda: holes.wire_faults(netlist, sheet, laid))


def kit_one_strip(kit_one: Netlist) -> Iterator[Mutant]:
    yield untouched("perfboard", lambda: strip.opening_faults(kit_one))
    for ref, (column, row, degrees) in strip.STRIP.spots.items():
        for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)) if ref != "R1" else ():
            spots = strip.STRIP.spots | {ref: (column + across, row + down, degrees)}
            sheet = strip.STRIP._replace(spots=spots)
            what = f"strip: {ref} moved by {across}, {down}"
            yield Mutant("perfboard", what, asked(strip.opening_faults, kit_one, sheet))


# --- The label ----------------------------------------------------------------------------------------------------


def label() -> Iterator[Mutant]:
    svg = LABEL.read_text(encoding="utf-8")

    def mutant(what: str, changed: str) -> Mutant:
        return Mutant("label", what, lambda: list(inspection.label_faults(changed)))

    yield untouched("label", mutant("", svg).faults)
    shape = re.compile(r"<(?:rect|circle) [^>]*>")
    for found in shape.finditer(svg):
        yield mutant(f"without {found[0]}", svg[: found.start()] + svg[found.end() :])
        for number in re.finditer(r'(?<= )(x|y|cx|cy|r|width|height)="([\d.]+)"', found[0]):
            grown = f'{number[1]}="{float(number[2]) + 1.5:g}"'
            other = found[0][: number.start()] + grown + found[0][number.end() :]
            yield mutant(f"{found[0]}: {grown}", svg[: found.start()] + other + svg[found.end() :])
    green, red = "#1a7f37", "#c1272d"
    yield mutant("green and red swapped", svg.replace(green, "#").replace(red, green).replace('#"', f'{red}"'))
    for name in re.findall(r'class="name" [^>]*>([^<]*)<', svg):
        yield mutant(f"“{name}” twice", svg.replace(f">{name}<", ">pad 9<"))
    for place in re.findall(r"translate\(\d+ \d+\)", svg):
        yield mutant(f"{place} elsewhere", svg.replace(place, "translate(50 60)"))


# --- The boxes ----------------------------------------------------------------------------------------------------

MOVED: dict[str, Any] = {
    "BUTTON_GREEN": d.BUTTON_GREEN._replace(x=d.BUTTON_GREEN.x + 1.5),
    "BUTTON_RED": d.BUTTON_RED._replace(y=d.BUTTON_RED.y - 1.5),
    "LAMP": d.LAMP._replace(y=d.LAMP.y - 1.5),
    "PAD_PLUG_OPENING": d.PAD_PLUG_OPENING._replace(along=d.PAD_PLUG_OPENING.along + 1.5),
    "BUTTON_HOLE": d.BUTTON_HOLE + 1.5,
    "LAMP_HOLE": d.LAMP_HOLE + 1.5,
    "SCREW_HEAD": d.SCREW_HEAD + 1.5,
    "READER_TOP": d.READER_TOP + 2,
    "LABEL_FRAME": d.LABEL_FRAME._replace(x=d.LABEL_FRAME.x + 2),
    "LABEL": d.LABEL._replace(width=d.LABEL.width + 1.5),
    "BUZZER": d.Point(d.BUZZER.x - 15, d.BUZZER.y),
    **{
        f"{name}[{index}]": (name, tuple(p._replace(x=p.x + 1.5) if at == index else p for at, p in enumerate(points)))
        for name, points in (("PAD_HOLES", d.PAD_HOLES), ("SATELLITE_HOLES", d.SATELLITE_HOLES))
        for index in range(len(points))
    },
}
"""What is somewhere else in the printed box than `dimensions.py` says: the same as if that had been moved."""


def box() -> Iterator[Mutant]:
    parts = parts_made()
    yield untouched("box", lambda: _measured(parts, {}))
    for name, value in MOVED.items():
        attribute, other = value if "[" in name else (name, value)
        yield Mutant("box", f"{name} elsewhere", asked(_measured, parts, {attribute: other}))
    for half in ("pad-base", "pad-lid", "satellite-base", "satellite-lid"):
        for what, matrix in TRANSFORMS.items():
            changed = parts | {half: _transformed(parts[half], matrix)}
            yield Mutant("box", f"{half} {what}", asked(_measured, changed, {}))


TRANSFORMS: dict[str, tuple[float, float, float, float]] = {
    "moved by 1.5 mm to the right": (1, 1, 1.5, 0),
    "moved by 1.5 mm down": (1, 1, 0, 1.5),
    "mirrored, left to right": (-1, 1, 0, 0),
    "mirrored, top to bottom": (1, -1, 0, 0),
    "turned by 180°": (-1, -1, 0, 0),
}
"""Factors across and down, then millimetres."""


def _transformed(solid: Any, change: tuple[float, float, float, float]) -> Any:
    """The same mesh somewhere else; mirrored around its own middle."""
    mesh = solid.mesh.copy()
    middle = mesh.bounds.mean(axis=0)
    for axis in (0, 1):
        mesh.vertices[:, axis] = (
            middle[axis] + (mesh.vertices[:, axis] - middle[axis]) * change[axis] + change[axis + 2]
        )
    if change[0] * change[1] < 0:
        mesh.invert()
    return type(solid)(mesh)


def _measured(parts: dict[str, Any], elsewhere: dict[str, Any]) -> list[str]:
    """What the checks of the boxes say if these dimensions were others."""
    before = {name: getattr(d, name) for name in elsewhere}
    try:
        for name, value in elsewhere.items():
            setattr(d, name, value)
        told = [*checks.pad(parts["pad-base"], parts["pad-lid"])]
        return told or [*checks.satellite(parts["satellite-base"], parts["satellite-lid"])]
    finally:
        for name, value in before.items():
            setattr(d, name, value)

"""What kills a board though every net is right: a plug that looks into the box, a screw through a part, no ground.

The boards are compared with `hardware/dimensions.py`, with the bodies of the data sheets and with tables that are typed
here, never with `layout.py`, from which they were made. Each function gives what is wrong, as sentences.
"""

import itertools
import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from hardware import dimensions as mm
from hardware.boards.reading import TOLERANCE, Board, Footprint, middle_of
from hardware.circuits import bodies

OUTLINES = {
    "satellite": (mm.SATELLITE_BOARD, mm.SATELLITE_HOLES, 0.0),
    "pad": (mm.PAD_BOARD, mm.PAD_HOLES, mm.PAD_COPPER_FREE.width * mm.PAD_COPPER_FREE.height),
}
"""Board → its outline, its screw holes, and how many square millimetres have no copper."""
UNDER_OPENINGS = {
    "satellite": {"BZ1": mm.BUZZER},
    "pad": {"SW1": mm.BUTTON_GREEN, "SW2": mm.BUTTON_RED, "D3": mm.LAMP},
}
"""Parts whose middle is under an opening of the lid."""


class Mouth(NamedTuple):
    """Where a plug goes in: the middle of it and the way it looks, around leg 1 of the part as KiCad draws it."""

    x: float
    y: float
    ahead: tuple[int, int]


MOUTHS = {
    "Connector_IDC:IDC-Header_2x07_P2.54mm_Horizontal": Mouth(13.28, 7.62, (1, 0)),
    "Connector_USB:USB_B_OST_USB-B1HSxx_Horizontal": Mouth(15.01, 1.25, (1, 0)),
    "Module:Arduino_Nano": Mouth(7.62, 41.91, (0, 1)),  # at the end of D12 and D13
}
FACES: dict[str, dict[str, tuple[str, float, float]]] = {
    "satellite": {
        **{
            f"J{pad + 1}": ("bottom" if plug.y else "top", plug.x, mm.PLUG_OVERHANG)
            for pad, plug in enumerate(mm.SATELLITE_PLUGS)
        },
        "J6": ("bottom", mm.POWER_USB.x, 1.0),
        "A1": ("left", mm.NANO_USB.y, 0.6),
    },
    "pad": {"J1": ("right", mm.PAD_PLUG.y, mm.PLUG_OVERHANG)},
}
"""What looks through a wall of the box: through which, where along it, and how far it stands out over the edge."""
NEXT_LEG = 1.6
"""Millimetres from a leg to that of another part, at least."""
BESIDE: dict[str, tuple[tuple[str, str, str], ...]] = {
    "satellite": (("C1", "U1", "20"), ("C2", "U2", "14"), ("C3", "U3", "1"), ("C4", "U3", "3"), ("C5", "U3", "3")),
    "pad": (("C1", "U1", "8"), ("C2", "U1", "8")),
}
"""A capacitor, and the leg whose supply it keeps steady."""
NEAREST = 20.0
"""Millimetres between the two, at most."""
LETTERS, STROKE = 1.0, 0.15
"""Smaller print cannot be read, thinner print falls off."""
VALUED = ("C", "D2", "F", "Q", "R")
"""Parts beside which their value is printed, by the beginning of their names."""
POURED = 0.5
"""Of the copper that may be there, so much is ground on each side, at least."""
STITCHED = 250.0
"""Square millimetres for each via between the planes, at most."""


def faults(board: Board, name: str) -> list[str]:
    """Everything that is wrong with a board."""
    return [
        *_holes(board, name),
        *_under_openings(board, name),
        *_faces(board, name),
        *(_reader(board) if name == "pad" else ()),
        *_rooms(board, name),
        *_beside(board, name),
        *_ground(board, name),
        *_printed(board, name),
        *_words(board, name),
    ]


def _holes(board: Board, name: str) -> Iterator[str]:
    outline, holes, _ = OUTLINES[name]
    if board.outline != outline:
        yield f"{name}: the outline is {board.outline}, the box wants {outline}"
    there = {(round(each.x, 2), round(each.y, 2)) for ref, each in board.footprints.items() if ref.startswith("H")}
    for hole in sorted(there ^ {(round(hole.x, 2), round(hole.y, 2)) for hole in holes}):
        yield f"{name}: the screw hole at {hole} is {'not in the box' if hole in there else 'missing'}"


def _under_openings(board: Board, name: str) -> Iterator[str]:
    for ref, place in UNDER_OPENINGS[name].items():
        if ref not in board.footprints:
            yield f"{name}: {ref} is missing"
            continue
        found = middle_of(board, ref)
        if math.hypot(found.x - place.x, found.y - place.y) > TOLERANCE:
            yield f"{name}: {ref} is at {found.x:.2f}, {found.y:.2f}, its opening at {place.x:g}, {place.y:g}"


def _faces(board: Board, name: str) -> Iterator[str]:
    """Each plug looks out through its wall, in the middle of its opening."""
    for ref, (side, along, overhang) in FACES[name].items():
        footprint = board.footprints.get(ref)
        if footprint is None or footprint.name not in MOUTHS:
            yield f"{name}: {ref} is missing"
            continue
        mouth = MOUTHS[footprint.name]
        x, y = _turned(footprint, mouth.x, mouth.y)
        ahead = tuple(round(each) for each in _turned(footprint._replace(x=0, y=0), *mouth.ahead))
        outline = board.outline
        edge, way, found, out = {
            "left": (outline.x, (-1, 0), y, outline.x - x),
            "right": (outline.right, (1, 0), y, x - outline.right),
            "top": (outline.y, (0, -1), x, outline.y - y),
            "bottom": (outline.bottom, (0, 1), x, y - outline.bottom),
        }[side]
        if ahead != way:
            yield f"{name}: {ref} does not look through the {side} wall"
        elif abs(found - along) > TOLERANCE or abs(out - overhang) > 2 * TOLERANCE:
            yield f"{name}: {ref} is at {found:.2f} of the {side} wall, not {along:g}; {out:.2f} mm beyond {edge:g}"


def _reader(board: Board) -> Iterator[str]:
    """The eight holes of the module, in its order."""
    footprint = board.footprints.get("U1")
    for leg in range(8):
        place = mm.Point(mm.READER_PIN_1.x, mm.READER_PIN_1.y - leg * mm.READER_PITCH)
        found = footprint.places.get(str(leg + 1), [mm.Point(0, 0)])[0] if footprint else mm.Point(0, 0)
        if math.hypot(found.x - place.x, found.y - place.y) > 0.05:
            yield f"pad: leg {leg + 1} of U1 is at {found.x:g}, {found.y:g}, the module's at {place.x:g}, {place.y:g}"


def _turned(footprint: Footprint, dx: float, dy: float) -> tuple[float, float]:
    angle = math.radians(footprint.turned)
    return (
        footprint.x + dx * math.cos(angle) + dy * math.sin(angle),
        footprint.y - dx * math.sin(angle) + dy * math.cos(angle),
    )


def rooms(board: Board) -> list[bodies.Placed]:
    """The bodies of a board, by the part numbers that are in its file."""
    return [
        room
        for ref, each in board.footprints.items()
        if not ref.startswith("H")
        for room in bodies.placed(ref, bodies.BODIES[each.number], each.x, each.y, each.turned)
    ]


def _rooms(board: Board, name: str) -> Iterator[str]:
    """No two parts in one place, none below the board, none beside it but plugs, none where a screw's head goes."""
    for ref, each in board.footprints.items():
        if each.layer != "F.Cu":
            yield f"{name}: {ref} is on the lower side"
        if not ref.startswith("H") and each.number not in bodies.BODIES:
            yield f"{name}: {ref} has a part number of which no body is known: {each.number}"
            return
    legs = [(ref, at) for ref, each in board.footprints.items() for places in each.places.values() for at in places]
    for (one, here), (other, at) in itertools.combinations(legs, 2):
        if one != other and math.dist(here, at) < NEXT_LEG:
            yield f"{name}: a leg of {one} and one of {other} are {math.dist(here, at):.1f} mm apart"
    there = rooms(board)
    for collision in bodies.collisions(there):
        yield f"{name}: {collision}"
    outline = board.outline
    for room in there:
        inside = outline.x <= room.left and room.right <= outline.right
        if room.ref not in FACES[name] and not (inside and outline.y <= room.top and room.bottom <= outline.bottom):
            yield f"{name}: {room.ref} stands out over the edge"
        for hole in OUTLINES[name][1]:
            across = max(room.left - hole.x, 0, hole.x - room.right)
            down = max(room.top - hole.y, 0, hole.y - room.bottom)
            if room.low == 0 and math.hypot(across, down) < mm.PILLAR / 2:
                yield f"{name}: {room.ref} is in the way of the pillar at {hole.x:g}, {hole.y:g}"


def _beside(board: Board, name: str) -> Iterator[str]:
    for capacitor, ref, leg in BESIDE[name]:
        if capacitor not in board.footprints or ref not in board.footprints:
            yield f"{name}: {capacitor} or {ref} is missing"
            continue
        at = board.footprints[ref].places[leg][0]
        away = min(math.dist(at, place) for place in board.footprints[capacitor].places["1"])
        if away > NEAREST:
            yield f"{name}: {capacitor} is {away:.0f} mm from leg {leg} of {ref}, at most {NEAREST:g} will do"


def _ground(board: Board, name: str) -> Iterator[str]:
    outline, _, free = OUTLINES[name]
    copper = outline.width * outline.height - free
    for layer in ("F.Cu", "B.Cu"):
        if (poured := board.planes.get(layer, 0.0)) < POURED * copper:
            yield f"{name}: only {poured:.0f} mm² of ground on {layer}, of {copper:.0f}"
    if len(board.stitches) < copper / STITCHED:
        yield f"{name}: only {len(board.stitches)} vias between the ground planes"


def _printed(board: Board, name: str) -> Iterator[str]:
    for each in board.prints:
        if each.height < LETTERS or each.stroke < STROKE:
            yield f"{name}: “{each.words}” is printed {each.height:g} mm high and {each.stroke:g} mm thick"
    words = [each.words for each in board.prints]
    for ref, part in board.footprints.items():
        if ref.startswith(("H", "TP")):
            continue
        if ref not in words:
            yield f"{name}: the name of {ref} is not printed"
        value = VALUES.get(part.number)
        if ref.startswith(VALUED) and value is not None and value not in words:
            yield f"{name}: the value of {ref} is not printed"


WORDS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "satellite": (
        *((f"PAD {pad}", f"J{pad + 1}", "") for pad in range(5)),
        *(("5V", "TP1", "1"), ("3V3", "TP2", "1"), ("GND", "TP3", "1"), ("SCK", "TP4", "1"), ("MOSI", "TP5", "1")),
        *(("MISO", "TP6", "1"), ("RST", "TP7", "1"), ("SDA0", "TP8", "1"), ("GREEN", "TP9", "1"), ("RED", "TP10", "1")),
        *(("VBUS", "TP11", "1"), ("GND", "TP12", "1"), ("tab", "U3", ""), ("flat side", "Q1", "")),
        *(("5 V, 1 A", "J6", ""), ("USB to the Pi", "A1", "")),
    ),
    "pad": (
        *(("SDA", "U1", "1"), ("SCK", "U1", "2"), ("MOSI", "U1", "3"), ("MISO", "U1", "4"), ("IRQ", "U1", "5")),
        *(("GND", "U1", "6"), ("RST", "U1", "7"), ("3.3V", "U1", "8"), ("YES", "SW1", ""), ("NO", "SW2", "")),
        ("to the satellite", "J1", ""),
    ),
}
"""What is printed, and the part, or the leg of it, that it belongs to."""
ALONE = 12.0
"""Millimetres: a word is nearer than this to what it belongs to, and no word of another such part is nearer to that."""


def _words(board: Board, name: str) -> Iterator[str]:
    """A word beside the wrong hole is worse than none: it is measured there, or plugged in."""
    for words, ref, leg in WORDS[name]:
        legs = board.footprints[ref].places if ref in board.footprints else {}
        own = [place for number, places in legs.items() for place in places if leg in ("", number)]
        kind = ref.rstrip("0123456789")
        rivals = {other for other, part, _ in WORDS[name] if part.rstrip("0123456789") == kind} | {words}
        away = {
            (min(math.dist(place, each.at) for place in own), each.words)
            for each in board.prints
            if each.at is not None and each.words in rivals and own
        }
        distance, nearest = min(away, default=(math.inf, "nothing"))
        if nearest != words or distance > ALONE:
            yield f"{name}: the word nearest to {ref} {leg} is {nearest}, and should be {words}"


def label_faults(svg: str) -> Iterator[str]:
    """Frame, buttons and lamp are where the board has them, green on the left, and there is a label for each place."""
    frame = mm.LABEL_FRAME
    box = f'x="{frame.x:g}" y="{frame.y:g}" width="{frame.width:g}" height="{frame.height:g}"'
    radius = mm.BUTTON_HOLE / 2
    wanted = [
        f'<rect class="cut" width="{mm.LABEL.width:g}" height="{mm.LABEL.height:g}"/>',
        f'<rect class="place" {box} rx="4"/>',
        f'<circle cx="{mm.BUTTON_GREEN.x:g}" cy="{mm.BUTTON_GREEN.y:g}" r="{radius:g}" fill="#1a7f37"/>',
        f'<circle cx="{mm.BUTTON_RED.x:g}" cy="{mm.BUTTON_RED.y:g}" r="{radius:g}" fill="#c1272d"/>',
        f'<circle class="place" cx="{mm.LAMP.x:g}" cy="{mm.LAMP.y:g}" r="3"/>',
        f'<text x="{mm.BUTTON_GREEN.x:g}" y="79">yes',
        f'<text x="{mm.BUTTON_RED.x:g}" y="79">pass',
        'width="210mm" height="297mm" viewBox="0 0 210 297"',
    ]
    for each in wanted:
        if svg.count(each) != 1:
            yield f"label: {each} is there {svg.count(each)} times"
    places = re.findall(r'translate\((\d+) (\d+)\)">\s*<use href="#label"/>\s*<text class="name" [^>]*>([^<]*)<', svg)
    if [name for *_, name in places] != ["centre · Mitte", *(f"pad {pad}" for pad in range(len(mm.SATELLITE_PLUGS)))]:
        yield "label: not one for each place"
    corners = [(int(x), int(y)) for x, y, _ in places]
    for one, other in itertools.combinations(corners, 2):
        if abs(one[0] - other[0]) < mm.LABEL.width and abs(one[1] - other[1]) < mm.LABEL.height:
            yield f"label: those at {one} and {other} overlap"
    if any(x < 0 or y < 0 or x + mm.LABEL.width > 210 or y + mm.LABEL.height > 297 for x, y in corners):
        yield "label: not on the sheet"


VALUES = {
    **{f"MFR-25FBF52-{digits}": value for digits, value in (("100R", "100 Ω"), ("470R", "470 Ω"), ("680R", "680 Ω"))},
    "MFR-25FBF52-1K": "1 kΩ",
    "MFR-25FBF52-2K2": "2.2 kΩ",
    "MFR-25FBF52-8K2": "8.2 kΩ",
    "4606X-101-103LF": "5 × 10 kΩ",
    "C320C104K5R5TA": "100 nF",
    "C320C105K5R5TA": "1 µF",
    "ECA-1HM100": "10 µF",
    "ECA-1EM470": "47 µF",
    "BC33740TA": "BC337",
    "1N4148": "1N4148",
    "MF-R110": "PTC fuse, 1.1 A",
}
"""What is to be printed beside a part."""

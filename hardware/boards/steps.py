"""`python -m hardware.boards.steps [FOLDER]`: pictures of the boards as they fill, low parts first.

Drawn from the finished boards and from the bodies of the data sheets, with the mark by which you know which way round a
part goes. What is new in a step is coloured, what is there already is grey.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from hardware.boards import manifest, reading
from hardware.boards.inspection import VALUES
from hardware.boards.reading import Board, Footprint
from hardware.circuits import bodies
from hardware.circuits.bodies import Placed

MADE = Path(__file__).parents[1] / "build" / "pictures"
SCALE = 8
MARGIN = 4.0
BOARDS = ("satellite", "pad")
MODULES = ("A000005", "RFID-RC522 (MFRC522), 60 × 39.5 mm")
"""They go into their sockets last, after everything was measured."""
HIGHEST = (3.0, 9.0, 12.0, 30.0)
"""Millimetres up to which parts are soldered in each step; in the one after these the modules are put in."""
LAST = "into their sockets, after everything was measured:"
PHRASES: dict[str, tuple[str, ...]] = {
    "resistors": ("MFR-25FBF52",),
    "diodes: the ring at the line that is printed": ("BAT85-TAP", "1N4148"),
    "sockets: notch over notch": ("SN74LVC245AN", "CD74HCT125E", *MODULES),
    "plugs: the triangle at the triangle": ("61201421721",),
    "networks: the dot at the square hole": ("4606X",),
    "ceramic capacitors": ("C320",),
    "buttons": ("B3F",),
    "electrolytic capacitors: the long leg (plus) at the square hole, the stripe away from it": ("ECA",),
    "the transistor: its flat side at the words": ("BC337",),
    "the lamp: its short leg and its flat side at the square hole": ("WP7",),
    "the buzzer: its plus at the plus": ("CMI",),
    "the USB socket": ("USB-B",),
    "the regulator: its tab at the word, at the double line": ("MCP1826S",),
    "the fuse": ("MF-R110",),
}
"""What is told in a step → the part numbers of which it is true, by their beginning."""
STYLE = """
text { font-family: "DejaVu Sans", sans-serif; font-size: 11px; text-anchor: middle; }
.mark { fill: #c1272d; font-weight: bold; }
"""
NEW, OLD = ("#f4c542", "#7a5c00"), ("#c9cdc9", "#7d847d")


At = Callable[[float, float], tuple[float, float]]
"""Millimetres on the board → where that is in the picture."""


class Step(NamedTuple):
    number: int
    words: str
    refs: tuple[str, ...]


def height_of(part: Footprint) -> float:
    return bodies.BODIES[part.number][0].top


def steps(board: Board) -> list[Step]:
    """The parts of a board in the order in which they are soldered. A step without parts is left out."""
    parts = {ref: part for ref, part in board.footprints.items() if not ref.startswith(("H", "TP"))}
    groups: list[list[str]] = [[] for _ in (*HIGHEST, LAST)]
    for ref, part in sorted(parts.items()):
        if part.number in MODULES:
            groups[1].append(ref)  # its sockets …
            groups[-1].append(ref)  # … and itself
        else:
            groups[next(index for index, top in enumerate(HIGHEST) if height_of(part) <= top)].append(ref)
    filled = [refs for refs in groups if refs]
    chips = [ref for ref in sorted(parts) if parts[ref].number.startswith(("SN74", "CD74"))]
    told = [_told([parts[ref].number for ref in refs]) for refs in filled[:-1]]
    told.append(f"{LAST} {', '.join([*chips, *filled[-1]])}")
    return [Step(number, words, tuple(refs)) for number, (words, refs) in enumerate(zip(told, filled, strict=True), 1)]


def _told(numbers: Sequence[str]) -> str:
    return "; ".join(words for words, kinds in PHRASES.items() if any(each.startswith(kinds) for each in numbers))


def picture(board: Board, until: int) -> str:
    """The board after this step."""
    outline = board.outline
    width, height = (outline.width + 2 * MARGIN) * SCALE, (outline.height + 2 * MARGIN) * SCALE

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - outline.x + MARGIN) * SCALE, (y - outline.y + MARGIN) * SCALE

    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    corner = f'x="{MARGIN * SCALE:g}" y="{MARGIN * SCALE:g}"'
    box = f'{corner} width="{outline.width * SCALE:g}" height="{outline.height * SCALE:g}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{STYLE}</style>',
        f'<rect width="100%" height="100%" fill="#fff"/><rect {box} rx="8" fill="#2f6b45"/>',
    ]
    for ref, part in board.footprints.items():
        radius = 1.6 if ref.startswith("H") else 0.7
        fill = "#fff" if ref.startswith("H") else "#d9b44a"
        for x, y in (at(*place) for places in part.places.values() for place in places):
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * SCALE:.1f}" fill="{fill}"/>')
    every = steps(board)
    for step in every[:until]:
        for ref in step.refs:
            last = step.words.startswith(LAST)
            out += _part(board.footprints[ref], at, step.number == until, last)
    return "\n".join([*out, "</svg>"]) + "\n"


def _part(part: Footprint, at: At, new: bool, whole: bool) -> Iterator[str]:
    """Its body, its name, its value where there is room, and its mark."""
    fill, line = NEW if new else OLD
    every = bodies.BODIES[part.number]
    shown = every if whole else every[:1]
    for room in bodies.placed(part.ref, shown, part.x, part.y, part.turned):
        left, top = at(room.left, room.top)
        right, bottom = at(room.right, room.bottom)
        size = f'width="{right - left:.1f}" height="{bottom - top:.1f}"'
        look = (
            f'rx="3" fill="{fill}" fill-opacity="{0.55 if part.number in MODULES and whole else 0.9}" stroke="{line}"'
        )
        yield f'<rect x="{left:.1f}" y="{top:.1f}" {size} {look}/>'
        middle = f'x="{(left + right) / 2:.1f}" y="{(top + bottom) / 2 + 4:.1f}"'
        turn = (
            ""
            if right - left >= bottom - top
            else f' transform="rotate(-90 {(left + right) / 2:.1f} {(top + bottom) / 2:.1f})"'
        )
        words = f"{part.ref} {VALUES.get(part.number, '')}".strip()
        room_for = max(right - left, bottom - top) / 7
        yield f"<text {middle}{turn}>{escape(words if len(words) <= room_for else part.ref)}</text>"
        yield from _mark(part, room, at)


MARKS = {
    "BAT85-TAP": "|",
    "1N4148": "|",
    "ECA-1HM100": "+",
    "ECA-1EM470": "+",
    "CMI-1295IC-0585T": "+",
    "4606X-101-103LF": "●",
    "SN74LVC245AN": "1",
    "CD74HCT125E": "1",
    "61201421721": "▲",
    "WP7113YD": "K",
    "WP710A10LGD": "K",
    "A000005": "1",
    "RFID-RC522 (MFRC522), 60 × 39.5 mm": "SDA",
    "BC33740TA": "C",
    "MCP1826S-3302E/AB": "IN",
}
"""What is seen on the part itself, at its leg 1."""


def _mark(part: Footprint, room: Placed, at: At) -> Iterator[str]:
    if part.number in MARKS and room.low == 0:
        x, y = at(part.x, part.y)
        yield f'<text class="mark" x="{x:.1f}" y="{y + 4:.1f}">{MARKS[part.number]}</text>'


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for name in BOARDS:
        board = reading.read(manifest.MADE / name / f"{name}.kicad_pcb")
        for step in steps(board):
            (folder / f"{name}-{step.number}.svg").write_text(picture(board, step.number), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else MADE))

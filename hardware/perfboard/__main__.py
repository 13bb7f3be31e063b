"""`python -m hardware.perfboard [FOLDER]`: a picture of each perfboard, and a list of its wires."""

import csv
import io
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from hardware import dimensions as d
from hardware.circuits.netlist import Netlist, from_json
from hardware.perfboard import strip
from hardware.perfboard.holes import PITCH, SHEETS, Hole, Sheet, Wire, also_of, filled, legs_of, wires

MADE = Path(__file__).parent / "made"
CIRCUITS = Path(__file__).parents[1] / "circuits" / "made"
STEP = 24
COLOURS = ("#1d4f8f", "#1a7f37", "#8e24aa", "#00838f", "#6d4c41", "#ad1457", "#558b2f", "#4527a0", "#ef6c00", "#00695c")
RAILS = {"GND": "#333333", "3V3": "#c1272d", "5V": "#d97706"}
WIRE_COLOURS = {"GN": "#1a7f37", "PK": "#e377c2", "WH": "#bbbbbb", "BK": "#111111"}
"""As the harness calls them."""
STYLE = 'text { font-family: "DejaVu Sans", sans-serif; font-size: 9px; } .ref { font-size: 12px; font-weight: bold; }'


def at(hole: Hole) -> tuple[int, int]:
    return (hole.column + 1) * STEP, (hole.row + 1) * STEP


def picture(netlist: Netlist, sheet: Sheet, more: Sequence[str] = ()) -> str:
    """`more`: what is drawn over all of it."""
    width, height = (sheet.columns + 2) * STEP, (sheet.rows + 2) * STEP
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fdf6e3"/>',
    ]
    out += [_hole(Hole(column, row)) for column in range(sheet.columns) for row in range(sheet.rows)]
    out += [_number(Hole(column, -1), column) for column in range(sheet.columns)]
    out += [_number(Hole(-1, row), row) for row in range(sheet.rows)]
    out += [_part(netlist, sheet, ref) for ref in sheet.spots]
    for number, wire in enumerate(wires(netlist, sheet)):
        out.append(_wire(wire, RAILS.get(wire.net, COLOURS[hash_of(wire.net) % len(COLOURS)]), number))
    return "\n".join([*out, *more, "</svg>"]) + "\n"


def hash_of(net: str) -> int:
    """The same in every run."""
    return sum(place * ord(letter) for place, letter in enumerate(net, 1))


def _hole(hole: Hole) -> str:
    x, y = at(hole)
    return f'<circle cx="{x}" cy="{y}" r="2.5" fill="#fff" stroke="#c8b88a"/>'


def _number(hole: Hole, number: int) -> str:
    x, y = at(hole)
    return f'<text x="{x or 10}" y="{(y or 10) + 3}" text-anchor="middle" fill="#888">{number}</text>'


def _part(netlist: Netlist, sheet: Sheet, ref: str) -> str:
    """A frame around its legs, its name, a square at leg 1, and a dot at legs that need no wire."""
    also = [at(hole) for hole in also_of(netlist, sheet, ref)]
    places = [*also, *(at(hole) for leg, hole in legs_of(netlist, sheet).items() if leg.ref == ref)]
    left, right = min(x for x, _ in places) - 8, max(x for x, _ in places) + 8
    top, bottom = min(y for _, y in places) - 8, max(y for _, y in places) + 8
    first = at(legs_of(netlist, sheet)[next(leg for leg in legs_of(netlist, sheet) if leg.ref == ref)])
    whole = f"{ref} {netlist.parts[ref].value}"
    words = escape(whole if len(whole) * 8 < right - left else ref)
    box = f'x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" rx="4"'
    return (
        f'<rect {box} fill="#dfe8f5" fill-opacity="0.7" stroke="#4a5a75"/>'
        f'<rect x="{first[0] - 5}" y="{first[1] - 5}" width="10" height="10" fill="none" stroke="#c1272d"/>'
        f'<text class="ref" x="{(left + right) / 2}" y="{(top + bottom) / 2 + 4}" text-anchor="middle">{words}</text>'
        + "".join(f'<circle cx="{x}" cy="{y}" r="3" fill="#4a5a75"/>' for x, y in also)
    )


def _wire(wire: Wire, colour: str, number: int) -> str:
    """Bent a little, each otherwise, so that wires along one row can be told apart."""
    (x1, y1), (x2, y2) = at(wire.start), at(wire.end)
    far = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    bend = 0 if far < 2 * STEP else (number % 5 - 2) * 7 + 4
    x, y = (x1 + x2) / 2 - (y2 - y1) / far * bend, (y1 + y2) / 2 + (x2 - x1) / far * bend
    style = f'stroke="{colour}" stroke-width="2" stroke-opacity="0.8" fill="none"'
    return f'<path d="M{x1} {y1} Q{x:.0f} {y:.0f} {x2} {y2}" {style}><title>{escape(wire.net)}</title></path>'


def strip_picture(kit_one: Netlist) -> str:
    """Kit one's strip: the ends of the wires that go to the Pi, and where screws go through."""
    more = []
    for x, y in strip.screws():
        radius = d.SCREW_HOLE / 2 / PITCH * STEP
        middle = f'cx="{(x + 1) * STEP:.1f}" cy="{(y + 1) * STEP:.1f}" r="{radius:.1f}"'
        more.append(f'<circle {middle} fill="none" stroke="#c1272d" stroke-dasharray="3 2"/>')
    for lead in strip.leads(kit_one):
        (x, y), above = at(lead.hole), lead.hole.row < strip.STRIP.rows // 2
        end = y - STEP if above else y + STEP
        colour = WIRE_COLOURS[lead.colour]
        more.append(f'<path d="M{x} {y} V{end}" stroke="{colour}" stroke-width="3"/>')
        words = f"pin {lead.pin}"
        more.append(f'<text x="{x + 4}" y="{end + 3}">{words}</text>')
    return picture(strip.on_strip(kit_one), strip.STRIP, more)


def table(netlist: Netlist, sheet: Sheet) -> str:
    """Column/row of both ends of each wire, and which legs are there."""
    names = {hole: f"{leg.ref}.{leg.pin}" for leg, hole in legs_of(netlist, sheet).items()}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("net", "from", "leg", "to", "leg"))
    for wire in wires(netlist, sheet):
        writer.writerow((wire.net, wire.start.name, names[wire.start], wire.end.name, names[wire.end]))
    return out.getvalue()


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for name, sheet in SHEETS.items():
        netlist = from_json(CIRCUITS / f"{name}.json")
        taken = filled(netlist, sheet)
        assert len(taken) == len(set(taken)), sorted(hole for hole in set(taken) if taken.count(hole) > 1)
        (folder / f"{name}.svg").write_text(picture(netlist, sheet), encoding="utf-8")
        (folder / f"{name}-wires.csv").write_text(table(netlist, sheet), encoding="utf-8")
    drawn = strip_picture(from_json(CIRCUITS / "kit-one.json"))
    (folder / "kit-one-strip.svg").write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else MADE))

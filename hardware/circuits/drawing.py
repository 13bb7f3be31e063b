"""A schematic as SVG: every part with the net at each of its legs. Legs with the same word are connected.

Parts with many legs are boxes; those with two are symbols between their nets, in the order of their names.
"""

from html import escape

from hardware.circuits.netlist import Netlist, Placed

ROW = 18
BOX = 150
LABEL = 92
GAP = 34
COLUMNS = 3
WIDTH = COLUMNS * (BOX + 2 * LABEL + GAP) + GAP
SMALL_COLUMNS = 4
RAILS = {"GND": "#444", "3V3": "#c1272d", "5V": "#d97706"}
STYLE = """
text { font-family: "DejaVu Sans", sans-serif; font-size: 11px; fill: #111; }
.title { font-size: 20px; font-weight: bold; }
.ref { font-weight: bold; }
.value, .note { fill: #555; font-size: 10px; }
.box { fill: #fffbe6; stroke: #7a5c00; stroke-width: 1.4; }
.wire { stroke: #1a7f37; stroke-width: 1.4; fill: none; }
.symbol { stroke: #7a5c00; stroke-width: 1.6; fill: #fffbe6; }
.flag { fill: #eef6ff; stroke: #4a7ab5; stroke-width: 0.8; }
"""


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def _wire(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path class="wire" d="M{x1:g} {y1:g} L{x2:g} {y2:g}"/>'


def _flag(x: float, y: float, net: str, to_the_left: bool) -> str:
    """The name of a net, at the end of a leg."""
    if not net:
        side = x - 6 if to_the_left else x + 6
        return f'<path d="M{side - 3:g} {y - 3:g} l6 6 m0 -6 l-6 6" stroke="#999" fill="none"/>'
    width = 7 * len(net) + 8
    left = x - width if to_the_left else x
    colour = RAILS.get(net, "#1d4f8f")
    return (
        f'<rect class="flag" x="{left:g}" y="{y - 8:g}" width="{width}" height="15" rx="3"/>'
        f'<text x="{left + width / 2:g}" y="{y + 4:g}" text-anchor="middle" style="fill:{colour}">{escape(net)}</text>'
    )


def _box(netlist: Netlist, part: Placed, x: float, y: float) -> tuple[list[str], float]:
    """A part with many legs: the first half on the left, the others, from below, on the right; as on a chip."""
    pins = [pin for pin in part.kind.pins if part.kind.name != "RaspberryPi" or netlist.net_of(part.ref, pin.number)]
    half = (len(pins) + 1) // 2
    height = half * ROW + 12
    left = x + LABEL
    out = [
        _text(left, y - 6, f"{part.ref}  {part.value}", "ref"),
        f'<rect class="box" x="{left:g}" y="{y:g}" width="{BOX}" height="{height}" rx="4"/>',
    ]
    chip = part.kind.name.startswith(("74", "Arduino"))
    right_side = pins[half:][::-1] if chip else pins[half:]
    for side, column in ((True, pins[:half]), (False, right_side)):
        for row, pin in enumerate(column):
            at = y + 14 + row * ROW
            edge = left if side else left + BOX
            end = edge - 14 if side else edge + 14
            net = netlist.net_of(part.ref, pin.number)
            name = pin.name.removesuffix(f"_{pin.number}").removesuffix(f" {pin.number}")
            words = f"{pin.number} {name}" if side else f"{name} {pin.number}"
            out.append(_text(edge + (6 if side else -6), at + 4, words, "", "start" if side else "end"))
            out.append(_wire(edge, at, end, at))
            out.append(_flag(end, at, net, side))
    return out, height + 34


SYMBOLS = {
    "R": '<rect class="symbol" x="-16" y="-6" width="32" height="12"/>',
    "C": '<path class="symbol" d="M-3 -9 V9 M3 -9 V9"/>',
    "F": '<rect class="symbol" x="-16" y="-6" width="32" height="12"/><path class="symbol" d="M-16 0 H16"/>',
    "CP": '<path class="symbol" d="M-3 -9 V9 M3 -9 V9"/><text x="-14" y="-4">+</text>',
    "D": '<path class="symbol" d="M12 -8 L-8 0 L12 8 Z M-8 -8 V8"/>',
    "LED": '<path class="symbol" d="M12 -8 L-8 0 L12 8 Z M-8 -8 V8 M14 4 l6 6 m-3 0 h3 v-3 M18 0 l6 6 m-3 0 h3 v-3"/>',
    "SW": '<path class="symbol" d="M-16 0 H-9 L10 -9 M10 0 H16"/>',
    "BZ": '<path class="symbol" d="M-9 8 V-8 A 12 8 0 0 1 9 0 A 12 8 0 0 1 -9 8 Z"/>',
}
"""With their first leg to the left: of a diode that is the ring."""


def _small(netlist: Netlist, part: Placed, x: float, y: float) -> list[str]:
    """A part with two legs, between the names of its nets."""
    one, other = (netlist.net_of(part.ref, pin.number) for pin in part.kind.pins)
    middle = x + 125
    return [
        _wire(middle - 40, y, middle + 40, y),
        f'<g transform="translate({middle:g} {y:g})">{SYMBOLS[part.kind.name]}</g>',
        _flag(middle - 40, y, one, True),
        _flag(middle + 40, y, other, False),
        _text(middle, y - 13, f"{part.ref}  {part.value}", "ref", "middle"),
        _text(middle, y + 20, part.note, "note", "middle"),
    ]


def _natural(part: Placed) -> tuple[str, int]:
    letters = part.ref.rstrip("0123456789")
    return letters, int(part.ref[len(letters) :] or 0)


def schematic(netlist: Netlist, title: str) -> str:
    """All of a circuit on one sheet."""
    parts = sorted(netlist.parts.values(), key=_natural)
    out = [_text(GAP, 34, title, "title")]
    bottoms = [70.0] * COLUMNS
    for part in sorted((each for each in parts if len(each.kind.pins) > 2), key=lambda each: -len(each.kind.pins)):
        column = bottoms.index(min(bottoms))
        drawn, height = _box(netlist, part, GAP + column * (BOX + 2 * LABEL + GAP), bottoms[column])
        out += drawn
        bottoms[column] += height
    top = max(bottoms) + 20
    small = [each for each in parts if len(each.kind.pins) == 2]
    pitch = (WIDTH - GAP) / SMALL_COLUMNS
    for number, part in enumerate(small):
        out += _small(netlist, part, GAP / 2 + number % SMALL_COLUMNS * pitch, top + number // SMALL_COLUMNS * 52)
    height = top + (len(small) + SMALL_COLUMNS - 1) // SMALL_COLUMNS * 52 + 10
    points = [f"{each.ref}: {netlist.net_of(each.ref, '1')}" for each in parts if len(each.kind.pins) == 1]
    if points:
        out.append(_text(GAP, height, f"test points: {', '.join(points)}", "value"))
        height += 20
    size = f'viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{STYLE}</style>'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *out, "</svg>"]) + "\n"

"""A sheet of a schematic, in KiCad's own format: symbols, wires, names of nets, and words.

Everything is drawn in steps of 2.54 mm from the upper left corner, x to the right, y down. A row is a pin, with what
lies in its way up to the name of a net. The symbols are our own, so that no library is needed to open a sheet.
"""

import itertools
import re
import uuid
from collections.abc import Sequence
from typing import NamedTuple

from hardware.circuits.catalogue import Kind
from hardware.circuits.netlist import Netlist

STEP = 2.54
OFFSET = 4
"""Steps from the corner of the sheet to where a drawing begins."""
PITCH = 2
"""Steps from one row of a box to the next."""
WIDE = 12
"""Steps from the left pins of a box to its right ones."""
INLINE = 4
"""Steps from one leg of a small part to the other."""
SPACE = uuid.UUID("6f1d2b1e-5d5f-4b7e-9a44-0c0ffee0c0de")
SHAPES = {
    "R": "(rectangle (start -2.54 1.016) (end 2.54 -1.016) {look})",
    "F": "(rectangle (start -2.54 1.016) (end 2.54 -1.016) {look}) (polyline (pts (xy -2.54 0) (xy 2.54 0)) {look})",
    "C": "(polyline (pts (xy -0.6 2) (xy -0.6 -2)) {look}) (polyline (pts (xy 0.6 2) (xy 0.6 -2)) {look}) {leads}",
    "CP": "(rectangle (start -0.9 2) (end -0.3 -2) {look}) (polyline (pts (xy 0.6 2) (xy 0.6 -2)) {look}) {leads} {plus}",
    "D": "(polyline (pts (xy 1.5 1.5) (xy 1.5 -1.5) (xy -1.2 0) (xy 1.5 1.5)) {look}) "
    "(polyline (pts (xy -1.2 1.5) (xy -1.2 -1.5)) {look}) {leads}",
    "SW": "(polyline (pts (xy -2.54 0) (xy -1.6 0) (xy 1.8 1.6)) {look}) (polyline (pts (xy 1.6 0) (xy 2.54 0)) {look})",
    "BZ": "(arc (start -1.8 -1.8) (mid 1.8 0) (end -1.8 1.8) {look}) "
    "(polyline (pts (xy -1.8 -1.8) (xy -1.8 1.8)) {look}) {leads} {plus}",
}
"""With leg 1 to the left: of a diode that is the ring, of a capacitor or a buzzer plus."""
SHAPES["LED"] = (
    SHAPES["D"] + " (polyline (pts (xy 0 2) (xy -1.4 3.4) (xy -0.6 3.2)) {look}) "
    "(polyline (pts (xy 1.2 2) (xy -0.2 3.4) (xy 0.6 3.2)) {look})"
)
LOOK = "(stroke (width 0.254) (type default)) (fill (type none))"
LEADS = f"(polyline (pts (xy -2.54 0) (xy -0.9 0)) {LOOK}) (polyline (pts (xy 0.6 0) (xy 2.54 0)) {LOOK})"
PLUS = '(text "+" (at -1.9 1.6 0) (effects (font (size 1.27 1.27))))'
FONT = "(effects (font (size 1.27 1.27)){more})"


def _mirrored(shape: str) -> str:
    """Leg 1 to the right."""

    def turned(match: re.Match[str]) -> str:
        return f"({match[1]} {-float(match[2]):g} {match[3]}"

    return re.sub(r"\((xy|start|mid|end|at) (-?[\d.]+) (-?[\d.]+)", turned, shape)


def _upright(shape: str) -> str:
    """Leg 1 above."""

    def turned(match: re.Match[str]) -> str:
        return f"({match[1]} {match[3]} {-float(match[2]):g}"

    return re.sub(r"\((xy|start|mid|end|at) (-?[\d.]+) (-?[\d.]+)", turned, shape)


def mm(steps: float) -> float:
    """Where so many steps are on the paper."""
    return (steps + OFFSET) * STEP


class Symbol(NamedTuple):
    name: str
    shape: str
    pins: Sequence[str]


class Words(NamedTuple):
    """How far above the middle of a part its name and its value are, and how far to the right, in millimetres."""

    name: float
    value: float
    aside: float = 0.0


class Sheet:
    """One sheet of a circuit."""

    def __init__(self, netlist: Netlist, name: str, title: str, path: str) -> None:
        self.netlist, self.name, self.title, self.path = netlist, name, title, path
        self.pitch = PITCH
        """Steps from one row of the next box to the next."""
        self.symbols: dict[str, str] = {}
        self.items: list[str] = []
        self.pins: dict[tuple[str, str], tuple[int, int]] = {}
        """Part and leg → where its pin ends, in steps."""
        self.sides: dict[tuple[str, str], int] = {}
        """Leg of a box → 1 on its right, −1 on its left."""

    # --- Parts ------------------------------------------------------------------------------------------------

    def box(self, ref: str, x: int, y: int, left: Sequence[str] = (), right: Sequence[str] = ()) -> None:
        """A part with many legs. "" leaves a row free."""
        kind, pitch = self.netlist.parts[ref].kind, self.pitch
        rows = max(len(left), len(right))
        half, top = WIDE * STEP / 2, rows * pitch * STEP / 2
        shape = (
            f"(rectangle (start {-half + STEP} {top}) (end {half - STEP} {-top}) {LOOK.replace('none', 'background')})"
        )
        pins = []
        for side, column in ((-1, left), (1, right)):
            for row, number in enumerate(column):
                if number:
                    down = top - (row + 0.5) * pitch * STEP
                    pins.append(_pin(kind, number, (side * half, down), 180 if side > 0 else 0))
                    self.pins[ref, number] = (x + side * WIDE // 2, y + row * pitch)
                    self.sides[ref, number] = side
        middle = (x, y + (rows * pitch - pitch) / 2)
        self._symbol(ref, Symbol(f"box_{ref}", shape, pins), middle, Words(top + 1.6, -top - 1.6))

    def transistor(self, ref: str, x: int, y: int) -> None:
        """NPN: collector above, base to the left, emitter below."""
        kind = self.netlist.parts[ref].kind
        shape = (
            f"(circle (center 0.6 0) (radius 2.9) {LOOK}) (polyline (pts (xy -0.6 2) (xy -0.6 -2)) {LOOK}) "
            f"(polyline (pts (xy -0.6 0.6) (xy 2.54 2.54)) {LOOK}) (polyline (pts (xy -0.6 -0.6) (xy 2.54 -2.54)) {LOOK}) "
            f"(polyline (pts (xy 1.2 -2.3) (xy 2.3 -2.4) (xy 1.9 -1.4)) {LOOK})"
        )
        places = {
            "C": (STEP, 2 * STEP, 270, (1, -2)),
            "B": (-2 * STEP, 0.0, 0, (-2, 0)),
            "E": (STEP, -2 * STEP, 90, (1, 2)),
        }
        pins = []
        for pin in kind.pins:
            across, up, angle, (dx, dy) = places[pin.name]
            pins.append(_pin(kind, pin.number, (across, up), angle, hidden=True))
            self.pins[ref, pin.number] = (x + dx, y + dy)
        self._symbol(ref, Symbol(f"q_{ref}", shape, pins), (x, y), Words(1.3, -1.3, 8.0))

    def small(self, ref: str, x: int, y: int, first: str = "1", upright: bool = False) -> tuple[str, str]:
        """A part with two legs, its middle here; `first` is the leg to the left, or above. Gives both legs, in order."""
        kind = self.netlist.parts[ref].kind
        shape = SHAPES[kind.name].format(look=LOOK, leads=LEADS, plus=PLUS)
        legs = ("1", "2") if first == "1" else ("2", "1")
        if first != "1":
            shape = _mirrored(shape)
        half = INLINE * STEP / 2
        if upright:
            shape = _upright(shape)
            pins = [_pin(kind, legs[0], (0, half), 270, hidden=True), _pin(kind, legs[1], (0, -half), 90, hidden=True)]
            ends = ((x, y - INLINE // 2), (x, y + INLINE // 2))
        else:
            pins = [_pin(kind, legs[0], (-half, 0), 0, hidden=True), _pin(kind, legs[1], (half, 0), 180, hidden=True)]
            ends = ((x - INLINE // 2, y), (x + INLINE // 2, y))
        for leg, end in zip(legs, ends, strict=True):
            self.pins[ref, leg] = end
        symbol = f"{kind.name}_{first}_{'v' if upright else 'h'}"
        words = Words(1.3, -1.3, 7.5) if upright else Words(2.6, -2.8)
        self._symbol(ref, Symbol(symbol, shape, pins), (x, y), words)
        return legs

    def _symbol(self, ref: str, drawn: Symbol, middle: tuple[float, float], words: Words) -> None:
        symbol, shape, pins = drawn
        part = self.netlist.parts[ref]
        own = f"own:{symbol}"
        head = (
            "(pin_numbers (hide yes)) (pin_names (hide yes))"
            if not symbol.startswith("box")
            else "(pin_names (offset 0.5))"
        )
        self.symbols[own] = (
            f'(symbol "{own}" {head} (exclude_from_sim no) (in_bom yes) (on_board yes)\n'
            f"{_property('Reference', part.kind.prefix)}{_property('Value', '~')}{_property('Footprint', '', hidden=True)}"
            f'(symbol "{symbol}_0_1" {shape})\n(symbol "{symbol}_1_1" {" ".join(pins)}))\n'
        )
        x, y = mm(middle[0]), mm(middle[1])
        named = _property("Reference", ref, (x + words.aside, y - words.name))
        valued = _property("Value", part.value, (x + words.aside, y - words.value))
        case = _property("Footprint", part.kind.footprint, hidden=True)
        numbers = " ".join(f'(pin "{pin.number}" (uuid "{self.id_of(ref, pin.number)}"))' for pin in part.kind.pins)
        self.items.append(
            f'(symbol (lib_id "{own}") (at {x:g} {y:g} 0) (unit 1) (exclude_from_sim no) (in_bom yes) (on_board yes) '
            f'(dnp no) (uuid "{self.id_of(ref)}")\n{named}{valued}{case}{numbers}\n'
            f'(instances (project "{self.netlist.name}" (path "{self.path}" (reference "{ref}") (unit 1)))))\n'
        )

    # --- Wires ------------------------------------------------------------------------------------------------

    def wire(self, *points: tuple[int, int]) -> None:
        for (x1, y1), (x2, y2) in itertools.pairwise(points):
            ends = f"(xy {mm(x1):g} {mm(y1):g}) (xy {mm(x2):g} {mm(y2):g})"
            known = self.id_of("wire", str(len(self.items)))
            self.items.append(f'(wire (pts {ends}) (stroke (width 0) (type default)) (uuid "{known}"))\n')

    def net(self, name: str, x: int, y: int, angle: int = 0) -> None:
        """The name of a net, at the end of a wire: everything with this name is connected."""
        side = "right" if angle in (180, 270) else "left"
        look = FONT.format(more=f" (justify {side})")
        known = self.id_of("net", str(len(self.items)))
        place = f"(at {mm(x):g} {mm(y):g} {angle})"
        self.items.append(f'(global_label "{name}" (shape passive) {place} {look} (uuid "{known}"))\n')

    def row(self, ref: str, leg: str, *way: str) -> None:
        """From a pin outwards: parts in its way (a name, or a name and the leg that is met first: "D2.1"), names of nets
        on the wire ("=5V"), and at the end the name of a net; "x": nothing is connected."""
        x, y = self.pins[ref, leg]
        ahead = self.sides.get((ref, leg), -1)
        right = ahead > 0
        *between, last = way
        if last == "x":
            known = self.id_of("nc", ref, leg)
            self.items.append(f'(no_connect (at {mm(x):g} {mm(y):g}) (uuid "{known}"))\n')
            return
        for each in between:
            if each.startswith("="):
                self.wire((x, y), (x + 3 * ahead, y))
                x += 3 * ahead
                self.net(each[1:], x, y, 90)
                continue
            part, _, met = each.partition(".")
            met = met or "1"
            first = met if right else {"1": "2", "2": "1"}[met]
            self.wire((x, y), (x + 2 * ahead, y))
            self.small(part, x + 4 * ahead, y, first)
            x += 6 * ahead
        self.wire((x, y), (x + 2 * ahead, y))
        self.net(last, x + 2 * ahead, y, 0 if right else 180)

    def hang(self, ref: str, x: int, y: int, above: str, below: str) -> None:
        """A part between two rails, upright."""
        self.small(ref, x, y, upright=True)
        self.net(above, x, y - INLINE // 2, 90)
        self.net(below, x, y + INLINE // 2, 270)

    def note(self, x: int, y: int, words: str, size: float = 1.5) -> None:
        told = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        look = f"(effects (font (size {size} {size})) (justify left top))"
        known = self.id_of("note", str(len(self.items)))
        self.items.append(f'(text "{told}" (exclude_from_sim no) (at {mm(x):g} {mm(y):g} 0) {look} (uuid "{known}"))\n')

    def frame(self, x: int, y: int, width: int, height: int, words: str) -> None:
        """A block, with its name."""
        corners = f"(start {mm(x):g} {mm(y):g}) (end {mm(x + width):g} {mm(y + height):g})"
        known = self.id_of("frame", str(len(self.items)))
        look = "(stroke (width 0.15) (type dash)) (fill (type none))"
        self.items.append(f'(rectangle {corners} {look} (uuid "{known}"))\n')
        self.note(x + 1, y + 1, words, 2.2)

    # --- The file ---------------------------------------------------------------------------------------------

    def id_of(self, *words: str) -> str:
        return str(uuid.uuid5(SPACE, "/".join((self.netlist.name, self.name, *words))))

    def text(self, known: str, first: bool = False) -> str:
        page = '(sheet_instances (path "/" (page "1")))\n' if first else ""
        title = f'(title_block (title "{self.title}") (rev "A") (comment 1 "made by python -m hardware.schematics; never built yet"))'
        return (
            f'(kicad_sch (version 20250114) (generator "companion") (generator_version "9.0") (uuid "{known}") (paper "User" 320 240)\n'
            f"{title}\n(lib_symbols\n{''.join(self.symbols[name] for name in sorted(self.symbols))})\n{''.join(self.items)}{page})\n"
        )


def _property(name: str, value: str, at: tuple[float, float] = (0, 0), hidden: bool = False) -> str:
    look = FONT.format(more=" (hide yes)" if hidden else "")
    return f'(property "{name}" "{value}" (at {at[0]:g} {at[1]:g} 0) {look})\n'


def _pin(kind: Kind, number: str, at: tuple[float, float], angle: int, hidden: bool = False) -> str:
    name = next(pin.name for pin in kind.pins if pin.number == number)
    shown = "" if hidden else name.removesuffix(f"_{number}").removesuffix(f" {number}")
    words = f'(name "{shown or "~"}" {FONT.format(more="")}) (number "{number}" {FONT.format(more="")})'
    return f"(pin passive line (at {at[0]:g} {at[1]:g} {angle}) (length 2.54) {words})"

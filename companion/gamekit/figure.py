"""Figures on cards, tiles and buttons: SVG files in a game's folder `figures`, read for paper and served to phones.

A figure is drawn in a square of 100 by 100, in one colour; what is drawn on it, in a second colour, comes last, in the
group `lines`. We read a small part of SVG, and refuse the rest, so that paper and browsers show the same picture:

    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="currentColor"
         stroke-linecap="round" stroke-linejoin="round">
      <circle cx="50" cy="50" r="44"/>
      <path d="M 21 28 C 24 18 20 12 12 4" fill="none" stroke="currentColor" stroke-width="2.6"/>
      <g class="lines" color="white">
        <polygon points="50,52 56,64 44,64"/>
      </g>
    </svg>

Shapes are path (M, L, C and Z with absolute numbers), polygon, polyline, line, circle, ellipse and rect. A shape is
filled; with `fill="none" stroke="currentColor" stroke-width="…"`, on itself or a group around it, a pen draws it.
"""

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TypeAlias
from xml.parsers.expat import ExpatError, ParserCreate

from msgspec import Struct

from companion.errors import CompanionError
from companion.files import load
from companion.gamekit.discovery import folder_in, manifest
from companion.gamekit.sign_table import SHAPES as COLOUR_SHAPES

FILE_BYTES = 64 * 1024
ROOT = {
    "xmlns": "http://www.w3.org/2000/svg",
    "viewBox": "0 0 100 100",
    "fill": "currentColor",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
}
"""What stands at the top of every figure, word for word."""
LINES = {"class": "lines", "color": "white"}
"""The group of what is drawn on a figure."""
PEN = {"fill": "none", "stroke": "currentColor"}
"""A shape that is drawn with a pen; `stroke-width` stands beside it."""
WIDTH = "stroke-width"
SHAPES = {
    "path": ("d",),
    "polygon": ("points",),
    "polyline": ("points",),
    "line": ("x1", "y1", "x2", "y2"),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "rect": ("x", "y", "width", "height"),
}
"""Where each shape says what it looks like."""
NUMBERS = {"M": 2, "L": 2, "C": 6, "Z": 0}
"""How many numbers follow a letter of a path."""
FURTHEST = 10.0
"""How far beyond the square a point may be: a bone reaches over the edge of its tile."""
ROUND = 0.5523
"""How far a Bézier curve's handles reach for a quarter of a circle."""

Point: TypeAlias = tuple[float, float]
PathStep: TypeAlias = tuple[str, tuple[float, ...]]
"""A letter of a path, with its numbers."""


class FigureError(CompanionError):
    """A figure that is not there, or that cannot be drawn: which file, which element, and why."""


class Outline(Struct, frozen=True):
    """A path that is filled, or drawn with a pen of this width."""

    path: tuple[PathStep, ...]
    pen: float = 0.0


class Figure(Struct, frozen=True):
    """What is drawn in the figure's colour, and what is drawn on it in a second one."""

    body: tuple[Outline, ...]
    lines: tuple[Outline, ...] = ()


# --- Finding one ----------------------------------------------------------------------------------------------------


KIT = Path(__file__).with_name("figures")
SIGNS = dict(zip(COLOUR_SHAPES, ("disc", "square", "triangle", "diamond", "bar", "plus"), strict=True))
"""The kit's shapes, which stand for colours and seats, by the signs that screens show for them."""


class Figures:
    """The figures of a game by their names: the SVG files in its folder, and then the kit's own."""

    def __init__(self, folder: Path = KIT) -> None:
        self.folder = folder
        self._read: dict[str, Figure] = {}

    @cached_property
    def files(self) -> Mapping[str, Path]:
        """Every file by its name. A game's own figure is found before the kit's."""
        return {path.stem: path for folder in (KIT, self.folder) for path in sorted(folder.glob("*.svg"))}

    def __getitem__(self, name: str) -> Figure:
        """Raises FigureError."""
        if name not in self._read:
            self._read[name] = read_figure(self.svg(name), str(self.files[name]))
        return self._read[name]

    def svg(self, name: str) -> bytes:
        """The file of a figure. Raises FigureError."""
        if name not in self.files:
            raise FigureError(f"there is no figure {name!r}; there are {', '.join(sorted(self.files))}")
        return load(self.files[name], FILE_BYTES)

    def __contains__(self, name: str) -> bool:
        return name in self.files

    def of_sign(self, sign: str) -> Figure:
        """The shape for one of `SIGNS`."""
        return self[SIGNS[sign]]


@cache
def figures_in(package: str) -> Figures:
    """The figures that stand in a folder `figures` of this package; of no package: the kit's own."""
    return Figures(folder_in(package, "figures") or KIT)


def figures_of(name: str) -> Figures:
    """What a game may name: its own figures, and the kit's. Raises UsageError."""
    return figures_in(manifest(name).figures)


# --- Reading one ----------------------------------------------------------------------------------------------------


def read_figure(svg: bytes, origin: str) -> Figure:
    """Raises FigureError for what is not in the part of SVG that we draw, naming `origin`, the line and the element."""
    return _Reader(origin).read(svg)


class _Group(Struct, frozen=True):
    """What the shapes inside an element have from it."""

    pen: float = 0.0
    lines: bool = False
    shape: bool = False


class _Reader:
    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._xml = ParserCreate()
        self._xml.StartElementHandler = self._start
        self._xml.EndElementHandler = self._end
        self._xml.CharacterDataHandler = self._text
        self._xml.StartDoctypeDeclHandler = self._doctype
        self._xml.ProcessingInstructionHandler = self._instruction
        self._within: list[_Group] = []
        self._body: list[Outline] = []
        self._lines: list[Outline] = []

    def read(self, svg: bytes) -> Figure:
        try:
            self._xml.Parse(svg, True)
        except ExpatError as error:
            raise FigureError(f"{self._origin}, line {error.lineno}: this is not XML ({error})") from None
        if not self._body:
            raise FigureError(f"{self._origin}: nothing is drawn in the figure's own colour")
        return Figure(tuple(self._body), tuple(self._lines))

    def _no(self, element: str, why: str) -> FigureError:
        return FigureError(f"{self._origin}, line {self._xml.CurrentLineNumber}: <{element}> {why}")

    # --- What the parser finds ---

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._within:
            if tag != "svg" or attributes != ROOT:
                raise self._no(tag, f"begins no figure: expected <svg {_written(ROOT)}>")
            self._within.append(_Group())
            return
        around = self._within[-1]
        if tag not in (*SHAPES, "g"):
            raise self._no(tag, f"is not among g, {', '.join(SHAPES)}")
        if around.shape:
            raise self._no(tag, "is inside a shape")
        left = dict(attributes)
        lines = around.lines or self._is_lines(tag, left)
        pen = self._pen(tag, left) or around.pen
        if tag != "g":
            (self._lines if lines else self._body).append(self._outline(tag, left, pen))
            if self._lines and not lines:
                raise self._no(tag, f"comes after the group {_written(LINES)}, and would be drawn below it on paper")
        if left:
            raise self._no(tag, f"has {_written(left)}, which figures do not have")
        self._within.append(_Group(pen, lines, tag != "g"))

    def _end(self, tag: str) -> None:
        self._within.pop()

    def _text(self, text: str) -> None:
        if text.strip():
            raise self._no("svg", f"has the text {text.strip()[:40]!r}; figures have none")

    def _doctype(self, *_about: object) -> None:
        raise self._no("!DOCTYPE", "is not needed")

    def _instruction(self, target: str, _data: str) -> None:
        raise self._no(f"?{target}", "is not needed")

    # --- What an element says; each takes what it reads out of `left` ---

    def _is_lines(self, tag: str, left: dict[str, str]) -> bool:
        if tag != "g" or not LINES.items() <= left.items():
            return False
        for name in LINES:
            del left[name]
        return True

    def _pen(self, tag: str, left: dict[str, str]) -> float:
        """The width of its pen; 0 if it says nothing about one."""
        if not PEN.items() <= left.items() or WIDTH not in left:
            return 0.0
        for name in PEN:
            del left[name]
        width = self._number(tag, WIDTH, left.pop(WIDTH))
        if width <= 0:
            raise self._no(tag, f"has a {WIDTH} of {width:g}")
        return width

    def _outline(self, tag: str, left: dict[str, str], pen: float) -> Outline:
        if missing := [name for name in SHAPES[tag] if name not in left]:
            raise self._no(tag, f"has no {missing[0]}")
        if tag in ("line", "polyline") and not pen:
            raise self._no(tag, f"has no pen: expected {_written(PEN)} {WIDTH}=…, on itself or on a group around it")
        said = [left.pop(name) for name in SHAPES[tag]]
        if tag == "path":
            return Outline(self._steps(said[0]), pen)
        if tag in ("polygon", "polyline"):
            return Outline(_joined(self._points(tag, said[0]), closed=tag == "polygon"), pen)
        numbers = [self._number(tag, name, text) for name, text in zip(SHAPES[tag], said, strict=True)]
        return Outline(_path(tag, *numbers), pen)

    def _number(self, tag: str, name: str, text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise self._no(tag, f"has {name}={text[:40]!r}, which is no number") from None
        if not -FURTHEST <= number <= 100 + FURTHEST:
            raise self._no(tag, f"has {name}={text[:40]!r}, which is outside of the square")
        return number

    def _points(self, tag: str, text: str) -> list[Point]:
        numbers = [self._number(tag, "points", word) for word in text.replace(",", " ").split()]
        if len(numbers) % 2 or len(numbers) < 4:
            raise self._no(tag, f"has points of {len(numbers)} numbers: expected two for each of its points")
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    def _steps(self, text: str) -> tuple[PathStep, ...]:
        found: list[tuple[str, list[float]]] = []
        for word in text.replace(",", " ").split():
            if word in NUMBERS:
                found.append((word, []))
            elif found:
                found[-1][1].append(self._number("path", "d", word))
            else:
                raise self._no("path", f"begins with {word[:40]!r}: expected M, a space and two numbers")
        for letter, numbers in found:
            if len(numbers) != NUMBERS[letter]:
                raise self._no("path", f"has {letter} with {len(numbers)} numbers: expected {NUMBERS[letter]}")
        if not found or found[0][0] != "M":
            raise self._no("path", "does not begin with M")
        return tuple((letter, tuple(numbers)) for letter, numbers in found)


def _written(attributes: Mapping[str, str]) -> str:
    return " ".join(f'{name}="{text[:40]}"' for name, text in attributes.items())


# --- Shapes as paths ------------------------------------------------------------------------------------------------


def _path(tag: str, *numbers: float) -> tuple[PathStep, ...]:
    if tag == "line":
        x1, y1, x2, y2 = numbers
        return _joined([(x1, y1), (x2, y2)], closed=False)
    if tag == "rect":
        x, y, width, height = numbers
        return _joined([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], closed=True)
    x, y, *radii = numbers
    return _ellipse(x, y, radii[0], radii[-1])


def _joined(points: list[Point], *, closed: bool) -> tuple[PathStep, ...]:
    first, *others = points
    return (("M", first), *(("L", point) for point in others), *([("Z", ())] if closed else []))


def _ellipse(x: float, y: float, rx: float, ry: float) -> tuple[PathStep, ...]:
    hx, hy = rx * ROUND, ry * ROUND
    quarters = (
        (x + hx, y - ry, x + rx, y - hy, x + rx, y),
        (x + rx, y + hy, x + hx, y + ry, x, y + ry),
        (x - hx, y + ry, x - rx, y + hy, x - rx, y),
        (x - rx, y - hy, x - hx, y - ry, x, y - ry),
    )
    return (("M", _short(x, y - ry)), *(("C", _short(*quarter)) for quarter in quarters), ("Z", ()))


def _short(*numbers: float) -> tuple[float, ...]:
    """Four digits are more than a printer shows, and keep the file small."""
    return tuple(float(f"{number:.4g}") for number in numbers)

"""Figures for printed pieces: outlines in a square of 100 by 100, and the shapes that stand for colours.

An outline is text, as in an SVG's path, of four letters with absolute numbers: `M x y`, `L x y`, `C x y x y x y`, `Z`.
"""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import TypeAlias

from msgspec import Struct

Point: TypeAlias = tuple[float, float]
ROUND = 0.5523
"""How far a Bézier curve's handles reach for a quarter of a circle."""


class Outline(Struct, frozen=True):
    """A path that is filled, or drawn with a pen of this width."""

    path: str
    pen: float = 0.0


Drawing: TypeAlias = tuple[Outline, ...]


def polygon(*points: Point) -> Outline:
    return Outline(_joined(points) + " Z")


def stroke(pen: float, *points: Point) -> Outline:
    """From point to point with a round pen."""
    return Outline(_joined(points), pen)


def bow(pen: float, start: Point, first: Point, second: Point, end: Point) -> Outline:
    """One curve with a round pen: where it begins, two handles, where it ends."""
    return Outline(f"{_joined((start,))} C {_number(first)} {_number(second)} {_number(end)}", pen)


def ellipse(x: float, y: float, across: float, down: float | None = None) -> Outline:
    """Around a point, with these radii."""
    rx, ry = across, across if down is None else down
    hx, hy = rx * ROUND, ry * ROUND
    quarters = (
        ((x + hx, y - ry), (x + rx, y - hy), (x + rx, y)),
        ((x + rx, y + hy), (x + hx, y + ry), (x, y + ry)),
        ((x - hx, y + ry), (x - rx, y + hy), (x - rx, y)),
        ((x - rx, y - hy), (x - hx, y - ry), (x, y - ry)),
    )
    curves = " ".join("C " + " ".join(map(_number, quarter)) for quarter in quarters)
    return Outline(f"M {_number((x, y - ry))} {curves} Z")


def smooth(*points: Point) -> Outline:
    """A closed line that bends through all points (Catmull and Rom's spline)."""
    ring = [points[-1], *points, points[0], points[1]]
    curves = []
    for before, start, end, after in zip(ring, ring[1:], ring[2:], ring[3:], strict=False):
        first = start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6
        second = end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6
        curves.append(f"C {_number(first)} {_number(second)} {_number(end)}")
    return Outline(f"M {_number(points[0])} {' '.join(curves)} Z")


def star(points: int, outer: float, inner: float, x: float = 50, y: float = 50) -> Outline:
    radii = [outer, inner] * points
    angles = [pi * number / points - pi / 2 for number in range(2 * points)]
    return polygon(*((x + r * cos(a), y + r * sin(a)) for r, a in zip(radii, angles, strict=True)))


def mirrored(drawing: Drawing) -> Drawing:
    """Looking the other way."""
    return tuple(Outline(_flipped(outline.path), outline.pen) for outline in drawing)


def _flipped(path: str) -> str:
    words, across = [], True
    for word in path.split():
        if word.isalpha():
            words.append(word)
            continue
        words.append(f"{100 - float(word):g}" if across else word)
        across = not across
    return " ".join(words)


def _joined(points: Sequence[Point]) -> str:
    return "M " + " L ".join(map(_number, points))


def _number(point: Point) -> str:
    return f"{point[0]:.4g} {point[1]:.4g}"


# --- Shapes that stand for colours ------------------------------------------------------------------------------

_CROSS = ((0, -18), (26, -44), (44, -26), (18, 0), (44, 26), (26, 44), (0, 18), (-26, 44), (-44, 26), (-18, 0))
_CROSS_END = ((-44, -26), (-26, -44))
SHAPES: dict[str, Drawing] = {
    "●": (ellipse(50, 50, 44),),
    "■": (polygon((10, 10), (90, 10), (90, 90), (10, 90)),),
    "▲": (polygon((50, 6), (97, 90), (3, 90)),),
    "◆": (polygon((50, 2), (98, 50), (50, 98), (2, 50)),),
    "►": (polygon((10, 4), (96, 50), (10, 96)),),
    "×": (polygon(*((50 + x, 50 + y) for x, y in (*_CROSS, *_CROSS_END))),),
}
"""By the sign that the screen shows for them."""


# --- Reading a path ---------------------------------------------------------------------------------------------

LENGTHS = {"M": 2, "L": 2, "C": 6, "Z": 0}
"""How many numbers follow a letter."""


def steps(path: str) -> list[tuple[str, tuple[float, ...]]]:
    """A path as its letters, each with its numbers. Raises ValueError for one that is none."""
    found: list[tuple[str, list[float]]] = []
    for word in path.split():
        if word in LENGTHS:
            found.append((word, []))
        elif found:
            found[-1][1].append(float(word))
        else:
            raise ValueError(f"a path begins with M, not with {word!r}")
    for letter, numbers in found:
        if len(numbers) != LENGTHS[letter]:
            raise ValueError(f"{letter} has {LENGTHS[letter]} numbers, not {len(numbers)}")
    if not found or found[0][0] != "M":
        raise ValueError("a path begins with M")
    return [(letter, tuple(numbers)) for letter, numbers in found]

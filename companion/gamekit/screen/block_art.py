"""Figures in half blocks: the same SVGs as on paper, for terminals."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, cos, floor, hypot, pi, sin

from textual.color import Color
from textual.content import Content

from companion.gamekit.figure import Figure, Outline, PathStep, Point

CURVE = 8
"""Straight lines that stand for a curve."""
ROUND = 8
"""Corners of a pen's tip."""
LINES = 4
"""Lines of sight through each pixel."""
SHADES = 4
"""Steps from the paper to the ink, so that edges are smooth. More would make more styles than are painted quickly."""
Bitmap = tuple[tuple[int, ...], ...]
"""Row by row how much of a pixel the figure covers, in `SHADES`. What is drawn on it is as light as the paper."""


def block_art(figure: Figure, width: int, height: int, ink: str, paper: str) -> list[Content]:
    """The figure as large as it gets in so many cells and rows."""
    pixels, shades = raster(figure, width, 2 * height), _shades(ink, paper)
    return [_row(pixels[y], pixels[y + 1], shades) for y in range(0, len(pixels), 2)]


def _shades(ink: str, paper: str) -> list[str]:
    """From the paper to the ink. A colour of the theme ("$foreground") is known only when it is painted, so it cannot
    be mixed."""
    if ink.startswith("$") or paper.startswith("$"):
        return [ink if 2 * shade > SHADES else paper for shade in range(SHADES + 1)]
    inks, around = Color.parse(ink), Color.parse(paper)
    return [around.blend(inks, shade / SHADES).hex6 for shade in range(SHADES + 1)]


def _row(above: Sequence[int], below: Sequence[int], shades: Sequence[str]) -> Content:
    """Two rows of pixels in one row of cells."""
    return Content.assemble(*(_cell(up, down, shades) for up, down in zip(above, below, strict=True)))


def _cell(up: int, down: int, shades: Sequence[str]) -> tuple[str, str]:
    """A cell of one shade is all ground: no font leaves a gap there."""
    return ("▀" if up != down else " "), f"{shades[up]} on {shades[down]}"


@lru_cache(128)
def raster(figure: Figure, width: int, height: int) -> Bitmap:
    """The figure in so many pixels at most; their number of rows is even."""
    drawn = [(value, part) for value, some in ((1, figure.body), (2, figure.lines)) for part in map(_polygons, some)]
    loops = [(value, polygon) for value, part in drawn for polygon in part]
    points = [point for _value, polygon in loops for loop in polygon for point in loop]
    left, top = (min(point[axis] for point in points) for axis in (0, 1))
    wide, high = (max(point[axis] for point in points) - least for axis, least in ((0, left), (1, top)))
    scale = min(width / (wide or 1.0), height / (high or 1.0))
    rows = 2 * ceil(high * scale / 2 - 0.01)
    size = max(1, ceil(wide * scale - 0.01)), max(2, rows)
    body, lines = ([[0.0] * size[0] for _row in range(size[1])] for _layer in range(2))
    for value, polygon in loops:
        scaled = [[((x - left) * scale, (y - top) * scale) for x, y in loop] for loop in polygon]
        _fill(body if value == 1 else lines, scaled)
    return tuple(
        tuple(round(SHADES * under * (1 - over)) for under, over in zip(*both, strict=True))
        for both in zip(body, lines, strict=True)
    )


def _polygons(outline: Outline) -> Iterator[list[list[Point]]]:
    """What is filled together: all loops of a path, or one piece of a pen's stroke."""
    loops = [loop for loop in _loops(outline.path) if len(loop) > 1]
    if not outline.pen:
        yield loops
        return
    for loop in loops:
        for start, end in pairwise(loop):
            yield [_stroke(start, end, outline.pen / 2)]
        yield from ([_tip(point, outline.pen / 2)] for point in loop)


def _loops(path: Sequence[PathStep]) -> list[list[Point]]:
    loops: list[list[Point]] = []
    for letter, numbers in path:
        if letter == "M":
            loops.append([(numbers[0], numbers[1])])
        elif letter == "L":
            loops[-1].append((numbers[0], numbers[1]))
        elif letter == "C":
            loops[-1] += _curve(loops[-1][-1], numbers)
        else:
            loops[-1].append(loops[-1][0])
    return loops


def _curve(start: Point, numbers: Sequence[float]) -> list[Point]:
    """A Bézier curve, as straight lines."""
    xs, ys = (start[0], *numbers[::2]), (start[1], *numbers[1::2])
    return [(_at(xs, step / CURVE), _at(ys, step / CURVE)) for step in range(1, CURVE + 1)]


def _at(ends: Sequence[float], t: float) -> float:
    a, b, c, d = ends
    return a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t * t * (1 - t) + d * t**3


def _stroke(start: Point, end: Point, half: float) -> list[Point]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    x, y = -dy / length * half, dx / length * half
    return [
        (start[0] + x, start[1] + y),
        (end[0] + x, end[1] + y),
        (end[0] - x, end[1] - y),
        (start[0] - x, start[1] - y),
    ]


def _tip(point: Point, half: float) -> list[Point]:
    turns = (2 * pi * corner / ROUND for corner in range(ROUND))
    return [(point[0] + half * cos(turn), point[1] + half * sin(turn)) for turn in turns]


def _fill(pixels: list[list[float]], loops: list[list[Point]]) -> None:
    """The part of every pixel that the loops cover. Where several shapes meet, the largest part counts."""
    size = len(pixels[0])
    edges = [(one, other) for loop in loops for one, other in pairwise([*loop, loop[0]]) if one[1] != other[1]]
    if not edges:
        return
    top = min(point[1] for loop in loops for point in loop)
    bottom = max(point[1] for loop in loops for point in loop)
    for y in range(max(0, floor(top)), min(len(pixels), ceil(bottom))):
        covered = [0.0] * size
        for line in range(LINES):
            for left, right in _spans(edges, y + (line + 0.5) / LINES):
                _cover(covered, left, right)
        pixels[y] = [max(pair) for pair in zip(pixels[y], (min(1.0, part / LINES) for part in covered), strict=True)]


def _spans(edges: list[tuple[Point, Point]], y: float) -> list[tuple[float, float]]:
    """From where to where a line of sight is inside. Nonzero winding, as in SVG."""
    crossings = sorted(
        (x0 + (y - y0) * (x1 - x0) / (y1 - y0), 1 if y1 > y0 else -1)
        for (x0, y0), (x1, y1) in edges
        if min(y0, y1) <= y < max(y0, y1)
    )
    spans, depth, begun = [], 0, 0.0
    for x, turn in crossings:
        if not depth:
            begun = x
        depth += turn
        if not depth:
            spans.append((begun, x))
    return spans


def _cover(covered: list[float], left: float, right: float) -> None:
    for x in range(max(0, floor(left)), min(len(covered), ceil(right))):
        covered[x] += min(right, x + 1) - max(left, x)

"""Figures as block art: each cell of the terminal is two pixels, and the edges are smooth where it has true colours."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin

from textual.color import Color
from textual.content import Content

from companion.gamekit.figure import Figure, Outline, Point

FINE = 4
"""A pixel is looked at in so many rows and columns."""
BENDS = 6
"""Straight pieces of a curve."""
ROUND = 8
"""Corners of the round end of a stroke."""
SHADES = 4
"""Steps from the paper to the ink: more would make more styles than a terminal is sent quickly."""
SQUARE = 100.0


@lru_cache(64)
def block_art(figure: Figure, rows: int, ink: str, paper: str) -> Content:
    """The figure in so many rows and twice as many columns. What is drawn on it has the colour of the paper."""
    body, lines = _Grid(2 * rows), _Grid(2 * rows)
    for grid, outlines in ((body, figure.body), (lines, figure.lines)):
        for outline in outlines:
            grid.draw(outline)
    inks, around = Color.parse(ink), Color.parse(paper)

    def shade(x: int, y: int) -> str:
        share = round(SHADES * body.share(x, y) * (1 - lines.share(x, y))) / SHADES
        return around.blend(inks, share).hex6

    drawn = [
        Content.assemble(*(("▀", f"{shade(x, 2 * row)} on {shade(x, 2 * row + 1)}") for x in range(2 * rows)))
        for row in range(rows)
    ]
    return Content("\n").join(drawn)


class _Grid:
    """A square of pixels, each of `FINE` by `FINE` points, that are set or not."""

    def __init__(self, size: int) -> None:
        self._size = size * FINE
        self._rows = [bytearray(self._size) for _row in range(self._size)]

    def draw(self, outline: Outline) -> None:
        paths = [[_scaled(point, self._size) for point in path] for path in _flattened(outline)]
        if not outline.pen:
            self._fill(paths)
            return
        half = max(outline.pen / 2 * self._size / SQUARE, FINE / 2)  # a thin line is still seen
        for path in paths:
            for point in path:
                self._fill([_disc(point, half)])
            for one, other in pairwise(path):
                self._fill([_stroke(one, other, half)])

    def share(self, x: int, y: int) -> float:
        """How much of a pixel is covered."""
        rows = self._rows[y * FINE : (y + 1) * FINE]
        return sum(sum(row[x * FINE : (x + 1) * FINE]) for row in rows) / FINE**2

    def _fill(self, paths: Sequence[Sequence[Point]]) -> None:
        """By the winding rule, as SVG does."""
        edges = [edge for path in paths for edge in pairwise((*path, *path[:1]))]
        lowest, highest = min(y for path in paths for _x, y in path), max(y for path in paths for _x, y in path)
        for row in range(max(0, int(lowest)), min(self._size, int(highest) + 1)):
            crossings = sorted(_crossings(edges, row + 0.5))
            winding = 0
            for (x, turn), (following, _turn) in pairwise(crossings):
                winding += turn
                if winding:
                    start, end = (max(0, min(self._size, round(edge))) for edge in (x, following))
                    self._rows[row][start:end] = b"\1" * max(0, end - start)


def _crossings(edges: Iterable[tuple[Point, Point]], y: float) -> Iterable[tuple[float, int]]:
    """Where edges cross this height, and whether they go down or up."""
    for (x1, y1), (x2, y2) in edges:
        if (y1 <= y) != (y2 <= y):
            yield x1 + (y - y1) / (y2 - y1) * (x2 - x1), 1 if y2 > y1 else -1


def _flattened(outline: Outline) -> list[list[Point]]:
    """The path as straight lines, one list for each of its parts."""
    parts: list[list[Point]] = []
    for letter, numbers in outline.path:
        if letter == "M":
            parts.append([(numbers[0], numbers[1])])
        elif letter == "L":
            parts[-1].append((numbers[0], numbers[1]))
        elif letter == "C":
            parts[-1].extend(_curve(parts[-1][-1], numbers))
        else:
            parts[-1].append(parts[-1][0])
    return parts


def _curve(start: Point, numbers: Sequence[float]) -> Iterable[Point]:
    points = [start, *zip(numbers[::2], numbers[1::2], strict=True)]
    for step in range(1, BENDS + 1):
        t = step / BENDS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        x, y = (sum(w * p[axis] for w, p in zip(weights, points, strict=True)) for axis in (0, 1))
        yield x, y


def _scaled(point: Point, size: int) -> Point:
    return point[0] * size / SQUARE, point[1] * size / SQUARE


def _disc(middle: Point, radius: float) -> list[Point]:
    corners = (2 * pi * corner / ROUND for corner in range(ROUND))
    return [(middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in corners]


def _stroke(one: Point, other: Point, half: float) -> list[Point]:
    (x1, y1), (x2, y2) = one, other
    length = hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (y2 - y1) / length * half, (x1 - x2) / length * half
    return [(x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy)]

"""Reads what is written on a picture of the guest's screen, letter by letter, as an eye does.

The panel shows a grid of cells in one size of one font. Each cell that is not of one colour is compared with every
letter that the font can draw there, usual, bold or slanted, and the most alike is what it says. It knows
nothing of the program that drew it.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from operator import itemgetter, sub
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

LETTERS = "".join(map(chr, range(33, 127))) + "äöüÄÖÜß…–’·→←↑↓✓●○■□▁▔█▄▀▌▐│─"
WEIGHTS = tuple(f"DejaVuSansMono{weight}.ttf" for weight in ("", "-Bold", "-Oblique", "-BoldOblique"))
FAINT = 24
"""Differences of colour below this are none."""
UNLIKE = 0.35
"""A cell that differs from every letter by more than this share of its ink says nothing that can be read."""

THIN = 2
"""Rows of pixels: an underline has no more of them."""


class Grid(NamedTuple):
    """Where the letters stand, in pixels."""

    sizes_px: tuple[float, ...]
    """Of the letters; renderers round them differently."""
    width: int
    height: int
    fonts: Path


def text(picture: Path, grid: Grid) -> str:
    """All lines of it, from the top to the bottom; "?" for what is there and no letter."""
    image = Image.open(picture).convert("L")
    columns, rows = image.width // grid.width, image.height // grid.height
    left, top = (image.width - columns * grid.width) // 2, (image.height - rows * grid.height) // 2
    lines = []
    for row in range(rows):
        boxes = ((left + column * grid.width, top + row * grid.height) for column in range(columns))
        cells = (image.crop((x, y, x + grid.width, y + grid.height)).tobytes() for x, y in boxes)
        lines.append("".join(_letter(cell, grid) for cell in cells).rstrip())
    return "\n".join(lines)


@cache
def _letter(pixels: bytes, grid: Grid) -> str:
    cell = _not_underlined(_inked(pixels), grid.width)
    if not any(cell):
        return " "
    ink, rough = sum(cell), _rough(cell, grid.width)
    alike, best = UNLIKE * ink, "?"
    near = ((_apart(rough, each.rough), each) for each in _font(grid) if abs(each.ink - ink) < alike)
    for at_least, each in sorted(near, key=itemgetter(0)):
        if at_least >= alike:
            break
        apart = _apart(cell, each.drawn)
        if apart < alike:
            alike, best = apart, each.letter
    return best


def _inked(pixels: bytes) -> bytes:
    """How far each pixel is from the background, from 0 to 255."""
    ground = max(set(pixels), key=pixels.count)
    away = [abs(pixel - ground) for pixel in pixels]
    most = max(away)
    return bytes(each * 255 // most for each in away) if most >= FAINT else b""


def _not_underlined(cell: bytes, width: int) -> bytes:
    """Without the line below a focused label: it crosses the whole cell, is thin, and lies near the bottom."""
    rows = [cell[start : start + width] for start in range(0, len(cell), width)]
    full = [number for number, row in enumerate(rows) if min(row) > 255 - FAINT]
    is_line = 1 <= len(full) <= THIN and full[0] > len(rows) * 2 // 3 and full[-1] < len(rows) - 1
    return b"".join(bytes(width) if is_line and number in full else row for number, row in enumerate(rows))


def _rough(cell: bytes, width: int) -> list[int]:
    """How much ink is in each row: two letters are never less apart than their rows are, and that is soon known."""
    return [sum(cell[start : start + width]) for start in range(0, len(cell), width)]


def _apart(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(map(abs, map(sub, one, other)))


class Drawn(NamedTuple):
    """A letter, as the font draws it into a cell."""

    letter: str
    ink: int
    drawn: bytes
    rough: list[int]


@cache
def _font(grid: Grid) -> tuple[Drawn, ...]:
    return tuple(_drawn(grid))


def _drawn(grid: Grid) -> Iterator[Drawn]:
    for weight, size_px in product(WEIGHTS, grid.sizes_px):
        font = ImageFont.truetype(str(grid.fonts / weight), size_px)
        base = (grid.height + font.getmetrics()[0] - font.getmetrics()[1]) // 2
        for letter in LETTERS:
            for shift in (-1, 0, 1):
                image = Image.new("L", (grid.width, grid.height))
                ImageDraw.Draw(image).text((0, base + shift), letter, 255, font, anchor="ls")
                pixels = image.tobytes()
                most = max(pixels)
                if most:
                    drawn = bytes(each * 255 // most for each in pixels)
                    yield Drawn(letter, sum(drawn), drawn, _rough(drawn, grid.width))

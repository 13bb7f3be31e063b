"""Reads what is written on a picture of the guest's screen, letter by letter, as an eye does.

The panel shows a grid of cells in one size of one font. Each cell that is not of one colour is compared with every
letter that the font can draw there, usual, bold or slanted, and the most alike is what it says. It knows
nothing of the program that drew it.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from operator import sub
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

LETTERS = "".join(map(chr, range(33, 127))) + "äöüÄÖÜß…–’·→←↑↓✓●○■□▁▔█▄▀▌▐│─"
WEIGHTS = tuple(f"DejaVuSansMono{weight}.ttf" for weight in ("", "-Bold", "-Oblique", "-BoldOblique"))
FAINT = 24
"""Differences of colour below this are none."""
UNLIKE = 0.35
"""A cell that differs from every letter by more than this share of its ink says nothing that can be read."""


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
        lines.append("".join(_letter(_cell(image, x, y, grid), grid) for x, y in boxes).rstrip())
    return "\n".join(lines)


def _cell(image: Image.Image, x: int, y: int, grid: Grid) -> bytes:
    """How far each pixel is from the background, from 0 to 255."""
    pixels = image.crop((x, y, x + grid.width, y + grid.height)).tobytes()
    ground = max(set(pixels), key=pixels.count)
    away = [abs(pixel - ground) for pixel in pixels]
    most = max(away)
    return bytes(each * 255 // most for each in away) if most >= FAINT else b""


@cache
def _letter(cell: bytes, grid: Grid) -> str:
    if not cell:
        return " "
    ink = sum(cell)
    near = ((letter, drawn) for letter, inked, drawn in _font(grid) if abs(inked - ink) < UNLIKE * ink)
    alike = ((sum(map(abs, map(sub, cell, drawn))) / ink, letter) for letter, drawn in near)
    return min(((how, letter) for how, letter in alike if how < UNLIKE), default=(1.0, "?"))[1]


@cache
def _font(grid: Grid) -> tuple[tuple[str, int, bytes], ...]:
    return tuple(_drawn(grid))


def _drawn(grid: Grid) -> Iterator[tuple[str, int, bytes]]:
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
                    yield letter, sum(drawn), drawn

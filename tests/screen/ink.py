"""What is painted, measured: WCAG contrast, and how colours look to colour-blind eyes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len
from rich.color import Color as RichColor
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.geometry import Offset, Region

DRAWN = re.compile(r"[\s▔▁▂▃▄▅▆▇█▀▐▌▎▊▕▏▖▗▘▝│─╭╮╰╯━┃╺╸╹╻┌┐└┘]*")
"""Frames, bars and big letters: shapes, not letters."""


class Ink(NamedTuple):
    """A piece of text as it is painted."""

    text: str
    colour: str
    paper: str

    @property
    def contrast(self) -> float:
        return contrast(self.colour, self.paper)


def painted(app: App[None]) -> Iterator[Ink]:
    """Every text that people should be able to read now: not what is disabled, not what lies behind a dialog."""
    boxes = [box.region for box in app.screen.query(".box")] if app.screen.is_modal else [app.screen.region]
    disabled = {widget.region for widget in app.screen.query("*") if widget.disabled}
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        x = 0
        for segment in strip:
            text, style = segment.text, segment.style
            if style and not DRAWN.fullmatch(text) and _is_in(Offset(x, y), boxes, disabled):
                yield _ink(text, style)
            x += cell_len(text)


def _is_in(place: Offset, boxes: list[Region], disabled: set[Region]) -> bool:
    return any(place in box for box in boxes) and not any(place in region for region in disabled)


def _ink(text: str, style: Style) -> Ink:
    colour, paper = _hex(style.color), _hex(style.bgcolor)
    return Ink(text, paper, colour) if style.reverse else Ink(text, colour, paper)


def _hex(colour: RichColor | None) -> str:
    assert colour is not None
    assert colour.triplet is not None, f"{colour} is the terminal's own"
    return colour.triplet.hex


def contrast(one: str, other: str) -> float:
    """WCAG 2.2: from 1 (the same) to 21 (black and white)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = (channel / 255 for channel in Color.parse(colour).rgb)
    return _linear(red), _linear(green), _linear(blue)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


# --- Eyes -----------------------------------------------------------------------------------------------------

EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB."""


def distance(one: str, other: str, eyes: str) -> float:
    """How different two colours look to these eyes: the distance in CIE L*a*b* (2 is just noticeable)."""
    first, second = _lab(one, eyes), _lab(other, eyes)
    return float(sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5)


def _lab(colour: str, eyes: str) -> tuple[float, float, float]:
    seen = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(weight * channel for weight, channel in zip(row, seen, strict=True))))
        for row in EYES[eyes]
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (_cube_root(value) for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _cube_root(value: float) -> float:
    return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

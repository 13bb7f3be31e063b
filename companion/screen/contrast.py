"""Makes all text readable: text without enough contrast is darkened or lightened.

Shapes that fill cells (frames, bars, big letters) are left alone: their area makes them visible.
"""

import re
from functools import lru_cache

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import BLACK, WHITE, Color
from textual.filter import LineFilter

from companion.screen.textual_fixes import KEPT

AREAS = re.compile(r"[\s▔▁▂▃▄▅▆▇█▀▐▌▎▊▕▏▖▗▘▝─-╿]*")
STEPS = 20


class Readable(LineFilter):
    """`least` is the smallest contrast allowed, by WCAG's measure.

    It applies the `others` first: one filter makes one strip, and strips are the cost of painting.
    """

    def __init__(self, others: tuple[LineFilter, ...], least: float) -> None:
        super().__init__()
        self._others, self._least = others, least
        self._seen = lru_cache(KEPT)(self._look)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        seen, is_area = self._seen, AREAS.fullmatch
        return [
            segment if style is None else Segment(text, seen(style, background, is_area(text) is not None))
            for segment in segments
            for text, style, _control in (segment,)
        ]

    def _look(self, style: Style, background: Color, is_area: bool) -> Style:
        """Filters change styles, not texts, so each style is computed once."""
        segments = [Segment("x", style)]
        for other in self._others:
            segments = other.apply(segments, background)
        style = segments[0].style or Style.null()
        return style if is_area else readable(style, background, self._least)


@lru_cache(16)
def readable_after(others: tuple[LineFilter, ...], least: float) -> Readable:
    """The same object each time: strips cache their look by filter."""
    return Readable(others, least)


@lru_cache(KEPT)
def readable(style: Style, background: Color, least: float) -> Style:
    """The same style if it is readable; else one that keeps as much of its hue as possible."""
    ink, paper = _colour(style.color), _colour(style.bgcolor, background)
    if style.reverse:
        ink, paper = paper, ink
    if ink is None or paper is None or contrast(ink, paper) >= least:
        return style
    target = max((BLACK, WHITE), key=lambda colour: contrast(colour, paper))
    mixed = (ink.blend(target, step / STEPS, 1.0) for step in range(1, STEPS + 1))
    found = next((colour for colour in mixed if contrast(colour, paper) >= least), target).rich_color
    return style + (Style.from_color(None, found) if style.reverse else Style.from_color(found, None))


def contrast(one: Color, other: Color) -> float:
    """WCAG 2.2: from 1 (the same) to 21 (black and white)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _colour(colour: RichColor | None, otherwise: Color | None = None) -> Color | None:
    return Color.from_rich_color(colour) if colour is not None and colour.triplet is not None else otherwise


@lru_cache(1024)
def _luminance(colour: Color) -> float:
    red, green, blue = (_linear(channel / 255) for channel in colour.rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

"""One moving picture of several pictures of a Textual screen, as SVG.

What stays the same in several of them is written once, and shown while it is to be seen. Nothing is loaded from
elsewhere. Where people want no motion, or a viewer knows none, there is one still picture.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

CELL_W, CELL_H = 12.2, 24.4
"""Of a letter in Textual's pictures."""
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
RECT = re.compile(r'<rect fill="([^"]+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="[\d.]+" shape-rendering')
TEXT = re.compile(r'<text class="[\w-]+-(r\d+)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"[^>]*>([^<]*)</text>')
STYLE = re.compile(r"^\s*\.[\w-]+-(r\d+) \{ (.*?) \}$", re.MULTILINE)
SPACE = "&#160;"


class Frame(NamedTuple):
    svg: str
    """As `App.export_screenshot` gives it."""
    lasts_s: float


class Drawn(NamedTuple):
    """One run of letters, or one patch of colour."""

    is_text: bool
    x: float
    y: float
    width: float
    style: str
    letters: str = ""


def drawn(svg: str) -> list[Drawn]:
    """Everything on one screen."""
    styles = dict(STYLE.findall(svg))
    patches = [
        Drawn(False, float(x), float(y), float(width), f"fill: {fill}") for fill, x, y, width in RECT.findall(svg)
    ]
    runs = [
        Drawn(True, float(x), float(y), float(width), styles[name], letters)
        for name, x, y, width, letters in TEXT.findall(svg)
        if letters.replace(SPACE, "").strip()
    ]
    return [*patches, *runs]


def animated(frames: Sequence[Frame], still: int, size: tuple[int, int]) -> str:
    """`still`: which of them is shown without motion. `size`: columns and rows."""
    seen: dict[Drawn, list[int]] = {}
    for number, frame in enumerate(frames):
        for each in drawn(frame.svg):
            seen.setdefault(each, []).append(number)
    spans = sorted({tuple(numbers) for numbers in seen.values()})
    styles = sorted({each.style for each in seen})
    groups = []
    for kind in (False, True):  # letters stand on colours
        for number, span in enumerate(spans):
            inside = "".join(
                _element(each, f"s{styles.index(each.style)}")
                for each, numbers in seen.items()
                if each.is_text == kind and tuple(numbers) == span
            )
            if inside:
                groups.append(f'<g class="k{number}">{inside}</g>')
    width, height = size[0] * CELL_W, size[1] * CELL_H + 3
    looks = "".join(f".s{number}{{{style.replace('fill: ', 'fill:')}}}" for number, style in enumerate(styles))
    moves = "".join(_moves(number, span, frames, still) for number, span in enumerate(spans))
    calm = "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"
    whole = f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}" font-size="20" xml:space="preserve"'
    ground = f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#121212"/>'
    body = "\n".join(groups)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {whole}><style>{looks}{moves}{calm}</style>{ground}\n{body}\n</svg>\n'
    )


def _element(each: Drawn, style: str) -> str:
    if each.is_text:
        letters = each.letters.replace(SPACE, "\u00a0")
        return f'<text class="{style}" x="{each.x:g}" y="{each.y:g}" textLength="{each.width:g}">{letters}</text>'
    return f'<rect class="{style}" x="{each.x:g}" y="{each.y:g}" width="{each.width:g}" height="{CELL_H + 0.25:g}"/>'


def _moves(number: int, span: tuple[int, ...], frames: Sequence[Frame], still: int) -> str:
    """When what is in these frames can be seen, in hundredths of the whole round."""
    if len(span) == len(frames):
        return ""
    whole_s = sum(frame.lasts_s for frame in frames)
    begins = [sum(frame.lasts_s for frame in frames[:index]) / whole_s * 100 for index in range(len(frames))]
    steps = "".join(
        f"{begin:.3g}%{{opacity:{int(index in span)}}}"
        for index, begin in enumerate(begins)
        if index == 0 or (index in span) != (index - 1 in span)
    )
    shown = f".k{number}{{opacity:{int(still in span)};animation:m{number} {whole_s:g}s step-end infinite}}"
    return f"{shown}@keyframes m{number}{{{steps}}}"

"""The colours of Darwinci: hue and shape of stones, jewellery and bones, for paper, screens and phones.

Stones belong to players, jewellery goes by kind; their words are in `sentences`. Hues are those of Okabe and Ito, which
colour-blind people can tell apart. Stones are filled shapes, jewellery is not.
"""

from companion.gamekit.sign_table import JEWELS, SHAPES

INK, PAPER = "#000000", "#f3ead3"

STONES = SHAPES[:5]
STONE_HUES = ("#e69f00", "#56b4e9", "#00b888", "#f0e442", "#cc79a7")
"""By seat."""
JEWEL_HUES = ("#ffffff", "#f2a7cf", "#f6b73c", "#8fd0f5", "#7fdcbf")
"""By the place of a kind in the box."""

BONE = "#f3ead3"
EARTH = ("#3a3029", "#493c31")
"""The ground of tiles; neighbours differ."""
CLOSED = ("#56b4e9", "#f0e442", "#00b888", "#e69f00", "#cc79a7")
"""Creatures without an open end, one hue after another."""
OPEN, DEAD, JOINED = "#e69f00", "#ff7a59", "#00b888"
"""Ends of bones: open, impossible to close, joined."""
PLACE, GHOST, BACK, LIT = "#26323a", "#1c4f80", "#6b5a48", "#0b5f4a"
"""A free place, a tile that is not built yet, the back of a tile, a line that would be scored."""
POINTS = {"start": "#bbbbbb", "buying": "#d55e00", "creature": CLOSED[0]}
JEWELLERY_POINTS, OTHER_POINTS = "#e69f00", "#d55e00"
"""In the bar of a result, which also has words and numbers."""


def chip(hue: str) -> str:
    """Black on a hue, which is readable in every theme."""
    return f"bold {INK} on {hue}"


def jewel_look(kind: str, kinds: tuple[str, ...]) -> tuple[str, str]:
    """Shape and hue of a kind, by its place in the box: no two are alike."""
    number = kinds.index(kind) if kind in kinds else 0
    return JEWELS[number % len(JEWELS)], JEWEL_HUES[number % len(JEWEL_HUES)]

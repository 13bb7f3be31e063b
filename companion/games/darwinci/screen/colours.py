"""What stands for whom and for what: stones by player, jewellery by kind. Each has a hue and a shape; the word is near.

Hues are those of Okabe and Ito, which colour-blind people can tell apart. Stones are filled shapes, jewellery is not.
"""

from rich.cells import cell_len
from textual.content import Content

from companion.gamekit import Seat, plain
from companion.games.darwinci import sentences
from companion.games.darwinci.hues import JEWELS, STONE_HUES, STONES
from companion.games.darwinci.screen.texts import _

JEWEL_HUES = ("#ffffff", "#f2a7cf", "#f6b73c", "#8fd0f5", "#7fdcbf")

EARTH = ("#3a3029", "#493c31")
"""Tiles side by side are told apart by it."""
CLOSED = ("#56b4e9", "#f0e442", "#00b888", "#e69f00", "#cc79a7")
"""Creatures without an open end, one hue after another."""
OPEN, DEAD, JOINED = "#e69f00", "#ff7a59", "#00b888"
INK = "#000000"
PAPER = "#f3ead3"
PLACE, GHOST, BACK = "#26323a", "#1c4f80", "#6b5a48"
"""A place that is free, a tile that is not built yet, the back of a tile."""


def chip(hue: str) -> str:
    """Black on a hue: to be read in every theme."""
    return f"bold {INK} on {hue}"


def stones(counts: tuple[int, ...] | list[int]) -> list[Content]:
    """How many of each colour: one piece for each colour that is there."""
    return [
        Content.styled(f"{STONES[colour]}{count}", chip(STONE_HUES[colour]))
        for colour, count in enumerate(counts)
        if count
    ]


def stone(colour: Seat) -> Content:
    return Content.styled(STONES[colour], chip(STONE_HUES[colour]))


def jewel(kind: str, kinds: tuple[str, ...]) -> tuple[str, str]:
    """Its shape and its hue. They follow from its place in the box, so no two are alike."""
    number = kinds.index(kind) if kind in kinds else 0
    return JEWELS[number % len(JEWELS)], JEWEL_HUES[number % len(JEWEL_HUES)]


def jewel_word(kind: str) -> str:
    return plain(sentences.jewel(kind, _))


def fit(content: Content | str, width: int) -> Content:
    """Exactly so many cells."""
    content = Content(content) if isinstance(content, str) else content
    if cell_len(content.plain) > width:
        return content.truncate(width, ellipsis=True, pad=True)
    return content.pad_right(width - cell_len(content.plain))


Block = list[Content]
"""Lines of the same width."""


def beside(*blocks: Block, gap: int = 1) -> Block:
    """Blocks side by side, the shorter ones filled up below."""
    height = max(len(block) for block in blocks)
    space = Content(" " * gap)
    filled = []
    for block in blocks:
        below = Content(" " * (block[0].cell_length if block else 0))
        filled.append([*block, *[below] * (height - len(block))])
    return [space.join([block[y] for block in filled]) for y in range(height)]

"""A card of Carnuta, drawn: two or three lines of one width."""

from textwrap import wrap

from rich.cells import cell_len
from textual.content import Content

from companion.gamekit.figure import figures_in
from companion.gamekit.screen.block_art import block_art
from companion.gamekit.sign_table import FACE_DOWN, NOTHING, WRONG
from companion.games.carnuta.colours import BACK, BLACK, DULL, INK, PAPER
from companion.games.carnuta.components import Card
from companion.games.carnuta.screen import _, signs

ROOMY = 17
"""From this width on there are words instead of letters."""
WORDED = 32
"""From this width on a condition is in words, too."""
LARGE = 5
"""From so many lines on there is room between them."""


def drawn(card: Card, size: int, lines: int, payable: bool | None) -> list[Content]:
    """The ingredient on its hue, the cost, what it brings, and at the right its small symbols.

    `payable` is None where it does not matter; a card that can be paid has a tick, another one is dull."""
    paper = f"{INK} on {DULL if payable is False else PAPER}"
    sign = signs.ingredient(card.ingredient)
    tick = (WRONG if payable is False else " ") + " " * (size >= ROOMY)
    symbols = signs.symbols(card.symbols)
    brings = _ends(_points(card, size, size - symbols.cell_length - 1), symbols, size, paper)
    if lines >= LARGE:
        return _large(card, size, lines, payable)
    if lines > 2:
        name = f" {sign.word}" if cell_len(sign.word) < size - 2 else sign.word
        head = _ends(Content(name), Content(tick), size, f"bold {sign.style}")
        margin = Content(" " if size >= ROOMY else "")
        return [head, _ends(margin + signs.cost(card), Content(""), size, paper), brings][:lines]
    word = sign.word if size >= ROOMY else sign.short
    name_and_cost = Content.assemble((word, f"bold {sign.style}"), " ", signs.cost(card))
    return [_ends(name_and_cost, Content(tick), size, paper), brings][:lines]


def _large(card: Card, size: int, lines: int, payable: bool | None) -> list[Content]:
    """Three lines of a card with room between them."""
    paper = f"{INK} on {DULL if payable is False else PAPER}"
    head, cost, brings = drawn(card, size, 3, payable)
    blank = _ends(Content(""), Content(""), size, paper)
    return [head, blank, cost, blank, brings][:lines]


def _points(card: Card, size: int, room: int) -> Content:
    """In words if there is room for them."""
    if size < ROOMY:
        return signs.condition(card, long=False)
    worded = Content.assemble(" ", signs.condition(card, long=True, worded=True))
    return (
        worded
        if size >= WORDED and worded.cell_length <= room
        else Content.assemble(" ", signs.condition(card, long=True))
    )


def hidden(size: int, lines: int) -> list[Content]:
    """C17 A start card, face down."""
    style = f"{BLACK} on {BACK}"
    text = [_("start card", "narrow"), FACE_DOWN * 3] if size >= ROOMY or lines > 1 else [FACE_DOWN]
    text += [""] * (lines - len(text))
    return [_ends(Content(line), Content(""), size, style) for line in text[:lines]]


def empty(size: int, lines: int) -> list[Content]:
    """A place in a row that waits for a card."""
    return [Content.styled((NOTHING * size) if n == lines - 1 else " " * size, "$quiet") for n in range(lines)]


def _ends(left: Content, right: Content, size: int, style: str) -> Content:
    """Something at the left, something at the right, on one paper; the right gives way."""
    gap = size - left.cell_length - right.cell_length
    line = Content.assemble(left, " " * gap, right) if gap > 0 else left.truncate(size, pad=True)
    return line.stylize_before(style)


# --- In the picker --------------------------------------------------------------------------------------------

LOW = 3
"""Rows of a card on the smallest screen."""
LEAST_ART = 4
"""Rows of a figure, at least."""
FIGURES = figures_in("companion.games.carnuta")


def picked(card: Card, width: int, height: int) -> list[Content]:
    """The card in words, as large as there is room for: its ingredient, its cost, what it brings, its symbols."""
    sign = signs.ingredient(card.ingredient)
    style = f"bold {sign.style}"
    if height <= LOW:
        head = _ends(Content(f" {sign.word}"), signs.cost(card), width, style)
        return [head, *_wrapped(card, width, height - 1)]
    words = signs.symbol_words(card)
    last = Content(words) if cell_len(words) <= width else signs.symbols(card.symbols)
    cost = [Content(line) for line in wrap(signs.cost_words(card), width)]
    paid = cost if len(cost) <= height - 4 else [signs.cost(card)]
    brings = _wrapped(card, width, height - 2 - len(paid))
    left = height - 2 - len(paid) - len(brings)
    art = block_art(FIGURES[card.ingredient], width - 4, left - 2, INK, PAPER) if left >= LEAST_ART + 2 else []
    gaps = left - len(art)
    above, below = [Content("")] * (gaps - gaps // 2), [Content("")] * (gaps // 2)
    head = _ends(Content(f" {sign.word}"), Content(""), width, style)
    return [head, *above, *art, *paid, *brings, *below, last]


def _wrapped(card: Card, width: int, rows: int) -> list[Content]:
    """What it brings, in words; where they need too much room, its kinds in two letters."""
    lines = [Content(line) for line in wrap(signs.condition_words(card), width)]
    if len(lines) <= rows:
        return lines
    return [Content(signs.for_each(card)), signs.symbols(card.per or ())]


def told(card: Card) -> str:
    """Everything that is printed on it, in a sentence."""
    parts = [signs.cost_words(card), signs.condition_words(card), signs.symbol_words(card)]
    return "; ".join(part for part in parts if part)

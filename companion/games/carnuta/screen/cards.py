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
"""From this width on everything is in words."""
WORDED = 32
"""From this width on the kinds of a set are words on their hues."""
NARROW = 14
"""From this width on what it brings is said, not written with a stroke."""
SHORTEST = 3
"""Cells of a shortened word, at least."""
LARGE = 5
"""From so many lines on there is room between them."""


def drawn(card: Card, size: int, lines: int, payable: bool | None) -> list[Content]:
    """The ingredient on its hue, the cost, what it brings, and at the right its small symbols.

    `payable` is None where it does not matter; a card that cannot be paid is dull."""
    if lines >= LARGE:
        return _large(card, size, lines, payable)
    paper = f"{INK} on {DULL if payable is False else PAPER}"
    sign, cost, tick = signs.ingredient(card.ingredient), signs.cost(card), WRONG if payable is False else " "
    if lines > 2:
        head = _ends(Content(f" {sign.word}"), Content(f"{tick} "), size, f"bold {sign.style}")
        paid = Content(" ") + cost
        symbols = _symbols(card, size - paid.cell_length - 1)
        return [head, _ends(paid, symbols, size, paper), _ends(_brings(card, size), Content(""), size, paper)]
    room = size - cost.cell_length - 2
    if size < ROOMY:
        return [
            _ends(Content.assemble(_named(card, room), " ", cost), Content(tick), size, paper),
            _worth(card, size, paper),
        ][:lines]
    head = _ends(
        Content.assemble((signs.shortened(sign.word, room), f"bold {sign.style}"), " ", cost),
        Content(tick),
        size,
        paper,
    )
    symbols = _symbols(card, size // 2)
    return [head, _ends(_brings(card, size - symbols.cell_length), symbols, size, paper)][:lines]


def _named(card: Card, room: int) -> Content:
    """Its ingredient, and how much of what it adds to sets."""
    sign = signs.ingredient(card.ingredient)
    if room < SHORTEST:
        return Content.styled(sign.short, f"bold {sign.style}")
    others = () if card.ingredient in card.symbols else (card.ingredient,)
    return signs.hued((*others, *card.symbols), room).stylize("bold")


def _worth(card: Card, size: int, paper: str) -> Content:
    """What it brings, on a narrow card."""
    if card.per is None:
        return _ends(
            Content(signs.condition_words(card) if size >= NARROW else str(card.points)), Content(""), size, paper
        )
    points = f"{card.points} {_('per', 'set')} " if size >= NARROW else f"{card.points}/"
    return _ends(Content(points) + signs.hued(card.per, size - cell_len(points)), Content(""), size, paper)


def _large(card: Card, size: int, lines: int, payable: bool | None) -> list[Content]:
    """Three lines of a card with room between them."""
    paper = f"{INK} on {DULL if payable is False else PAPER}"
    head, cost, brings = drawn(card, size, 3, payable)
    blank = _ends(Content(""), Content(""), size, paper)
    return [head, blank, cost, blank, brings][:lines]


def _brings(card: Card, room: int) -> Content:
    """In words, on their hues if there is room for that."""
    worded = Content.assemble(" ", signs.condition(card, worded=True))
    if room >= WORDED and card.per and worded.cell_length <= room:
        return worded
    return Content(f" {signs.condition_lines(card, room - 1, 1)[0]}")


def _symbols(card: Card, room: int) -> Content:
    """The small symbols in words, if there is room for them, else two letters each."""
    words = signs.symbol_line(card, room - 1)
    return Content(f"{words} ") if words and "." not in words else signs.symbols(card.symbols)


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
    line = Content.assemble(left, " " * gap, right) if gap >= 0 else left.truncate(size, pad=True)
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
        return [head, *map(Content, signs.condition_lines(card, width, height - 1))]
    words = signs.symbol_words(card)
    last = Content(words if cell_len(words) <= width else signs.symbol_line(card, width))
    cost = [Content(line) for line in wrap(signs.cost_words(card), width)]
    paid = cost if len(cost) <= height - 4 else [signs.cost(card)]
    brings = [Content(line) for line in signs.condition_lines(card, width, height - 2 - len(paid))]
    left = height - 2 - len(paid) - len(brings)
    art = block_art(FIGURES[card.ingredient], width - 4, left - 2, INK, PAPER) if left >= LEAST_ART + 2 else []
    gaps = left - len(art)
    above, below = [Content("")] * (gaps - gaps // 2), [Content("")] * (gaps // 2)
    head = _ends(Content(f" {sign.word}"), Content(""), width, style)
    return [head, *above, *art, *paid, *brings, *below, last]


def in_words(card: Card) -> str:
    return f"{signs.ingredient(card.ingredient).word}: {told(card)}"


def told(card: Card) -> str:
    """Everything that is printed on it, in a sentence."""
    parts = [signs.cost_words(card), signs.condition_words(card), signs.symbol_words(card)]
    return "; ".join(part for part in parts if part)

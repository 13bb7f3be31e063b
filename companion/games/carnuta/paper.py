"""A box of Carnuta on paper: two decks of ingredients, boards, runes with two sides, padlocks, sickles, bonus."""

from collections.abc import Iterator, Sequence

from companion.gamekit import Thing, Translate
from companion.gamekit.figure import figures_in
from companion.gamekit.paper import (
    BLACK,
    CARD,
    GREEN,
    GREY,
    MARKER,
    PAPER,
    QUIET,
    SETS,
    WHITE,
    Extent,
    FigureMark,
    Lettering,
    PaperMark,
    PaperPiece,
    Plate,
    below,
    copies,
    ground,
    plain_back,
    set_mark,
)
from companion.games.carnuta.colours import DARK, FACE_HUES, HUES
from companion.games.carnuta.components import (
    BOARDS,
    BONUS_FIELDS,
    FACES,
    INGREDIENTS,
    PADLOCK_FIELDS,
    PADLOCKS_EACH,
    RUNES,
    SICKLES_EACH,
    SLOTS,
    TRACK,
    Box,
    Card,
)
from companion.games.carnuta.sentences import face, ingredient

MIDDLE = CARD.width / 2
CHIP = Extent(25, 25)
"""Runes, padlocks and sickles."""
BOARD = Extent(186, 84)
SLOT = 28.0
FIELD = 16.0
SHEET = Extent(126, 110)
STONE = "#d9d2c3"
FIGURES = figures_in("companion.games.carnuta")


def paper(box: Box, _: Translate) -> Sequence[PaperPiece]:
    everybody = [*_boards(_), *_bonus(_), *_markers(_)]
    return [*_cards(box, _), *everybody, *_runes(_), *_padlocks(_), *_sickles(_), _score_sheet(_)]


def _sign(kind: str, x: float, y: float, size: float) -> Iterator[PaperMark]:
    """An ingredient in its hue, with its lines."""
    yield FigureMark(FIGURES[kind], x, y, size, HUES[kind], BLACK, _on(kind))


def _on(hue_name: str) -> str:
    return WHITE if hue_name in DARK else BLACK


# --- Cards --------------------------------------------------------------------------------------------------------


def _cards(box: Box, _: Translate) -> Iterator[PaperPiece]:
    """The backs show the deck: suns and moons are drawn from separate stacks."""
    backs = {
        deck: plain_back(
            "Carnuta", CARD, FACE_HUES[deck], (FigureMark(FIGURES[deck], MIDDLE, 38, 30, FACE_HUES[deck], BLACK),)
        )
        for deck in FACES
    }
    for card in box.cards:
        front = tuple(_card(card, _))
        yield PaperPiece(Thing("card", card.id), _("card"), CARD, front, backs[card.deck], sticker=below(CARD))


def _card(card: Card, _: Translate) -> Iterator[PaperMark]:
    """What it is, what it costs, what it brings; the small symbols at the lower left."""
    yield ground(CARD)
    yield Plate(1, 1, CARD.width - 2, 14, HUES[card.ingredient], GREY, 3)
    yield Plate(3, 2.2, 11.6, 11.6, PAPER, "", 2)
    yield from _sign(card.ingredient, 8.8, 8, 10)
    yield Lettering(ingredient(card.ingredient, _), 31.5, 8, 3.6, 31, _on(card.ingredient), bold=True)
    yield FigureMark(FIGURES["disc"], CARD.width - 8.5, 8, 12, FACE_HUES[card.deck], BLACK)
    yield FigureMark(FIGURES[card.deck], CARD.width - 8.5, 8, 7.5, _on(card.deck))
    yield from _cost(card, _)
    yield from _brings(card, _)
    for number, symbol in enumerate(card.symbols):
        row, column = divmod(number, 2)
        yield from _sign(symbol, 6.2 + column * 7.4, 79.5 - row * 8, 6.8)


def _cost(card: Card, _: Translate) -> Iterator[PaperMark]:
    """Each rune that is paid with: which face it shows, and whether it is turned over or goes to the reserve."""
    if not card.cost:
        yield Lettering(_("free", "cost"), MIDDLE, 23, 3, 20, QUIET)
    step = min(12.0, 56 / max(1, len(card.cost)))
    for number, cost in enumerate(card.cost):
        deed, shown = cost.split(" ")
        x = MIDDLE + (number - (len(card.cost) - 1) / 2) * step
        yield FigureMark(FIGURES["disc"], x, 21.5, 10, FACE_HUES[shown], BLACK)
        yield FigureMark(FIGURES[shown], x, 21.5, 6.5, _on(shown))
        yield FigureMark(FIGURES["turn-over" if deed == "flip" else "cross-out"], x, 29.3, 4.2)


def _brings(card: Card, _: Translate) -> Iterator[PaperMark]:
    if card.per is None:
        yield Lettering(str(card.points), MIDDLE, 42, 12, 30, bold=True)
        yield Lettering(_("points"), MIDDLE, 52.5, 2.2, 40, QUIET)
        return
    yield Lettering(str(card.points), 14, 42, 12, 20, bold=True)
    yield Lettering(_("per", "set"), 14, 52.5, 2.2, 20, QUIET)
    size = min(11.0, 34 / len(card.per))
    for number, kind in enumerate(card.per):
        yield from _sign(kind, 44 + (number - (len(card.per) - 1) / 2) * size * 1.06, 42, size)
    words = " + ".join(ingredient(kind, _) for kind in card.per)
    yield Lettering(words, 44, 52.5, 2, 34, QUIET)


# --- Boards and what lies on them ---------------------------------------------------------------------------------


def _boards(_: Translate) -> Iterator[PaperPiece]:
    for owner in range(BOARDS):
        yield PaperPiece(Thing("board", owner=owner), _("board"), BOARD, tuple(_board(owner, _)))


def _board(owner: int, _: Translate) -> Iterator[PaperMark]:
    """Six slots for runes, the last two under padlocks; below them the track."""
    yield ground(BOARD)
    yield from set_mark(owner, 8, 9, 10)
    yield Lettering(_("{number} runes at most: sun or moon", number=SLOTS), BOARD.width / 2, 9, 2.8, 120, QUIET)
    left = (BOARD.width - SLOTS * (SLOT + 1.4)) / 2 + 0.7
    for slot in range(SLOTS):
        x = left + slot * (SLOT + 1.4)
        yield Plate(x, 16, SLOT, SLOT, STONE, QUIET, 3)
        if slot >= SLOTS - PADLOCKS_EACH:
            yield from _lock(x + SLOT / 2, 16 + SLOT / 2, 15, GREY)
    start = (BOARD.width - TRACK * FIELD) / 2
    for number in range(1, TRACK + 1):
        x = start + (number - 0.5) * FIELD
        yield Plate(x - FIELD / 2 + 0.4, 49, FIELD - 0.8, 29, WHITE, QUIET, 2)
        yield Lettering(str(number), x, 57, 5, FIELD - 4, bold=True)
        if number in PADLOCK_FIELDS:
            yield from _lock(x, 70, 10, GREY)
        if number in BONUS_FIELDS:
            yield FigureMark(FIGURES["diamond"], x, 70, 10, GREEN, BLACK)
            yield Lettering("+1", x, 70, 2.6, 8, bold=True)


def _lock(x: float, y: float, size: float, hue: str) -> Iterator[PaperMark]:
    yield FigureMark(FIGURES["padlock"], x, y, size, hue, BLACK, BLACK)


def _bonus(_: Translate) -> Iterator[PaperPiece]:
    for kind in INGREDIENTS:
        front = (
            ground(MARKER),
            Plate(1, 1, MARKER.width - 2, 12, GREEN, "", 3),
            Plate(2.6, 2, 10.4, 10.4, PAPER, "", 2),
            *_sign(kind, 7.8, 7.2, 9),
            Lettering("+1", MARKER.width - 9, 7.2, 4.6, 12, bold=True),
            Lettering(ingredient(kind, _), MARKER.width / 2, 15, 2, MARKER.width - 6, bold=True),
        )
        back = plain_back("Carnuta", MARKER, GREEN)
        yield PaperPiece(Thing("bonus", kind), _("bonus"), MARKER, front, back, sticker=below(MARKER))


def _markers(_: Translate) -> Iterator[PaperPiece]:
    """Its tip points at a field of the track."""
    for owner in range(BOARDS):
        front = (
            ground(MARKER, SETS[owner]),
            FigureMark(FIGURES["triangle"], 8.5, 8, 11),
            *set_mark(owner, MARKER.width - 9, 8.5, 11),
            Plate(3, MARKER.height - 4.6, MARKER.width - 6, 3.2, WHITE, "", 1),
        )
        back = plain_back("Carnuta", MARKER, SETS[owner])
        yield PaperPiece(Thing("marker", owner=owner), _("marker"), MARKER, front, back, sticker=below(MARKER))


def _side(shown: str, _: Translate) -> tuple[PaperMark, ...]:
    middle = CHIP.width / 2
    return (
        Plate(0.8, 0.8, CHIP.width - 1.6, CHIP.height - 1.6, FACE_HUES[shown], GREY, 3),
        FigureMark(FIGURES[shown], middle, 9.5, 13, _on(shown)),
        Lettering(face(shown, _), middle, 18.2, 1.8, CHIP.width - 6, _on(shown), bold=True),
    )


def _runes(_: Translate) -> Iterator[PaperPiece]:
    """Two sides, both of them played with."""
    sun, moon = (_side(shown, _) for shown in FACES)
    foot = Plate(2.4, CHIP.height - 4.4, CHIP.width - 4.8, 2.9, WHITE, "", 1)
    return copies(PaperPiece(Thing("rune"), _("rune"), CHIP, (*sun, foot), moon, folded=True), RUNES)


def _padlocks(_: Translate) -> Iterator[PaperPiece]:
    front = (ground(CHIP), *_lock(CHIP.width / 2, 10.5, 15, GREY))
    return copies(PaperPiece(Thing("padlock"), _("padlock"), CHIP, front, (ground(CHIP),)), BOARDS * PADLOCKS_EACH)


def _sickles(_: Translate) -> Iterator[PaperPiece]:
    front = (ground(CHIP), FigureMark(FIGURES["sickle"], CHIP.width / 2, 10.5, 16))
    return copies(PaperPiece(Thing("sickle"), _("sickle"), CHIP, front, (ground(CHIP),)), BOARDS * SICKLES_EACH)


def _score_sheet(_: Translate) -> PaperPiece:
    """The referee adds up; this is for who wants to see it on paper."""
    marks: list[PaperMark] = [ground(SHEET), Lettering("Carnuta", 22, 9, 4, 34, bold=True)]
    for owner in range(BOARDS):
        marks.extend(set_mark(owner, 54 + owner * 20, 9, 9))
    for row, kind in enumerate((*INGREDIENTS, "")):
        y = 20.0 + row * 9.4
        marks.extend(_sign(kind, 9, y, 7.6) if kind else ())
        marks.append(Lettering(ingredient(kind, _) if kind else _("sum"), 28, y, 2.6, 26, bold=not kind))
        marks.extend(Plate(45 + column * 20, y - 4.2, 18, 8.4, WHITE, QUIET, 1) for column in range(BOARDS))
    return PaperPiece(Thing("score sheet"), _("score sheet"), SHEET, tuple(marks), copy=1)

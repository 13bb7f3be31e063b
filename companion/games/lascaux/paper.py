"""A box of Lascaux on paper: animal cards, five sets of markers, stones."""

from collections.abc import Iterator, Sequence

from companion.gamekit import Thing, Translate
from companion.gamekit.figure import figures_in
from companion.gamekit.paper import (
    BLACK,
    CARD,
    GREY,
    MARKER,
    TOKEN,
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
from companion.games.lascaux.colours import colour_word, look
from companion.games.lascaux.components import MARKER_SETS, STONES, Box, Card
from companion.games.lascaux.sentences import animal

ROCK, OCHRE, EARTH = "#f3ead8", "#6b3a1e", "#a0764a"
"""The wall of a cave, what it was painted with, and the backs."""
MIDDLE = CARD.width / 2
FIGURES = figures_in("companion.games.lascaux")


def paper(box: Box, _: Translate) -> Sequence[PaperPiece]:
    """54 cards, six markers for each of five seats, 50 stones."""
    return [*_cards(box, _), *_markers(box, _), *_stones(_)]


def _cards(box: Box, _: Translate) -> Iterator[PaperPiece]:
    back = plain_back("Lascaux", CARD, EARTH)
    for card in box.cards:
        yield PaperPiece(Thing("card", card.id), _("card"), CARD, tuple(_card(card, box, _)), back, sticker=below(CARD))


def _card(card: Card, box: Box, _: Translate) -> Iterator[PaperMark]:
    """A hand of each colour in the upper corners, the animal between them and the sticker."""
    yield ground(CARD, ROCK)
    for number, name in enumerate(card.colours):
        yield from _handprint(name, box, _, left=2.5 + number * (CARD.width / 2 - 2), width=CARD.width / 2 - 3)
    yield FigureMark(FIGURES[card.animal], MIDDLE, 33, 34, OCHRE)
    yield Lettering(animal(card.animal, _), MIDDLE, 53, 3.2, CARD.width - 8, OCHRE, bold=True)


def _handprint(name: str, box: Box, _: Translate, left: float, width: float) -> Iterator[PaperMark]:
    """A field in the hue with a hand, the shape and the word."""
    shape, hue, ink = look(name, box.colours)
    yield Plate(left, 2.5, width, 14, hue, GREY)
    yield FigureMark(FIGURES["hand"], left + 6, 9.5, 11.5, ink)
    yield FigureMark(FIGURES.of_sign(shape), left + width - 7.5, 7, 6, ink)
    yield Lettering(colour_word(name, _), left + width - 7.5, 13.4, 2.2, 13, ink, bold=True)


def _markers(box: Box, _: Translate) -> Iterator[PaperPiece]:
    """The backs of a set are alike: a marker lies face down until it is revealed."""
    for owner in range(MARKER_SETS):
        back = plain_back("Lascaux", MARKER, EARTH, set_mark(owner, MARKER.width / 2, 20, 14))
        for name in box.colours:
            front = tuple(_marker(name, owner, box, _))
            thing = Thing("marker", name, owner)
            yield PaperPiece(thing, _("marker"), MARKER, front, back, sticker=below(MARKER))


def _marker(name: str, owner: int, box: Box, _: Translate) -> Iterator[PaperMark]:
    shape, hue, ink = look(name, box.colours)
    yield ground(MARKER, hue)
    yield FigureMark(FIGURES.of_sign(shape), 8, 7.6, 8, ink)
    yield from set_mark(owner, MARKER.width - 8, 7.6, 8)
    yield Lettering(colour_word(name, _), MARKER.width / 2, 14.4, 2.6, MARKER.width - 6, ink, bold=True)
    yield Plate(3, MARKER.height - 4.6, MARKER.width - 6, 3.2, "#ffffff", "", 1)


def _stones(_: Translate) -> Iterator[PaperPiece]:
    front = (ground(TOKEN), FigureMark(FIGURES["pebble"], TOKEN.width / 2, 8, 12.5, GREY, BLACK))
    return copies(PaperPiece(Thing("stone"), _("stone"), TOKEN, front, front[:2]), STONES)

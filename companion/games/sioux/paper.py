"""A box of Sioux on paper: five sets of tribe cards, the hunter, prey, and supply for three winters."""

from collections.abc import Iterator, Sequence

from companion.gamekit import Thing, Translate
from companion.gamekit.figure import figures_in
from companion.gamekit.paper import (
    BLACK,
    BLUE,
    CARD,
    QUIET,
    SETS,
    SKY,
    SMALL_CARD,
    WHITE,
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
from companion.games.sioux.colours import HUES
from companion.games.sioux.components import (
    DEER,
    HUNTER,
    SHAMAN_VALUES,
    TRIBE_SETS,
    Box,
    Prey,
    Supply,
    TribeCard,
)
from companion.games.sioux.sentences import animal, card

CLAY = "#b5652f"
MIDDLE, SMALL_MIDDLE = CARD.width / 2, SMALL_CARD.width / 2
FIGURES = figures_in("companion.games.sioux")
SHAMAN_RANGE = f"{SHAMAN_VALUES[0]}–{SHAMAN_VALUES[-1]}"


def paper(box: Box, _: Translate) -> Sequence[PaperPiece]:
    return [*_tribes(box, _), _hunter(_), *_prey(box, _), *_supply(box, _)]


# --- Tribe cards --------------------------------------------------------------------------------------------------


def _tribes(box: Box, _: Translate) -> Iterator[PaperPiece]:
    """All backs are alike, the hunter's, too: it lies face down among them, in whosever hand it is."""
    back = plain_back("Sioux", CARD, CLAY)
    for owner in range(TRIBE_SETS):
        for printed in box.tribe:
            front = tuple(_tribe(printed, owner, box, _))
            thing = Thing("card", printed.id, owner)
            yield PaperPiece(thing, _("card"), CARD, front, back, sticker=below(CARD))


def _tribe(printed: TribeCard, owner: int, box: Box, _: Translate) -> Iterator[PaperMark]:
    yield ground(CARD)
    yield Plate(1, 1, CARD.width - 2, 15, SETS[owner], "", 3)
    yield from set_mark(owner, CARD.width - 9, 8.5, 11)
    value = {"crow": "1", "shaman": SHAMAN_RANGE}.get(printed.kind or "", str(printed.value))
    yield Lettering(value, 4 + 19 / 2, 8.5, 8, 19, bold=True)
    if printed.kind:
        yield FigureMark(FIGURES[printed.kind], MIDDLE, 33, 28)
        yield Lettering(card(box, printed.id, _) or printed.id, MIDDLE, 51.5, 3.4, CARD.width - 8, bold=True)
    else:
        yield Lettering(value, MIDDLE, 36, 24, CARD.width - 14, bold=True)


def _hunter(_: Translate) -> PaperPiece:
    front = (
        ground(CARD),
        Plate(1, 1, CARD.width - 2, 15, BLACK, "", 3),
        Lettering(_("consecrated hunter"), MIDDLE, 8.5, 3.6, CARD.width - 8, WHITE, bold=True),
        FigureMark(FIGURES["hunter"], MIDDLE, 35, 32),
        Lettering(_("takes one {animal}", animal=animal(DEER, _)), MIDDLE, 54, 2.6, CARD.width - 8, QUIET),
    )
    return PaperPiece(
        Thing("card", HUNTER), _("card"), CARD, front, plain_back("Sioux", CARD, CLAY), sticker=below(CARD)
    )


# --- Prey and supply ----------------------------------------------------------------------------------------------


def _prey(box: Box, _: Translate) -> Iterator[PaperPiece]:
    back = plain_back("Sioux", SMALL_CARD, CLAY)
    for prey in box.prey:
        piece = PaperPiece(Thing("prey", prey.animal), _("prey"), SMALL_CARD, tuple(_animal(prey, _)), back)
        yield from copies(piece, prey.count)


def _animal(prey: Prey, _: Translate) -> Iterator[PaperMark]:
    yield ground(SMALL_CARD)
    yield Plate(1, 1, SMALL_CARD.width - 2, 12, HUES[prey.value], "", 3)
    yield Lettering(str(prey.value), 8, 7, 6, 10, bold=True)
    if prey.animal in FIGURES:
        yield FigureMark(FIGURES[prey.animal], SMALL_MIDDLE, 32, 30)
    else:
        yield Lettering(str(prey.value), SMALL_MIDDLE, 32, 16, SMALL_CARD.width - 8, bold=True)
    yield Lettering(animal(prey.animal, _), SMALL_MIDDLE, 53, 3.2, SMALL_CARD.width - 6, bold=True)


def _supply(box: Box, _: Translate) -> Iterator[PaperPiece]:
    """Values may repeat within a winter: then the cards are numbered."""
    for supply in box.supply:
        back = plain_back("Sioux", SMALL_CARD, BLUE, tuple(_crystals(supply.winter, 24)))
        for number, value in enumerate(supply.values):
            alike = supply.values.count(value)
            copy = supply.values[: number + 1].count(value) if alike > 1 else 0
            thing = Thing("supply", f"{supply.winter}-{value}")
            front = tuple(_supplies(supply, value, _))
            yield PaperPiece(thing, _("supply"), SMALL_CARD, front, back, copy=copy)


def _supplies(supply: Supply, value: int, _: Translate) -> Iterator[PaperMark]:
    yield ground(SMALL_CARD)
    yield Plate(1, 1, SMALL_CARD.width - 2, 12, SKY, "", 3)
    yield from _crystals(supply.winter, 7)
    yield Lettering(str(value), SMALL_MIDDLE, 33, 18, SMALL_CARD.width - 12, bold=True)
    yield Lettering(_("winter {number}", number=supply.winter), SMALL_MIDDLE, 53, 3, SMALL_CARD.width - 6)


def _crystals(winter: int, y: float) -> Iterator[PaperMark]:
    """One for the first winter, three for the last."""
    for number in range(winter):
        yield FigureMark(FIGURES["crystal"], SMALL_MIDDLE + (number - (winter - 1) / 2) * 10, y, 8.5)

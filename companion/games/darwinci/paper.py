"""A box of Darwinci on paper: bone tiles, jewellery markers, stones, Darwin, the counter, the card and five rulers."""

from collections.abc import Iterator, Sequence

from companion.gamekit import Seat, Thing, Translate, numeral
from companion.gamekit.figure import Figure, figures_in
from companion.gamekit.paper import (
    BLACK,
    CARD,
    GREY,
    MARKER,
    PAPER,
    QUIET,
    TOKEN,
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
from companion.games.darwinci.colours import STONE_HUES, STONES
from companion.games.darwinci.components import BIDDING_ROUNDS, COLOURS, EDGES, STONES_EACH, Box, Tile
from companion.games.darwinci.sentences import jewel, shape, shape_of

TILE = Extent(64, 64)
"""A quarter of it, beside the bones, holds a sticker."""
RULER = Extent(18, TILE.width * 4)
EARTH, BONE, LINE = "#e5d5bb", "#fffaf0", "#4a3a2a"
JEWEL = "#7b4f9e"
MONEY = {1: 40, 5: 20, 10: 20, 50: 6}
"""How many coins of each value: enough for five people; the book does not count them."""
COIN = "#f0c419"
FIGURES = figures_in("companion.games.darwinci")
BY_PLACE = ("wedge", "arch", "lozenge", "tick", "square")
"""For kinds of an enrolled box that nobody knows: the signs that the screen has for them."""


def paper(box: Box, _: Translate) -> Sequence[PaperPiece]:
    return [*_tiles(box, _), *_markers(box, _), _darwin_card(_), _counter(_), *_stones(_), *_coins(_), *_rulers(_)]


# --- Tiles --------------------------------------------------------------------------------------------------------


def _tiles(box: Box, _: Translate) -> Iterator[PaperPiece]:
    back = plain_back("Darwinci", TILE, LINE)
    for tile in box.tiles:
        front = tuple(_tile(tile, box, _))
        yield PaperPiece(
            Thing("tile", tile.id), _("tile"), TILE, front, back, sticker=(12.7, 51.3), label_at=(51, 58, 22)
        )


def _tile(tile: Tile, box: Box, _: Translate) -> Iterator[PaperMark]:
    """Bones in the middle; value, jewellery, sticker and words in the four corners that they leave."""
    yield Plate(0, 0, TILE.width, TILE.height, EARTH, "", 0.1)
    middle, alone = TILE.width / 2, len(tile.bones) == 1
    for edges in tile.bones:
        yield FigureMark(bone(edges, alone), middle, middle, TILE.width, LINE, lines=BONE)
    if tile.value is not None:
        yield FigureMark(FIGURES["square" if tile.minus else "disc"], 12.5, 12.5, 17, WHITE, BLACK)
        yield Lettering(numeral(tile.value), 12.5, 12.5, 7.5, 13, bold=True)
    for place, kind in enumerate(tile.jewels):
        row, column = divmod(place, 2 if len(tile.jewels) <= 4 else 3)
        size, step = (9, 11) if len(tile.jewels) <= 4 else (6.5, 7.5)
        yield from _jewel(kind, box, 45 + column * step, 7.5 + row * step, size)
    words = "  ".join(jewel(kind, _) for kind in dict.fromkeys(tile.jewels))
    yield Lettering(words, 51, 50, 1.7, 22, QUIET)
    yield Lettering(shape(shape_of(tile), _), 51, 46, 2.2, 22, bold=True)


def _jewel(kind: str, box: Box, x: float, y: float, size: float) -> Iterator[PaperMark]:
    """A kind that nobody knows has the sign of its place in the box."""
    known = FIGURES[kind if kind in FIGURES else BY_PLACE[box.jewels.index(kind) % len(BY_PLACE)]]
    yield FigureMark(known, x, y, size, JEWEL, BLACK)


def bone(edges: str, alone: bool) -> Figure:
    """From its edges to one joint; an end piece has a knob. Two bones on a tile keep away from each other."""
    sorted_edges = "".join(edge for edge in EDGES if edge in edges).lower()
    return FIGURES[f"bone-{sorted_edges}" if alone else f"bone-{sorted_edges}-beside"]


# --- What everybody has -------------------------------------------------------------------------------------------


def _markers(box: Box, _: Translate) -> Iterator[PaperPiece]:
    for owner in range(COLOURS):
        for kind in box.jewels:
            front = (
                ground(MARKER, STONE_HUES[owner]),
                *_jewel(kind, box, 8, 7.8, 9.5),
                *set_mark(owner, MARKER.width - 8, 7.8, 8),
                Lettering(jewel(kind, _), MARKER.width / 2, 14.4, 2.4, MARKER.width - 6, bold=True),
                Plate(3, MARKER.height - 4.6, MARKER.width - 6, 3.2, WHITE, "", 1),
            )
            back = plain_back("Darwinci", MARKER, STONE_HUES[owner])
            thing = Thing("jewel", kind, owner)
            yield PaperPiece(thing, _("jewellery marker"), MARKER, front, back, sticker=below(MARKER))


def _stones(_: Translate) -> Iterator[PaperPiece]:
    for owner in range(COLOURS):
        yield from copies(_stone(owner, _), STONES_EACH)


def _stone(owner: Seat, _: Translate) -> PaperPiece:
    middle = TOKEN.width / 2
    hue = STONE_HUES[owner]
    front = (
        Plate(0.8, 0.8, TOKEN.width - 1.6, TOKEN.height - 1.6, hue, GREY, 3),
        FigureMark(FIGURES.of_sign(STONES[owner]), middle, 8, 9),
        Plate(1.6, TOKEN.height - 4.4, TOKEN.width - 3.2, 2.9, WHITE, "", 1),
    )
    return PaperPiece(Thing("stone", owner=owner), _("stone"), TOKEN, front, front[:2])


def _rulers(_: Translate) -> Iterator[PaperPiece]:
    """D12 In place of the frame: beside the display it shows where three and where four tiles end."""
    for owner in range(COLOURS):
        marks: list[PaperMark] = [Plate(0, 0, RULER.width, RULER.height, EARTH, "", 0.1)]
        for place in range(4):
            middle = (place + 0.5) * TILE.width
            marks.append(Plate(0, (place + 1) * TILE.width - 0.3, RULER.width, 0.6, LINE, "", 0.1))
            marks.append(Lettering(str(place + 1), RULER.width / 2, middle, 6, RULER.width - 4, bold=True))
        marks.extend(set_mark(owner, RULER.width / 2, 12, 9))
        marks.append(Lettering(_("3 × 4 or 4 × 3"), RULER.width / 2, 22, 2, RULER.width - 2))
        yield PaperPiece(Thing("frame", owner=owner), _("frame"), RULER, tuple(marks))


# --- Darwin, the card and the counter -----------------------------------------------------------------------------


def _coins(_: Translate) -> Iterator[PaperPiece]:
    middle = TOKEN.width / 2
    for value, count in MONEY.items():
        front = (
            ground(TOKEN, WHITE),
            FigureMark(FIGURES["disc"], middle, 8.2, 14.5, COIN, BLACK),
            Lettering(str(value), middle, 7.6, 5, 11, bold=True),
            Lettering("Darwin", middle, 12.2, 1.3, 9),
        )
        yield from copies(PaperPiece(Thing("darwin", str(value)), _("Darwin"), TOKEN, front, front[:2]), count)


def _darwin_card(_: Translate) -> PaperPiece:
    front = (
        ground(CARD),
        FigureMark(FIGURES["darwin"], CARD.width / 2, 32, 34, LINE, lines=PAPER),
        Lettering(_("Darwin card"), CARD.width / 2, 58, 4, CARD.width - 8, bold=True),
        Lettering(_("one more stone in the second bidding round"), CARD.width / 2, 66, 2, CARD.width - 8, QUIET),
    )
    return PaperPiece(Thing("darwin card"), _("Darwin card"), CARD, front, plain_back("Darwinci", CARD, LINE), copy=1)


def _counter(_: Translate) -> PaperPiece:
    """D3 It lies beside the start player's tile; a coin on it tells the bidding round."""
    marks: list[PaperMark] = [ground(CARD), FigureMark(FIGURES["hourglass"], CARD.width / 2, 15, 18, LINE)]
    for place in range(BIDDING_ROUNDS):
        x = CARD.width / 2 + (place - 1) * 19
        marks.append(FigureMark(FIGURES["disc"], x, 44, 17, WHITE, BLACK))
        marks.append(Lettering(str(place + 1), x, 44, 7, 12, bold=True))
    marks.append(Lettering(_("round counter"), CARD.width / 2, 62, 4, CARD.width - 8, bold=True))
    marks.append(Lettering(_("move a coin from bidding to bidding"), CARD.width / 2, 70, 2, CARD.width - 8, QUIET))
    return PaperPiece(
        Thing("counter"), _("round counter"), CARD, tuple(marks), plain_back("Darwinci", CARD, LINE), copy=1
    )

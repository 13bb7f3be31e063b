"""What a game prints for groups that do not own it: its pieces, drawn from its box with words, colours and shapes.

A game's `paper` is a function: given the box and a translator it lists every piece that a table needs, once. A piece is
described in millimetres, from its own top left corner; `companion print` puts pieces on pages, with marks where to cut.
Under each piece stands its id in small print; a piece that carries a tag has a frame where the sticker goes.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.figure import SIGNS, Figure, Figures
from companion.gamekit.game import Seat, Thing
from companion.language.facts import Translate

BLACK, WHITE, QUIET = "#000000", "#ffffff", "#767676"
PAPER = "#fbf8f0"
"""The ground of a card: a little warmer than the sheet, and cheap to print."""
ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE, GREY = (
    *("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#bbbbbb"),
)
"""The hues of Okabe and Ito, and a grey: most eyes can tell them apart. A shape and a word always go with them."""
SETS = (ORANGE, SKY, GREEN, YELLOW, PURPLE)
"""What the set of each seat is printed in, beside its shape."""

KIT_FIGURES = Figures()

STICKER = 25.0
"""How wide a sticker is, in millimetres: the round NTAG213 that docs/tags.md recommends."""
FOOT = 5.0
"""What the small print needs at the lower edge of a piece."""


class Extent(Struct, frozen=True):
    """In millimetres."""

    width: float
    height: float


CARD = Extent(63, 88)
"""As playing cards are: a slip of paper before an old card, in a sleeve, shuffles well."""
SMALL_CARD = Extent(41, 63)
MARKER = Extent(31, 47)
"""The smallest that has room for a sticker and something above it."""
TOKEN = Extent(19, 19)
LARGEST = Extent(190, 260)
"""What fits between the margins of A4 and of Letter alike."""


class FigureMark(Struct, frozen=True):
    """A figure, around a point."""

    figure: Figure
    x: float
    y: float
    size: float
    """The side of the square that it is drawn in."""
    fill: str = BLACK
    line: str = ""
    """The colour of a thin line around it; left out: none."""
    lines: str = WHITE
    """The colour of the lines on it, if it has any."""


class Lettering(Struct, frozen=True):
    """A line of text, around a point. It shrinks until it fits."""

    text: str
    x: float
    y: float
    height: float
    """Of a capital letter."""
    width: float
    ink: str = BLACK
    bold: bool = False


class Plate(Struct, frozen=True):
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    line: str = ""
    radius: float = 2.0


PaperMark: TypeAlias = FigureMark | Lettering | Plate
"""One thing that is drawn on a piece; later ones lie above earlier ones."""


class PaperPiece(Struct, frozen=True):
    """One piece of the game, as it is cut out."""

    thing: Thing
    kind: str
    """What pieces of this kind are called, in the reader's language."""
    size: Extent
    front: tuple[PaperMark, ...]
    back: tuple[PaperMark, ...] = ()
    """Alike on all pieces that must not be told apart face down."""
    folded: bool = False
    """Both sides are played with: they are printed head to head, folded and glued."""
    sticker: tuple[float, float] | None = None
    """The middle of the frame for the sticker; None: this piece carries no tag."""
    copy: int = 0
    """Counted from 1 where several are alike in all but this number; 1 for a piece that has no other id."""
    label_at: tuple[float, float, float] | None = None
    """Middle and width of the small print; left out: centred at the lower edge."""

    @property
    def label(self) -> str:
        """The small print: no two pieces of a box have the same."""
        parts = [self.kind, self.thing.id]
        if self.thing.owner is not None:
            parts.append(f"({self.thing.owner + 1})")
        if self.copy:
            parts.append(f"#{self.copy}")
        return " ".join(part for part in parts if part)


Paper: TypeAlias = Callable[[Any, Translate], Sequence[PaperPiece]]
"""The pieces of a box, in the order of printing."""


# --- What papers are made of ------------------------------------------------------------------------------------


def copies(piece: PaperPiece, count: int) -> Iterator[PaperPiece]:
    """As many as there are in the box, each with a number of its own."""
    return (replace(piece, copy=number) for number in range(1, count + 1))


def below(size: Extent) -> tuple[float, float]:
    """Where the sticker goes on a card or a marker: in the middle, above the small print."""
    return size.width / 2, size.height - FOOT - STICKER / 2


def ground(size: Extent, fill: str = PAPER, line: str = GREY) -> Plate:
    """The whole piece, a little inside its edge, so that a cut need not be perfect."""
    return Plate(1, 1, size.width - 2, size.height - 2, fill, line, 3 if size.width > 30 else 2)


def set_mark(seat: Seat, x: float, y: float, size: float) -> tuple[PaperMark, ...]:
    """Whose set a piece belongs to: the seat's shape in its hue, with its number."""
    shape = KIT_FIGURES[tuple(SIGNS.values())[seat % len(SIGNS)]]
    mark = FigureMark(shape, x, y, size, SETS[seat % len(SETS)], BLACK)
    return mark, Lettering(str(seat + 1), x, y, size * 0.3, size, bold=True)


def plain_back(title: str, size: Extent, hue: str, sign: Sequence[PaperMark] = ()) -> tuple[PaperMark, ...]:
    """A back that tells nothing but the game, and what everybody may know."""
    band = min(3.0, size.width / 12)
    inner = Plate(2 + band, 2 + band, size.width - 4 - 2 * band, size.height - 4 - 2 * band, PAPER, "", 2)
    word = Lettering(
        title, size.width / 2, size.height * (0.5 if not sign else 0.8), 4, size.width * 0.7, QUIET, bold=True
    )
    return Plate(1, 1, size.width - 2, size.height - 2, hue, "", 3), inner, word, *sign

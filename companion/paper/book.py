"""A whole box as one PDF: a page that says what is in it and how to cut it, then the pieces."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.paper import QUIET, STICKER, Lettering, PaperPiece, Plate
from companion.language.wording import Language
from companion.paper.drawing import Sheet, draw_backs, draw_fronts
from companion.paper.fonts import letters_for
from companion.paper.pages import SHEETS, pages
from companion.paper.tactile_pieces import for_fingers, notches

LINE = 6.5
RULER = 100
"""Millimetres: a ruler beside it shows whether the printer has shrunk the page."""


class PaperBox(Struct, frozen=True):
    """What is to be printed."""

    title: str
    pieces: Sequence[PaperPiece]
    standin: bool
    """Not what the publisher prints: a made-up box that has the right shape."""


class Printing(Struct, frozen=True):
    """The options of `companion print`."""

    sheet: str = "a4"
    grey: bool = False
    backs: bool = False
    tactile: bool = False


class PrintedBox(Struct, frozen=True):
    """The result."""

    pdf: bytes
    pages: int
    unknown: frozenset[str]
    """Characters that no font here has: they are printed as question marks."""


def print_box(content: PaperBox, language: Language, how: Printing) -> PrintedBox:
    """Raises ValueError for a piece that fits on no sheet."""
    _ = language.text
    if how.tactile:
        content = replace(content, pieces=for_fingers(content.pieces))
    laid_out = pages(content.pieces, SHEETS[how.sheet])
    letters = letters_for("".join(_letters(content)))
    sheet = Sheet(SHEETS[how.sheet], content.title, grey=how.grey, letters=letters)
    told = _notches(content.pieces, language) if how.tactile else []
    _cover(sheet, content, len(laid_out), language, told, both_sides=how.backs)
    for page in laid_out:
        sheet.next_page()
        draw_fronts(sheet, page, _("sticker"))
        if how.backs:
            sheet.next_page()
            draw_backs(sheet, page, _("folded and glued"))
    count = (1 + len(laid_out)) * (2 if how.backs else 1)
    return PrintedBox(sheet.finished(), count, frozenset(letters.unknown))


def _letters(content: PaperBox) -> Iterator[str]:
    """Everything that will be written."""
    yield content.title
    for piece in content.pieces:
        yield piece.label
        yield from (mark.text for mark in (*piece.front, *piece.back) if isinstance(mark, Lettering))


# --- The first page -----------------------------------------------------------------------------------------------


def _notches(pieces: Sequence[PaperPiece], language: Language) -> list[str]:
    """What fingers feel."""
    _ = language.text
    told = [
        _("{count:notch|notches} at the left edge: {kind}", count=count, kind=kind)
        for kind, count in notches(pieces).items()
    ]
    return [_("Cut out the black notches, or put a raised dot on each."), *told]


def _cover(  # noqa: PLR0913 - all that the first page says
    sheet: Sheet, content: PaperBox, count: int, language: Language, told: Sequence[str] = (), *, both_sides: bool
) -> None:
    """What is in the box, and how to cut it. With double-sided printing the second half is on the back, so that the
    first sheet with pieces is a sheet of its own."""
    _ = language.text
    middle, wide = sheet.size.width / 2, sheet.size.width - 50
    sheet.mark(Lettering(content.title, middle, 32, 13, wide, bold=True))
    what = (
        _("a stand-in box: not the publisher's pieces, but you can play with it")
        if content.standin
        else _("your own box")
    )
    sheet.mark(Lettering(what, middle, 46, 3.2, wide, QUIET))
    top = 60.0
    for line in [*_contents(content.pieces, count, language), *told]:
        sheet.mark(Lettering(line, middle, top, 3.2, wide))
        top += LINE
    top += LINE
    if both_sides:
        sheet.next_page()
        top = 32.0
    for number, line in enumerate(_advice(content.pieces, language), 1):
        sheet.mark(Lettering(f"{number}.  {line}", middle, top, 3.0, wide))
        top += LINE
    _ruler(sheet, top + 2 * LINE, _("This line is {length} mm long. Is it, on your paper?", length=RULER))


def _contents(pieces: Sequence[PaperPiece], sheets: int, language: Language) -> Iterator[str]:
    _ = language.text
    tagged = Counter(piece.kind for piece in pieces if piece.sticker)
    for kind, count in Counter(piece.kind for piece in pieces).items():
        stickers = _("with a frame for a sticker") if tagged[kind] else _("without a sticker")
        yield f"{count} × {kind}, {stickers}"
    yield _(
        "{pieces} pieces on {pages} pages, {stickers} stickers",
        pieces=len(pieces),
        pages=sheets,
        stickers=tagged.total(),
    )


def _advice(pieces: Sequence[PaperPiece], language: Language) -> Iterator[str]:
    _ = language.text
    yield _("Print at 100 %, not “fit to page”; heavy paper (160 g/m² and more) is best.")
    yield _("Cut along the marks, from edge to edge: rows first, then the pieces.")
    if any(piece.folded for piece in pieces):
        yield _("Pieces with a dashed line have two sides: fold them there, and glue them.")
    if any(piece.sticker for piece in pieces):
        yield _("Cards shuffle well in a sleeve, with an old playing card behind them.")
        yield _("With readers: put a {width} mm NFC sticker into each round frame.", width=f"{STICKER:g}")
        yield _("Then `companion enroll` asks only for the tags.")


def _ruler(sheet: Sheet, y: float, words: str) -> None:
    left = sheet.size.width / 2 - RULER / 2
    sheet.mark(Plate(left, y, RULER, 0.6, QUIET, "", 0))
    for place in range(0, RULER + 1, 10):
        long = 4.0 if place % 50 == 0 else 2.5
        sheet.mark(Plate(left + place - 0.15, y - long, 0.3, long, QUIET, "", 0))
    sheet.mark(Lettering(words, sheet.size.width / 2, y + 6, 2.6, RULER, QUIET))

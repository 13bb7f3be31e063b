"""Draws pages with ReportLab, which is imported here and nowhere else. The same box gives the same bytes."""

import io
from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from companion.gamekit.figure import Outline, Point
from companion.gamekit.paper import (
    FOOT,
    GREY,
    QUIET,
    STICKER,
    WHITE,
    Extent,
    FigureMark,
    Lettering,
    PaperMark,
    PaperPiece,
    Plate,
    plain_back,
)
from companion.paper.fonts import Letters
from companion.paper.pages import CLEAR, MARK, Page, Patch, Placed

POINT = 72 / 25.4
"""Points in a millimetre: what a PDF counts in."""
THIN, CUT = 0.2, 0.15
"""Lines, in millimetres."""
SMALL_PRINT = 1.35
"""How high a capital of the small print is."""


class Ink(Struct, frozen=True):
    """Colours as they are, or as a grey of the same brightness."""

    grey: bool

    def of(self, hue: str) -> Color:
        colour: Color = HexColor(hue)
        if not self.grey:
            return colour
        light = 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue
        return Color(light, light, light)


class Sheet:
    """One page at a time, in millimetres from its top left corner."""

    def __init__(self, size: Extent, title: str, *, grey: bool, letters: Letters) -> None:
        self._file = io.BytesIO()
        self.size, self.title, self._ink, self._letters = size, title, Ink(grey), letters
        page = size.width * POINT, size.height * POINT
        self._canvas = Canvas(self._file, pagesize=page, invariant=True, pageCompression=1)
        self._canvas.setTitle(title)
        self._canvas.setCreator("Companion")
        self._fresh()

    def _fresh(self) -> None:
        """From here on y grows downwards; texts are turned back where they are drawn."""
        self._canvas.translate(0, self.size.height * POINT)
        self._canvas.scale(POINT, -POINT)
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)

    def next_page(self) -> None:
        self._canvas.showPage()
        self._fresh()

    def finished(self) -> bytes:
        self._canvas.save()
        return self._file.getvalue()

    # --- Marks ---

    def mark(self, mark: PaperMark) -> None:
        if isinstance(mark, Lettering):
            self.letter(mark)
        elif isinstance(mark, Plate):
            self._plate(mark)
        else:
            self._figure(mark)

    def _plate(self, plate: Plate) -> None:
        if plate.fill:
            self._canvas.setFillColor(self._ink.of(plate.fill))
        if plate.line:
            self._canvas.setStrokeColor(self._ink.of(plate.line))
            self._canvas.setLineWidth(THIN)
        rest = {"fill": int(bool(plate.fill)), "stroke": int(bool(plate.line))}
        self._canvas.roundRect(plate.x, plate.y, plate.width, plate.height, plate.radius, **rest)

    def _figure(self, mark: FigureMark) -> None:
        self._layer(mark, mark.figure.body, mark.fill, mark.line)
        if mark.figure.lines:
            self._layer(mark, mark.figure.lines, mark.lines, "")

    def _layer(self, mark: FigureMark, outlines: Sequence[Outline], fill: str, line: str) -> None:
        unit = mark.size / 100
        self._canvas.saveState()
        self._canvas.translate(mark.x - mark.size / 2, mark.y - mark.size / 2)
        self._canvas.scale(unit, unit)
        if line:
            self._outlines(outlines, line, 2 * THIN / unit)
        self._outlines(outlines, fill, 0.0)
        self._canvas.restoreState()

    def _outlines(self, outlines: Sequence[Outline], hue: str, wider: float) -> None:
        """All of them in one colour; the line around a figure is the same figure, a little wider, below it."""
        colour = self._ink.of(hue)
        self._canvas.setFillColor(colour)
        self._canvas.setStrokeColor(colour)
        for outline in outlines:
            width = outline.pen + wider
            self._canvas.setLineWidth(width)
            self._canvas.drawPath(_path(outline), fill=int(not outline.pen), stroke=int(width > 0))

    def letter(self, said: Lettering) -> None:
        """Shrinks until it fits. Nothing is cut off: two ids may differ in their last character."""
        text = self._letters.printable(said.text)
        height = self._letters.fitting(text, said.height, said.width, bold=said.bold)
        self._canvas.saveState()
        self._canvas.translate(said.x, said.y + height / 2)
        self._canvas.scale(1, -1)
        self._canvas.setFillColor(self._ink.of(said.ink))
        self._canvas.setFont(self._letters.name(bold=said.bold), self._letters.size(height))
        self._canvas.drawCentredString(0, 0, text)
        self._canvas.restoreState()

    def line(self, start: Point, end: Point, *, width: float = THIN, dashes: Sequence[float] = ()) -> None:
        self._canvas.saveState()
        self._canvas.setStrokeColor(self._ink.of(QUIET))
        self._canvas.setLineWidth(width)
        self._canvas.setDash(list(dashes))
        self._canvas.line(*start, *end)
        self._canvas.restoreState()

    def ring(self, x: float, y: float, across: float) -> None:
        """The frame of a sticker: a dashed circle on white."""
        self._canvas.saveState()
        self._canvas.setFillColor(self._ink.of(WHITE))
        self._canvas.setStrokeColor(self._ink.of(QUIET))
        self._canvas.setLineWidth(THIN)
        self._canvas.setDash([1.2, 1.0])
        self._canvas.circle(x, y, across / 2, stroke=1, fill=1)
        self._canvas.restoreState()

    def inside(self, placed: Placed, draw: Callable[[PaperPiece], None], *, turned: bool = False) -> None:
        """Draw a piece at its place, clipped to its edges."""
        piece = placed.piece
        self._canvas.saveState()
        self._canvas.translate(placed.x, placed.y)
        if turned:
            self._canvas.translate(piece.size.width, piece.size.height)
            self._canvas.rotate(180)
        edge = self._canvas.beginPath()
        edge.rect(0, 0, piece.size.width, piece.size.height)
        self._canvas.clipPath(edge, stroke=0, fill=0)
        draw(piece)
        self._canvas.restoreState()


@lru_cache
def _path(outline: Outline) -> PDFPathObject:
    """Cached: most figures are on many pieces."""
    path = PDFPathObject()
    deeds: dict[str, Callable[..., object]] = {
        "M": path.moveTo,
        "L": path.lineTo,
        "C": path.curveTo,
        "Z": path.close,
    }
    for letter, numbers in outline.path:
        deeds[letter](*numbers)
    return path


# --- Pieces and pages -------------------------------------------------------------------------------------------


def draw_fronts(sheet: Sheet, page: Page, sticker: str) -> None:
    """`sticker` is written into the frames."""
    for block in page.blocks:
        _cut_marks(sheet, block)
        for placed in block.placed:
            _front(sheet, placed, sticker)


def draw_backs(sheet: Sheet, page: Page, glued: str) -> None:
    """Behind their fronts. A folded piece has both of its sides on the front: `glued` says so. A piece without a back
    gets the plain one of its game, so that no sheet has an empty side."""
    for placed in (each for block in page.blocks for each in block.mirrored):
        size = placed.piece.size
        if placed.piece.folded:
            middle = placed.x + size.width / 2, placed.y + size.height
            sheet.letter(Lettering(glued, *middle, 2, size.width - 4, GREY))
        else:
            back = placed.piece.back or plain_back(sheet.title, size, GREY)
            sheet.inside(
                replace(placed, piece=replace(placed.piece, back=back)), lambda piece: _draw(sheet, piece.back)
            )


def _front(sheet: Sheet, placed: Placed, sticker: str) -> None:
    piece = placed.piece
    if piece.folded:
        fold = placed.y + piece.size.height
        sheet.inside(placed, lambda piece: _draw(sheet, piece.back), turned=True)
        placed = Placed(piece, placed.x, fold)
        sheet.line((placed.x, fold), (placed.x + piece.size.width, fold), dashes=(2.0, 1.0))
    sheet.inside(placed, lambda piece: _face(sheet, piece, sticker))


def _face(sheet: Sheet, piece: PaperPiece, sticker: str) -> None:
    _draw(sheet, piece.front)
    if piece.sticker:
        x, y = piece.sticker
        sheet.ring(x, y, STICKER)
        sheet.letter(Lettering(sticker, x, y, 1.8, STICKER - 5, GREY))
    x, y, width = piece.label_at or (piece.size.width / 2, piece.size.height - FOOT / 2 - 0.4, piece.size.width - 4)
    sheet.letter(Lettering(piece.label, x, y, SMALL_PRINT, width, QUIET))


def _draw(sheet: Sheet, marks: Sequence[PaperMark]) -> None:
    for mark in marks:
        sheet.mark(mark)


def _cut_marks(sheet: Sheet, block: Patch) -> None:
    """Around a block, where a long straight cut begins and ends. Between the pieces nothing is printed."""
    full, rest = divmod(len(block.pieces), block.columns)
    right = block.x + block.columns * block.cell.width
    for column in range(block.columns + 1):
        x = block.x + column * block.cell.width
        bottom = block.bottom if not rest or column <= rest else block.y + full * block.cell.height
        sheet.line((x, block.y - CLEAR - MARK), (x, block.y - CLEAR), width=CUT)
        sheet.line((x, bottom + CLEAR), (x, bottom + CLEAR + MARK), width=CUT)
    for row in range(block.rows + 1):
        y = block.y + row * block.cell.height
        end = right if not rest or row <= full else block.x + rest * block.cell.width
        sheet.line((block.x - CLEAR - MARK, y), (block.x - CLEAR, y), width=CUT)
        sheet.line((end + CLEAR, y), (end + CLEAR + MARK, y), width=CUT)

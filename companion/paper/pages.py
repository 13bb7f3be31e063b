"""Where each piece is, on which page. Pure: millimetres, from the top left corner of a sheet."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from companion.gamekit.paper import LARGEST, Extent, PaperPiece

SHEETS = {"a4": Extent(210, 297), "letter": Extent(215.9, 279.4)}
EDGE = 6.0
"""The margin that printers cannot reach."""
MARK, CLEAR = 1.2, 0.5
"""How long a cut mark is, and how far from the piece it begins."""
MARGIN = EDGE + MARK + CLEAR
GAP = 8.0
"""Between blocks of different pieces: cut marks of both are in it."""


class Placed(Struct, frozen=True):
    """A piece on a sheet, by its top left corner."""

    piece: PaperPiece
    x: float
    y: float


class Patch(Struct, frozen=True):
    """Pieces of one size, edge to edge: a straight cut parts a whole row."""

    x: float
    y: float
    cell: Extent
    columns: int
    pieces: tuple[PaperPiece, ...]

    @property
    def rows(self) -> int:
        return -(-len(self.pieces) // self.columns)

    @property
    def bottom(self) -> float:
        return self.y + self.rows * self.cell.height

    @property
    def placed(self) -> Iterator[Placed]:
        for number, piece in enumerate(self.pieces):
            row, column = divmod(number, self.columns)
            yield Placed(piece, self.x + column * self.cell.width, self.y + row * self.cell.height)

    @property
    def mirrored(self) -> Iterator[Placed]:
        """Where the backs are, on a sheet that was turned over its long edge: behind their fronts."""
        for number, piece in enumerate(self.pieces):
            row, column = divmod(number, self.columns)
            across = self.columns - 1 - column
            yield Placed(piece, self.x + across * self.cell.width, self.y + row * self.cell.height)


class Page(Struct, frozen=True):
    sheet: Extent
    blocks: tuple[Patch, ...]


def cell(piece: PaperPiece) -> Extent:
    """What a piece takes: twice its height where it is folded."""
    return Extent(piece.size.width, piece.size.height * (2 if piece.folded else 1))


def pages(pieces: Sequence[PaperPiece], sheet: Extent) -> list[Page]:
    """In the given order. When a size is finished, the next one uses the rest of the page. Raises ValueError for a
    piece that fits on no sheet."""
    room = Extent(sheet.width - 2 * MARGIN, sheet.height - 2 * MARGIN)
    done: list[Page] = []
    blocks: list[Patch] = []
    top = MARGIN
    for size, group in groupby(pieces, key=cell):
        if size.width > LARGEST.width or size.height > LARGEST.height:
            raise ValueError(f"a piece of {size.width:g} × {size.height:g} mm fits on no sheet")
        left = list(group)
        columns = int((room.width + 0.01) // size.width)
        while left:
            rows = int((MARGIN + room.height - top + 0.01) // size.height)
            if rows < 1:
                done.append(Page(sheet, tuple(blocks)))
                blocks, top = [], MARGIN
                continue
            taken, left = tuple(left[: rows * columns]), left[rows * columns :]
            blocks.append(_block(taken, size, columns, top, sheet))
            top = blocks[-1].bottom + GAP
    return [*done, Page(sheet, tuple(blocks))] if blocks else done


def _block(pieces: tuple[PaperPiece, ...], size: Extent, columns: int, top: float, sheet: Extent) -> Patch:
    """In the middle of the sheet, so that it is behind itself when the sheet is turned over."""
    across = min(columns, len(pieces))
    return Patch((sheet.width - across * size.width) / 2, top, size, across, pieces)

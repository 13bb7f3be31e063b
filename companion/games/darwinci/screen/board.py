"""Displays of tiles, drawn: large with a place to choose, or tiny beside one another."""

from collections.abc import Collection, Sequence

from textual.content import Content

from companion.games.darwinci.display import Cell
from companion.games.darwinci.screen.anatomy import Anatomy
from companion.games.darwinci.screen.colours import PLACE, Block
from companion.games.darwinci.screen.tiles import Size, TileLook, blank, drawn, tiny

LIT = "#0b5f4a"
"""The ground of a line that would be scored."""


class Chart:
    """A display with what lies around it: which cell of the picture is which place."""

    def __init__(
        self,
        anatomy: Anatomy,
        size: Size,
        kinds: tuple[str, ...],
        *,
        free: Sequence[Cell] = (),
        lit: Collection[Cell] = (),
    ) -> None:
        self._anatomy, self._size, self._kinds, self._free, self._lit = anatomy, size, kinds, free, lit
        self.first, self.last = anatomy.extent(free)

    @property
    def columns(self) -> int:
        return self.last[0] - self.first[0] + 1

    @property
    def rows(self) -> int:
        return self.last[1] - self.first[1] + 1

    def place(self, x: int, y: int) -> Cell:
        """The place that is drawn at this column and row of the picture."""
        return self.first[0] + x // self._size.width, self.first[1] + y // self._size.height

    def drawn(self) -> Block:
        lines: Block = []
        for y in range(self.first[1], self.last[1] + 1):
            row = [self._cell((x, y)) for x in range(self.first[0], self.last[0] + 1)]
            lines += [Content("").join([cell[line] for cell in row]) for line in range(self._size.height)]
        return lines

    def _cell(self, place: Cell) -> Block:
        look = self._anatomy.looks.get(place)
        if look is not None:
            return drawn(look._replace(ground=LIT) if place in self._lit else look, self._size, self._kinds)
        if place in self._free:
            return blank(self._size, PLACE, "+", "#8aa4b5")
        return [Content(" " * self._size.width)] * self._size.height


def tiny_display(anatomy: Anatomy, width: int, height: int, tile_width: int) -> Block:
    """All tiles in as many rows and columns as a display can have."""
    (left, top), (right, _bottom) = anatomy.extent()
    lines = []
    for y in range(top, top + height):
        cells = [_tiny_cell(anatomy.looks.get((x, y)), tile_width) for x in range(left, right + 1)]
        line = Content("").join(cells)
        lines.append(
            line.truncate(width, pad=True) if line.cell_length > width else line.pad_right(width - line.cell_length)
        )
    return lines


def _tiny_cell(look: TileLook | None, width: int) -> Content:
    return Content(" " * width) if look is None else tiny(look, width)

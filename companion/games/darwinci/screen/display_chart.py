"""Displays of tiles, drawn: large with a place to choose, or tiny beside one another."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from textual.content import Content

from companion.gamekit.sign_table import JOINS, WRONG
from companion.games.darwinci.colours import BONE, CLOSED, DEAD, EARTH, GHOST, JOINED, LIT, OPEN, PLACE
from companion.games.darwinci.components import Tile
from companion.games.darwinci.display import Cell, Skeleton, bodies, fits, joints, neighbour, turned
from companion.games.darwinci.screen.tiles import ARROWS, Block, Mark, Size, TileLook, blank, drawn, tiny
from companion.games.darwinci.view import Built

_OPPOSITE = 2


class Anatomy:
    """The tiles of one player, perhaps with one more that is not built yet: which creatures are closed, which ends are
    open, what the new tile would join. All of it is public, and nothing here decides anything."""

    def __init__(self, built: Sequence[Built], tiles: Mapping[str, Tile], ghost: Built | None = None) -> None:
        self._tiles = tiles
        self.ghost = ghost if ghost is not None and ghost.tile in tiles else None
        self.built = tuple(each for each in built if each.tile in tiles)
        self.all = self.built if self.ghost is None else (*self.built, self.ghost)

    @cached_property
    def bodies(self) -> list[Skeleton]:
        return bodies(self.all, self._tiles)

    @property
    def closed(self) -> list[Skeleton]:
        return [body for body in self.bodies if body.closed]

    @cached_property
    def looks(self) -> dict[Cell, TileLook]:
        """Every tile by its place: closed creatures in colour, open ends marked."""
        hues = {bone: CLOSED[n % len(CLOSED)] for n, body in enumerate(self.closed) for bone in body.bones}
        found = {}
        for number, placed in enumerate(self.all):
            tile = self._tiles[placed.tile]
            bones = tuple(hues.get((number, index), BONE) for index in range(len(tile.bones)))
            ground = GHOST if placed is self.ghost else EARTH[(placed.x + placed.y) % 2]
            found[placed.x, placed.y] = TileLook(tile, placed.turn, bones, self._marks(placed), ground)
        return found

    @cached_property
    def _edges(self) -> dict[Cell, set[int]]:
        return {(placed.x, placed.y): self._bones_of(placed) for placed in self.all}

    def _bones_of(self, placed: Built) -> set[int]:
        return {edge for group in turned(self._tiles[placed.tile].bones, placed.turn) for edge in group}

    def _marks(self, placed: Built) -> dict[int, Mark]:
        marks = {}
        ghost = self.ghost
        for edge in self._bones_of(placed):
            there = neighbour(placed.x, placed.y, edge)
            opposite = (edge + _OPPOSITE) % 4
            if there not in self._edges:
                room = fits(self.all, *there)
                marks[edge] = Mark(ARROWS[edge], OPEN) if room else Mark(WRONG, DEAD)
            elif opposite not in self._edges[there]:
                marks[edge] = Mark(WRONG, DEAD)
            elif ghost is not None and (placed is ghost or there == (ghost.x, ghost.y)):
                marks[edge] = Mark(JOINS, JOINED)
        return marks

    @property
    def joints(self) -> int:
        """How many bones the new tile joins."""
        return 0 if self.ghost is None else joints(self.built, self.ghost, self._tiles)

    @property
    def new_creatures(self) -> list[Skeleton]:
        """What the new tile closes."""
        number = len(self.built)
        return [body for body in self.closed if any(tile == number for tile, _ in body.bones)]

    def extent(self, also: Sequence[Cell] = ()) -> tuple[Cell, Cell]:
        """The corners at the top left and at the bottom right of all tiles and of these places."""
        cells = [*((placed.x, placed.y) for placed in self.all), *also] or [(0, 0)]
        xs, ys = [x for x, _ in cells], [y for _, y in cells]
        return (min(xs), min(ys)), (max(xs), max(ys))


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

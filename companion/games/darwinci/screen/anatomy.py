"""A display of tiles, looked at closely: which creatures are closed, which ends are open, what a tile would join.

It is all in what everybody sees; nothing here decides anything.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from companion.games.darwinci.components import Tile
from companion.games.darwinci.display import Cell, Skeleton, bodies, fits, joints, neighbour, turned
from companion.games.darwinci.hues import BONE
from companion.games.darwinci.screen.colours import CLOSED, DEAD, EARTH, GHOST, JOINED, OPEN
from companion.games.darwinci.screen.tiles import ARROWS, Mark, TileLook
from companion.games.darwinci.view import Built

_OPPOSITE = 2


class Anatomy:
    """The tiles of one player; perhaps with one more, which is not built yet."""

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
                marks[edge] = Mark(ARROWS[edge], OPEN) if room else Mark("×", DEAD)
            elif opposite not in self._edges[there]:
                marks[edge] = Mark("×", DEAD)
            elif ghost is not None and (placed is ghost or there == (ghost.x, ghost.y)):
                marks[edge] = Mark("√", JOINED)
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

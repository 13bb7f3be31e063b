"""What simulated players of Darwinci think of tiles, places and lines. They look at what everybody can see."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.gamekit import Seat
from companion.games.darwinci.components import Tile
from companion.games.darwinci.display import (
    FULL,
    TURNS,
    Line,
    closed_creatures,
    line_points,
    neighbour,
    places,
    runs,
    turned,
)
from companion.games.darwinci.view import Built, Table

JOINT = 1.2
"""Bones that join are half a creature."""
DEAD_END = -1.5
"""A bone that can never be joined."""
OPEN_END = -0.3
JEWEL = 0.7
"""A symbol of a kind that is still to be scored."""


class Placement(NamedTuple):
    """A tile somewhere in a display, and how good that looks."""

    worth: float
    place: Built


class FreeEdge(NamedTuple):
    """An edge of a free place."""

    facing: bool
    """A bone of the neighbour ends here."""
    with_bone: float
    """What a tile is worth there that has a bone at this edge."""
    without: float


class Scored(NamedTuple):
    """A line of a display, and what it brings."""

    points: int
    line: Line
    x: int
    y: int
    kind: str


class Display:
    """One player's display, seen once."""

    def __init__(self, table: Table, tiles: Mapping[str, Tile], seat: Seat) -> None:
        self._tiles = tiles
        self._built = table.built[seat]
        self._scored = table.jewels_scored[seat]
        self._bones: dict[tuple[int, int], set[int]] = {}
        for placed in self._built:
            groups = turned(tiles[placed.tile].bones, placed.turn)
            self._bones[placed.x, placed.y] = {edge for group in groups for edge in group}
        self.places = places(self._built)
        self._best: dict[str, Placement | None] = {}

    # --- Tiles ------------------------------------------------------------------------------------------------

    def best(self, tile: str) -> Placement | None:
        """Where this tile looks best; None if there is no place left."""
        if tile not in self._best:
            self._best[tile] = max(self._placements(tile), key=lambda placement: placement.worth, default=None)
        return self._best[tile]

    def worth(self, tile: str) -> float:
        """What this tile is worth for this player: its best place, its value, its jewellery."""
        best = self.best(tile)
        return 0.0 if best is None else best.worth + self._printed(self._tiles[tile])

    def _printed(self, tile: Tile) -> float:
        value = tile.value or 0
        symbols = [kind for kind in tile.jewels if kind not in self._scored]
        return (value if value < 0 else value / 2) + JEWEL * len(symbols)

    def _placements(self, tile: str) -> Iterator[Placement]:
        """D14 A closed creature counts in full; bones that join are good, bones that never can are bad."""
        turns = [(turn, {edge for group in turned(self._tiles[tile].bones, turn) for edge in group}) for turn in TURNS]
        for x, y in self.places:
            edges = [self._edge(x, y, edge) for edge in range(4)]
            for turn, bones in turns:
                placed = Built(tile, x, y, turn)
                worth = 0.0
                for number, edge in enumerate(edges):
                    worth += edge.with_bone if number in bones else edge.without
                if any(edges[number].facing for number in bones):
                    worth += self._closed_by(placed)
                yield Placement(worth, placed)

    def _edge(self, x: int, y: int, edge: int) -> FreeEdge:
        beside = self._bones.get(neighbour(x, y, edge))
        if beside is None:
            return FreeEdge(False, OPEN_END, 0.0)
        facing = (edge + 2) % 4 in beside
        return FreeEdge(True, JOINT, DEAD_END) if facing else FreeEdge(False, DEAD_END, 0.0)

    def _closed_by(self, placed: Built) -> int:
        closed = closed_creatures((*self._built, placed), self._tiles, len(self._built))
        return sum(creature.points for creature in closed)

    # --- Jewellery --------------------------------------------------------------------------------------------

    def best_line(self, kinds: Sequence[str]) -> Scored | None:
        """D15 The line that brings most now, in kinds that are not scored yet."""
        found: list[Scored] = []
        for line, tiles in runs(self._built):
            for kind in kinds:
                symbols, values = line_points(tiles, self._tiles, kind)
                if symbols and kind not in self._scored:
                    found.append(Scored(symbols * values, line, tiles[0].x, tiles[0].y, kind))
        return max(found, key=lambda scored: scored.points, default=None)

    def patient(self, points: int, hurry: bool) -> bool:
        """Whether it is better to wait: a kind counts once, and lines still grow."""
        free = FULL - len(self._built)
        return points <= 0 or (not hurry and points < 2 + free)

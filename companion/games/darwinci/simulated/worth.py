"""What simulated players of Darwinci think of tiles, places and lines. They look at what everybody can see."""

from collections.abc import Mapping, Sequence
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

    # --- Tiles ------------------------------------------------------------------------------------------------

    def best(self, tile: str) -> Placement | None:
        """Where this tile looks best; None if there is no place left."""
        found = [
            Placement(self._place(Built(tile, x, y, turn)), Built(tile, x, y, turn))
            for x, y in self.places
            for turn in TURNS
        ]
        return max(found, key=lambda placement: placement.worth, default=None)

    def worth(self, tile: str) -> float:
        """What this tile is worth for this player: its best place, its value, its jewellery."""
        best = self.best(tile)
        return 0.0 if best is None else best.worth + self._printed(self._tiles[tile])

    def _printed(self, tile: Tile) -> float:
        value = tile.value or 0
        symbols = [kind for kind in tile.jewels if kind not in self._scored]
        return (value if value < 0 else value / 2) + JEWEL * len(symbols)

    def _place(self, placed: Built) -> float:
        """D14 A closed creature counts in full; bones that join are good, bones that never can are bad."""
        groups = turned(self._tiles[placed.tile].bones, placed.turn)
        bones = {edge for group in groups for edge in group}
        worth = 0.0
        joined = False
        for edge in range(4):
            beside = neighbour(placed.x, placed.y, edge)
            there = self._bones.get(beside)
            facing = there is not None and (edge + 2) % 4 in there
            if edge in bones:
                joined = joined or facing
                worth += JOINT if facing else OPEN_END if there is None else DEAD_END
            elif facing:
                worth += DEAD_END
        if joined:
            built = (*self._built, placed)
            worth += sum(creature.points for creature in closed_creatures(built, self._tiles, len(self._built)))
        return worth

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

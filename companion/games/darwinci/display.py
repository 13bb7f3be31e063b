"""A player's display of built tiles: where the next one may lie, which bones join, which lines there are."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from companion.games.darwinci.components import EDGES, Tile
from companion.games.darwinci.view import Built

TURNS = (0, 90, 180, 270)
"""Degrees clockwise: 90 brings N to E."""
FRAME = (3, 4)
FULL = FRAME[0] * FRAME[1]
"""So many tiles fill the frame."""

Cell: TypeAlias = tuple[int, int]
Line: TypeAlias = Literal["row", "column"]

_TOWARDS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The neighbour beyond each of the edges N, E, S, W."""


# --- Places ---------------------------------------------------------------------------------------------------


def lying(built: Sequence[Built]) -> Mapping[Cell, int]:
    """The number of the tile that lies in each cell. Rules look at the same display again and again: for the words of
    a place, for a line."""
    return _lying(tuple(built))


@lru_cache(64)
def _lying(built: tuple[Built, ...]) -> dict[Cell, int]:
    return _cells(built)


def _cells(built: Sequence[Built]) -> dict[Cell, int]:
    return {(tile.x, tile.y): number for number, tile in enumerate(built)}


def places(built: Sequence[Built]) -> tuple[Cell, ...]:
    """D11 Edge to edge with a built tile. D12 In the frame. Row by row; an empty display stands for itself at 0, 0."""
    return _places(tuple(built))


@lru_cache(64)
def _places(built: tuple[Built, ...]) -> tuple[Cell, ...]:
    """The same are asked for when a player is about to build, and when they have."""
    if not built:
        return ((0, 0),)
    cells = [(tile.x, tile.y) for tile in built]
    left, top = min(cells)[0], min([y for _, y in cells])
    shape = frozenset([(x - left, y - top) for x, y in cells])
    return tuple([(x + left, y + top) for x, y in _beside(shape)])


@lru_cache(8192)
def _beside(shape: frozenset[Cell]) -> tuple[Cell, ...]:
    """The places beside a shape whose left upper corner is at 0, 0. A frame holds few thousand shapes."""
    right, bottom = max([x for x, _ in shape]), max([y for _, y in shape])
    wide, high = _reach(right + 1, bottom + 1)
    beside = {(x + dx, y + dy) for x, y in shape for dx, dy in _TOWARDS} - shape
    # A cell that is edge to edge with a tile makes the extent wider or higher, never both.
    found = [(y, x) for x, y in beside if right - wide < x < wide and bottom - high < y < high]
    found.sort()
    return tuple([(x, y) for y, x in found])


@cache
def _reach(width: int, height: int) -> tuple[int, int]:
    """D12 How far the extent may grow when one tile is added: the orientation stays open until the extent decides."""
    short, long = FRAME
    return (long if height <= short else short), (long if width <= short else short)


def adjoins(built: Sequence[Built], x: int, y: int) -> bool:
    """D11 Edge to edge with a tile already built, not only corner to corner."""
    return any(abs(tile.x - x) + abs(tile.y - y) == 1 for tile in built)


def fits(built: Sequence[Built], x: int, y: int) -> bool:
    """D12 With a tile here everything lies in 3×4 or 4×3."""
    xs, ys = [x, *(tile.x for tile in built)], [y, *(tile.y for tile in built)]
    extent = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    return min(extent) <= FRAME[0] and max(extent) <= FRAME[1]


def where(built: Sequence[Built], x: int, y: int) -> str:
    """A place in words: beside which tile, and on which side of it ("left curve-3"); "first" if there is none yet."""
    there = lying(built)
    for side, cell in (("left", (x + 1, y)), ("right", (x - 1, y)), ("above", (x, y + 1)), ("below", (x, y - 1))):
        if cell in there:
            return f"{side} {built[there[cell]].tile}"
    return "first"


def neighbour(x: int, y: int, edge: int) -> Cell:
    """The cell beyond an edge (0 to 3 for N, E, S, W)."""
    dx, dy = _TOWARDS[edge]
    return x + dx, y + dy


# --- Creatures ------------------------------------------------------------------------------------------------


class Creature(Struct, frozen=True):
    """Joined bones: the tiles that they lie on, and how many of the bones on each tile are end pieces."""

    tiles: tuple[str, ...]
    ends_on: tuple[int, ...]

    @property
    def ends(self) -> int:
        return sum(self.ends_on)

    @property
    def points(self) -> int:
        """D14 Tiles × end pieces."""
        return len(self.tiles) * self.ends


@cache
def turned(bones: tuple[str, ...], turn: int) -> tuple[tuple[int, ...], ...]:
    """The edges of each bone group of a tile that is turned, as numbers 0 to 3 for N, E, S, W."""
    return tuple(tuple((EDGES.index(edge) + turn // 90) % 4 for edge in group) for group in bones)


@cache
def edges_with_bone(bones: tuple[str, ...], turn: int) -> frozenset[int]:
    """The edges of a tile that is turned to which a bone comes."""
    return frozenset(edge for group in turned(bones, turn) for edge in group)


@cache
def _groups_at(bones: tuple[str, ...], turn: int) -> tuple[int | None, ...]:
    """For each edge of a tile that is turned the bone group that comes to it, if there is one."""
    groups = turned(bones, turn)
    return tuple(next((index for index, group in enumerate(groups) if edge in group), None) for edge in range(4))


class Skeleton(Struct, frozen=True):
    """All bones that hang together, whether closed or not: for each bone the number of its tile and of its group."""

    bones: frozenset[tuple[int, int]]
    closed: bool
    creature: Creature


def closed_creatures(built: Sequence[Built], tiles: Mapping[str, Tile], since: int = 0) -> list[Creature]:
    """D14 The creatures without an open end that a tile from number `since` on belongs to, in the order of building."""
    found: list[Creature] = []
    seen: set[tuple[int, int]] = set()
    there = _cells(built)
    for number in range(since, len(built)):
        for index in range(len(tiles[built[number].tile].bones)):
            if (number, index) not in seen:
                members = _joined((number, index), built, tiles, there)
                seen.update(members)
                if all(members.values()):
                    found.append(_creature(members, built, tiles))
    return found


def bodies(built: Sequence[Built], tiles: Mapping[str, Tile]) -> list[Skeleton]:
    """D14 Every creature of a display, also those with open ends, in the order of building."""
    found: dict[tuple[int, int], Skeleton] = {}
    there = _cells(built)
    for number, placed in enumerate(built):
        for index in range(len(tiles[placed.tile].bones)):
            if (number, index) not in found:
                members = _joined((number, index), built, tiles, there)
                body = Skeleton(frozenset(members), all(members.values()), _creature(members, built, tiles))
                found |= dict.fromkeys(members, body)
    return list(dict.fromkeys(found.values()))


def _joined(
    first: tuple[int, int], built: Sequence[Built], tiles: Mapping[str, Tile], there: Mapping[Cell, int]
) -> dict[tuple[int, int], bool]:
    """All bone groups that are linked with the first one, each with whether all its edges meet bone."""
    members: dict[tuple[int, int], bool] = {}
    waiting = [first]
    while waiting:
        group = waiting.pop()
        if group in members:
            continue
        members[group] = True
        number, index = group
        placed = built[number]
        for edge in turned(tiles[placed.tile].bones, placed.turn)[index]:
            dx, dy = _TOWARDS[edge]
            beyond = there.get((placed.x + dx, placed.y + dy))
            meets = None
            if beyond is not None:
                other = built[beyond]
                meets = _groups_at(tiles[other.tile].bones, other.turn)[(edge + 2) % 4]
            if beyond is None or meets is None:
                members[group] = False
            else:
                waiting.append((beyond, meets))
    return members


def _creature(members: Mapping[tuple[int, int], bool], built: Sequence[Built], tiles: Mapping[str, Tile]) -> Creature:
    """If both groups of a tile belong to it, the tile counts once; end pieces are counted by groups."""
    ends: dict[int, int] = {}
    for number, index in sorted(members):
        ends[number] = ends.get(number, 0) + (len(tiles[built[number].tile].bones[index]) == 1)
    return Creature(tuple([built[number].tile for number in ends]), tuple(ends.values()))


def joints(built: Sequence[Built], placed: Built, tiles: Mapping[str, Tile]) -> int:
    """How many bone edges of a tile meet the bone of a tile that is built already."""
    there = [(each.x, each.y, turned(tiles[each.tile].bones, each.turn)) for each in built]
    bones = {(x, y, edge) for x, y, groups in there for group in groups for edge in group}
    return sum(
        (placed.x + _TOWARDS[edge][0], placed.y + _TOWARDS[edge][1], (edge + 2) % 4) in bones
        for group in turned(tiles[placed.tile].bones, placed.turn)
        for edge in group
    )


# --- Lines ----------------------------------------------------------------------------------------------------


def run(built: Sequence[Built], line: Line, x: int, y: int) -> tuple[Built, ...]:
    """D15 The gap-free line through a cell, from left to right or from top to bottom; empty if no tile is there."""
    there = lying(built)
    dx, dy = (1, 0) if line == "row" else (0, 1)
    while (x - dx, y - dy) in there and (x, y) in there:
        x, y = x - dx, y - dy
    found: list[Built] = []
    while (x, y) in there:
        found.append(built[there[x, y]])
        x, y = x + dx, y + dy
    return tuple(found)


@lru_cache(4096)
def runs(built: tuple[Built, ...]) -> tuple[tuple[Line, tuple[Built, ...]], ...]:
    """Every whole line: the rows from top to bottom, then the columns from left to right. A game asks for the lines of
    the same display again and again."""
    rows = _unbroken({(tile.y, tile.x): tile for tile in built})
    columns = _unbroken({(tile.x, tile.y): tile for tile in built})
    return (*[("row", tuple(line)) for line in rows], *[("column", tuple(line)) for line in columns])


def _unbroken(tiles: Mapping[Cell, Built]) -> list[list[Built]]:
    """Lines without a gap: the first number of a cell says which line it is in, the second where in it."""
    lines: list[list[Built]] = []
    for cell in sorted(tiles):
        across, along = cell
        if (across, along - 1) in tiles:
            lines[-1].append(tiles[cell])
        else:
            lines.append([tiles[cell]])
    return lines


def line_points(line: Sequence[Built], tiles: Mapping[str, Tile], kind: str) -> tuple[int, int]:
    """D15 The symbols of a kind in a line, and the sum of the values in it (absent = 0, negatives count)."""
    symbols = values = 0
    for built in line:
        tile = tiles[built.tile]
        symbols += tile.jewels.count(kind)
        values += tile.value or 0
    return symbols, values

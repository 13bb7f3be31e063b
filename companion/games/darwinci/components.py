"""What is in a box of Darwinci: bone tiles, each with bones on some edges, perhaps a value, perhaps jewellery."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.gamekit import is_name, problems_with_each, read_box

EDGES = "NESW"
"""Clockwise."""
FEWEST_TILES = 20
"""Four for each of five players."""
GROUPS = range(1, 3)
KINDS = range(6)
"""So many kinds of jewellery; a box may have none."""
STONES_EACH = 9
"""D8 Of each colour."""
BIDDING_ROUNDS = 3
COLOURS = 5
"""Five players at most, each with stones of their colour and a jewellery marker of every kind."""


class Tile(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    bones: tuple[str, ...]
    """Groups of linked bone edges out of N, E, S, W: each group is one piece of bone."""
    value: int | None = None
    jewels: tuple[str, ...] = ()

    @property
    def minus(self) -> bool:
        return self.value is not None and self.value < 0


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["darwinci"]
    provenance: Literal["stand-in", "enrolled"]
    tiles: tuple[Tile, ...]
    jewels: tuple[str, ...] = ()


def standin() -> str:
    """The text of the box that ships: playable, but not the printed tiles."""
    return Path(__file__).with_name("box.toml").read_text(encoding="utf-8")


def parse_box(text: str, origin: str) -> Box:
    """Read a box file's text. Raises BoxError, which names the origin, the entry and what was expected."""
    return read_box(text, origin, Box, _problems)


def _problems(box: Box) -> Iterator[str]:
    yield from _problems_with_jewels(box.jewels)
    yield from problems_with_each("tiles", box.tiles, lambda tile: _problems_with_tile(tile, box.jewels))
    if len(box.tiles) < FEWEST_TILES:
        yield f"tiles: expected at least {FEWEST_TILES}, four for each of five players, found {len(box.tiles)}"


def _problems_with_jewels(jewels: tuple[str, ...]) -> Iterator[str]:
    if len(jewels) not in KINDS:
        yield f"jewels: expected at most {KINDS[-1]} kinds, found {len(jewels)}"
    for number, kind in enumerate(jewels, 1):
        if not is_name(kind):
            yield f"jewels, number {number}: expected a name without control characters, found {kind!r}"
        if kind in jewels[: number - 1]:
            yield f"jewels, number {number}: expected different kinds, found {kind!r} twice"


def _problems_with_tile(tile: Tile, jewels: tuple[str, ...]) -> Iterator[str]:
    if len(tile.bones) not in GROUPS:
        yield f"bones: expected one or two groups of edges, found {len(tile.bones)}"
    for group in tile.bones:
        if not group:
            yield f"bones: expected groups of the edges {', '.join(EDGES)}, found an empty one"
    seen = ""
    for edge in "".join(tile.bones):
        if edge not in EDGES:
            yield f"bones: expected only the edges {', '.join(EDGES)}, found {edge!r}"
        if edge in seen:
            yield f"bones: expected every edge at most once, found {edge!r} twice"
        seen += edge
    for kind in tile.jewels:
        if kind not in jewels:
            yield f"jewels: expected only the box's kinds ({', '.join(jewels)}), found {kind!r}"

"""Bone tiles to choose from: a few at once; of many, first the shape."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace
from textual.content import Content

from companion.gamekit import numeral, plain
from companion.gamekit.screen import Choice, Menu, Sight
from companion.games.darwinci.colours import EARTH, PAPER
from companion.games.darwinci.components import Tile
from companion.games.darwinci.screen import _, people
from companion.games.darwinci.screen.tiles import HUGE, LARGE, MEDIUM, WALL, Block, TileLook, drawn, jewel_word
from companion.games.darwinci.sentences import SHAPES, shape, shape_of
from companion.games.darwinci.sentences import tile as tile_word

FEW = 12
"""So many tiles are seen at once on every screen."""
WORDS = 40


def tile_menu(sight: Sight, title: str, values: Mapping[str, Any]) -> Menu:
    """One of these tiles, by id, and what each leads to."""
    known = people.tiles(sight)
    offered = {tile: value for tile, value in values.items() if tile in known}
    return _tiles(sight, title, offered) if len(offered) <= FEW else _shapes(sight, title, offered)


def _shapes(sight: Sight, title: str, values: Mapping[str, Any]) -> Menu:
    known = people.tiles(sight)
    choices = []
    for kind in SHAPES:
        some = {tile: value for tile, value in values.items() if shape_of(known[tile]) == kind}
        if some:
            example = replace(known[next(iter(some))], value=None, jewels=())
            left = _("{count:bone tile|bone tiles}", count=len(some))
            which, draw = partial(_tiles, sight, title, some), partial(_picture, sight, example)
            choices.append(Choice(plain(shape(kind, _)), which, PAPER, EARTH[0], words=left, draw=draw))
    return Menu(title, choices)


def _tiles(sight: Sight, title: str, values: Mapping[str, Any]) -> Menu:
    known = people.tiles(sight)
    ordered = sorted(values, key=lambda tile: (known[tile].value is None, known[tile].value or 0))
    return Menu(title, [tile_choice(sight, known[tile], values[tile]) for tile in ordered])


def tile_choice(sight: Sight, tile: Tile, value: Any, turn: int = 0, words: str = "") -> Choice:
    """A tile, drawn in any size; its words and its jewellery are told while it has the focus."""
    told = ", ".join(part for part in (value_words(tile), jewel_words(tile), words) if part)
    return Choice(words_of(tile), value, PAPER, EARTH[0], words=told, draw=partial(_picture, sight, tile, turn=turn))


def value_words(tile: Tile) -> str:
    """D13, D15 What the number on it means."""
    if tile.value is None:
        return ""
    cost = _("costs {darwin} Darwin", darwin=-tile.value) if tile.minus else ""
    counts = _("counts {value} for jewellery in its row and column", value=numeral(tile.value))
    return ", ".join(part for part in (cost, counts) if part)


def jewel_words(tile: Tile) -> str:
    counted = Counter(tile.jewels).items()
    return ", ".join(jewel_word(kind) if count == 1 else f"{count} × {jewel_word(kind)}" for kind, count in counted)


def _picture(sight: Sight, tile: Tile, width: int, height: int, turn: int = 0) -> Block:
    fitting = (size for size in (WALL, HUGE, LARGE, MEDIUM) if size.width <= width and size.height <= height)
    picture = drawn(TileLook(tile, turn), next(fitting, MEDIUM), sight.box.jewels)
    room = height - len(picture) > 1
    return [*picture, *([Content(""), Content.styled(plain(words_of(tile), width), "bold")] if room else [])]


def words_of(tile: Tile) -> str:
    return plain(tile_word(tile, _), WORDS)

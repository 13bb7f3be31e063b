"""Creatures, places and settlements are those that a second, slow and obvious computation finds."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.darwinci.components import Box, Tile, parse_box
from companion.games.darwinci.display import TURNS, closed_creatures, places
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.view import Built

from . import by_the_book
from .table import STANDIN
from .test_properties import play, seeds, setups

GAMES = sorted((Path(__file__).parents[2] / "data" / "darwinci").glob("*.jsonl"))
BONES = (
    *(("N",), ("NS",), ("NE",), ("NES",), ("NESW",), ("N", "S"), ("N", "E"), ("NS", "EW"), ("NE", "SW"), ("NS", "E")),
    *(("NEW", "S"), ("N", "ES")),
)


def random_display(chance: Random, many_ends: float) -> list[Built]:
    """Up to 12 tiles, each in one of the places."""
    built: list[Built] = []
    for number in range(chance.randint(1, 12)):
        free = places(built)
        if not free:
            break
        x, y = chance.choice(free)
        kind = 0 if chance.random() < many_ends else chance.randrange(len(BONES))
        built.append(Built(f"{kind}/{number}", x, y, chance.choice(TURNS)))
    return built


@settings(max_examples=400, deadline=None)
@given(seeds, st.floats(0, 0.8))
def test_creatures_are_those_that_a_slow_search_finds(seed, many_ends):
    built = random_display(Random(seed), many_ends)
    bones = {placed.tile: BONES[int(placed.tile.partition("/")[0])] for placed in built}
    tiles = {tile: Tile(tile, groups) for tile, groups in bones.items()}
    found = sorted((len(each.tiles), each.ends) for each in closed_creatures(built, tiles))
    assert found == by_the_book.creatures([(bones[each.tile], each.x, each.y, each.turn) for each in built])


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_creatures_found_round_by_round_are_those_of_the_whole_display(seed):
    """D14 Each is scored once: looking only at what is new misses nothing and finds nothing twice."""
    chance = Random(seed)
    built = random_display(chance, 0.5)
    tiles = {placed.tile: Tile(placed.tile, BONES[int(placed.tile.partition("/")[0])]) for placed in built}
    looked, found = 0, []
    while looked < len(built):
        step = chance.randint(1, 4)
        found += closed_creatures(built[: looked + step], tiles, looked)
        looked = min(looked + step, len(built))
    assert sorted(each.tiles for each in found) == sorted(each.tiles for each in closed_creatures(built, tiles))


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_places_are_those_that_fit_some_frame(seed):
    built = random_display(Random(seed), 0)
    free = places(built)
    assert set(free) == by_the_book.places({(placed.x, placed.y) for placed in built})
    assert list(free) == sorted(free, key=lambda cell: (cell[1], cell[0]))
    assert bool(free) == (len(built) < 12)


@settings(max_examples=15, deadline=None)
@given(setups, seeds)
def test_auctions_are_settled_as_stone_after_stone_says(setup, seed):
    for state, action, step in play(setup, Random(seed)):
        if state.phase == "bid" and step.state.phase != "bid":
            before, after = GAME.table(state), GAME.table(step.state)
            on, stones = [list(row) for row in before.on], [list(row) for row in before.stones]
            for laid in action.stones:
                stones[action.seat][laid.colour] -= laid.count
                on[laid.on][laid.colour] += laid.count
            told = by_the_book.settle(setup.players, before.start, stones, on, setup.options.tie)
            assert msgspec.to_builtins(after.stones) == tuple(map(tuple, told["stones"]))
            assert after.counter == told["counter"]
            for seat in range(setup.players):
                won = {before.offers[each] for each, winner in enumerate(told["winners"]) if winner == seat}
                assert set(after.won[seat]) == won


# --- Whole games ----------------------------------------------------------------------------------------------


def plain_tiles(box: Box) -> dict[str, dict[str, Any]]:
    return {tile.id: msgspec.to_builtins(tile) for tile in box.tiles}


@settings(max_examples=30, deadline=None)
@given(setups, seeds)
def test_random_games_go_as_the_book_says(setup, seed):
    book = by_the_book.ByTheBook(setup.players, setup.first, msgspec.to_builtins(setup.options), plain_tiles(setup.box))
    for _, action, step in play(setup, Random(seed)):
        book.do(**msgspec.to_builtins(action))
        assert msgspec.json.decode(msgspec.json.encode(GAME.table(step.state))) == book.table()


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_is_written_in_the_whole_games_is_what_the_book_says(path):
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(first)
    box = parse_box((path.parent / header["box"]).read_text(), "its box") if "box" in header else STANDIN
    options = header.get("options", {})
    book = by_the_book.ByTheBook(len(header["players"]), header.get("first", 0), options, plain_tiles(box))
    told = json.loads(json.dumps(book.table()))
    for line, after in pairwise(lines):
        if line.startswith("{") and after.startswith("#="):
            book.do(**json.loads(line))
            told |= json.loads(after[2:])
            assert told == book.table()

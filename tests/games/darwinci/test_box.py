"""The box of Darwinci: what is wrong with one is said with its place and what was expected."""

from collections import Counter

import pytest

from companion.errors import BoxError
from companion.gamekit.game import Thing
from companion.games.darwinci.components import parse_box, standin
from companion.games.darwinci.rules import GAME

from . import make_standin

HEAD = 'game = "darwinci"\nprovenance = "enrolled"\njewels = ["shell", "tooth"]\n'


def box(first: str = 'bones = ["N"]', *, head: str = HEAD, tiles: int = 20) -> str:
    others = "".join(f'[[tiles]]\nid = "t{number}"\nbones = ["NE", "S"]\n' for number in range(2, tiles + 1))
    return f'{head}[[tiles]]\nid = "t1"\n{first}\n{others}'


def problem(text: str) -> str:
    with pytest.raises(BoxError) as error:
        parse_box(text, "my.toml")
    return str(error.value)


def test_a_box_may_leave_out_value_and_jewels():
    tile = parse_box(box(), "my.toml").tiles[0]
    assert (tile.value, tile.jewels, tile.minus) == (None, (), False)
    tile = parse_box(box('bones = ["SEN", "W"]\nvalue = -2\njewels = ["shell", "shell"]'), "my.toml").tiles[0]
    assert (tile.bones, tile.value, tile.jewels, tile.minus) == (("SEN", "W"), -2, ("shell", "shell"), True)


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ('bones = ["N"]\nworth = 3', "tiles, entry 1 ('t1'): unknown key 'worth'"),
        ("value = 3", "tiles, entry 1 ('t1'): 'bones' is missing"),
        ('bones = ["N"]\nvalue = "3"', "tiles, entry 1 ('t1'): value: expected"),
        ('bones = ["N"]\nvalue = true', "tiles, entry 1 ('t1'): value: expected"),
        ("bones = []", "tiles, entry 1 ('t1'): bones: expected one or two groups of edges, found 0"),
        ('bones = ["N", "E", "S"]', "bones: expected one or two groups of edges, found 3"),
        ('bones = ["N", ""]', "bones: expected groups of the edges N, E, S, W, found an empty one"),
        ('bones = ["NX"]', "bones: expected only the edges N, E, S, W, found 'X'"),
        ('bones = ["n"]', "found 'n'"),
        ('bones = ["NN"]', "bones: expected every edge at most once, found 'N' twice"),
        ('bones = ["NE", "SE"]', "bones: expected every edge at most once, found 'E' twice"),
        ('bones = ["N"]\njewels = ["gold"]', "jewels: expected only the box's kinds (shell, tooth), found 'gold'"),
        ('bones = ["N"]\n[[tiles]]\nid = "t1"\nbones = ["N"]', "entry 1 has the same id"),
        ('bones = ["N"]\n[[tiles]]\nid = " "\nbones = ["N"]', "id: expected a name"),
    ],
)
def test_a_tile_that_is_wrong_is_named(first, expected):
    told = problem(box(first))
    assert told.startswith("my.toml: tiles, entry ")
    assert expected in told


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (HEAD.replace("darwinci", "lascaux"), "game: expected 'darwinci', found 'lascaux'"),
        (HEAD.replace("enrolled", "mine"), "provenance: expected 'enrolled' or 'stand-in', found 'mine'"),
        (HEAD.replace('"shell"', '"a", "b", "c", "d", "e"'), "jewels: expected at most 5 kinds, found 6"),
        (HEAD.replace("shell", "tooth"), "jewels, number 2: expected different kinds, found 'tooth' twice"),
        (HEAD.replace("shell", ""), "jewels, number 1: expected a name"),
        (HEAD + "cards = 3\n", "unknown key 'cards'"),
    ],
)
def test_a_head_that_is_wrong_is_named(head, expected):
    assert expected in problem(box(head=head))


@pytest.mark.parametrize("head", [HEAD.replace('"shell", "tooth"', ""), HEAD.partition("jewels")[0]])
def test_a_box_may_be_without_jewellery(head):
    assert parse_box(box(head=head).replace("jewels =", "#"), "my.toml").jewels == ()


def test_four_tiles_for_each_of_five_players_are_needed():
    assert "tiles: expected at least 20, four for each of five players, found 19" in problem(box(tiles=19))
    assert len(parse_box(box(tiles=20), "my.toml").tiles) == 20


# --- The box that ships ---------------------------------------------------------------------------------------


def test_the_stand_in_is_what_its_maker_makes():
    assert standin() == make_standin.box()


def test_the_stand_in_has_all_shapes_values_and_kinds():
    shipped = parse_box(standin(), "the stand-in")
    assert shipped.provenance == "stand-in"
    assert len(shipped.tiles) == 70
    assert {tile.value for tile in shipped.tiles} == {None, -3, -2, -1, 1, 2, 3, 4, 5}
    symbols = Counter(kind for tile in shipped.tiles for kind in tile.jewels)
    assert set(symbols) == set(shipped.jewels)
    assert max(symbols.values()) <= 1.5 * min(symbols.values())
    shapes = Counter(tuple(sorted(map(len, tile.bones))) for tile in shipped.tiles)
    assert shapes == {(1,): 16, (2,): 32, (3,): 12, (4,): 1, (2, 2): 3, (1, 1): 3, (1, 2): 3}


def test_every_tile_and_five_sets_of_jewellery_markers_may_carry_a_tag():
    pieces = GAME.pieces(parse_box(standin(), "the stand-in"))
    assert len(set(pieces)) == len(pieces) == 70 + 5 * 5
    assert Thing("jewel", "amber", 4) in pieces

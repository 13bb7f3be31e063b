"""D11 to D14 and D19: building, the frame, minus tiles, creatures, too many tiles. Tests named after the rulings."""

from functools import partial

import pytest

from companion.gamekit.game import Place, Thing
from companion.games.darwinci.display import closed_creatures, neighbour, places
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.state import Build, Discard, Keep, Offer
from companion.games.darwinci.view import Built
from companion.language.wording import say

from .table import BOX, FULL_ROWS, Table

TILES = {tile.id: tile for tile in BOX.tiles}


def built(*tiles: tuple[str, int, int, int]) -> list[Built]:
    return [Built(*tile) for tile in tiles]


def cells(*where: tuple[int, int]) -> list[Built]:
    return [Built("p1", x, y, 0) for x, y in where]


# --- D11 Building ---------------------------------------------------------------------------------------------


def test_D11_in_order_from_the_start_player_each_builds_all_their_won_tiles():
    table = Table(3, 1).set_up().free().auction(["e1", "e2", "e3"], [0, 2, 2])
    assert table.awaited == ((2,), ("build",))
    assert table.refused(Build(0, "e1", 0, 1, 0)) == ("D22", "out of turn")
    table.build(2, ("e3", 0, 1, 0), ("e2", 0, 2, 180))
    assert table.awaited == ((0,), ("build",))
    table.build(0, ("e1", -1, 0, 270))
    assert table.phase == "jewels"
    assert table.built[2][2:] == (Built("e3", 0, 1, 0), Built("e2", 0, 2, 180))


def test_D11_their_own_won_tiles_only_in_an_order_of_their_choice():
    table = Table().set_up().building(0, ["e1", "e2"])
    assert table.refused(Build(0, "e3", 0, 1, 0)) == ("D22", "not won")
    assert table.build(0, ("e2", 0, 1, 0)).won[0] == ("e1",)
    assert table.refused(Build(0, "e2", 0, 2, 0)) == ("D22", "not won")


def test_D11_edge_to_edge_not_only_corner_to_corner_and_on_no_other_tile():
    table = Table().set_up().building(0, ["e1"])
    assert table.refused(Build(0, "e1", 2, 1, 0)) == ("D11", "edge to edge")
    assert table.refused(Build(0, "e1", 3, 0, 0)) == ("D11", "edge to edge")
    assert table.refused(Build(0, "e1", 1, 0, 0)) == ("D11", "place is taken")
    table.build(0, ("e1", 2, 0, 0))


def test_D11_the_first_tile_may_lie_anywhere_the_second_beside_it():
    table = Table().build(0, ("e1", -7, 30, 0))
    assert table.refused(Build(0, "e2", -6, 31, 0)) == ("D11", "edge to edge")
    table.build(0, ("e2", -6, 30, 0))


def test_D11_any_rotation_in_quarter_turns_bones_need_not_match():
    table = Table().set_up().building(0, ["e1"])
    for turn in (45, -90, 360, 1):
        assert table.refused(Build(0, "e1", 0, 1, turn)) == ("D22", "no such turn")
    for turn in (0, 90, 180, 270):
        assert Build(0, "e1", 0, 1, turn) in GAME.legal(table.state)


# --- D12 The frame --------------------------------------------------------------------------------------------


def test_D12_the_orientation_stays_open_until_the_extent_decides_it():
    square = cells(*((x, y) for x in range(3) for y in range(3)))
    assert set(places(square)) == {
        *((3, y) for y in range(3)),
        *((-1, y) for y in range(3)),
        *((x, 3) for x in range(3)),
        *((x, -1) for x in range(3)),
    }
    assert set(places([*square, Built("p2", 3, 1, 0)])) == {(3, 0), (3, 2)}


def test_D12_four_in_a_row_leave_three_rows():
    row = cells((0, 0), (1, 0), (2, 0), (3, 0))
    assert set(places(row)) == {*((x, -1) for x in range(4)), *((x, 1) for x in range(4))}
    assert set(places([*row, *cells((0, 1), (0, -1))])) == {*((x, y) for x in range(1, 4) for y in (-1, 1))}


def test_D12_a_tile_outside_the_frame_is_refused():
    table = Table().set_up().building(0, ["e1", "e2", "e3"]).build(0, ("e1", 2, 0, 0), ("e2", 3, 0, 0))
    assert table.refused(Build(0, "e3", 4, 0, 0)) == ("D12", "out of the frame")
    assert table.refused(Build(0, "e3", -1, 0, 0)) == ("D12", "out of the frame")
    table.build(0, ("e3", 3, 1, 0))


def test_D12_the_frame_may_grow_to_any_side_also_to_negative_coordinates():
    assert places(cells((0, 0))) == ((0, -1), (-1, 0), (1, 0), (0, 1))
    assert places(cells(*((x, y) for x in range(3) for y in range(4)))) == ()


# --- D13 Minus tiles ------------------------------------------------------------------------------------------


def test_D13_building_a_minus_tile_costs_its_value_at_once():
    table = Table().set_up().building(0, ["m1"]).build(0, ("m1", 0, 1, 0))
    assert table.money == (10, 12, 12)
    assert table.parts(0)[1:] == [("m1", -2, "D13")]
    assert ("D13", "pays") in table.ruled


def test_D13_also_in_the_set_up():
    assert Table().build(0, ("m1", 0, 0, 0)).money == (10, 12, 12)


def test_D13_who_is_too_poor_owes_the_rest():
    table = Table().set_up().building(0, ["dear"]).build(0, ("dear", 0, 1, 0))
    assert table.money == (-8, 12, 12)
    assert table.said("pays")[0]["darwin"] == 20


def test_D13_with_the_option_floor_nothing_more_is_paid():
    table = Table(minus="floor").set_up().building(0, ["dear", "m1"]).build(0, ("dear", 0, 1, 0), ("m1", 1, 1, 0))
    assert table.money == (0, 12, 12)
    assert table.parts(0)[1:] == [("dear", -12, "D13"), ("m1", 0, "D13")]


# --- D14 Creatures --------------------------------------------------------------------------------------------


def test_D14_a_creature_is_told_tile_by_tile_with_the_end_pieces_on_them():
    upper = [("c4", -1, 0, 90), ("ends", 0, 0, 90), ("c1", 1, 0, 180)]
    ring = [*upper, ("c2", 1, 1, 270), ("s1", 0, 1, 90), ("c3", -1, 1, 0)]
    table = Table().set_up().building(0, ["c3"], ring[:-1]).build(0, ring[-1])
    (said,) = [ruling for ruling in table.rulings if ruling.rule == "D14"]
    assert say(said, GAME.sentences, ("Anna", "Ben", "Cleo"), word=partial(GAME.word, table.state.box)) == (
        "Anna closes a creature: curve 2, double (2 × end piece), curve 2, curve 2, straight and curve 2; "
        "6 tiles × 2 end pieces = 12 Darwin"
    )


def creatures(*tiles: tuple[str, int, int, int]) -> list[tuple[int, int]]:
    """Tiles and end pieces of each closed creature."""
    return [(len(each.tiles), each.ends) for each in closed_creatures(built(*tiles), TILES)]


def test_D14_two_end_pieces_that_look_at_each_other_are_a_creature():
    assert creatures(("e1", 0, 0, 90), ("e2", 1, 0, 270)) == [(2, 2)]
    assert creatures(("e1", 0, 0, 180), ("e2", 0, 1, 0)) == [(2, 2)]


def test_D14_a_bone_against_a_blank_edge_stays_open():
    assert creatures(("e1", 0, 0, 90), ("e2", 1, 0, 0)) == []
    assert creatures(("e1", 0, 0, 0), ("e2", 1, 0, 0)) == []


def test_D14_turning_by_90_brings_north_to_east():
    assert creatures(("c1", 0, 0, 90), ("e1", 1, 0, 270), ("e2", 0, 1, 0)) == [(3, 2)]


def test_D14_every_end_must_be_closed():
    branch = [("b1", 0, 0, 0), ("e1", 0, -1, 180), ("e2", 1, 0, 270)]
    assert creatures(*branch) == []
    assert creatures(*branch, ("e3", 0, 1, 0)) == [(4, 3)]


def test_D14_a_ring_has_no_end_piece_and_is_scored_with_nothing():
    ring = [("c1", 0, 0, 90), ("c2", 1, 0, 180), ("c3", 1, 1, 270), ("c4", 0, 1, 0)]
    assert creatures(*ring) == [(4, 0)]
    table = Table().set_up().building(0, ["c4"], ring[:3]).build(0, ring[3])
    assert (table.creatures[0], table.money[0]) == ((4,), 12)
    assert table.parts(0)[1:] == [("creature", 0, "D14")]


def test_D14_two_groups_on_a_tile_belong_to_two_creatures_and_count_in_each():
    assert creatures(("ends", 0, 0, 0), ("e1", 0, -1, 180), ("e2", 0, 1, 0)) == [(2, 2), (2, 2)]


def test_D14_a_tile_whose_groups_belong_to_the_same_creature_counts_once_its_ends_by_group():
    upper = [("c4", -1, 0, 90), ("ends", 0, 0, 90), ("c1", 1, 0, 180)]
    ring = [*upper, ("c2", 1, 1, 270), ("s1", 0, 1, 90), ("c3", -1, 1, 0)]
    assert creatures(*ring) == [(6, 2)]


def test_D14_is_scored_once_after_the_last_tile_of_the_round_tiles_times_end_pieces():
    table = Table().set_up().free().auction(["e1", "e2", "e3"], [0, 0, 1])
    table.build(0, ("e1", 0, 1, 90), ("e2", 1, 1, 270))
    assert (table.money[0], table.phase) == (12, "build")
    table.build(1, ("e3", 0, 1, 0))
    assert (table.money, table.creatures) == ((16, 12, 12), ((2,), (), ()))
    (said,) = table.said("closes a creature")
    assert said == {"seat": 0, "bones_in_order": ("e1 × 1", "e2 × 1"), "size": 2, "ends": 2, "points": 4}
    table.skip().auction(["e4", "e5", "e6"], [None, 0, None]).build(0, ("e5", 0, 2, 0))
    assert table.money[0] == 16


def test_D14_any_number_in_one_round():
    table = Table().set_up().building(0, ["e2", "e4"], [("e1", 0, 0, 90), ("e3", 0, 1, 90)])
    table.build(0, ("e2", 1, 0, 270), ("e4", 1, 1, 270))
    assert (table.money[0], table.creatures[0]) == (20, (2, 2))


def test_D14_creatures_are_listed_largest_first():
    table = Table().set_up().building(0, ["e2", "e4"], [("e1", 0, 0, 90), ("e3", 0, 1, 90), ("p9", 1, 1, 0)])
    table.build(0, ("e2", 1, 0, 270), ("e4", 2, 1, 270))
    assert (table.money[0], table.creatures[0]) == (12 + 4 + 6, (3, 2))


def test_D14_a_creature_closed_in_the_set_up_is_scored_in_round_1():
    table = Table().build(0, ("e1", 0, 0, 90), ("e2", 1, 0, 270))
    table.build(1, ("p3", 0, 0, 0), ("p4", 1, 0, 0)).build(2, ("p5", 0, 0, 0), ("p6", 1, 0, 0))
    assert table.money[0] == 12
    table.free().auction(["e3", "e4", "e5"], [None] * 3)
    assert (table.money[0], table.creatures[0]) == (16, (2,))
    table.skip().auction(["e6", "e7", "e8"], [None] * 3)
    assert table.money[0] == 16


def test_D14_a_bone_against_the_frames_limit_stays_open():
    row = [("e1", 0, 0, 90), ("p1", 1, 0, 0), ("p2", 2, 0, 0), ("p3", 3, 0, 0)]
    assert creatures(*row) == []
    assert (4, 0) not in places(built(*row))


# --- D19 More tiles than places -------------------------------------------------------------------------------


def nearly_full(places_left: int, *won: str) -> Table:
    return Table().set_up().building(0, won, FULL_ROWS[: 12 - places_left])


def test_D19_with_a_place_for_every_tile_nothing_is_discarded():
    table = nearly_full(2, "e1", "e2")
    assert table.awaited == ((0,), ("build",))
    assert table.refused(Discard(0, "e1")) == ("D19", "a place for every tile")


def test_D19_who_has_more_tiles_than_places_chooses_which_to_build():
    table = nearly_full(1, "e1", "e2")
    assert table.awaited == ((0,), ("build", "discard"))
    table.build(0, ("e2", 2, 3, 0))
    assert table.awaited == ((0,), ("discard",))
    assert table.refused(Build(0, "e1", 3, 3, 0)) == ("D12", "the frame is full")
    assert table.discard(0, "e1").phase == "jewels"


def test_D19_they_may_discard_first_and_then_must_build_what_has_a_place():
    table = nearly_full(1, "e1", "e2").discard(0, "e1")
    assert table.awaited == ((0,), ("build",))
    assert table.refused(Discard(0, "e2")) == ("D19", "a place for every tile")


def test_D19_minus_tiles_come_first():
    table = nearly_full(1, "e1", "m1")
    assert table.refused(Build(0, "e1", 2, 3, 0)) == ("D19", "minus tiles come first")
    assert table.refused(Discard(0, "m1")) == ("D19", "minus tiles are built")
    table.discard(0, "e1").build(0, ("m1", 2, 3, 0))
    assert table.money[0] == 10


def test_D19_a_tile_without_minus_may_be_built_if_a_place_remains_for_each_minus_tile():
    table = nearly_full(2, "e1", "e2", "m1").build(0, ("e1", 1, 3, 0))
    assert table.refused(Build(0, "e2", 2, 3, 0)) == ("D19", "minus tiles come first")
    table.build(0, ("m1", 2, 3, 0)).discard(0, "e2")


def test_D19_a_minus_tile_may_be_discarded_only_if_there_are_more_of_them_than_places():
    table = nearly_full(1, "m1", "m2", "e1")
    table.discard(0, "m1")
    assert table.refused(Discard(0, "m2")) == ("D19", "minus tiles are built")
    assert table.discard(0, "e1").money[0] == 12
    assert table.refused(Discard(0, "m2")) == ("D19", "a place for every tile")


def test_D19_with_a_full_frame_everything_leaves_the_game_free_of_charge():
    table = nearly_full(0, "m1", "e1")
    assert table.awaited == ((0,), ("discard",))
    assert table.discard(0, "m1", "e1").money[0] == 12


def test_D19_only_won_tiles_are_discarded():
    assert nearly_full(0, "e1").refused(Discard(0, "e2")) == ("D22", "not won")


@pytest.mark.parametrize("start", range(3))
def test_D19_the_game_ends_with_twelve_tiles_after_the_jewellery_without_card_and_drawing(start):
    table = Table(3, start).set_up().free().auction(["e1", "e2", "e3"], [0, 1, None]).displaying(0, *FULL_ROWS[:11])
    stack = table.stack
    for seat in table.order[:]:
        if seat == 0:
            table.build(0, ("e1", 2, 3, 0))
        if seat == 1:
            table.build(1, ("e2", 0, 1, 0))
    assert table.phase == "jewels"
    table.skip()
    assert (table.phase, table.stack, table.hands, table.darwin_card) == ("over", stack, (1, 1, 1), None)
    assert (table.round, table.start) == (1, start)
    assert table.ruled[-1] == ("D19", "twelve tiles")
    assert table.awaited is None
    assert GAME.legal(table.state) == ()


# --- What a screen is offered, and where things lie -----------------------------------------------------------


def test_a_screen_is_offered_one_bid_that_stands_for_all_and_each_place_unturned():
    """A bid is put together stone by stone, and a tile is turned where it lies."""
    setting_up = Table()
    offered = GAME.offered(setting_up.state)
    assert {action.turn for action in offered} == {0}
    assert len(offered) == len(BOX.tiles)
    bidding = Table().up_for_auction("e1", "e2", "e3")
    assert len(GAME.offered(bidding.state)) == 1
    building = Table().set_up().free().auction(["e1", "e2", "e3"], [0, None, None])
    builds = GAME.offered(building.state)
    assert {action.turn for action in builds} == {0}
    assert len(builds) * 4 == len(GAME.legal(building.state))


def test_offered_tiles_lie_before_their_players_and_the_counter_beside_the_start_players():
    lying = GAME.whereabouts(Table(3, 1).up_for_auction("e1", "e2", "e3").state)
    assert lying[Thing("counter"), Place("offer", 1)] == 1
    offered = {place.seat for (thing, place), count in lying.items() if thing.id and place.kind == "offer" and count}
    assert offered == {0, 1, 2}
    assert all(lying[Thing("tile"), Place("offer", seat)] == 0 for seat in range(3)), "they lie open"
    hidden = GAME.whereabouts(Table().set_up().do(Keep(0), Keep(1), Keep(2), Offer(1, "e1")).state)
    assert [hidden[Thing("tile"), Place("offer", seat)] for seat in range(3)] == [0, 1, 0]
    assert hidden[Thing("tile", "e1"), Place("face down")] == 1


def test_the_neighbours_of_a_tile_are_above_it_right_below_and_left():
    assert [neighbour(4, 7, edge) for edge in range(4)] == [(4, 6), (5, 7), (4, 8), (3, 7)]

"""What hands mean at a table of Darwinci. Anna is seat 0, Ben 1, Cleo 2; seat 3 is empty."""

import pytest

from companion.gamekit.game import Aside, Draft, Laid, Pushed, Refusal, Thing
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.state import Bid, Build, Buy, Discard, Jewels, Keep, Offer, Skip
from companion.games.darwinci.sentences import GESTURES
from companion.games.darwinci.view import HalfBid, Stones
from companion.language.wording import say

from .table import FULL_ROWS, STANDIN, Table

ANNA, BEN, CLEO, EMPTY_SEAT = 0, 1, 2, 3
GREEN, RED = Pushed("green"), Pushed("red")
HOLD_GREEN, HOLD_RED = Pushed("green", held=True), Pushed("red", held=True)


def tile(name: str, pad: int | None = None) -> Laid:
    return Laid(Thing("tile", name), pad)


def marker(kind: str, owner: int | None, pad: int | None = None) -> Laid:
    return Laid(Thing("jewel", kind, owner), pad)


def said(table: Table, *gestures):
    """What the last gesture means after the others, which began something."""
    so_far, meaning = None, None
    for gesture in gestures:
        first = so_far is None
        meaning = GAME.meaning(table.state, gesture) if first else GAME.continued(table.state, so_far, gesture)
        if isinstance(meaning, Draft):
            so_far = meaning.so_far
            assert say(meaning, GESTURES, ("Anna", "Ben", "Cleo"))
    return meaning


def what(table: Table, *gestures) -> str:
    return said(table, *gestures).what


@pytest.fixture
def buying() -> Table:
    return Table().set_up()


@pytest.fixture
def offering() -> Table:
    return Table(3, 1).set_up_with("p1", "p2", "p3", "p4", "p5", "p6").keep()


@pytest.fixture
def bidding() -> Table:
    """It is Anna's turn; she holds one stone each of Ben and Cleo."""
    return Table().up_for_auction("e1", "e2", "e3")


@pytest.fixture
def building() -> Table:
    return Table().set_up().building(ANNA, ["e1", "e2"], [("p1", 0, 0, 0), ("e5", 1, 0, 270)])


@pytest.fixture
def scoring() -> Table:
    return Table().scoring(ANNA, ("shells", 0, 0, 0), ("shell", 1, 0, 0), ("teeth", 2, 0, 0))


# --- Buying and offering --------------------------------------------------------------------------------------


def test_green_buys_and_red_keeps_at_the_own_pad_or_at_the_centre(buying):
    assert (said(buying, GREEN), said(buying, RED)) == (Buy(ANNA), Keep(ANNA))
    assert said(buying, Pushed("green", BEN)) == Buy(BEN)
    assert GAME.apply(buying.state, Buy(BEN)).what == "out of turn"


def test_a_tile_on_the_own_pad_is_offered(offering):
    assert said(offering, tile("e1", BEN)) == Offer(BEN, "e1")


def test_tiles_on_the_centre_are_offered_in_order_from_the_start_player(offering):
    for seat, name in ((BEN, "e1"), (CLEO, "e2"), (ANNA, "e3")):
        assert said(offering, tile(name)) == Offer(seat, name)
        offering.do(Offer(seat, name))


@pytest.mark.parametrize("pad", [None, BEN])
def test_D21_a_tile_that_is_tapped_again_is_the_same_tile_and_is_not_named(offering, pad):
    offering.do(Offer(BEN, "e1"))
    assert said(offering, tile("e1", pad)) == Aside("repeated", "lies face down")


@pytest.mark.parametrize("pad", [ANNA, CLEO])
def test_D21_a_pad_does_not_answer_by_what_another_has_offered(offering, pad):
    offering.do(Offer(BEN, "e1"))
    assert said(offering, tile("e1", pad)) == Offer(pad, "e1")


def test_D21_a_second_tile_is_refused_without_its_name(offering):
    offering.do(Offer(BEN, "e1"))
    refusal = GAME.apply(offering.state, said(offering, tile("e2", BEN)))
    assert isinstance(refusal, Refusal)
    assert refusal.facts == {"seat": BEN}


def test_a_button_while_offering_says_who_is_missing(offering):
    assert said(offering.do(Offer(BEN, "e1")), GREEN) == Aside("idle", "tiles are offered", {"seats": (CLEO, ANNA)})


# --- Bidding --------------------------------------------------------------------------------------------------


def test_green_on_a_pad_lays_an_own_stone_on_its_tile(bidding):
    draft = said(bidding, Pushed("green", BEN))
    assert draft.so_far == HalfBid(ANNA, (Stones(BEN, ANNA, 1),))
    assert draft.facts == {"seat": ANNA, "owner": ANNA, "seat_offering": BEN, "tile": "e2", "stones": 1}


def test_red_on_a_pad_lays_a_foreign_stone_and_asks_which_if_there_are_several(bidding):
    assert said(bidding, Pushed("red", CLEO)).so_far == HalfBid(ANNA, (), CLEO, (BEN, CLEO))
    half = HalfBid(ANNA, (Stones(CLEO, BEN, 1),))
    assert said(bidding, Pushed("red", CLEO), Pushed("green", BEN)).so_far == half
    assert said(bidding, Pushed("red", CLEO), Pushed("green", ANNA)).so_far == half
    assert said(bidding, Pushed("red", CLEO), GREEN).so_far == half
    other = HalfBid(ANNA, (Stones(CLEO, CLEO, 1),))
    assert said(bidding, Pushed("red", CLEO), RED, GREEN).so_far == other
    assert said(bidding, Pushed("red", CLEO), RED, RED, GREEN).so_far == half


def test_the_question_about_a_colour_names_the_tile_that_is_meant(bidding):
    for seat, offered in ((ANNA, "e1"), (BEN, "e2"), (CLEO, "e3")):
        asked = said(bidding, Pushed("red", seat))
        assert asked.what == "which colour"
        assert (asked.facts["seat_offering"], asked.facts["tile"]) == (seat, offered)


def test_red_lays_the_only_foreign_colour_at_once(bidding):
    bidding.holding((7, 2, 0), (1, 7, 1), (1, 0, 8))
    assert said(bidding, Pushed("red", ANNA)).so_far == HalfBid(ANNA, (Stones(ANNA, BEN, 1),))


def test_the_centres_green_ends_the_bid_and_the_same_stones_are_counted(bidding):
    bidding.holding((7, 2, 0), (1, 7, 1), (1, 0, 8))
    bid = said(bidding, Pushed("red", ANNA), Pushed("red", ANNA), Pushed("green", CLEO), GREEN)
    assert bid == Bid(ANNA, (Stones(ANNA, BEN, 2), Stones(CLEO, ANNA, 1)))
    assert not isinstance(GAME.apply(bidding.state, bid), Refusal)
    assert said(bidding, GREEN) == Bid(ANNA, ())


def test_with_one_reader_the_tile_is_tapped_first(bidding):
    assert what(bidding, tile("e2")) == "which stone"
    assert said(bidding, tile("e2"), GREEN).so_far == HalfBid(ANNA, (Stones(BEN, ANNA, 1),))
    assert said(bidding, tile("e2"), RED, RED, GREEN).so_far == HalfBid(ANNA, (Stones(BEN, CLEO, 1),))
    assert said(bidding, tile("e2"), GREEN, GREEN) == Bid(ANNA, (Stones(BEN, ANNA, 1),))


def test_red_held_takes_the_last_stone_back_and_at_last_drops_the_bid(bidding):
    one = HalfBid(ANNA, (Stones(BEN, ANNA, 1),))
    assert said(bidding, Pushed("green", BEN), Pushed("red", BEN), GREEN, HOLD_RED).so_far == one
    assert said(bidding, Pushed("green", BEN), Pushed("red", BEN), HOLD_RED).so_far == one
    assert said(bidding, Pushed("green", BEN), HOLD_RED).so_far is None


def test_D4_no_more_stones_than_may_be_laid(bidding):
    assert what(bidding, Pushed("green", BEN), Pushed("green", BEN)) == "no own stone"
    two = (Pushed("red", BEN), GREEN, Pushed("red", BEN))
    assert what(bidding, *two, Pushed("red", BEN)) == "no foreign stone"


def test_D5_no_more_than_two_and_only_what_is_held(bidding):
    bidding.free().nobody_bids(1)
    assert what(bidding, Pushed("red", BEN)) == "no foreign stone"
    assert what(bidding, Pushed("green", BEN), Pushed("green", BEN), Pushed("green", BEN)) == "no own stone"
    bidding.holding((0, 9, 0), (0, 0, 9), (9, 0, 0))
    assert what(bidding, Pushed("green", BEN)) == "no own stone"


def test_asides_while_bidding(bidding):
    assert what(bidding, RED) == "which tile"
    assert what(bidding, tile("e9")) == "not offered"
    assert said(bidding, tile("e1", ANNA)) == Aside("repeated", "lies open", {"tile": "e1"})
    assert what(bidding, marker("shell", ANNA)) == "no jewellery now"
    four = Table(4).up_for_auction("e1", "e2", "e3", "e4")
    assert what(four, Pushed("red", 0), Pushed("green", 2)) == "none of this colour"


# --- Building -------------------------------------------------------------------------------------------------


def test_a_won_tile_laid_down_is_placed_with_a_preview_and_green_held_builds_it(building):
    draft = said(building, tile("e1", ANNA))
    assert draft.so_far == Build(ANNA, "e1", 0, -1, 0)
    assert said(building, tile("e1"), HOLD_GREEN) == Build(ANNA, "e1", 0, -1, 0)
    assert (draft.facts["joints"], draft.facts["points"]) == (0, 0)


def test_green_steps_through_the_places_and_red_turns(building):
    third = said(building, tile("e1"), GREEN, GREEN, RED)
    assert third.so_far == Build(ANNA, "e1", -1, 0, 90)
    assert (third.facts["joints"], third.facts["points"]) == (1, 6)
    places = [said(building, tile("e1"), *[GREEN] * steps).so_far for steps in range(12)]
    assert len(set(places)) == 12
    assert {place.tile for place in places} == {"e1", "e2"}
    assert said(building, tile("e1"), *[GREEN] * 12).so_far == places[0]
    assert said(building, tile("e1"), RED, RED, RED, RED).so_far.turn == 0


def test_green_takes_up_the_first_tile_and_red_held_leaves_it(building):
    assert said(building, GREEN).so_far == Build(ANNA, "e1", 0, -1, 0)
    assert said(building, GREEN, HOLD_RED) == Draft(None, "leaves it", {"seat": ANNA})
    assert what(building, RED) == "lay a tile"


def test_in_the_set_up_a_tile_is_laid_down_first():
    table = Table().build(ANNA, ("e1", 0, 0, 0))
    assert what(table, GREEN) == "lay a tile"
    assert said(table, tile("e2", ANNA), GREEN, RED, HOLD_GREEN) == Build(ANNA, "e2", -1, 0, 90)
    assert GAME.apply(table.state, said(table, tile("e1"))).what == "used already"


def test_a_tile_that_cannot_be_built_goes_to_the_rules(building):
    action = said(building, tile("e9", ANNA))
    assert GAME.apply(building.state, action).what == "not won"


def test_D19_what_may_be_discarded_comes_after_the_places():
    table = Table().set_up().building(ANNA, ["e1", "e2"], FULL_ROWS[:11])
    assert said(table, tile("e2"), GREEN, GREEN, HOLD_GREEN) == Discard(ANNA, "e2")
    full = Table().set_up().building(ANNA, ["e1"], FULL_ROWS)
    assert said(full, tile("e1"), RED, HOLD_GREEN) == Discard(ANNA, "e1")


# --- Scoring --------------------------------------------------------------------------------------------------


def test_green_shows_the_best_line_and_green_held_scores_it(scoring):
    draft = said(scoring, GREEN)
    assert draft.so_far == Jewels(ANNA, "column", 0, 0, "shell")
    assert draft.facts["points"] == 6
    assert said(scoring, GREEN, HOLD_GREEN) == draft.so_far
    assert said(scoring, GREEN, GREEN).facts["points"] == 3
    assert said(scoring, GREEN, RED) == said(scoring, RED) == Skip(ANNA)
    assert said(scoring, GREEN, HOLD_RED).so_far is None


def test_D15_less_than_nothing_is_not_paid_without_a_warning(scoring):
    draft = said(scoring, marker("tooth", ANNA, ANNA), GREEN, GREEN)
    assert (draft.what, draft.facts["darwin"]) == ("would cost", 8)


def test_a_marker_asks_for_its_kind(scoring):
    assert said(scoring, marker("shell", ANNA)).so_far.kind == "shell"
    assert said(scoring, marker("tooth", ANNA)).so_far.kind == "tooth"
    assert what(scoring, marker("tooth", BEN)) == "somebody else's turn"
    assert what(scoring, marker("tooth", BEN, ANNA)) == "foreign pad"
    assert what(scoring, marker("tooth", None)) == what(scoring, marker("tooth", EMPTY_SEAT)) == "nobody's marker"
    assert what(Table().scoring(ANNA), GREEN) == "no jewellery to score"


def test_with_part_every_stretch_can_be_reached():
    table = Table(run="part").scoring(ANNA, ("shells", 0, 0, 0), ("shell", 1, 0, 0), ("teeth", 2, 0, 0))
    assert said(table, GREEN).facts["points"] == 15
    assert said(table, GREEN, HOLD_GREEN) == Jewels(ANNA, "row", 0, 0, "shell", 0, 1)
    steps = {said(table, GREEN, *[GREEN] * number).so_far for number in range(20)}
    assert steps == {action for action in GAME.legal(table.state) if isinstance(action, Jewels)}


# --- What means nothing ---------------------------------------------------------------------------------------


def test_others_have_nothing_to_say(building, scoring):
    assert what(building, tile("e1", BEN)) == what(building, GREEN, Pushed("green", BEN)) == "somebody else's turn"
    assert what(scoring, Pushed("green", BEN)) == "somebody else's turn"


def test_pieces_at_the_wrong_time(buying, scoring, building):
    assert what(buying, tile("e1")) == what(scoring, tile("e1")) == "no tiles now"
    assert what(buying, marker("shell", ANNA)) == what(building, GREEN, marker("shell", ANNA)) == "no jewellery now"


def test_a_pad_where_no_player_sits_and_pieces_of_other_games_say_nothing(buying, bidding, scoring):
    for table in (buying, bidding, scoring):
        assert what(table, Pushed("green", EMPTY_SEAT)) == what(table, tile("e1", EMPTY_SEAT)) == "nobody sits here"
        assert what(table, Laid(Thing("card", "deer"))) == what(table, tile("unicorn")) == "not of this game"
    assert what(bidding, Pushed("green", BEN), Pushed("green", EMPTY_SEAT)) == "nobody sits here"


def test_after_the_end_nothing_means_anything(scoring):
    table = Table().set_up().building(ANNA, ["e1"], FULL_ROWS).discard(ANNA, "e1").skip()
    for gesture in (GREEN, RED, tile("e1"), marker("shell", ANNA)):
        assert what(table, gesture) == "nothing more to do"


def test_the_stand_in_can_be_played_by_hands_alone():
    """Every legal place of every won tile can be said with two buttons."""
    table = Table(3, box=STANDIN).set_up_with(*(f"end-{number}" for number in range(1, 7)))
    table.building(ANNA, ["curve-1", "branch-1"])
    legal = set(GAME.legal(table.state))
    reached = set()
    for steps in range(len(legal) // 4):
        for turns in range(4):
            reached.add(said(table, tile("curve-1"), *[GREEN] * steps, *[RED] * turns, HOLD_GREEN))
    assert reached == legal

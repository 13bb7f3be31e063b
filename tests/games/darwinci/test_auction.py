"""D1 to D10 and D21, D22: buying, offering, bidding and settling. One or more tests for each ruling, named after it."""

import re
from functools import partial

import pytest
from msgspec.structs import replace

from companion.games.darwinci.components import Box, Tile
from companion.games.darwinci.rules import GAME
from companion.games.darwinci.rules.auction import next_counter, returned, winner_of
from companion.games.darwinci.rules.state import Bid, Build, Buy, Discard, Jewels, Keep, Offer, Skip
from companion.language.wording import say

from .table import BOX, STANDIN, Table, bid

OFFERS = ("e1", "e2", "e3")
FREE = ((9, 0, 0), (0, 9, 0), (0, 0, 9))


def bidding(holding=FREE) -> Table:
    return Table().up_for_auction(*OFFERS, holding=holding)


def settled(*on: tuple[int, int, int], start: int = 0) -> Table:
    """An auction in which these stones lie there: every player lays own ones in the third bidding round only."""
    table = Table(3, start).up_for_auction(*OFFERS, holding=FREE).nobody_bids(2)
    for seat in table.order:
        table.bid(seat, *((tile, colour, count) for tile, colour, count in on if colour == seat))
    return table


# --- Set-up ---------------------------------------------------------------------------------------------------


def test_setup_every_player_has_seven_own_stones_and_one_of_each_neighbour():
    assert Table(3).stones == ((7, 1, 1), (1, 7, 1), (1, 1, 7))
    assert Table(4).stones == ((7, 1, 0, 1), (1, 7, 1, 0), (0, 1, 7, 1), (1, 0, 1, 7))
    assert Table(5).stones[0] == (7, 1, 0, 0, 1)


def test_setup_twelve_darwin_and_four_tiles_of_which_two_are_built():
    table = Table(3, box=STANDIN)
    assert (table.money, table.hands, table.stack) == ((12,) * 3, (4,) * 3, 70 - 12)
    table = Table(3).set_up()
    assert (table.hands, table.phase) == ((2,) * 3, "buy")


def test_setup_each_player_lays_both_tiles_before_the_next_one_does_from_the_first_on():
    table = Table(3, 2)
    for seat in (2, 0, 1):
        assert table.awaited == ((seat,), ("build",))
        table.build(seat, (f"e{seat * 2 + 1}", -5, 7, 90), (f"e{seat * 2 + 2}", -5, 8, 0))
    assert (table.phase, table.start, table.counter, table.round) == ("buy", 2, 2, 1)


# --- D1 Buying ------------------------------------------------------------------------------------------------


def test_D1_buying_costs_three_darwin_and_changes_no_number_of_tiles():
    table = Table().set_up()
    stack = table.stack
    table.do(Buy(0))
    assert (table.money, table.hands, table.stack) == ((9, 12, 12), (2, 2, 2), stack)
    assert table.parts(0) == [("start", 12, "D20"), ("buying", -3, "D1")]


def test_D1_every_player_is_asked_once_in_order_from_the_start_player():
    table = Table(3, 1).set_up()
    for seat in (1, 2, 0):
        assert table.awaited == ((seat,), ("buy", "keep"))
        table.do(Keep(seat))
    assert table.phase == "offer"


def test_D1_it_needs_three_darwin():
    table = Table().set_up().with_money(2, 12, 12)
    assert table.refused(Buy(0)) == ("D1", "too poor to buy")
    assert table.awaited == ((0,), ("keep",))


def test_D1_it_needs_two_tiles_in_the_stacks():
    table = Table(5, box=_small_box(21)).set_up_with(*(f"e{number}" for number in range(1, 11)))
    assert table.stack == 1
    assert table.refused(Buy(0)) == ("D1", "no tiles to buy")
    assert table.awaited == ((0,), ("keep",))


def _small_box(tiles: int):
    return replace(BOX, tiles=BOX.tiles[:tiles])


# --- D2, D3 and D21 Offering ----------------------------------------------------------------------------------


def test_D2_every_player_offers_one_tile_in_any_order_and_all_are_revealed_together():
    table = Table().set_up().keep()
    table.do(Offer(2, "e3"))
    assert table.awaited == ((0, 1), ("offer",))
    assert (table.offers, table.hands) == ((None,) * 3, (2, 2, 1))
    table.do(Offer(0, "e1"))
    assert table.ruled == [("D2", "has offered")]
    table.do(Offer(1, "e2"))
    assert (table.offers, table.hands, table.phase, table.bidding) == (OFFERS, (1, 1, 1), "bid", 1)
    assert [facts["tile"] for facts in table.said("offers")] == ["e1", "e2", "e3"]


def test_D2_an_offer_cannot_be_changed():
    table = Table().set_up().keep().do(Offer(1, "e2"))
    assert table.refused(Offer(1, "e3")) == ("D2", "has offered already")


def test_D2_a_tile_that_was_built_or_offered_before_cannot_be_offered():
    table = Table().set_up().keep().do(Offer(1, "e2"))
    for tile in ("p1", "e2"):
        assert table.refused(Offer(0, tile)) == ("D22", "used already")
    table.do(Offer(0, "e1"), Offer(2, "e3")).holding(*FREE).nobody_bids(3).skip().keep()
    assert table.refused(Offer(0, "e3")) == ("D22", "used already")


def test_D3_the_counter_lies_beside_the_start_players_tile():
    table = Table(3, 1).up_for_auction(*OFFERS)
    assert table.said("puts the counter") == [{"seat": 1, "tile": "e2"}]
    assert table.counter == 1


def test_D21_hands_are_only_counted_and_an_offer_is_hidden_until_all_are_laid():
    table = Table().set_up().keep().do(Offer(0, "shells"), Offer(1, "teeth"))
    for told in (GAME.view(table.state), GAME.table(table.state), table.rulings, GAME.awaiting(table.state)):
        assert "shells" not in str(told)
        assert "teeth" not in str(told)
    assert Offer(2, "shells") in GAME.offered(table.state)
    assert Offer(2, "shells") not in GAME.legal(table.state)
    assert GAME.conceals(Offer(0, "shells")) == 0
    assert GAME.conceals(Buy(0)) is None


def test_D21_the_last_offer_reveals_everybodys():
    table = Table().set_up().keep().do(Offer(0, "e1"), Offer(1, "e2"))
    assert GAME.apply(table.state, Offer(2, "e3")).revealed == (0, 1, 2)


# --- D4 The first bidding round -------------------------------------------------------------------------------


def test_D4_two_foreign_stones_must_be_laid():
    table = Table().up_for_auction(*OFFERS)
    assert table.refused(bid(0)) == ("D4", "foreign stones must be laid")
    assert table.refused(bid(0, (1, 1, 1))) == ("D4", "foreign stones must be laid")
    table.bid(0, (1, 1, 1), (2, 2, 1))
    assert (table.stones[0], table.on) == ((7, 0, 0), ((0, 0, 0), (0, 1, 0), (0, 0, 1)))


def test_D4_not_more_than_two_foreign_stones():
    table = bidding(((5, 2, 2), (2, 5, 2), (2, 2, 5)))
    assert table.refused(bid(0, (1, 1, 2), (1, 2, 1))) == ("D4", "foreign stones must be laid")


def test_D4_exactly_one_foreign_stone_if_only_one_is_held():
    table = bidding(((8, 1, 0), (0, 8, 0), (1, 0, 9)))
    assert table.refused(bid(0)) == ("D4", "foreign stones must be laid")
    table.bid(0, (0, 1, 1))
    assert table.stones[0] == (8, 0, 0)


def test_D4_without_foreign_stones_nothing_must_be_laid():
    assert bidding().bid(0).on == ((0, 0, 0),) * 3


def test_D4_one_own_stone_may_be_laid():
    table = Table().up_for_auction(*OFFERS)
    assert table.refused(bid(0, (1, 1, 1), (2, 2, 1), (0, 0, 2))) == ("D4", "one own stone")
    assert table.bid(0, (1, 1, 1), (2, 2, 1), (0, 0, 1)).stones[0] == (6, 0, 0)


def test_D4_on_any_offered_tile_also_split_also_on_ones_own_and_parts_of_a_bid_add_up():
    table = bidding(((7, 2, 0), (1, 7, 1), (1, 0, 8)))
    table.bid(0, (0, 1, 1), (0, 1, 1), (0, 0, 1))
    assert table.on[0] == (1, 2, 0)


def test_D4_in_order_from_the_start_player():
    table = Table(4, 2).up_for_auction("e1", "e2", "e3", "e4")
    assert table.awaited == ((2,), ("bid",))
    assert table.refused(bid(3, (0, 0, 1), (0, 2, 1))) == ("D22", "out of turn")


# --- D5 The second and third ----------------------------------------------------------------------------------


def test_D5_up_to_two_stones_of_any_colours():
    table = bidding(((7, 1, 1), (1, 7, 1), (1, 1, 7)))
    table.bid(0, (1, 1, 1), (1, 2, 1)).bid(1, (2, 0, 1), (2, 2, 1)).bid(2, (0, 0, 1), (0, 1, 1))
    assert table.bidding == 2
    assert table.refused(bid(0, (0, 0, 3))) == ("D5", "too many stones")
    table.bid(0, (0, 0, 2)).bid(1).bid(2, (1, 2, 1))
    assert table.bidding == 3
    assert table.bid(0).on == ((3, 1, 0), (0, 1, 2), (1, 0, 1))


def test_D5_the_darwin_card_allows_one_more_in_the_second_but_not_in_the_third():
    table = bidding().nobody_bids(1)
    table.state = _with_card(table.state, 0)
    assert table.refused(bid(0, (0, 0, 4))) == ("D5", "too many stones")
    table.bid(0, (0, 0, 3)).bid(1).bid(2)
    assert table.refused(bid(0, (0, 0, 3))) == ("D5", "too many stones")
    table.bid(0, (0, 0, 2))


def test_D5_the_darwin_card_does_not_help_others_or_in_the_first_round():
    table = bidding()
    table.state = _with_card(table.state, 1)
    table.bid(0)
    assert table.refused(bid(1, (0, 1, 2))) == ("D4", "one own stone")
    table.bid(1).bid(2)
    assert table.refused(bid(0, (0, 0, 3))) == ("D5", "too many stones")


def _with_card(state, seat):
    return replace(state, darwin_card=seat)


def test_D5_laying_nothing_does_not_drop_any_player_from_the_third():
    table = bidding().nobody_bids(2)
    assert (table.bidding, table.awaited) == (3, ((0,), ("bid",)))
    assert table.bid(0, (0, 0, 2)).on[0] == (2, 0, 0)


# --- D6 to D10 Settling ---------------------------------------------------------------------------------------


def test_D6_most_stones_of_a_colour_win_no_matter_who_laid_them():
    table = bidding(((7, 2, 0), (0, 7, 0), (2, 0, 9)))
    table.bid(0, (2, 1, 2)).bid(1).bid(2, (0, 0, 2)).nobody_bids(2)
    assert table.won == (("e1",), ("e3",), ())
    assert ("D6", "wins") in table.ruled


@pytest.mark.parametrize(
    ("start", "winner", "why"),
    [(0, 1, "wins the tie"), (1, 1, "start player wins the tie"), (2, 2, "start player wins the tie")],
)
def test_D7_a_tie_goes_to_the_start_player_or_the_first_involved_clockwise_from_there(start, winner, why):
    table = settled((0, 1, 1), (0, 2, 1), start=start)
    assert table.won[winner] == ("e1",)
    (told,) = table.said(why)
    assert (told["seat"], told["seats"], told["start"]) == (winner, (1, 2), start)


NEAREST = [
    # players, start, tied, who wins, why
    (5, 0, (2, 4), 4, "nearest wins the tie"),
    (5, 0, (1, 3), 1, "nearest wins the tie"),
    (5, 3, (0, 1), 0, "clockwise wins the tie"),
    (5, 1, (0, 2), 2, "clockwise wins the tie"),
    (5, 1, (0, 2, 4), 2, "clockwise wins the tie"),
    (5, 1, (3, 4), 3, "clockwise wins the tie"),
    (4, 0, (2, 3), 3, "nearest wins the tie"),
    (4, 2, (1, 2), 2, "start player wins the tie"),
    (3, 0, (1, 2), 1, "clockwise wins the tie"),
]


@pytest.mark.parametrize(("players", "start", "tied", "winner", "why"), NEAREST)
def test_D7_with_the_option_nearest_the_fewest_seats_in_either_direction_decide(players, start, tied, winner, why):
    table = Table(players, start, tie="nearest").up_for_auction(*(f"e{seat + 1}" for seat in range(players))).free()
    table.nobody_bids(2)
    for seat in table.order:
        table.bid(seat, *([(0, seat, 1)] if seat in tied else []))
    assert table.won[winner] == ("e1",)
    (told,) = table.said(why)
    assert (told["seat"], told["seats"], told["start"]) == (winner, tied, start)
    assert told.get("seats_near") == (tied[:2] if why == "clockwise wins the tie" else None)


def test_D8_the_winner_takes_one_back_their_others_go_to_the_offerer():
    table = settled((2, 0, 2), (2, 1, 1))
    assert table.stones == ((8, 0, 0), (0, 9, 0), (1, 0, 9))
    assert [(f["owner"], f["stones"], f["seat"]) for f in table.said("stones go")] == [(0, 1, 0), (0, 1, 2), (1, 1, 1)]


def test_D8_a_player_who_wins_their_own_tile_takes_all_their_own_stones_back():
    assert settled((0, 0, 2), (0, 1, 1)).stones == FREE


def test_D8_all_other_stones_go_back_to_the_players_of_their_colour():
    table = bidding(((7, 2, 0), (0, 7, 0), (2, 0, 9)))
    table.bid(0, (1, 1, 1), (0, 1, 1)).bid(1).bid(2, (0, 0, 2)).nobody_bids(2)
    assert table.stones == ((9, 0, 0), (0, 9, 0), (0, 0, 9))


def test_D8_as_a_table():
    assert returned((3, 1, 0), winner=0, offerer=1) == [(0, 0, 1), (0, 1, 2), (1, 1, 1)]
    assert returned((3, 1, 0), winner=0, offerer=0) == [(0, 0, 3), (1, 1, 1)]
    assert returned((0, 0, 1), winner=2, offerer=1) == [(2, 2, 1)]


def test_D9_a_tile_without_bids_leaves_the_game():
    table = settled((0, 1, 1))
    assert table.won == ((), ("e1",), ())
    assert [facts["tile"] for facts in table.said("nobody bids")] == ["e2", "e3"]
    assert (table.offers, table.on, table.bidding) == ((None,) * 3, ((0, 0, 0),) * 3, None)


def test_D9_without_any_bid_nothing_is_built():
    table = bidding().nobody_bids(3)
    assert (table.phase, table.won) == ("jewels", ((), (), ()))


@pytest.mark.parametrize(
    ("on", "holder", "why"),
    [
        ((0, 2, 1), 2, "gets the counter"),
        ((0, 0, 1), 1, "passes the counter on"),
        ((1, 2, 1), 1, "nobody wins the counter"),
    ],
)
def test_D10_the_counter_goes_to_the_winner_of_its_tile_else_to_the_left_neighbour_and_why(on, holder, why):
    table = settled(on)
    assert (table.counter, table.start) == (holder, 0)
    assert table.said(why) == [{"seat": holder, "start": 0, "tile": "e1"}]
    assert [rule for rule, _ in table.ruled].count("D10") == 1


def test_D10_as_a_table():
    assert [next_counter(4, winner, 5) for winner in (None, 4, 2)] == [0, 0, 2]
    assert winner_of((0, 0, 0), (0, 1, 2)) is None


# --- D22 Order and form ---------------------------------------------------------------------------------------

ALL = [
    Build(0, "e9", 0, 1, 0), Buy(0), Keep(0), Offer(0, "e9"), Bid(0, ()), Discard(0, "e9"),
    Jewels(0, "row", 0, 0, "shell"), Skip(0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "possible"),
    [
        (Table(), {"build"}),
        (Table().set_up(), {"buy", "keep"}),
        (Table().set_up().keep(), {"offer"}),
        (bidding(), {"bid"}),
        (Table().set_up().building(0, ["e1"]), {"build", "discard"}),
        (Table().scoring(0, ("both", 0, 0, 0)), {"jewels", "skip"}),
    ],
    ids=["setup", "buy", "offer", "bid", "build", "jewels"],
)
def test_D22_at_the_wrong_time_an_action_is_refused(table, possible):
    for action in ALL:
        if action.__struct_config__.tag not in possible:
            assert table.refused(action) == ("D22", "not now")


def test_D22_out_of_turn_is_refused():
    assert Table().refused(Build(1, "e1", 0, 0, 0)) == ("D22", "out of turn")
    assert Table().set_up().refused(Keep(2)) == ("D22", "out of turn")
    assert Table().set_up().refused(Buy(2)) == ("D22", "out of turn")
    assert bidding().refused(Bid(2, ())) == ("D22", "out of turn")
    assert Table().set_up().building(1, ["e1"]).refused(Discard(0, "e1")) == ("D22", "out of turn")
    assert Table().scoring(1).refused(Skip(0)) == ("D22", "out of turn")
    assert Table().scoring(1).refused(Jewels(0, "row", 0, 0, "shell")) == ("D22", "out of turn")


@pytest.mark.parametrize("seat", [-1, 3])
def test_D22_from_no_seat_is_refused(seat):
    for table in (Table(), Table().set_up(), Table().set_up().keep(), bidding()):
        for action in (Build(seat, "e1", 0, 0, 0), Buy(seat), Offer(seat, "e1"), Bid(seat, ()), Skip(seat)):
            assert table.refused(action) == ("D22", "no such seat")


def test_D22_an_unknown_tile_is_refused():
    assert Table().refused(Build(0, "unicorn", 0, 0, 0)) == ("D22", "no such tile")
    assert Table().set_up().keep().refused(Offer(0, "")) == ("D22", "no such tile")


@pytest.mark.parametrize(
    ("stones", "what"),
    [
        ([(3, 0, 1)], "no such seat"),
        ([(0, 3, 1)], "no such seat"),
        ([(-1, 0, 1)], "no such seat"),
        ([(0, 0, 0)], "no stones at all"),
        ([(0, 0, -1)], "no stones at all"),
        ([(0, 1, 1)], "too few stones"),
        ([(0, 0, 5), (1, 0, 5)], "too few stones"),
    ],
)
def test_D22_stones_that_are_not_there_are_refused(stones, what):
    assert bidding().refused(bid(0, *stones)) == ("D22", what)


# --- Tiles that look alike ------------------------------------------------------------------------------------


def test_D6_every_sentence_of_the_auction_says_whose_tile_it_is():
    """Two tiles may have the same name: "straight −3"."""
    straight = [Tile(f"s{number}", ("NS",), -3) for number in range(20)]
    table = Table(3, box=Box("darwinci", "enrolled", tuple(straight)))
    table.set_up_with(*(f"s{number}" for number in range(6))).free().keep().offer("s6", "s7", "s8")
    words = partial(
        say, sentences=GAME.sentences, players=("Anna", "Ben", "Cleo"), word=partial(GAME.word, table.state.box)
    )
    told: list[str] = []
    for seat, on in ((0, 1), (1, 1), (2, 2)):
        table.bid(seat, (on, seat, 1))
        told += [words(ruling) for ruling in table.rulings]
    table.nobody_bids(2)
    told += [words(ruling) for ruling in table.rulings]
    named = [sentence for sentence in told if "straight −3" in sentence]
    assert len(named) > 6
    assert all(re.search(r"(Anna|Ben|Cleo)'s straight −3", sentence) for sentence in named), named
    assert "Anna lays 1 stone of Anna's colour on Ben's straight −3" in told
    assert any(sentence.startswith("Anna and Ben tie on Ben's straight −3, 1 stone each") for sentence in told)
    assert "Cleo has the most stones on Cleo's straight −3 and wins it: 1 stone" in told
    assert "From Ben's straight −3: 1 stone of Ben's colour to Ben" in told

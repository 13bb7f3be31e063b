"""L1 to L14: set-up and one round. One or more tests for each ruling, named after it."""

import pytest

from companion.gamekit.game import Awaiting, Refusal
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import Choose, Draw, Pass, Stone
from companion.language.wording import say

from .table import ALL_SIX, FIVE_COLOURS, FIVE_COLOURS_MORE, Table

# --- L1 Set-up ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "stones"), [(3, 12), (4, 12), (5, 10)])
def test_L1_twelve_stones_each_ten_with_five_players(players, stones):
    table = Table(players)
    assert table.stones == (stones,) * players
    assert table.pot == 0


@pytest.mark.parametrize("first", [0, 1, 2])
def test_L1_the_players_say_who_starts_the_first_round(first):
    assert Table(3, first=first).start == first
    assert GAME.awaiting(Table(3, first=first).state).seats == (first,)


def test_L1_all_cards_are_in_the_deck_and_nothing_is_won():
    table = Table(4)
    assert (table.round, table.phase, table.deck, table.row) == (1, "draw", 54, ())
    assert table.won == ((),) * 4


# --- L2 to L4 Laying out --------------------------------------------------------------------------------------


def test_L2_the_row_stops_when_it_shows_all_six_colours():
    table = Table().draws(*ALL_SIX[:2])
    assert table.phase == "draw"
    table.draws(ALL_SIX[2])
    assert (table.phase, table.row, table.deck) == ("choose", ALL_SIX, 51)
    assert table.ruled == [("L2", "draws"), ("L2", "all colours")]


def test_L2_the_row_stops_at_seven_cards():
    table = Table().draws(*FIVE_COLOURS, FIVE_COLOURS_MORE[0])
    assert table.phase == "draw"
    table.draws(FIVE_COLOURS_MORE[1])
    assert table.phase == "choose"
    assert table.ruled == [("L2", "draws"), ("L2", "seven cards")]


def test_L2_leftover_cards_count_for_the_stop():
    table = Table().draws(*ALL_SIX).choose("brown", "brown", "yellow").passes(0, 1)
    assert (table.row, table.phase) == (("aurochs-green-pink",), "draw")
    table.draws("deer-brown-yellow")
    assert table.phase == "draw"
    table.draws("horse-white-blue")
    assert (table.row, table.phase) == (("aurochs-green-pink", "deer-brown-yellow", "horse-white-blue"), "choose")


def test_L2_a_row_that_already_stops_draws_nothing():
    table = Table().draws(*FIVE_COLOURS, *FIVE_COLOURS_MORE).choose("blue", "blue", "blue").passes(0, 1)
    assert (table.round, table.phase, table.deck) == (2, "choose", 47)
    assert table.refused(Draw("goat-pink-blue")).rule == "L4"


@pytest.mark.parametrize("card", ["aurochs-brown-blue", "unicorn", ""])
def test_L2_only_a_card_of_the_deck_can_be_drawn(card):
    table = Table().draws("aurochs-brown-blue")
    assert table.refused(Draw(card)).rule == "L2"


def test_L2_no_player_chooses_or_bids_before_the_row_is_complete():
    table = Table().draws("aurochs-brown-blue")
    assert table.refused(Choose(1, "blue")).rule == "L2"
    assert table.refused(Stone(0)).rule == "L7"
    assert table.refused(Pass(0)).rule == "L7"


def test_L3_when_the_deck_runs_out_the_row_is_whatever_remains():
    table = Table().with_deck("goat-pink-blue", "goat-green-white").draws("goat-pink-blue")
    assert table.phase == "draw"
    table.draws("goat-green-white")
    assert (table.phase, table.row) == ("choose", ("goat-pink-blue", "goat-green-white"))
    assert table.ruled == [("L2", "draws"), ("L3", "deck is empty")]


def test_L3_without_a_deck_the_leftovers_are_played_for():
    table = Table().with_deck("goat-pink-blue", "goat-green-white").draws("goat-pink-blue", "goat-green-white")
    table.choose("pink", "pink", "pink").passes(0, 1)
    assert (table.round, table.phase, table.row) == (2, "choose", ("goat-green-white",))


@pytest.mark.parametrize("card", ["horse-brown-pink", "aurochs-brown-blue", "unicorn"])
def test_L4_a_card_tapped_after_the_stop_is_refused(card):
    table = Table().draws(*ALL_SIX)
    refusal = table.refused(Draw(card))
    assert refusal.rule == "L4"
    assert say(refusal, GAME.sentences, "ABC").endswith(f"put {card} back on the deck")
    assert table.choose("blue", "blue", "blue").refused(Draw(card)).rule == "L4"


# --- L5 and L6 Choosing ---------------------------------------------------------------------------------------


def test_L5_everyone_chooses_in_any_order():
    table = Table().draws(*ALL_SIX).do(Choose(2, "blue"))
    assert table.chosen == (False, False, True)
    table.do(Choose(0, "blue")).do(Choose(1, "pink"))
    assert (table.phase, table.chosen) == ("bid", (True, True, True))


def test_L5_a_colour_that_no_card_shows_may_be_chosen():
    table = Table().draws(*FIVE_COLOURS, *FIVE_COLOURS_MORE).choose("blue", "pink", "blue")
    assert table.phase == "bid"


@pytest.mark.parametrize("colour", ["red", "", "Blue"])
def test_L5_a_colour_that_no_marker_has_is_refused(colour):
    assert Table().draws(*ALL_SIX).refused(Choose(0, colour)).rule == "L5"


def test_L6_a_choice_may_be_changed_until_the_last_player_has_chosen():
    table = Table().draws(*ALL_SIX).do(Choose(0, "brown")).do(Choose(0, "green"))
    assert table.ruled == [("L6", "chose again")]
    table.do(Choose(1, "white")).do(Choose(2, "white")).passes(0, 1)
    assert table.won[0] == ("aurochs-green-pink",)


def test_L6_then_it_is_locked():
    table = Table().draws(*ALL_SIX).choose("brown", "green", "pink")
    assert table.refused(Choose(0, "blue")).rule == "L6"
    assert table.stone(0).refused(Choose(1, "green")).rule == "L6"


# --- L7 to L11 Bidding ----------------------------------------------------------------------------------------


def bidding(players: int = 3, first: int = 0, **options: str) -> Table:
    """Every player has chosen: seat 0 brown, 1 yellow, 2 green, all others pink."""
    colours = ("brown", "yellow", "green", "pink", "pink")
    return Table(players, first, **options).draws(*ALL_SIX).choose(*colours[:players])


def test_L7_from_the_start_player_on_each_lays_one_stone():
    table = bidding(first=1).stone(1, 2, 0, 1)
    assert (table.pot, table.stones) == (4, (11, 10, 11))


def test_L7_the_start_player_may_pass_at_once_and_takes_nothing():
    table = bidding().passes(0)
    assert (table.pile, table.pot, table.stones) == ((0,), 0, (12, 12, 12))


@pytest.mark.parametrize("action", [Stone(0), Pass(0)])
def test_L7_before_the_bidding_a_bid_is_refused_with_those_who_still_have_to_choose(action):
    table = Table().draws(*ALL_SIX).do(Choose(1, "blue"))
    facts = {"seat": 0, "phase": "choose", "seats": (0, 2)}
    assert table.refused(action) == Refusal("L7", "bidding has not begun", facts)


def test_L7_with_the_option_the_first_bid_of_a_round_must_be_a_stone():
    table = bidding(first=1, first_stone="must")
    assert GAME.legal(table.state) == (Stone(1),)
    assert GAME.awaiting(table.state) == Awaiting((1,), ("stone",))
    assert table.refused(Pass(1)) == Refusal("L7", "first stone", {"seat": 1})
    table.stone(1)
    assert GAME.awaiting(table.state).do == ("stone", "pass"), "the next player is bound by nothing"
    table.stone(2, 0).passes(1)
    assert table.pile == (1,), "the second time round the start player may pass"


def test_L7_with_the_option_it_binds_the_start_player_of_every_round():
    table = bidding(first_stone="must").stone(0).passes(1, 2)
    assert (table.round, table.start) == (2, 1)
    while table.phase == "draw":
        table.draws(next(iter(table.state.deck)))
    table.choose("blue", "blue", "blue")
    assert table.refused(Pass(1)).rule == "L7"


def test_L7_with_the_option_a_start_player_without_stones_must_pass_and_the_next_is_bound_by_nothing():
    table = bidding(first_stone="must").with_stones(0, 18, 18)
    assert GAME.awaiting(table.state).do == ("pass",)
    assert table.refused(Stone(0)).rule == "L9"
    table.passes(0)
    assert GAME.awaiting(table.state).do == ("stone", "pass")


def test_L7_with_secret_stones_the_screen_offers_both_whatever_the_start_player_has():
    table = bidding(first_stone="must", stones="secret")
    rich, poor = GAME.offered(table.state), GAME.offered(table.with_stones(0, 18, 18).state)
    assert rich == poor == (Stone(0), Pass(0))


def test_L8_who_passes_takes_the_whole_pot():
    table = bidding().stone(0, 1, 2, 0).passes(1)
    assert (table.pot, table.stones) == (0, (10, 15, 11))


def test_L8_their_marker_goes_on_top_of_the_pile():
    table = bidding(4).stone(0, 1).passes(2, 3)
    assert table.pile == (2, 3)


def test_L8_who_has_passed_is_out_for_this_round():
    table = bidding().stone(0).passes(1)
    assert table.refused(Stone(1)).rule == "L8"
    assert table.refused(Pass(1)).rule == "L8"
    table.stone(2, 0)
    assert GAME.awaiting(table.state).seats == (2,)


def test_L9_a_player_without_stones_must_pass():
    table = bidding().with_stones(12, 0, 24).stone(0)
    refusal = table.refused(Stone(1))
    assert refusal.rule == "L9"
    assert say(refusal, GAME.sentences, ("Anna", "Ben", "Cleo")) == "Ben has no stones left and must pass"
    assert table.passes(1).stones == (11, 1, 24)


def test_L9_with_an_empty_pot_they_receive_nothing():
    table = bidding().with_stones(0, 12, 24).passes(0)
    assert table.stones == (0, 12, 24)
    assert table.rulings[0].facts == {"seat": 0, "stones": 0}


@pytest.mark.parametrize("action", [Stone(1), Pass(1), Stone(2), Pass(2)])
def test_L10_out_of_turn_is_refused_with_the_name_of_the_player_whose_turn_it_is(action):
    refusal = bidding().refused(action)
    assert refusal.rule == "L10"
    assert "Anna's turn" in say(refusal, GAME.sentences, ("Anna", "Ben", "Cleo"))


def test_L11_as_soon_as_one_player_remains_they_reveal_and_pay_nothing():
    table = bidding().stone(0, 1).passes(2).stone(0).passes(1)
    assert ("L11", "is the last") in table.ruled
    assert (table.round, table.stones, table.pot) == (2, (10, 12, 14), 0)


def test_L11_tested_after_every_pass_before_anyone_is_asked_again():
    table = bidding().passes(0, 1)
    assert (table.round, table.phase) == (2, "draw"), "seat 2 was never asked"
    assert table.won[2] == ("aurochs-green-pink",)


# --- L12 to L14 Taking cards ----------------------------------------------------------------------------------


def test_L12_the_last_bidder_first_then_the_pile_from_top_to_bottom():
    table = bidding(4).passes(0, 1, 2)
    takers = [ruling.facts["seat"] for ruling in table.rulings if ruling.rule == "L12"]
    assert takers == [3, 2, 1, 0]


def test_L12_each_takes_all_cards_of_the_row_that_show_their_colour():
    row = ("deer-brown-white", "deer-brown-green", "deer-yellow-pink", "deer-green-blue")
    table = Table().draws(*row).choose("brown", "blue", "pink").stone(0).passes(1, 2)
    assert table.won == (("deer-brown-white", "deer-brown-green"), ("deer-green-blue",), ("deer-yellow-pink",))


def test_L12_a_later_player_with_the_same_colour_finds_none():
    table = Table().draws(*ALL_SIX).choose("brown", "blue", "brown").stone(0).passes(1, 2)
    assert table.won == (("aurochs-brown-blue",), (), ())
    assert table.ruled.count(("L12", "takes nothing")) == 2


def test_L12_the_last_bidder_is_served_before_those_who_passed():
    table = Table().draws(*ALL_SIX).choose("green", "pink", "yellow").passes(0, 1)
    assert table.won == ((), ("aurochs-green-pink",), ("aurochs-yellow-white",))


def test_L13_cards_that_no_player_took_stay_for_the_next_round():
    table = Table().draws(*ALL_SIX).choose("brown", "brown", "blue").passes(0, 1)
    assert table.row == ("aurochs-yellow-white", "aurochs-green-pink")
    assert ("L13", "stay") in table.ruled


def test_L14_the_first_passer_starts_the_next_round():
    table = bidding(4).stone(0).passes(1).stone(2, 3).passes(0, 2)
    assert (table.round, table.start) == (2, 1)
    assert ("L14", "starts the next round") in table.ruled
    assert GAME.awaiting(table.state).seats == (1,)


def test_L14_they_also_bid_first():
    table = bidding().stone(0).passes(1, 2).draws("deer-brown-green", "deer-pink-blue")
    table.draws("deer-yellow-pink").draws("goat-white-blue")
    assert GAME.awaiting(table.choose("blue", "blue", "blue").state).seats == (1,)


def test_after_a_round_all_markers_go_back():
    table = bidding().passes(0, 1)
    assert (table.pile, table.chosen) == ((), (False, False, False))


@pytest.mark.parametrize("seat", [-1, 3, 5, 10**20])
def test_a_seat_that_does_not_exist_is_refused_at_any_time(seat):
    for table in (Table(), Table().draws(*ALL_SIX), bidding(), Table().over_with("deer", "", "")):
        for action in (Choose(seat, "blue"), Stone(seat), Pass(seat)):
            table.refused(action)

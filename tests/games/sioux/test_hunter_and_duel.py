"""S9 to S15: the hunter card, hunter and crows, the crow duel. One or more tests for each ruling, named after it."""

import pytest
from msgspec import UNSET

from companion.gamekit.game import Refusal
from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.state import Crow, Duel, Play

from .table import Table, box

# --- S9 The hunter card ---------------------------------------------------------------------------------------


def winter(table: Table) -> Table:
    """Seat 1 reaches 20 and is first; the others have different totals."""
    return table.with_prey("bison", "bison bison bison bear", "").hunt("crow", "2", "crow")


def test_S9_set_aside_at_the_start():
    assert Table(3).hunter is None
    assert Table(3).refused(Play(0, "hunter")).rule == "S25"


def test_S9_at_each_winter_it_goes_to_the_player_who_gets_the_highest_supply_card():
    table = winter(Table(3))
    assert (table.hunter, table.hands, table.supply) == (1, (11, 12, 11), ((2,), (3,), (1,)))
    assert ("S9", "hunter card") in table.ruled
    table.with_prey("bison bison bison bear", "", "bison").hunt("2", "crow", "crow")
    assert (table.hunter, table.hands) == (0, (12, 11, 11))


def test_S9_it_is_an_extra_card_that_may_be_played_instead_of_a_tribe_card_and_comes_back_with_the_others():
    table = winter(Table(3)).hunt("2", "hunter", "3")
    assert (table.hands, table.hunter) == ((10, 11, 10), 1)
    assert table.refused(Play(1, "hunter")).rule == "S25"
    table.with_hand(0, "9").hunt("9", "2", "4")
    assert table.ruled[-1] == ("S22", "last card")
    assert (table.hands, "hunter" in table.holds(1)) == ((11, 12, 11), True)


def test_S9_its_owner_may_keep_it_over_a_winter_and_still_has_only_one():
    table = winter(winter(Table(3)))
    assert (table.hunter, table.hands, table.winter) == (1, (11, 12, 11), 3)


# --- S10 to S12 Hunter and crows ------------------------------------------------------------------------------


def test_S10_its_player_takes_one_deer_and_all_others_get_nothing():
    table = Table(3).with_hunter(0).hunt("hunter", "13", "2")
    assert (table.totals, table.herd_of(0), table.bank["deer"]) == ((3, 0, 0), "deer", 10)
    assert table.ruled[2:] == [("S10", "hunter played"), ("S10", "takes the deer")]


def test_S10_no_swap_and_no_shaman_question():
    table = Table(4).with_prey("", "bison", "bear", "").with_hunter(0).hunt("hunter", "9", "9", "shaman")
    assert (table.phase, table.totals) == ("play", (3, 5, 4, 0))


def test_S10_no_deer_left_nothing():
    table = Table(3).with_bank("bison turkey rabbit").with_hunter(0).hunt("hunter", "13", "2")
    assert (table.totals, table.ruled[-1]) == ((0, 0, 0), ("S10", "no deer left"))


def beside_hunter(*cards: str, players: int = 3) -> Table:
    table = Table(players, hunter_blocks_swap=False).with_prey("", "bison", "bear", *[""] * (players - 3))
    return table.with_hunter(0).hunt("hunter", *cards)


def test_S10_with_the_option_two_highest_swap_beside_the_hunter():
    table = beside_hunter("9", "9")
    assert (table.phase, table.totals, table.awaiting) == ("crow", (3, 5, 4), ((1, 2), ("crow",)))
    table.nobody_calls()
    assert (table.phase, table.totals) == ("play", (3, 4, 5))


def test_S10_with_the_option_no_player_wins_prey_beside_the_hunter():
    assert beside_hunter("13", "2").totals == (3, 5, 4)


def test_S10_with_the_option_a_shaman_counts_6_unasked():
    assert beside_hunter("shaman", "13").phase == "play"
    assert beside_hunter("shaman", "shaman").phase == "crow"
    assert beside_hunter("9", "9", "shaman", players=4).state.tied == (1, 2)


def test_S10_with_the_option_a_crow_breaks_the_tie_without_prey():
    table = beside_hunter("9", "9").duel(one="2", other="crow")
    assert (table.totals, table.phase) == ((3, 5, 4), "play")
    assert ("S10", "no prey beside the hunter") in table.ruled
    assert "crow" not in table.holds(2)


def test_S10_with_the_option_three_highest_do_nothing_and_two_crows_may_be_the_highest():
    assert beside_hunter("9", "9", "9", players=4).ruled[-1] == ("S6", "many tied")
    assert beside_hunter("crow", "crow").state.tied == (1, 2)
    assert beside_hunter("crow", "crow").totals == (3, 5, 4)


def test_S11_one_crow_takes_that_deer_instead():
    table = Table(3).with_hunter(0).hunt("hunter", "13", "crow")
    assert (table.totals, table.herd_of(2)) == ((0, 0, 3), "deer")
    assert table.facts("steals the deer") == {"seat": 2, "owner": 0, "animals": ("deer",)}


def test_S11_without_a_deer_there_is_nothing_to_steal():
    assert Table(3).with_bank("bison").with_hunter(0).hunt("hunter", "13", "crow").totals == (0, 0, 0)


def test_S12_several_crows_are_only_1s_and_the_hunters_player_keeps_the_deer():
    table = Table(4).with_hunter(1).hunt("crow", "hunter", "crow", "5")
    assert (table.totals, ("S12", "several crows") in table.ruled) == ((0, 3, 0, 0), True)


# --- S13 The duel ---------------------------------------------------------------------------------------------


def tied(*others: str, **options: bool) -> Table:
    players = 2 + len(others)
    herds = ("bison", "deer rabbit", "turkey", "", "")[:players]
    return Table(players, **options).with_prey(*herds).hunt("9", "9", *others)


def test_S13_both_are_asked_at_the_same_time_and_answer_in_any_order():
    assert tied("2").awaiting == ((0, 1), ("crow",))
    for one, other in ((0, 1), (1, 0)):
        table = tied("2").crow(one, False)
        assert table.awaiting == ((other,), ("crow",))
        assert table.ruled == [("S13", "does not call")]
        assert table.crow(other, False).phase == "play", "both said no: they swap"


@pytest.mark.parametrize("said", [[(0, True)], [(1, True)], [(0, False), (1, True)], [(1, False), (0, True)]])
def test_S13_the_first_yes_begins_the_duel(said):
    table = tied("2")
    for seat, call in said:
        table.crow(seat, call)
    assert (table.phase, table.awaiting) == ("duel", ((0, 1), ("duel",)))
    assert table.facts("calls the crow")["seat"] == said[-1][0]


def test_S13_a_second_answer_and_one_after_the_first_yes_are_refused():
    table = tied("2").crow(1, False)
    for call in (True, False):
        assert table.refused(Crow(1, call)) == Refusal("S13", "has said no already", {"seat": 1})
    table.crow(0, True)
    for seat in (0, 1):
        assert table.refused(Crow(seat, False)).rule == "S13"
        assert table.refused(Crow(seat, True)).rule == "S13"


def test_S13_as_soon_as_one_calls_both_lay_one_more_card_in_any_order():
    table = tied("2").crow(0, True)
    assert table.awaiting == ((0, 1), ("duel",))
    table.do(Duel(1, "4"))
    assert (table.awaiting, table.hands) == (((0,), ("duel",)), (10, 9, 10))


def test_S13_who_is_not_tied_is_not_asked():
    assert tied("2").refused(Crow(2, True)).rule == "S13"
    assert tied("2").refused(Crow(9, True)).rule is None


def test_S13_a_duel_without_a_card_a_third_player_and_a_second_card_are_refused():
    table = tied("2").crow(0, True)
    assert table.refused(Duel(0, None)).rule == "S13"
    assert table.refused(Duel(0, UNSET)).rule == "S13"
    assert table.refused(Duel(2, "4")).what == "not in the duel"
    assert table.do(Duel(0, "4")).refused(Duel(0, "5")).rule == "S13"


def test_S24_the_second_card_of_a_duel_is_in_its_players_own_view_and_in_no_other_players():
    table = tied("2").crow(0, True).do(Duel(0, "5"))
    assert GAME.own_view(table.state, 0).laid == "5"
    assert "5" not in GAME.own_view(table.state, 0).cards
    assert GAME.own_view(table.state, 1).laid is None
    table.do(Duel(1, "4"))
    assert [GAME.own_view(table.state, seat).laid for seat in (0, 1)] == [None, None]


def test_S25_a_duel_card_must_be_in_hand_the_first_one_is_not():
    assert tied("2").crow(0, True).refused(Duel(0, "9")).rule == "S25"
    assert tied("2").crow(0, True).refused(Duel(0, "unicorn")).rule == "S25"


# --- S14 and S15 Its result -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other", "winner"), [("crow", "13", 0), ("13", "crow", 1)])
def test_S14_exactly_one_crow_breaks_the_tie_and_wins_prey_worth_1(one, other, winner):
    table = tied("2").duel(one=one, other=other)
    totals = [5, 4, 2]
    totals[winner] += 1
    assert table.totals == tuple(totals)
    assert "rabbit" in table.herd_of(winner)
    assert [rule for rule, _ in table.ruled][:5] == ["S13", "S13", "S15", "S14", "S14"]


@pytest.mark.parametrize(("one", "other"), [("crow", "crow"), ("13", "2"), ("shaman", "5")])
def test_S14_both_or_none_the_swap_happens_and_there_is_one_duel_per_tie(one, other):
    table = tied("2").duel(one=one, other=other)
    assert (table.totals[:2], table.phase) == ((4, 5), "play")


def test_S14_prey_worth_1_lapses_if_the_bank_has_no_such_animal():
    table = Table(3).with_bank("bison").hunt("9", "9", "2").duel(one="crow", other="4")
    assert (table.totals, table.ruled[-1]) == ((0, 0, 0), ("S4", "lapses"))


def test_S14_a_player_with_an_empty_hand_lays_nothing_and_counts_0():
    table = Table(3).with_hand(1, "9").with_prey("bison", "bear", "").hunt("9", "9", "2").crow(0, True)
    assert table.refused(Duel(1, "4")).rule == "S25"
    assert table.refused(Duel(1, UNSET)).rule == "S13"
    table.do(Duel(1, None))
    assert (table.ruled, table.hands) == ([("S14", "lays nothing")], (10, 0, 10))
    table.do(Duel(0, "4"))
    assert table.totals == (4, 5, 0)


def test_S14_also_both_may_have_empty_hands():
    table = Table(3).with_hand(0, "9").with_hand(1, "9").with_prey("bison", "bear", "").hunt("9", "9", "2")
    table.duel(one=None, other=None)
    assert (table.totals, table.hands) == ((4, 5, 0), (11, 11, 11))


def test_S14_the_winner_of_a_duel_may_end_the_hunting():
    table = Table(3).with_prey("bison bison bison bear", "bear", "").hunt("9", "9", "2").duel(one="crow", other="4")
    assert ("S19", "winter comes") in table.ruled
    assert table.supply == ((3,), (2,), (1,))


def test_S15_bluff_cards_return_to_the_hand():
    table = tied("2").duel(one="13", other="5")
    assert {"13"} <= table.holds(0)
    assert {"5"} <= table.holds(1)
    assert table.hands == (10, 10, 10)


def test_S15_a_crow_played_in_a_duel_leaves_the_game_for_good_both_if_both_lay_one():
    table = tied("2").duel(one="crow", other="crow")
    assert table.hands == (9, 9, 10)
    table.with_hand(2, "3").hunt("2", "4", "3")
    assert table.ruled[-1] == ("S22", "last card")
    assert table.hands == (10, 10, 11)
    assert "crow" not in table.holds(0) | table.holds(1)


def test_S15_a_crow_that_left_does_not_come_back_after_a_winter():
    table = tied("2").duel(one="crow", other="4").with_prey("bison bison bison bear", "bear", "")
    table.hunt("3", "2", "crow")
    assert (table.winter, table.hands) == (2, (11, 11, 11))
    assert "crow" not in table.holds(0)


def test_S15_a_crow_played_in_a_hunt_comes_back_as_usual():
    table = Table(3).with_hand(1, "9").hunt("crow", "9", "2")
    assert table.ruled[-1] == ("S22", "last card")
    assert "crow" in table.holds(0)


def test_S15_the_hunter_card_may_be_a_bluff_and_returns():
    table = Table(3).with_hunter(0).hunt("9", "9", "2").duel(one="hunter", other="4")
    assert "hunter" in table.holds(0)
    assert table.hands == (11, 10, 10)


def test_S13_the_duel_is_ranked_by_shaman_values_too():
    shamans = Table(3, box=box()).hunt("shaman", "shaman", "2").duel(one="crow", other="3")
    assert shamans.totals == (1, 0, 0)


# --- S10 With the option: prey worth 3 instead of a deer ------------------------------------------------------


def without_deer(bank: str, *cards: str, players: int = 3, **options: bool) -> Table:
    table = Table(players, no_deer="other_prey", **options).with_hunter(0).with_bank(bank)
    return table.hunt("hunter", *cards)


@pytest.mark.parametrize(
    ("bank", "paid", "lapses"),
    [
        ("bison bear turkey turkey rabbit rabbit rabbit", "turkey rabbit", 0),
        ("turkey turkey", "turkey", 1),
        ("rabbit rabbit rabbit rabbit", "rabbit rabbit rabbit", 0),
        ("rabbit", "rabbit", 2),
    ],
)
def test_S10_with_no_deer_other_prey_prey_worth_3_is_paid_by_S4(bank, paid, lapses):
    table = without_deer(bank, "13", "2")
    assert (table.herd_of(0), table.totals) == (paid, (3 - lapses, 0, 0))
    assert table.ruled[3:] == [("S10", "takes other prey"), *[("S4", "lapses")] * bool(lapses)]
    assert table.facts("takes other prey")["value"] == 3 - lapses


def test_S10_with_no_deer_other_prey_only_where_the_bank_has_no_deer():
    table = without_deer("deer turkey rabbit", "13", "2")
    assert (table.herd_of(0), table.ruled[-1]) == ("deer", ("S10", "takes the deer"))


def test_S10_with_no_deer_other_prey_nothing_where_all_animals_are_worth_more():
    table = without_deer("bison bear", "13", "2")
    assert (table.totals, table.ruled[-1]) == ((0, 0, 0), ("S10", "no prey instead of the deer"))


def test_S11_with_no_deer_other_prey_one_crow_takes_that_prey_instead():
    table = without_deer("turkey rabbit", "13", "crow")
    assert (table.herd_of(2), table.totals) == ("turkey rabbit", (0, 0, 3))
    assert table.facts("steals other prey") == {"seat": 2, "owner": 0, "value": 3, "animals": ("turkey", "rabbit")}
    assert ("S11", "steals other prey") in table.ruled


def test_S12_with_no_deer_other_prey_several_crows_leave_it_to_the_hunter():
    assert without_deer("turkey rabbit", "crow", "crow").totals == (3, 0, 0)


def test_S10_with_no_deer_other_prey_two_highest_may_still_swap_beside_the_hunter():
    table = without_deer("turkey rabbit", "9", "9", hunter_blocks_swap=False)
    assert (table.phase, table.totals) == ("crow", (3, 0, 0))

"""S1 to S8, S24 and S25: set-up, hunt, prey, ties, shamans, secrecy. One or more tests for each, named after it."""

import pytest
from msgspec import UNSET

from companion.gamekit.game import Setup
from companion.games.sioux.options import Options
from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.state import Crow, Dealt, Duel, Gifts, Name, Play

from .table import STANDIN, Table, box

# --- S1 Set-up ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "laid_out"), [(3, (3, 2, 1)), (4, (4, 3, 2, 1)), (5, (5, 4, 3, 2, 1))])
def test_S1_one_supply_card_per_player_the_highest_of_each_winter_are_removed_first(players, laid_out):
    table = Table(players)
    assert table.laid_out == laid_out
    assert table.state.fixed.winters[1] == tuple(value + 1 for value in laid_out)
    assert table.supply == ((),) * players


def test_S1_supply_values_may_stand_in_any_order_and_repeat():
    mixed = box(supply=[(7, 7, 1, 9, 2), (1, 1, 1, 1, 1), (5, 4, 3, 2, 1)])
    assert Table(4, box=mixed).laid_out == (7, 7, 2, 1)
    assert Table(3, box=mixed).laid_out == (7, 2, 1)


def test_S1_every_player_has_a_set_the_bank_all_prey_and_no_player_the_hunter_card():
    table = Table(4)
    assert (table.winter, table.phase, table.hands, table.hunter) == (1, "play", (11,) * 4, None)
    assert table.bank == {"rabbit": 13, "turkey": 12, "deer": 11, "bear": 10, "bison": 10}
    assert table.prey == (dict.fromkeys(table.bank, 0),) * 4
    assert table.totals == (0,) * 4


def test_S1_first_means_nothing():
    tables = [GAME.setup(Setup(3, first, Options(), STANDIN)) for first in range(3)]
    assert tables[0] == tables[1] == tables[2]


# --- S2 The hunt ----------------------------------------------------------------------------------------------


def test_S2_everyone_lays_one_card_in_any_order_and_all_are_revealed_together():
    table = Table(3).do(Play(2, "9")).do(Play(0, "5"))
    assert (table.ruled, table.revealed) == ([("S2", "lays")], ())
    assert (table.awaiting, table.hands) == (((1,), ("play",)), (10, 11, 10))
    table.do(Play(1, "3"))
    assert table.ruled[:2] == [("S2", "lays"), ("S2", "revealed")]
    assert table.facts("revealed") == {"seats": (0, 1, 2), "cards_in_order": ("5", "3", "9")}
    assert (table.revealed, table.hands, table.phase) == ((0, 1, 2), (10, 10, 10), "play")


@pytest.mark.parametrize("card", ["9", "10", "unicorn"])
def test_S2_a_second_play_is_refused_whatever_the_card(card):
    table = Table(3).do(Play(0, "9"))
    assert table.refused(Play(0, card)) == Table(3).do(Play(0, "4")).refused(Play(0, card))
    assert table.refused(Play(0, card)).rule == "S2"


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_S2_a_seat_that_no_player_has_is_refused_without_a_ruling(seat):
    for action in (Play(seat, "9"), Name(seat, 6), Crow(seat, True), Duel(seat, "9"), Gifts(seat, ())):
        for table in tables_of_all_phases():
            assert table.refused(action).what == "no such seat"


# --- S3 and S4 Prey -------------------------------------------------------------------------------------------


def test_S3_the_single_highest_card_wins_highest_less_second_highest():
    table = Table(3).hunt("5", "9", "2")
    assert (table.totals, table.herd_of(1)) == ((0, 4, 0), "bear")
    assert table.facts("wins prey") == {"seat": 1, "highest": 9, "second": 5, "value": 4, "animals": ("bear",)}


def test_S3_a_tie_below_the_highest_does_not_matter():
    assert Table(4).hunt("9", "5", "5", "5").totals == (4, 0, 0, 0)


def test_S3_a_crow_in_a_hunt_counts_1():
    assert Table(3).hunt("crow", "2", "crow").totals == (0, 1, 0)


def test_S4_the_most_valuable_animals_first():
    table = Table(3).hunt("13", "crow", "crow")
    assert (table.herd_of(0), table.totals[0]) == ("bison bison turkey", 12)
    assert (table.bank["bison"], table.bank["turkey"]) == (8, 11)


@pytest.mark.parametrize(
    ("bank", "paid", "lapsed"),
    [
        ("bison", "bison", 7),
        ("bear bear bear bear", "bear bear bear", 0),
        ("bison bear deer turkey rabbit", "bison bear deer", 0),
        ("bison bear turkey turkey", "bison bear turkey", 1),
        ("deer rabbit rabbit", "deer rabbit rabbit", 7),
        ("", "", 12),
    ],
)
def test_S4_what_the_bank_has_not_lapses(bank, paid, lapsed):
    table = Table(3).with_bank(bank).hunt("13", "crow", "crow")
    assert table.herd_of(0) == paid
    assert [ruling.facts["value"] for ruling in table.rulings if ruling.rule == "S4"] == [lapsed] * bool(lapsed)


def test_S4_an_animal_that_exceeds_what_is_left_is_not_taken():
    table = Table(3).with_bank("bison bear").hunt("5", "2", "crow")
    assert (table.totals, ("S4", "lapses") in table.ruled) == ((0, 0, 0), True)


def test_S4_an_empty_bank_does_not_end_the_hunting():
    table = Table(3).with_bank("").hunt("13", "crow", "2")
    assert (table.phase, table.winter) == ("play", 1)


# --- S5 and S6 Ties -------------------------------------------------------------------------------------------


def test_S5_two_highest_swap_all_their_prey_and_no_player_gets_any():
    table = Table(3).with_prey("bison", "deer rabbit", "turkey").hunt("9", "9", "2")
    assert (table.phase, table.awaiting) == ("crow", ((0, 1), ("crow",)))
    table.crow(0, False)
    assert (table.phase, table.awaiting) == ("crow", ((1,), ("crow",)))
    bank = table.bank
    table.crow(1, False)
    assert (table.herd_of(0), table.herd_of(1), table.bank) == ("deer rabbit", "bison", bank)
    assert table.totals == (4, 5, 2)


def test_S5_the_rulings_say_exactly_which_prey_goes_from_whom_to_whom():
    table = Table(3).with_prey("bison", "deer rabbit", "").hunt("9", "9", "2").nobody_calls()
    assert [ruling.facts for ruling in table.rulings if ruling.what == "gets in the swap"] == [
        {"seat": 0, "owner": 1, "animals": ("deer", "rabbit")},
        {"seat": 1, "owner": 0, "animals": ("bison",)},
    ]


def test_S5_the_crow_is_asked_also_with_empty_hands_and_without_prey():
    table = Table(3).with_hand(0, "9").with_hand(1, "9").hunt("9", "9", "2")
    assert (table.awaiting, table.hands) == (((0, 1), ("crow",)), (0, 0, 10))


def test_S5_two_crows_may_be_the_highest_beside_nothing_higher():
    """Three crows are three; two beside a 2 are not the highest."""
    assert Table(3).hunt("crow", "crow", "2").totals == (0, 0, 1)


@pytest.mark.parametrize("cards", [("9", "9", "9"), ("9", "9", "9", "2"), ("9",) * 4, ("9",) * 5, ("crow",) * 3])
def test_S6_with_three_or_more_nothing_happens_and_there_is_no_duel(cards):
    table = Table(len(cards)).with_prey("bison", "", *[""] * (len(cards) - 2)).hunt(*cards)
    assert table.ruled[-1] == ("S6", "many tied")
    assert (table.phase, table.totals) == ("play", (5, *[0] * (len(cards) - 1)))


# --- S7 and S8 Shamans ----------------------------------------------------------------------------------------


def test_S7_after_the_reveal_the_shamans_player_names_6_7_or_8():
    table = Table(3).hunt("5", "shaman", "4")
    assert (table.phase, table.awaiting, table.totals) == ("name", ((1,), ("name",)), (0, 0, 0))
    assert GAME.legal(table.state) == (Name(1, 6), Name(1, 7), Name(1, 8))
    table.name(1, 8)
    assert table.totals == (0, 3, 0)
    assert table.ruled[0] == ("S7", "named")


SIX_TO_EIGHT = box(2, 3, 6, 7, 8, 9, 10, 11, 12)


def test_S7_no_value_that_another_player_has_on_the_table():
    table = Table(3, box=SIX_TO_EIGHT).hunt("7", "shaman", "2")
    assert GAME.legal(table.state) == (Name(1, 6), Name(1, 8))
    assert table.refused(Name(1, 7)).rule == "S7"
    assert table.name(1, 6).totals == (1, 0, 0)


def test_S7_it_is_asked_also_if_only_one_value_is_free():
    table = Table(3, box=SIX_TO_EIGHT).hunt("7", "shaman", "6")
    assert GAME.legal(table.state) == (Name(1, 8),)


def test_S7_if_none_of_the_three_is_free_it_counts_6_unasked():
    table = Table(4, box=SIX_TO_EIGHT).hunt("7", "shaman", "6", "8")
    assert (table.phase, table.totals) == ("play", (0, 0, 0, 1))
    assert ("S7", "no value is free") in table.ruled


def test_S7_also_asked_where_it_cannot_win():
    assert Table(3).hunt("13", "shaman", "12").phase == "name"


@pytest.mark.parametrize("value", [5, 9, 0, -6, 66])
def test_S7_any_other_value_and_any_other_player_is_refused(value):
    table = Table(3).hunt("5", "shaman", "4")
    assert table.refused(Name(1, value)).rule == "S7"
    assert table.refused(Name(0, 6)).what == "out of turn"
    assert table.refused(Play(0, "9")).rule == "S2"


def test_S8_several_shamans_count_6_each_and_no_player_is_asked():
    table = Table(3).hunt("shaman", "shaman", "4")
    assert ("S8", "several shamans") in table.ruled
    assert (table.phase, table.state.tied) == ("crow", (0, 1))
    assert Table(3).hunt("shaman", "shaman", "9").totals == (0, 0, 3)
    assert Table(4).hunt("shaman", "shaman", "shaman", "5").ruled[-1][0] == "S6"


# --- S24 and S25 Secrecy, own cards ---------------------------------------------------------------------------


def test_S24_a_laid_card_is_hidden_until_all_have_laid_one():
    nine, four = Table(3).do(Play(0, "9")), Table(3).do(Play(0, "4"))
    assert nine.rulings == four.rulings
    for seen in (GAME.table, GAME.view, GAME.offered, GAME.awaiting, GAME.whereabouts):
        assert seen(nine.state) == seen(four.state)
    assert GAME.conceals(Play(0, "9")) == 0
    assert GAME.view(nine.state).laid == (True, False, False)
    assert GAME.view(nine.state).open == ()


def test_S24_what_was_played_before_is_not_shown():
    one, other = Table(3).hunt("9", "5", "4"), Table(3).hunt("10", "5", "4")
    one.with_prey("", "", ""), other.with_prey("", "", "")
    for seen in (GAME.table, GAME.view, GAME.offered):
        assert seen(one.state) == seen(other.state)
    assert Play(0, "9") in GAME.offered(one.state)
    assert Play(0, "9") not in GAME.legal(one.state)


def test_S24_in_a_duel_too():
    tables = [Table(3).hunt("9", "9", "2").crow(0, True).do(Duel(1, card)) for card in ("crow", "4")]
    assert tables[0].rulings == tables[1].rulings
    for seen in (GAME.table, GAME.view, GAME.offered, GAME.awaiting, GAME.whereabouts):
        assert seen(tables[0].state) == seen(tables[1].state)
    assert tables[0].hands == (10, 9, 10)
    assert GAME.conceals(Duel(1, "crow")) == 1
    assert tables[0].do(Duel(0, "5")).revealed == (0, 1)


def test_S24_the_hunter_card_is_as_hidden_as_any():
    hunter, four = (Table(3).with_hunter(0).do(Play(0, card)) for card in ("hunter", "4"))
    for seen in (GAME.table, GAME.view, GAME.offered, GAME.awaiting, GAME.whereabouts):
        assert seen(hunter.state) == seen(four.state)


@pytest.mark.parametrize("card", ["9", "unicorn", "", "hunter"])
def test_S25_a_card_that_its_player_does_not_hold_is_refused_and_not_named(card):
    table = Table(3).hunt("9", "5", "4")
    assert (table.refused(Play(0, card)).rule, table.refused(Play(0, card)).facts) == ("S25", {"seat": 0})


def test_S25_the_hunter_card_is_its_owners_alone():
    table = Table(3).with_hunter(1)
    assert table.refused(Play(0, "hunter")).rule == "S25"
    assert Play(1, "hunter") in GAME.legal(table.state)


def test_S25_a_crow_that_left_the_game_is_refused():
    table = Table(3).hunt("9", "9", "2").duel(one="crow", other="4")
    assert table.refused(Play(0, "crow")).rule == "S25"


# --- Every phase refuses what belongs to another --------------------------------------------------------------


def tables_of_all_phases() -> list[Table]:
    tied = "bear rabbit", "deer turkey"
    return [
        Table(3),
        Table(3).hunt("5", "shaman", "4"),
        Table(3).hunt("9", "9", "2"),
        Table(3).hunt("9", "9", "2").crow(0, True),
        Table(3).with_prey("turkey", "bison", "").hunt("5", "2", "crow"),
        Table(3).with_prey("bison bison bison bear", *tied).hunt("2", "crow", "crow"),
    ]


@pytest.mark.parametrize("number", range(6))
def test_what_belongs_to_another_phase_is_refused_under_its_own_ruling(number):
    table = tables_of_all_phases()[number]
    phases = ("play", "name", "crow", "duel", "gifts", "dealt")
    assert table.phase == phases[number]
    actions = (
        (Play(0, "10"), "S2"),
        (Name(0, 6), "S7"),
        (Crow(0, True), "S13"),
        (Duel(0, "10"), "S13"),
        (Gifts(0, ()), "S16"),
        (Dealt((1, 2)), "S20"),
    )
    for phase, (action, rule) in zip(phases, actions, strict=True):
        if phase != table.phase:
            refusal = table.refused(action)
            assert (refusal.rule, refusal.what, refusal.facts["phase"]) == (rule, "not now", table.phase)


def test_an_unset_duel_card_is_what_a_transcript_without_it_gives():
    assert Duel(0).card is UNSET

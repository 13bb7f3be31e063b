"""S16 to S23: gifts, winter, the last card, the end. One or more tests for each ruling, named after it."""

import pytest
from msgspec.structs import replace

from companion.gamekit.ending import broken_tie
from companion.gamekit.game import Ruling, Setup, moves
from companion.games.sioux.components import HUNTER
from companion.games.sioux.options import Options
from companion.games.sioux.rules import GAME
from companion.games.sioux.rules.state import Crow, Dealt, Duel, Gifts, Name, Play
from companion.games.sioux.rules.winter import tied_for_supply
from companion.games.sioux.view import dealer
from companion.language.wording import say

from .table import STANDIN, Table, box

# --- S16 Gifts ------------------------------------------------------------------------------------------------


def level() -> Table:
    """Seat 0 has just drawn level with seat 1: five each."""
    return Table(3).with_prey("turkey", "bear rabbit", "bear").hunt("5", "2", "crow")


def test_S16_who_drew_level_may_claim_one_animal_of_the_givers_smallest_kind():
    table = level()
    assert (table.phase, table.totals, table.awaiting) == ("gifts", (5, 5, 4), ((0,), ("gifts",)))
    table.gifts(0, 1)
    assert (table.herd_of(0), table.herd_of(1), table.totals) == ("deer turkey rabbit", "bear", (6, 4, 4))
    assert table.facts("gets a gift") == {"seat": 0, "owner": 1, "animals": ("rabbit",)}


def test_S16_it_is_optional():
    table = level().gifts(0)
    assert (table.totals, table.phase, table.ruled) == ((5, 5, 4), "play", [("S16", "claims nothing")])


def test_S16_the_one_whose_total_did_not_change_may_not_claim():
    assert level().refused(Gifts(1, (0,))).what == "out of turn"


def test_S16_one_gift_from_each_such_player():
    table = Table(4).with_prey("turkey", "bear rabbit", "bison", "deer turkey").hunt("5", "2", "crow", "crow")
    assert GAME.legal(table.state) == tuple(
        Gifts(0, givers) for givers in ((), (1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3))
    )
    table.gifts(0, 3, 1, 2)
    assert (table.totals, table.herd_of(0)) == ((13, 4, 0, 3), "bison deer turkey turkey rabbit")


@pytest.mark.parametrize("givers", [(0,), (2,), (1, 1), (1, 2), (3,), (-1,), (99,)])
def test_S16_others_and_one_seat_named_twice_are_refused(givers):
    assert level().refused(Gifts(0, givers)).rule == "S16"


def test_S16_without_a_change_of_totals_no_player_claims():
    table = Table(3).with_prey("bison", "bison", "").with_bank("").hunt("5", "2", "crow")
    assert table.phase == "play"


def test_S16_a_claimant_is_not_asked_if_none_of_their_givers_has_prey():
    """Seat 0 falls to nothing, like seat 2."""
    table = Table(3).with_prey("bison", "", "").hunt("9", "9", "2").nobody_calls()
    assert (table.totals, table.phase) == ((0, 5, 0), "play")


def test_S16_also_after_a_duel_and_after_the_hunters_deer():
    table = Table(3).with_prey("bear", "bear", "bison").hunt("9", "9", "2").duel(one="crow", other="4")
    assert table.awaiting == ((0,), ("gifts",))
    table = Table(3).with_prey("turkey", "bear", "bison").with_hunter(0).hunt("hunter", "9", "2")
    assert (table.totals, table.awaiting) == ((5, 4, 5), ((0,), ("gifts",)))


# --- S17 Compared once ----------------------------------------------------------------------------------------


def test_S17_a_gift_triggers_no_further_gift():
    """After the gift seat 1 has what seat 2 has."""
    table = level().gifts(0, 1)
    assert (table.totals, table.phase) == ((6, 4, 4), "play")


def both_level() -> Table:
    """The hunter's deer and a swap in one round: seats 0 and 2 both change to 5."""
    table = Table(3, hunter_blocks_swap=False).with_prey("turkey", "bison", "deer deer").with_hunter(0)
    return table.hunt("hunter", "9", "9").nobody_calls()


def test_S17_two_players_who_drew_level_with_each_other_may_both_claim_one_after_another():
    table = both_level()
    assert (table.totals, table.awaiting) == ((5, 6, 5), ((0,), ("gifts",)))
    table.gifts(0)
    assert table.awaiting == ((2,), ("gifts",))
    table.gifts(2, 0)
    assert (table.totals, table.herd_of(2)) == ((3, 6, 7), "bison turkey")


def test_S17_gifts_change_hands_at_once_and_the_smallest_kind_is_judged_at_that_moment():
    """Seat 0 takes the only animal of seat 2, which then still has a claim from before, and gets the smallest back."""
    table = both_level().gifts(0, 2)
    assert (table.totals, table.awaiting) == ((10, 6, 0), ((2,), ("gifts",)))
    table.gifts(2, 0)
    assert (table.herd_of(0), table.herd_of(2)) == ("bison deer", "turkey")


def test_S17_the_question_is_skipped_when_no_giver_has_prey_at_the_claimants_turn():
    table = Table(3, hunter_blocks_swap=False).with_prey("", "deer", "bison").with_hunter(0)
    table.hunt("hunter", "9", "9").nobody_calls()
    assert (table.totals, table.awaiting) == ((3, 5, 3), ((0,), ("gifts",)))
    table.gifts(0, 2)
    assert (table.totals, table.awaiting) == ((6, 5, 0), ((2,), ("gifts",)))
    again = Table(3, hunter_blocks_swap=False).with_prey("", "deer", "bison").with_hunter(2)
    again = again.with_prey("deer", "bison", "").hunt("9", "9", "hunter").nobody_calls()
    assert (again.totals, again.awaiting) == ((5, 3, 3), ((1,), ("gifts",)))
    again.gifts(1, 2)
    assert (again.totals, again.awaiting) == ((5, 6, 0), ((2,), ("gifts",)))


def test_S16_a_chosen_giver_without_prey_gives_nothing():
    """Three are level; the first takes everything of the second, so the third gets something from the first alone."""
    table = Table(4, hunter_blocks_swap=False).with_prey("", "deer", "bison", "deer").with_hunter(0)
    table.hunt("hunter", "9", "9", "2").nobody_calls()
    assert (table.totals, table.awaiting) == ((3, 5, 3, 3), ((0,), ("gifts",)))
    table.gifts(0, 2, 3)
    assert (table.totals, table.awaiting) == ((9, 5, 0, 0), ((2,), ("gifts",)))
    table.gifts(2, 0, 3)
    assert (table.totals, ("S16", "has nothing to give") in table.ruled) == ((6, 5, 3, 0), True)


def test_S17_no_player_is_asked_when_all_their_givers_have_given_everything_away():
    """Seats 0 and 1 swap and are level with 3 and 2; seat 0 empties 3, then nothing is left to ask for."""
    table = Table(5).with_prey("bison", "deer", "deer", "bison", "").hunt("9", "9", "2", "2", "2").nobody_calls()
    assert (table.totals, table.awaiting) == ((3, 5, 3, 5, 0), ((0,), ("gifts",)))
    table.gifts(0, 2)
    assert table.awaiting == ((1,), ("gifts",))
    assert table.gifts(1, 3).phase == "play"


# --- S18 After a swap -----------------------------------------------------------------------------------------


def swapped(**options: str) -> Table:
    """Seat 0 falls to 4, like seat 2; seat 1 rises to 5, like seat 3."""
    table = Table(4, **options).with_prey("bison", "bear", "deer rabbit", "deer turkey").hunt("9", "9", "2", "2")
    return table.nobody_calls()


def test_S18_both_swappers_totals_changed_so_both_may_claim():
    table = swapped()
    assert (table.totals, table.awaiting) == ((4, 5, 4, 5), ((0,), ("gifts",)))
    assert table.gifts(0, 2).awaiting == ((1,), ("gifts",))
    assert table.gifts(1, 3).totals == (5, 7, 3, 3)


def test_S18_with_the_option_only_one_whose_total_rose():
    table = swapped(gift_after_swap="riser")
    assert table.awaiting == ((1,), ("gifts",))
    assert table.gifts(1, 3).totals == (4, 7, 4, 3)


def test_S18_the_option_does_not_bar_who_won_prey_or_a_deer():
    table = Table(3, gift_after_swap="riser").with_prey("turkey", "bear rabbit", "bear").hunt("5", "2", "crow")
    assert table.awaiting == ((0,), ("gifts",))


def test_S18_a_swap_of_equal_totals_changes_nothing_but_the_animals():
    table = Table(3).with_prey("bison", "deer turkey", "bear rabbit").hunt("9", "9", "2").nobody_calls()
    assert (table.phase, table.totals) == ("play", (5, 5, 5))
    assert (table.herd_of(0), table.herd_of(1)) == ("deer turkey", "bison")


# --- S19 Winter -----------------------------------------------------------------------------------------------

NINETEEN = "bison bison bison bear"


def test_S19_20_or_more_after_the_hunt_ends_the_hunting_at_once_without_gifts():
    table = Table(3).with_prey(NINETEEN, "bison bison bison bison", "").hunt("2", "crow", "crow")
    assert [rule for rule, _ in table.ruled][3:] == ["S19", "S20", "S20", "S20", "S9", "S21"]
    assert (table.winter, table.phase) == (2, "play")


def test_S19_19_do_not():
    assert Table(3).with_prey("bison bison bison deer", "", "").hunt("2", "crow", "crow").winter == 1


def test_S19_reached_by_gifts_it_ends_after_all_gifts_of_that_round():
    table = Table(4).with_prey("bison bison bison", "bison bison bison bear", "bison bison bison bear", "")
    table.hunt("9", "5", "2", "2")
    assert (table.totals, table.awaiting) == ((19, 19, 19, 0), ((0,), ("gifts",)))
    table.gifts(0, 1, 2)
    assert ("S19", "winter comes") in table.ruled
    assert table.facts("winter comes") == {"seats": (0,), "winter": 1}


def test_S19_other_claimants_are_still_asked():
    prey = ("bison bison bison", "bison bison bear bear", "bison bison bear bear", "bison bison bison")
    table = Table(4).with_prey(*prey).hunt("9", "9", "2", "2").nobody_calls()
    assert (table.totals, table.awaiting) == ((18, 15, 18, 15), ((0,), ("gifts",)))
    table.gifts(0, 2)
    assert (table.totals, table.awaiting) == ((22, 15, 14, 15), ((1,), ("gifts",)))
    assert ("S19", "winter comes") in table.gifts(1).ruled


def test_S19_a_swap_is_part_of_the_hunt():
    table = Table(3, hunter_blocks_swap=False).with_prey(NINETEEN, "bison", "bear").with_hunter(0)
    table.hunt("hunter", "9", "9")
    assert (table.phase, table.totals) == ("crow", (22, 5, 4))
    table.nobody_calls()
    assert (table.winter, table.supply) == (2, ((3,), (1,), (2,)))


# S19 With the option: a gift that brings 20 ends the hunting at once


def near_20(**options: str) -> Table:
    """Seat 0 draws level with 1 and 2 at 19; 1 would give a bear, 2 a rabbit."""
    prey = ("bison bison bison", "bison bison bison bear", "bison bison bison deer rabbit", "")
    return Table(4, **options).with_prey(*prey).hunt("9", "5", "2", "2")


def test_S19_with_gift_ends_at_once_the_claimants_further_givers_lapse():
    table = near_20(gift_ends="at_once")
    assert (table.totals, table.awaiting) == ((19, 19, 19, 0), ((0,), ("gifts",)))
    table.gifts(0, 2, 1)
    assert table.facts("winter comes") == {"seats": (0,), "winter": 1}
    assert table.facts("gets supply")["total"] == 20
    assert table.facts("gifts lapse") == {"seats": (0,)}
    assert [ruling.what for ruling in table.rulings].count("gets a gift") == 1


def test_S19_with_gift_ends_at_once_the_order_of_from_counts():
    totals = [near_20(gift_ends="at_once").gifts(0, *order).facts("gets supply")["total"] for order in ((1, 2), (2, 1))]
    assert totals == [23, 20]


def test_S19_by_default_all_gifts_come_first_in_whatever_order():
    for order in ((1, 2), (2, 1)):
        table = near_20().gifts(0, *order)
        assert table.facts("gets supply")["total"] == 24
        assert "gifts lapse" not in [ruling.what for ruling in table.rulings]


def test_S19_with_gift_ends_at_once_the_claims_not_yet_asked_lapse():
    prey = ("bison bison bison", "bison bison bear bear", "bison bison bear bear", "bison bison bison")
    table = Table(4, gift_ends="at_once").with_prey(*prey).hunt("9", "9", "2", "2").nobody_calls()
    assert (table.totals, table.awaiting) == ((18, 15, 18, 15), ((0,), ("gifts",)))
    table.gifts(0, 2)
    assert ("S19", "winter comes") in table.ruled
    assert (table.facts("gifts lapse"), table.phase) == ({"seats": (1,)}, "dealt")


def test_S19_with_gift_ends_at_once_the_next_claimant_is_asked_while_no_player_has_20():
    prey = ("bison bison bison", "bison bison bear bear", "bison bison bear bear", "bison bison bison")
    table = Table(4, gift_ends="at_once").with_prey(*prey).hunt("9", "9", "2", "2").nobody_calls()
    assert table.gifts(0).awaiting == ((1,), ("gifts",))


def test_S19_with_gift_ends_at_once_every_order_of_gifts_is_legal():
    table = near_20(gift_ends="at_once")
    assert {action.from_ for action in GAME.legal(table.state)} == {(), (1,), (2,), (1, 2), (2, 1)}
    assert {action.from_ for action in GAME.legal(near_20().state)} == {(), (1,), (2,), (1, 2)}


# --- S20 Ranking ----------------------------------------------------------------------------------------------


def test_S20_by_prey_total_then_by_number_of_animals():
    table = Table(4).with_prey("bison", NINETEEN, "deer turkey", "").hunt("crow", "2", "crow", "crow")
    assert table.supply == ((2,), (4,), (3,), (1,))


def test_S20_still_tied_the_cards_are_dealt_and_the_table_reports_who_got_which():
    table = Table(4).with_prey("bear rabbit", NINETEEN, "deer turkey", "").hunt("crow", "2", "crow", "crow")
    assert (table.phase, table.awaiting) == ("dealt", ((0, 2), ("dealt",)))
    assert GAME.legal(table.state) == (Dealt((0, 2)), Dealt((2, 0)))
    assert (table.supply, table.laid_out) == (((), (4,), (), ()), (3, 2, 1))
    table.dealt(2, 0)
    assert table.supply == ((2,), (4,), (3,), (1,))


def test_S20_while_it_is_awaited_nothing_has_been_returned_and_the_hunter_card_has_not_moved():
    table = Table(4).with_prey("bear rabbit", NINETEEN, "deer turkey", "").hunt("crow", "2", "crow", "crow")
    assert (table.hunter, table.totals, table.hands, table.winter) == (None, (5, 20, 5, 0), (10,) * 4, 1)
    assert table.bank["bear"] == 8


def test_S20_everyone_gets_a_card_also_with_no_prey():
    table = Table(4).with_prey("", NINETEEN, "", "").hunt("crow", "2", "crow", "crow")
    assert table.awaiting == ((0, 2, 3), ("dealt",))
    assert len(GAME.legal(table.state)) == 6
    assert table.dealt(3, 0, 2).supply == ((2,), (4,), (1,), (3,))


def test_S20_the_highest_tied_group_first():
    table = Table(5).with_prey("bison", "bison", "bear", "bear", NINETEEN).hunt("crow", "crow", "crow", "crow", "2")
    assert (table.awaiting, table.laid_out) == (((0, 1), ("dealt",)), (4, 3, 2, 1))
    table.dealt(1, 0)
    assert (table.awaiting, table.laid_out) == (((2, 3), ("dealt",)), (2, 1))
    assert table.dealt(3, 2).supply == ((3,), (4,), (1,), (2,), (5,))


def test_S20_also_if_its_cards_are_alike():
    alike = box(supply=[(2, 2, 2, 2, 2)] * 3)
    table = Table(3, box=alike).with_prey("bison", "bison", NINETEEN).hunt("crow", "crow", "2")
    assert (table.phase, table.laid_out) == ("dealt", (2, 2))


def test_S20_and_S9_after_a_tie_for_the_first_rank_the_hunter_card_goes_to_the_first_seat_of_dealt():
    table = Table(3).with_prey(NINETEEN, "bison bison bison deer turkey", "").hunt("2", "crow", "crow")
    assert (table.totals, table.awaiting) == ((20, 20, 0), ((0, 1), ("dealt",)))
    assert (table.dealt(1, 0).hunter, table.supply) == (1, ((2,), (3,), (1,)))


@pytest.mark.parametrize("seats", [(), (0,), (0, 0), (0, 1), (0, 2, 1), (2, 0, 0), (-1, 2)])
def test_S20_a_wrong_dealt_is_refused(seats):
    table = Table(4).with_prey("bear rabbit", NINETEEN, "deer turkey", "").hunt("crow", "2", "crow", "crow")
    assert table.refused(Dealt(seats)).rule == "S20"
    assert table.refused(Play(0, "9")).rule == "S2"


@pytest.mark.parametrize(
    ("tied", "players", "dealing"),
    [
        ((0, 2), 4, 3),
        ((1, 3), 4, 0),
        ((0, 3), 4, 1),
        ((2, 3), 4, 0),
        ((0, 1, 4), 5, 2),
        ((1, 2), 3, 0),
        ((0, 1, 2), 3, None),
    ],
)
def test_S20_the_next_clockwise_from_the_highest_tied_seat_who_is_not_involved_deals(tied, players, dealing):
    assert dealer(tied, players) == dealing


def test_S20_the_ruling_names_the_dealer_and_if_all_are_tied_no_player():
    table = Table(4).with_prey("bear rabbit", NINETEEN, "deer turkey", "").hunt("crow", "2", "crow", "crow")
    assert table.facts("tied for supply") == {"seats": (0, 2), "values": (3, 2), "turn": 3}
    assert tied_for_supply((0, 1, 2), (3, 2, 1), 3).what == "all tied for supply"


def test_S20_with_equal_prey_it_is_said_that_the_number_of_animals_decided():
    table = Table(4).with_prey("bison", NINETEEN, "deer turkey", "").hunt("crow", "2", "crow", "crow")
    said = [ruling for ruling in table.rulings if ruling.rule == "S20"]
    assert [ruling.what for ruling in said] == ["gets supply", *["gets supply by animals"] * 2, "gets supply"]
    assert said[1].facts == {"seat": 2, "value": 3, "total": 5, "number": 2, "seats": (0, 2), "counts": (1, 2)}
    assert say(said[1], GAME.sentences, "ABCD") == (
        "C gets supply card 3: A and C have prey worth 5 each, so the number of animals decides: 1 and 2"
    )


def test_S20_a_card_that_was_dealt_says_who_was_level_in_prey_and_animals():
    table = Table(4).with_prey("bear rabbit", NINETEEN, "deer turkey", "").hunt("crow", "2", "crow", "crow").dealt(2, 0)
    assert [ruling.what for ruling in table.rulings if ruling.rule == "S20"] == [
        *["is dealt supply"] * 2,
        "gets supply",
    ]
    assert say(table.rulings[0], GAME.sentences, "ABCD") == (
        "C was dealt the supply card 3: A and C have prey worth 5 each, and 2 and 2 animals"
    )


def test_S20_the_final_parts_say_what_ranked_a_supply_card():
    table = Table(4).with_supply(3, *[(1, 1)] * 4).with_prey("bison", NINETEEN, "deer turkey", "bear rabbit")
    table.hunt("crow", "2", "crow", "crow").dealt(3, 2)
    parts = [score.parts[2] for score in GAME.scores(table.state)]
    assert [part.what for part in parts] == ["supply by animals", "supply", "supply dealt", "supply dealt"]
    assert parts[0].facts["seats"] == (0, 2, 3)
    assert say(parts[0], GAME.sentences, "ABCD") == (
        "A got supply 3 in winter 3: A, C and D had 5 each, the number of animals decided: 1, 2 and 2"
    )


# --- S21 and S22 Taking back ----------------------------------------------------------------------------------


def test_S21_prey_returns_everyone_takes_all_their_cards_back_and_the_next_supply_is_laid_out():
    table = Table(3).hunt("9", "5", "4").with_prey("bison", NINETEEN, "").hunt("crow", "2", "crow")
    assert (table.bank, table.totals) == (Table(3).bank, (0, 0, 0))
    assert (table.hands, table.laid_out, table.winter, table.phase) == ((11, 12, 11), (4, 3, 2), 2, "play")


def test_S21_the_last_reveal_leaves_the_public_table_when_a_winter_begins():
    table = Table(3).with_prey(NINETEEN, "bison", "").hunt("2", "crow", "crow")
    assert (table.winter, table.phase, GAME.view(table.state).open) == (2, "play", ())
    tied = Table(3).with_prey(NINETEEN, "bison", "bison").hunt("2", "crow", "crow")
    assert GAME.view(tied.state).open == ("2", "crow", "crow"), "while supply is dealt it still lies there"
    assert GAME.view(tied.dealt(1, 2).state).open == ()


def test_S22_when_any_player_has_played_their_last_card_every_player_takes_their_played_cards_back():
    table = Table(3).hunt("9", "5", "4").with_hand(2, "3").hunt("10", "2", "3")
    assert (table.ruled[-1], table.facts("last card")) == (("S22", "last card"), {"seats": (2,)})
    assert table.hands == (11, 11, 11)


def test_S22_only_when_the_round_is_finished_duel_and_gifts_included():
    table = Table(3).with_hand(2, "crow").with_prey("turkey", "bear rabbit", "bear").hunt("5", "2", "crow")
    assert (table.phase, table.hands) == ("gifts", (10, 10, 0))
    assert table.gifts(0).hands == (11, 11, 11)
    table = Table(3).with_hand(2, "3").hunt("9", "9", "3").crow(0, True).do(Duel(0, "4"))
    assert table.hands == (9, 10, 0)
    assert table.do(Duel(1, "5")).hands == (11, 11, 11)


def test_S22_a_bluff_that_came_back_is_a_card_in_hand():
    table = Table(3).with_hand(0, "9", "4").hunt("9", "9", "2").duel(one="4", other="5")
    assert table.hands == (1, 10, 10)


def test_S22_a_crow_that_was_the_last_card_is_gone_and_all_take_back():
    table = Table(3).with_hand(0, "9", "crow").hunt("9", "9", "2").duel(one="crow", other="5")
    assert table.hands == (10, 11, 11)


def last_card(*hands: str, **options) -> Table:
    """Seat 2 lays its last card now; the others have played some cards, too."""
    table = Table(3, last_card="at_once", **options).with_prey("turkey", "bear rabbit", "bear")
    for seat, cards in enumerate(hands):
        table.with_hand(seat, *cards.split())
    return table


def test_S22_at_once_all_take_back_what_they_played_in_earlier_rounds_before_any_question():
    table = last_card("5 9", "2 3 4", "crow").hunt("5", "2", "crow")
    assert (table.phase, table.hands) == ("gifts", (10, 10, 10))
    assert table.facts("last card at once") == {"seats": (2,)}
    assert [table.holds(seat) & {card} for seat, card in enumerate(("5", "2", "crow"))] == [set(), set(), set()]


def test_S22_at_once_the_cards_that_lie_there_come_back_when_the_round_is_finished():
    table = last_card("5 9", "2 3 4", "crow").hunt("5", "2", "crow").gifts(0)
    assert (table.phase, table.hands, table.ruled[-1]) == ("play", (11, 11, 11), ("S22", "last cards follow"))
    table = last_card("12", "2 3 4", "crow").hunt("12", "2", "crow")
    assert (table.phase, table.hands) == ("play", (11, 11, 11)), "also when nothing is asked"


def test_S22_at_once_what_was_taken_back_may_be_laid_in_this_rounds_duel_the_hunter_card_included():
    table = last_card("9", "9 2", "3").with_hunter(0)
    hands = tuple(tuple(card for card in hand if card.card != HUNTER) for hand in table.state.hands)
    table.state = replace(table.state, hands=hands, choices=hands)
    table.hunt("9", "9", "3").crow(0, True)
    assert table.hands == (11, 10, 10)
    table.do(Duel(0, HUNTER)).do(Duel(1, "crow"))
    assert table.hands == (12, 10, 11), "the crow has left the game"


def test_S22_at_once_does_nothing_as_long_as_every_player_holds_a_card():
    table = last_card("5 9", "2 3 4", "crow 9").hunt("5", "2", "crow")
    assert table.hands == (1, 2, 1)
    assert table.gifts(0).hands == (1, 2, 1)


def test_S22_at_once_while_supply_is_dealt_it_shows_too():
    table = last_card("2 9", "crow 3", "crow", box=STANDIN).with_prey(NINETEEN, "bison", "bison")
    table.hunt("2", "crow", "crow")
    assert (table.phase, table.hands) == ("dealt", (10, 10, 10))
    assert table.dealt(1, 2).hands == (12, 11, 11)
    assert table.state.taken_back is False


def test_S22_at_once_a_hand_that_the_duel_emptied_is_filled_when_the_round_is_finished():
    table = Table(3, last_card="at_once").with_hand(0, "9", "crow").hunt("9", "9", "2").duel(one="crow", other="5")
    assert table.hands == (10, 11, 11)


# --- S23 The end ----------------------------------------------------------------------------------------------


def over(*supply: tuple[int, ...]) -> Table:
    """Before the end of the third winter; seat 0 is first in it, then 1, then 2. It hands out 5, 4, 3."""
    table = Table(3).with_supply(3, *supply).with_prey(NINETEEN, "bison", "")
    return table.hunt("2", "crow", "crow")


def test_S23_after_the_third_winter_the_highest_sum_of_supply_cards_wins():
    table = over((1, 2), (3, 4), (2, 3))
    assert (table.phase, table.winter, table.laid_out, table.awaiting) == ("over", 3, (), None)
    assert (table.points, table.winners) == ([8, 11, 8], (1,))
    assert table.supply[0] == (1, 2, 5)
    assert (table.hunter, table.hands, table.bank) == (0, (12, 11, 11), Table(3).bank)
    assert GAME.legal(table.state) == ()


def test_S23_the_parts_are_the_winters():
    (score, *_) = GAME.scores(over((1, 2), (3, 4), (2, 3)).state)
    assert [(part.for_, part.points, part.rule) for part in score.parts] == [
        ("winter 1", 1, "S23"),
        ("winter 2", 2, "S23"),
        ("winter 3", 5, "S23"),
    ]


def test_S23_every_part_tells_which_prey_made_the_rank():
    table = Table(3).with_prey(NINETEEN, "bison rabbit", "bear turkey").hunt("2", "crow", "crow")
    assert table.phase == "dealt"
    table.dealt(2, 1)
    first, tied, also = (score.parts[0] for score in GAME.scores(table.state))
    assert (first.what, first.facts["total"]) == ("supply", 20)
    assert first.facts["animals"].count("bison") == 3
    assert (tied.what, tied.facts["total"], tied.facts["animals"]) == ("supply dealt", 6, ("bison", "rabbit"))
    assert (also.what, also.facts["total"], also.facts["animals"]) == ("supply dealt", 6, ("bear", "turkey"))
    assert [first.points, tied.points, also.points] == [3, 1, 2]


def test_S23_a_tie_goes_to_more_supply_in_the_third_winter():
    table = over((1, 2), (2, 2), (3, 2))
    assert (table.points, table.winners) == ([8, 8, 8], (0,))


def test_S23_then_shared():
    table = over((1, 2), (2, 2), (3, 2))
    state = replace(table.state, supply=((1, 4, 5), (2, 3, 5), (3, 4, 3)))
    assert GAME.winners(state) == (0, 1)


def test_S23_the_tie_break_is_told_with_everybodys_third_winter():
    table = over((1, 2), (2, 2), (3, 2))
    facts = {"seats": (0, 1, 2), "points": 8, "values": (5, 4, 3)}
    assert broken_tie(GAME, table.state) == Ruling("S23", "third winter decides", facts)
    three = replace(table.state, supply=((1, 4, 5), (2, 3, 5), (3, 4, 3)))
    assert broken_tie(GAME, three) is not None, "two of three win"
    assert broken_tie(GAME, replace(table.state, supply=((1, 4, 5), (2, 3, 5), (3, 2, 3)))) is None


@pytest.mark.parametrize("action", [Play(0, "9"), Name(0, 6), Crow(0, True), Duel(0, "9"), Gifts(0, ()), Dealt((0, 1))])
def test_S23_after_the_end_every_action_is_refused(action):
    assert over((1, 2), (3, 4), (2, 3)).refused(action).rule == "S23"


def test_a_rematch_begins_like_the_game_before():
    assert GAME.rematch(Setup(3, 1, Options(), STANDIN)) == (1, {})


# --- Undo: which pieces go back where -------------------------------------------------------------------------


def undone(table: Table, before: Table) -> set[tuple[str, str, int | None, int, str, str]]:
    found = moves(GAME.whereabouts(table.state), GAME.whereabouts(before.state))
    return {
        (move.thing.kind, move.thing.id, move.thing.owner, move.count, move.source.kind, move.target.kind)
        for move in found
    }


def test_undo_of_a_laid_card_says_whose_but_not_which():
    assert undone(Table(3).do(Play(1, "9")), Table(3)) == {("card", "", 1, 1, "laid", "hand")}


def test_undo_of_a_reveal_turns_the_cards_over_again_and_the_last_one_goes_back_to_the_hand():
    before = Table(3).do(Play(0, "9")).do(Play(1, "5"))
    assert undone(Table(3).hunt("9", "5", "4"), before) == {
        ("card", "9", 0, 1, "played", "hand"),
        ("card", "5", 1, 1, "played", "hand"),
        ("card", "4", 2, 1, "played", "hand"),
        ("card", "", 0, 1, "hand", "laid"),
        ("card", "", 1, 1, "hand", "laid"),
        ("prey", "bear", None, 1, "prey", "bank"),
    }


def test_undo_of_a_winter_names_everything_that_moved():
    before = Table(3).with_prey("bison", NINETEEN, "").do(Play(0, "crow")).do(Play(1, "2"))
    after = Table(3).with_prey("bison", NINETEEN, "").hunt("crow", "2", "crow")
    assert undone(after, before) == {
        ("card", "", 0, 1, "hand", "laid"),
        ("card", "", 1, 1, "hand", "laid"),
        ("card", "hunter", None, 1, "hand", "aside"),
        ("prey", "bison", None, 1, "bank", "prey"),
        ("prey", "bison", None, 3, "bank", "prey"),
        ("prey", "bear", None, 1, "bank", "prey"),
        ("supply", "1-3", None, 1, "supply", "laid out"),
        ("supply", "1-2", None, 1, "supply", "laid out"),
        ("supply", "1-1", None, 1, "supply", "laid out"),
        ("supply", "2-4", None, 1, "laid out", "stack"),
        ("supply", "2-3", None, 1, "laid out", "stack"),
        ("supply", "2-2", None, 1, "laid out", "stack"),
    }


def test_undo_of_a_duel_brings_the_crow_back():
    duel = Table(3).hunt("9", "9", "2").crow(0, True).do(Duel(0, "crow"))
    after = Table(3).hunt("9", "9", "2").duel(one="crow", other="4")
    assert undone(after, duel) == {
        ("card", "crow", 0, 1, "gone", "hand"),
        ("card", "", 0, 1, "hand", "laid"),
        ("prey", "rabbit", None, 1, "prey", "bank"),
    }

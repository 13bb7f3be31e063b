"""C1 to C3, C11 to C14, C17 and C18: set-up, rows, sickles, the end of turn, round and game."""

import pytest
from msgspec.structs import replace

from companion.gamekit.game import Refusal
from companion.gamekit.game_start import read_action
from companion.games.carnuta.components import Pair
from companion.games.carnuta.rules import GAME
from companion.games.carnuta.rules.state import (
    Bonus,
    Deal,
    Discard,
    EndTurn,
    Flip,
    Play,
    Runes,
    Sickle,
    Start,
    Take,
)
from companion.language.wording import say

from .table import MOON_ROW, START, SUN, SUN_ROW, Table

NAMES = ("Anna", "Ben", "Cleo", "Dora")

# --- C1 Set-up ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 5), (4, 3)])
def test_C1_runes_not_given_out_form_the_reserve_half_sun_half_moon(players, each):
    table = Table(players)
    assert table.reserve == Pair(each, each)
    assert table.runes == (Pair(2, 2),) * players


def test_C1_four_open_slots_two_sickles_and_an_empty_hand():
    table = Table(3)
    assert (table.slots, table.sickles, table.hands) == ((4, 4, 4), (2, 2, 2), (0, 0, 0))
    assert (table.decks, table.discards, table.bonus) == (Pair(36, 36), Pair(0, 0), ((), (), ()))


def test_C1_start_cards_come_first_from_seat_0_no_matter_who_starts():
    table = Table(3, first=1)
    assert (table.phase, table.turn, table.round, table.actions_left) == ("start", 1, 1, 2)
    assert GAME.awaiting(table.state).seats == (0,)
    assert table.refused(Start(1, START[1])).rule == "C18"
    table.starts(*START[:3])
    assert (table.phase, table.turn, table.hands) == ("deal", 1, (1, 1, 1))
    assert GAME.awaiting(table.state).seats == (1,)


def test_C1_a_start_card_counts_in_its_deck_until_it_is_named():
    table = Table(2).starts("skull-1")
    assert (table.decks, table.hands) == (Pair(35, 36), (1, 0))
    assert table.do(Start(1, "egg-2")).decks == Pair(35, 35)


@pytest.mark.parametrize(("card", "rule"), [("unicorn", "C18"), ("", "C18"), ("skull-1", "C1")])
def test_C1_a_start_card_comes_from_a_deck_and_its_refusal_names_no_card(card, rule):
    refusal = Table(2).starts("skull-1").refused(Start(1, card))
    assert refusal == Refusal(rule, "no start card", {"seat": 1})


def test_C1_two_open_rows_of_four_sun_first():
    table = Table(2).starts(*START[:2]).deals(*SUN_ROW)
    assert (table.rows, table.state.due) == (Pair(SUN_ROW, ()), "moon")
    table.deals(*MOON_ROW)
    assert (table.rows, table.phase, table.decks) == (Pair(SUN_ROW, MOON_ROW), "act", Pair(30, 32))
    assert table.ruled == [("C1", "is dealt"), ("C2", "begins")]


def test_C1_with_the_option_the_start_card_is_played_at_once_free_of_cost():
    table = Table(2, start_card="played").starts("skull-1")
    assert table.columns[0]["skull"] == ("skull-1",)
    assert (table.hands, table.runes[0], table.revealed) == ((0, 0), Pair(2, 2), (0,))


def test_C1_with_the_option_a_salt_start_card_names_its_column():
    table = Table(2, start_card="played")
    assert table.refused(Start(0, "salt-1")).rule == "C7"
    assert table.refused(Start(0, "salt-1", "salt")).rule == "C7"
    assert table.do(Start(0, "salt-1", "moth")).columns[0]["moth"] == ("salt-1",)


def test_C1_with_the_option_it_is_the_first_played_card():
    table = Table(2, start_card="played").starts("skull-1", "berry-2").deals(*SUN_ROW, *MOON_ROW)
    table.holding("honey-6", "honey-7", "honey-4").having_played("egg-3").with_runes(4, 4)
    assert table.play("honey-7").slots[0] == 4
    assert table.play("honey-4").slots[0] == 5, "the fourth card"


@pytest.mark.parametrize("rule", ["hand", "played"])
def test_C1_after_the_set_up_no_player_takes_a_start_card(rule):
    table = Table(2, start_card=rule).ready()
    assert table.refused(Start(0, "moth-1")).rule == "C1"


def test_C1_nothing_else_comes_before_the_start_cards():
    table = Table(2)
    for action in (
        Take(0, "egg-1"),
        Play(0, "egg-1"),
        Runes(0, "sun"),
        Flip(0, "sun"),
        Sickle(0, "sun"),
        EndTurn(0),
    ):
        assert table.refused(action).rule == "C1"
    assert table.refused(Deal("sun", "egg-1")).rule == "C3"
    assert table.refused(Bonus(0, "egg")).rule == "C1"


# --- C2 A turn ------------------------------------------------------------------------------------------------


def test_C2_two_actions_in_any_order_the_same_twice_or_two_different():
    for first, second in (("sun", "moon"), ("moon", "sun")):
        table = Table().ready().flip(first)
        assert table.actions_left == 1
        assert table.flip(second).actions_left == 0
    assert Table().ready().flip("sun").take("honey-2").actions_left == 0


@pytest.mark.parametrize(
    "action", [Take(0, "honey-2"), Play(0, "skull-1"), Runes(0, "sun"), Flip(0, "sun"), Flip(0, "moon")]
)
def test_C2_a_third_action_is_refused(action):
    assert Table().ready().flip("sun", "moon").refused(action) == Refusal("C2", "no action left", {"seat": 0})


def test_C2_the_turn_cannot_end_before_both_actions_are_used():
    table = Table().ready()
    assert table.refused(EndTurn(0)) == Refusal("C2", "actions first", {"seat": 0, "count": 2})
    assert table.flip("sun").refused(EndTurn(0)).facts["count"] == 1
    assert table.flip("moon").done().turn == 1


# --- C3 Taking a card -----------------------------------------------------------------------------------------


def test_C3_one_open_card_goes_to_the_hand_and_its_place_is_refilled_at_once():
    table = Table().ready().take("clover-1")
    assert (table.phase, table.state.due, table.hands[0], table.actions_left) == ("deal", "sun", 2, 1)
    assert table.rows.sun == ("honey-2", "flower-2", "egg-1")
    assert table.may == ("deal",)
    table.deals("egg-3")
    assert (table.rows.sun, table.phase) == (("honey-2", "flower-2", "egg-1", "egg-3"), "act")
    assert table.ruled == [("C3", "is dealt")]


def test_C3_a_card_of_the_moon_row_is_refilled_from_the_moon_deck():
    table = Table().ready().take("egg-2")
    assert table.state.due == "moon"
    assert table.deals("egg-4").rows.moon == ("honey-1", "clover-2", "flower-1", "egg-4")


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (Deal("moon", "egg-4"), "C3"),
        (Deal("sun", "egg-4"), "C3"),
        (Deal("sun", "skull-1"), "C3"),
        (Deal("sun", "clover-1"), "C3"),
        (Deal("sun", "honey-2"), "C3"),
        (Deal("sun", "unicorn"), "C18"),
        (Take(0, "honey-2"), "C3"),
        (Play(0, "clover-1"), "C3"),
        (Flip(1, "sun"), "C3"),
        (Sickle(0, "moon"), "C3"),
        (EndTurn(0), "C3"),
        (Bonus(0, "egg"), "C3"),
    ],
)
def test_C3_while_a_deal_is_due_everything_else_is_refused(action, rule):
    assert Table().ready().take("clover-1").refused(action).rule == rule


@pytest.mark.parametrize(("card", "rule"), [("egg-3", "C3"), ("skull-1", "C3"), ("unicorn", "C18")])
def test_C3_only_a_card_of_the_rows_can_be_taken(card, rule):
    assert Table().ready().refused(Take(0, card)).rule == rule


def test_C3_no_card_is_dealt_when_no_place_is_empty():
    assert Table().ready().refused(Deal("sun", "egg-3")) == Refusal("C3", "no place is empty")


# --- C11 Sickles ----------------------------------------------------------------------------------------------


def test_C11_a_sickle_discards_a_whole_row_and_costs_no_action():
    table = Table().ready().sickle("moon")
    assert (table.rows.moon, table.discards, table.sickles) == ((), Pair(0, 4), (1, 2))
    assert (table.phase, table.state.due, table.actions_left) == ("deal", "moon", 2)
    table.deals("honey-3", "honey-5", "honey-7", "egg-4")
    assert (table.phase, table.decks.moon) == ("act", 28)
    assert table.ruled == [("C3", "is dealt")]


def test_C11_once_per_turn():
    table = Table().ready().sickle("sun").deals(*SUN[-4:])
    assert table.refused(Sickle(0, "moon")).rule == "C11"
    table.idle_turns(2).sickle("moon")
    assert table.sickles == (0, 2)


def test_C11_with_the_option_more_often():
    table = Table(sickles_per_turn=2).ready().sickle("sun").deals(*SUN[-4:]).sickle("sun").deals(*SUN[-8:-4])
    assert table.refused(Sickle(0, "sun")) == Refusal("C11", "no sickles left", {"seat": 0})
    table.with_player(0, sickles=1)
    assert table.refused(Sickle(0, "sun")) == Refusal("C11", "enough sickles", {"seat": 0, "count": 2})


def test_C11_without_a_sickle_it_is_refused():
    assert Table().ready().with_player(0, sickles=0).refused(Sickle(0, "sun")).rule == "C11"


def test_C11_also_when_both_actions_are_used_but_not_after_done():
    table = Table().ready().flip("sun", "moon").sickle("sun").deals(*SUN[-4:])
    assert table.done().refused(Sickle(0, "sun")).rule == "C18"


def test_C11_not_on_an_empty_row():
    table = Table().ready()
    table.state = replace(table.state, rows=Pair((), MOON_ROW), decks=Pair({}, table.state.decks.moon))
    assert table.refused(Sickle(0, "sun")) == Refusal("C11", "the row is empty", {"row": "sun"})


# --- C12 Empty decks ------------------------------------------------------------------------------------------


def test_C12_the_discards_become_the_deck_when_a_place_has_to_be_filled():
    table = Table().ready().with_deck("sun", discards=("moth-3", "moth-5"))
    assert (table.decks.sun, table.discards.sun) == (0, 2), "not earlier"
    table.take("egg-1")
    assert (table.decks.sun, table.discards.sun, table.phase) == (2, 0, "deal")
    assert table.ruled == [("C3", "takes a card"), ("C12", "reshuffled")]
    assert table.deals("moth-5").decks.sun == 1


def test_C12_a_discarded_card_is_not_dealt_before_the_reshuffle():
    table = Table().ready().with_deck("sun", "moth-3", discards=("moth-5",)).take("egg-1")
    assert table.refused(Deal("sun", "moth-5")).rule == "C12"
    assert table.deals("moth-3").discards.sun == 1
    assert table.take("clover-1").deals("moth-5").discards.sun == 0


def test_C12_with_no_discards_the_place_stays_empty():
    table = Table().ready().with_deck("sun").take("egg-1")
    assert (table.phase, table.rows.sun) == ("act", SUN_ROW[:3])
    assert ("C12", "stays empty") in table.ruled


def test_C12_a_swept_row_may_come_back_at_once():
    table = Table().ready().with_deck("sun", "moth-3").sickle("sun")
    assert (table.decks.sun, table.discards.sun) == (1, 4)
    table.deals("moth-3")
    assert (table.decks.sun, table.discards.sun, table.phase) == (4, 0, "deal")
    table.deals(*SUN_ROW[:3])
    assert (table.rows.sun, table.decks.sun) == (("moth-3", *SUN_ROW[:3]), 1)


def test_C12_a_discarded_hand_card_fills_an_empty_place():
    table = Table().ready().with_deck("sun").holding("salt-1", "salt-3").take("egg-1").take("clover-1")
    assert table.rows.sun == ("honey-2", "flower-2")
    table.discard("egg-1")
    assert (table.phase, table.decks.sun, table.discards.sun) == ("deal", 1, 0)
    assert table.refused(EndTurn(0)).rule == "C3"
    table.deals("egg-1")
    assert table.rows.sun == ("honey-2", "flower-2", "egg-1")
    assert table.discard("clover-1").deals("clover-1").done().turn == 1


# --- C13 The end of a turn ------------------------------------------------------------------------------------


def full_hand() -> Table:
    return Table().ready().holding("salt-1", "salt-2").take("egg-1").deals("egg-3").take("egg-2").deals("egg-4")


def test_C13_down_to_three_hand_cards():
    table = full_hand()
    assert (table.hands[0], table.may) == (5, ("sickle", "discard"))
    assert table.refused(EndTurn(0)) == Refusal("C13", "too many cards", {"seat": 0, "count": 2})
    table.discard("egg-1", "egg-2")
    assert (table.hands[0], table.discards, table.may) == (3, Pair(1, 1), ("sickle", "done"))
    assert table.done().turn == 1


def test_C13_nothing_is_discarded_before_both_actions_are_used_or_with_few_cards():
    table = Table().ready().holding("salt-1", "salt-2", "salt-3")
    assert table.refused(Discard(0, "salt-1")).rule == "C13"
    table.flip("sun", "moon").discard("salt-1")
    assert table.refused(Discard(0, "salt-2")) == Refusal("C13", "few enough cards", {"seat": 0, "count": 3})


@pytest.mark.parametrize("card", ["berry-2", "honey-1", "unicorn"])
def test_C13_only_an_own_card_is_discarded(card):
    assert full_hand().refused(Discard(0, card)).rule == "C18"


def test_C13_the_board_is_looked_at_once_when_both_actions_are_used():
    table = Table().ready().flip("sun").take("egg-1")
    assert ("C13", "check the board") not in table.ruled, "a card is still dealt"
    table.deals("egg-3")
    assert table.rulings[-1].facts == {"seat": 0, "suns": 0, "moons": 4, "marker": 0}
    table.sickle("sun").deals(*SUN[-4:])
    assert ("C13", "check the board") not in table.ruled


def test_C13_the_marker_equals_the_number_of_played_cards():
    table = Table().ready().having_played(*SUN[-5:]).play("skull-1").choose("egg").flip("moon").done()
    assert table.rulings[0].facts == {"seat": 0, "marker": 6}


# --- C14 The end ----------------------------------------------------------------------------------------------

TEN = ("moth-3", "moth-5", "moth-7", "berry-4", "berry-6", "berry-8", "skull-3", "skull-5", "skull-7", "mushroom-2")


def near_the_end(seat: int = 0, **options) -> Table:
    table = Table(**options).ready().having_played(*TEN, seat=seat)
    return table if seat == 0 else table.idle_turn()


def test_C14_eleven_cards_finish_the_round_and_bring_one_more():
    table = near_the_end().play("skull-1")
    assert ("C14", "has eleven cards") in table.ruled
    assert not table.last_round
    table.flip("moon").done().idle_turn()
    assert (table.round, table.last_round, table.turn) == (2, True, 0)
    table.idle_turns(2)
    assert (table.phase, table.turn, table.actions_left, table.round, table.last_round) == ("over", None, 0, 2, True)


def test_C14_the_end_is_told_once_by_the_first_who_has_eleven_cards():
    others = [card for card in SUN if card not in (*TEN, *SUN_ROW, *START)][:10]
    table = near_the_end().having_played(*others, seat=1).play("skull-1").flip("moon").done()
    table.play("berry-2")
    assert ("C14", "also has eleven cards") in table.ruled
    assert ("C14", "has eleven cards") not in table.ruled
    table = near_the_end().play("skull-1").flip("moon").done().idle_turn().idle_turn()
    table.having_played(*others, seat=1).play("berry-2")
    assert (table.last_round, table.seat) == (True, 1)
    assert [what for rule, what in table.ruled if rule == "C14"] == ["also has eleven cards"]


def test_C14_also_if_the_last_player_of_a_round_has_them():
    table = near_the_end(seat=1).play("berry-2").flip("moon").done()
    assert (table.round, table.last_round) == (2, True)
    assert table.idle_turns(2).phase == "over"


def test_C14_a_round_ends_when_the_player_before_the_first_has_finished():
    table = Table(3, first=1).ready().idle_turns(2)
    assert (table.turn, table.round) == (0, 1)
    assert (table.idle_turn().turn, table.round) == (1, 2)


def test_C14_with_the_option_there_is_no_further_round():
    table = near_the_end(last_round=False)
    assert not table.last_round
    assert table.play("skull-1").last_round
    assert ("C14", "eleven cards in the last round") in table.ruled
    assert table.flip("moon").done().idle_turn().phase == "over"
    assert table.round == 1


def test_C14_more_than_eleven_cards_are_allowed_and_the_marker_stays():
    table = near_the_end().holding("salt-2", "salt-1").with_runes(4, 2).play("skull-1").play("salt-2", as_="egg")
    assert (table.phase, sum(map(len, table.columns[0].values()))) == ("act", 12)
    assert table.rulings[0].facts["marker"] == 11
    assert GAME.view(table.state).marker[0] == 11


@pytest.mark.parametrize(
    "action", [Start(0, "egg-1"), Deal("sun", "egg-3"), Take(0, "egg-1"), EndTurn(0), Bonus(1, "egg")]
)
def test_C14_after_the_end_every_action_is_refused(action):
    table = Table().ready().over_with("moth-3", "moth-5")
    assert table.refused(action).rule == "C14"
    assert GAME.awaiting(table.state) is None
    assert GAME.legal(table.state) == []


# --- C17 Secrecy ----------------------------------------------------------------------------------------------


def test_C17_the_start_card_is_hidden_and_a_taken_card_is_known():
    table = Table().ready().take("egg-1").deals("egg-3")
    assert GAME.view(table.state).known == (("egg-1",), ())
    assert table.hands == (2, 1)


def test_C17_playing_the_start_card_reveals_it():
    table = Table().ready().play("skull-1")
    assert table.revealed == (0,)
    assert table.state.players[0].secret is None


def test_C17_discarding_the_start_card_reveals_it_too():
    assert full_hand().discard("skull-1").revealed == (0,)


def test_C17_what_is_offered_does_not_tell_which_card_it_is():
    offered = GAME.offered(Table().ready().state)
    plays = [action.card for action in offered if isinstance(action, Play)]
    assert "skull-1" in plays
    assert len(plays) > 10
    deals = [action.card for action in GAME.offered(Table().starts(*START[:2]).state)]
    assert {"skull-1", "berry-2"} <= set(deals)


def test_C17_a_refusal_says_nothing_about_the_start_card():
    table = Table().ready().with_runes(0, 0)
    assert table.refused(Play(0, "skull-1")) == Refusal("C5", "cannot pay this", {"seat": 0})


def test_C17_start_cards_that_were_never_played_are_shown_at_the_end():
    table = near_the_end(last_round=False).play("skull-1").flip("moon").done().idle_turn()
    assert table.revealed == (1,)
    assert table.rulings[-1].facts == {"seat": 1, "card": "berry-2"}
    assert GAME.view(table.state).known[1] == ("berry-2",)


# --- C18 Order and form ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [Take(1, "egg-1"), Play(1, "berry-2"), Runes(1, "sun"), Flip(1, "sun"), EndTurn(1)])
def test_C18_out_of_turn_is_refused_with_the_name_of_the_player_whose_turn_it_is(action):
    refusal = Table().ready().refused(action)
    assert refusal.rule == "C18"
    assert say(refusal, GAME.sentences, NAMES) == "It is Anna's turn, not Ben's"


@pytest.mark.parametrize("seat", [-1, 2, 10**20])
def test_C18_a_seat_that_does_not_exist_is_refused_at_any_time(seat):
    for table in (Table(), Table().starts(*START[:2]), Table().ready(), Table().ready().over_with("", "")):
        for action in (
            Start(seat, "egg-1"),
            Take(seat, "egg-1"),
            Bonus(seat, "egg"),
            Sickle(seat, "sun"),
            EndTurn(seat),
        ):
            assert table.refused(action).rule == "C18"


@pytest.mark.parametrize(
    "data",
    [
        {"do": "take", "seat": 0},
        {"do": "take", "seat": True, "card": "egg-1"},
        {"do": "take", "seat": 0.0, "card": "egg-1"},
        {"do": "take", "seat": "0", "card": "egg-1"},
        {"do": "take", "card": "egg-1"},
        {"do": "play", "seat": 0, "card": 7},
        {"do": "runes", "seat": 0, "face": "earth"},
        {"do": "flip", "seat": 0, "face": None},
        {"do": "sickle", "seat": 0, "row": "upper"},
        {"do": "deal", "row": 1, "card": "egg-1"},
        {"do": "done"},
    ],
)
def test_C18_what_cannot_be_read_is_refused(data):
    refusal = read_action(GAME, data)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "C18"


@pytest.mark.parametrize("seat", [None, 7, "x"])
def test_C18_a_seat_given_with_a_deal_is_ignored(seat):
    assert read_action(GAME, {"do": "deal", "row": "sun", "card": "egg-1", "seat": seat}) == Deal("sun", "egg-1")


def test_the_next_game_of_a_match_is_started_by_the_next_player():
    state = Table(3, first=2).state
    setup = type("Setup", (), {"first": state.first, "players": 3})
    assert GAME.rematch(setup) == (0, {})

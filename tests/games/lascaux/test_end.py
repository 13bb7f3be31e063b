"""L15 to L21: the end of the game, points, winners and options. One or more tests for each ruling, named after it."""

from functools import partial

import pytest
from msgspec import json
from msgspec.structs import replace

from companion.gamekit.ending import broken_tie
from companion.gamekit.game import Place, Ruling, Setup, Thing
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import Choose, Draw, End, Pass, Stone
from companion.language.wording import say

from .table import ALL_SIX, FIVE_COLOURS, FIVE_COLOURS_MORE, STANDIN, Table

LAST = ("goat-pink-blue", "goat-green-white")


def last_round(players: int = 3, **options: str) -> Table:
    return Table(players, **options).with_deck(*LAST).draws(*LAST)


def stalemate() -> Table:
    return last_round().choose("brown", "brown", "yellow").stone(0).passes(1, 2)


# --- L15 and L16 The end --------------------------------------------------------------------------------------


def test_L15_the_game_ends_when_all_cards_have_an_owner():
    table = last_round().choose("pink", "brown", "green").stone(0).passes(1, 2)
    assert (table.phase, table.deck, table.row) == ("over", 0, ())
    assert table.ruled[-1] == ("L15", "all cards have an owner")
    assert GAME.awaiting(table.state) is None
    assert GAME.legal(table.state) == ()


def test_L15_tested_after_the_whole_pile_is_revealed():
    table = last_round().choose("pink", "green", "pink").passes(0, 1)
    assert [ruling.facts["seat"] for ruling in table.rulings if ruling.rule == "L12"] == [2, 1, 0]
    assert table.phase == "over"


def test_L15_round_and_start_stay_those_of_the_last_round_and_the_markers_go_back():
    table = last_round().choose("pink", "brown", "green").stone(0).passes(1, 2)
    assert (table.round, table.start, table.pile, table.chosen) == (1, 0, (), (False,) * 3)


def test_L15_an_empty_row_alone_does_not_end_the_game():
    table = Table().draws(*ALL_SIX).choose("brown", "yellow", "green").passes(0, 1)
    assert (table.phase, table.row, table.deck) == ("draw", (), 51)


@pytest.mark.parametrize("action", [Draw("deer-pink-blue"), Choose(0, "blue"), Stone(0), Pass(0), End()])
def test_L15_after_the_end_every_action_is_refused(action):
    table = last_round().choose("pink", "brown", "green").stone(0).passes(1, 2)
    assert table.refused(action).rule == "L15"


def test_L16_after_a_round_without_a_taken_card_the_table_may_agree_to_end():
    table = stalemate()
    assert table.ruled[-2] == ("L16", "stalemate")
    assert GAME.awaiting(table.state).do == ("choose", "end")
    table.end()
    assert (table.phase, table.row, table.round, table.start) == ("over", LAST, 2, 1)


def test_L16_unowned_cards_score_for_no_player():
    table = stalemate().with_stones(0, 0, 36).end()
    assert sum(table.points(0).values()) == 52
    assert table.points(1) == {}


def test_L16_also_after_some_have_chosen_but_not_while_bidding():
    table = stalemate().do(Choose(0, "pink"))
    assert End() in GAME.legal(table.state)
    assert table.do(Choose(1, "pink")).do(Choose(2, "pink")).refused(End()).rule == "L16"
    assert stalemate().do(Choose(0, "pink")).end().chosen == (False,) * 3


def test_L16_a_round_with_a_taken_card_takes_the_offer_back():
    table = stalemate().choose("pink", "pink", "pink").passes(1, 2)
    assert (table.row, table.phase) == (("goat-green-white",), "choose")
    assert table.refused(End()).rule == "L16"


def test_L16_the_offer_comes_again_after_every_such_round():
    table = stalemate().choose("brown", "brown", "brown").passes(1, 2)
    assert (table.round, table.end().phase) == (3, "over")


def test_L16_not_while_the_deck_has_cards():
    table = Table().draws(*FIVE_COLOURS, *FIVE_COLOURS_MORE).choose("blue", "blue", "blue").passes(0, 1)
    assert table.phase == "choose"
    assert table.refused(End()).rule == "L16"


@pytest.mark.parametrize("table", [Table(), Table().draws(*ALL_SIX), last_round()])
def test_L16_only_offered_in_that_case(table):
    assert table.refused(End()).rule == "L16"


# --- L17 to L19 Points ----------------------------------------------------------------------------------------


def test_L17_the_most_cards_of_an_animal_score_one_point_each():
    table = Table().over_with("aurochs " * 5, "aurochs " * 3, "aurochs").with_stones(0, 0, 0)
    assert table.totals == [5, 0, 0]


def test_L17_with_a_tie_everyone_tied_scores_in_full():
    table = Table().over_with("mammoth " * 4, "mammoth " * 4, "mammoth").with_stones(0, 0, 0)
    assert table.totals == [4, 4, 0]


def test_L17_each_animal_is_counted_by_itself():
    table = Table().over_with("deer deer goat", "goat goat horse", "rhinoceros")
    assert table.with_stones(0, 0, 0).totals == [2, 3, 1]
    assert table.points(1) == {"horse": 1, "goat": 2}


def test_L17_the_tied_seats_are_named_and_what_every_player_had():
    table = Table(4).over_with("mammoth " * 3, "mammoth", "mammoth " * 3, "")
    one, _, other, _ = (score.parts[0] for score in GAME.scores(table.with_stones(0, 6, 0, 6).state))
    assert (one.what, one.facts["seats"], one.facts["counts"]) == ("tied for the most", (2,), (3, 1, 3, 0))
    assert (other.what, other.facts["seats"]) == ("tied for the most", (0,))
    said = say(one, GAME.sentences, ("Anna", "Ben", "Cleo", "Dora"), word=partial(GAME.word, STANDIN))
    assert said == "Anna shares the most mammoths with Cleo, 3 cards: Anna, Ben, Cleo and Dora have 3, 1, 3 and 0"


def test_L17_who_alone_has_the_most_is_tied_with_no_player():
    (part,) = GAME.scores(Table().over_with("goat goat", "goat", "").with_stones(0, 0, 0).state)[0].parts
    assert (part.what, part.facts["seats"], part.facts["counts"]) == ("has the most", (), (2, 1, 0))


def test_L17_no_player_scores_for_no_cards():
    table = Table().over_with("deer", "", "").with_stones(0, 0, 0)
    assert [table.points(seat) for seat in range(3)] == [{"deer": 1}, {}, {}]


@pytest.mark.parametrize(("stones", "points"), [(0, 0), (5, 0), (6, 1), (8, 1), (11, 1), (12, 2), (14, 2), (36, 6)])
def test_L18_one_point_for_every_full_six_stones(stones, points):
    table = Table().over_with("", "", "").with_stones(stones, 0, 0)
    assert table.totals[0] == points


@pytest.mark.parametrize("stones", range(8))
def test_L18_stones_that_are_too_few_for_a_point_are_told(stones):
    score = GAME.scores(Table().over_with("", "", "").with_stones(stones, 0, 0).state)[0]
    told = [Ruling("L18", "too few stones", {"seat": 0, "stones": stones})] if stones < 6 else []
    assert list(score.notes) == told
    assert score.total == sum(part.points for part in score.parts) == stones // 6


def test_L19_the_most_points_win():
    assert Table().over_with("deer", "goat goat", "").with_stones(5, 0, 7).winners == (1,)


def test_L19_a_tie_is_shared():
    assert Table().over_with("deer", "goat", "").with_stones(5, 0, 0).winners == (0, 1)


def test_L19_with_the_option_a_tie_goes_to_the_most_stones():
    assert Table(tie="stones").over_with("deer", "goat", "").with_stones(0, 5, 11).winners == (2,)
    assert Table(tie="stones").over_with("deer deer", "goat goat", "").with_stones(0, 5, 11).winners == (1,)


def test_L19_with_equal_stones_too_it_is_shared():
    assert Table(tie="stones").over_with("deer", "goat", "").with_stones(3, 3, 1).winners == (0, 1)


def test_L19_the_tie_break_is_told_with_everybodys_stones():
    tied = Table(tie="stones").over_with("deer", "goat", "", "").with_stones(0, 5, 6, 3)
    assert broken_tie(GAME, tied.state) == Ruling(
        "L19", "most stones win", {"seats": (0, 1, 2), "points": 1, "counts": (0, 5, 6)}
    )


def test_L19_a_shared_tie_has_no_tie_break():
    for options in ({}, {"tie": "stones"}):
        assert broken_tie(GAME, Table(**options).over_with("deer", "goat", "").with_stones(3, 3, 1).state) is None


# --- L20 and L21 Options --------------------------------------------------------------------------------------


def test_L20_secret_supplies_are_hidden_on_screens_until_the_end():
    table = last_round(stones="secret").choose("pink", "brown", "green").stone(0)
    assert GAME.view(table.state).stones == (None, None, None)
    assert GAME.view(table.state).pot == 1, "the pot stays visible"
    table.passes(1, 2)
    assert GAME.view(table.state).stones == (11, 13, 12)


def test_L20_an_empty_supply_does_not_show_in_what_is_offered():
    table = last_round(stones="secret").choose("pink", "brown", "green")
    rich, poor = table.state, table.with_stones(0, 18, 18).state
    assert GAME.offered(poor) == GAME.offered(rich)
    assert json.encode(GAME.view(poor)) == json.encode(GAME.view(rich))


def test_L20_a_transcripts_table_still_tells_the_supplies():
    assert Table(stones="secret").stones == (12, 12, 12)


def test_L20_open_supplies_are_on_the_screen():
    assert GAME.view(Table().state).stones == (12, 12, 12)


def test_L21_anticlockwise_the_order_of_bidding_is_reversed():
    table = Table(4, first=1, direction="anticlockwise").draws(*ALL_SIX).choose("blue", "blue", "blue", "blue")
    assert table.direction == "anticlockwise"
    table.stone(1, 0, 3, 2, 1)
    assert table.pot == 5


def test_L21_the_pile_and_the_next_start_follow_the_same_rules_anticlockwise():
    table = Table(3, first=0, direction="anticlockwise").draws(*ALL_SIX).choose("brown", "brown", "blue")
    table.stone(0).passes(2, 1)
    assert (table.won[0], table.start) == (("aurochs-brown-blue",), 2)


def test_L21_in_a_match_the_direction_alternates_and_another_player_starts():
    played = Setup(3, 2, Options(), STANDIN)
    assert GAME.rematch(played) == (0, {"direction": "anticlockwise"})
    assert GAME.rematch(replace(played, options=Options(direction="anticlockwise"))) == (0, {"direction": "clockwise"})


@pytest.mark.parametrize("direction", ["clockwise", "anticlockwise"])
def test_L21_with_the_option_the_direction_is_kept_and_another_player_starts_all_the_same(direction):
    assert GAME.rematch(Setup(3, 0, Options(direction=direction, match="keep"), STANDIN)) == (1, {})


def test_pieces_are_the_cards_and_five_sets_of_markers():
    pieces = GAME.pieces(Table().state.box)
    assert len(pieces) == len(set(pieces)) == 54 + 5 * 6
    assert Thing("marker", "blue", 4) in pieces


def test_a_chosen_marker_lies_face_down_and_then_on_the_pile():
    table = Table().draws(*ALL_SIX).choose("blue", "pink", "white").passes(0)
    lying = GAME.whereabouts(table.state)
    assert lying[Thing("marker", owner=0), Place("pile")] == 1
    assert lying[Thing("marker", owner=1), Place("chosen", 1)] == 1
    assert lying[Thing("marker", owner=1), Place("hand", 1)] == 5

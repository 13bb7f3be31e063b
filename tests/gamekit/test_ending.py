"""What decided a game: a tie-break is told exactly when it broke a tie."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from companion.gamekit.ending import (
    broken_tie,
    leader,
    leaders,
    leads,
    partners,
    shared_victory,
    tied_for_the_best,
    together,
)
from companion.gamekit.game import Game, Part, Refusal, Ruling, Score
from companion.language.wording import say


class Dig(Struct, frozen=True, tag_field="do", tag="dig"):
    seat: int


def scored(*totals: int) -> tuple[Score, ...]:
    return tuple(Score(seat, (Part("moles", total, "M1", "moles"),)) for seat, total in enumerate(totals))


def ended(totals: tuple[int, ...], winners: tuple[int, ...], **parts: Any) -> Game[None, Dig]:
    """A game with these points and winners, whatever state it is in."""
    return Game(
        name="moles",
        players=range(2, 6),
        actions=(Dig,),
        setup=lambda _setup: None,
        apply=lambda _state, _dig: Refusal("M1", "over"),
        legal=lambda _state: (),
        scores=lambda _state: scored(*totals),
        table=lambda _state: Dig(0),
        sentences={},
        winners=lambda _state: winners,
        **parts,
    )


@pytest.mark.parametrize(
    ("totals", "winners", "told"),
    [
        ((3, 2, 1), (0,), False),
        ((3, 3, 1), (0, 1), False),
        ((3, 3, 1), (1,), True),
        ((3, 3, 3), (0, 2), True),
        ((0, 0, 0), (0, 1, 2), False),
    ],
    ids=["points alone", "a shared tie", "one of two", "two of three", "no points at all"],
)
def test_a_tie_break_has_decided_when_not_all_who_are_tied_have_won(totals, winners, told):
    assert (broken_tie(ended(totals, winners), None) is not None) == told


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=5), st.data())
def test_only_those_who_share_the_most_points_are_told_to_be_tied(totals, data):
    tied = tied_for_the_best(scored(*totals))
    assert tied == tuple(seat for seat, total in enumerate(totals) if all(total >= other for other in totals))
    winners = data.draw(st.sets(st.sampled_from(tied), min_size=1))
    asked: list[tuple[int, ...]] = []

    def tie_break(_state: object, seats: tuple[int, ...]) -> Ruling:
        asked.append(seats)
        return Ruling("M9", "the longest nose")

    said = broken_tie(ended(tuple(totals), tuple(sorted(winners)), tie_break=tie_break), None)
    assert asked == ([tied] if len(winners) < len(tied) else [])
    assert said == (Ruling("M9", "the longest nose") if asked else None)


def test_a_game_that_brings_no_words_for_it_says_who_was_tied_and_who_won():
    said = broken_tie(ended((3, 3, 3), (0, 2)), None)
    assert said is not None
    assert (said.rule, say(said, {}, ("Anna", "Ben", "Cleo"))) == (
        None,
        "Anna, Ben and Cleo have the most points, and of them Anna and Cleo won",
    )


@pytest.mark.parametrize(("winners", "told"), [((0,), False), ((0, 2), True), ((0, 1, 2), True)])
def test_a_victory_is_explained_when_several_have_won(winners, told):
    assert (shared_victory(ended((3, 3, 3), winners), None) is not None) == told


def test_a_game_that_brings_no_words_for_it_says_who_shares_the_victory_with_how_many_points():
    said = shared_victory(ended((-1, 3, 3), (1, 2)), None)
    assert said is not None
    assert (said.rule, say(said, {}, ("Anna", "Ben", "Cleo"))) == (
        None,
        "Ben and Cleo share the victory with 3 points each",
    )


def test_a_game_says_itself_what_was_compared():
    asked: list[tuple[int, ...]] = []

    def shared(_state: object, winners: tuple[int, ...]) -> Ruling:
        asked.append(winners)
        return Ruling("M9", "equally long noses")

    assert shared_victory(ended((3, 3, 1), (0, 1), shared=shared), None) == Ruling("M9", "equally long noses")
    assert asked == [(0, 1)]


@given(
    st.integers(2, 5).flatmap(
        lambda seats: st.lists(st.lists(st.integers(-9, 99), min_size=seats, max_size=seats), min_size=1)
    )
)
def test_a_match_is_led_by_every_player_with_the_largest_sum(games):
    sums, best = leaders(games)
    assert list(sums) == [sum(game[seat] for game in games) for seat in range(len(games[0]))]
    assert best == tuple(seat for seat in range(len(sums)) if all(sums[seat] >= other for other in sums))


@pytest.mark.parametrize(
    ("totals", "teams", "fewest", "ahead"),
    [
        ((3, 5, 4), (), False, (1,)),
        ((3, 5, 4), (), True, (0,)),
        ((3, 5, 5), (), False, None),
        ((7, 2, 7, 2), partners(4), False, (0, 2)),
        ((7, 2, 7, 2), partners(4), True, (1, 3)),
        ((7, 7), together(2), False, None),
        ((7,), (), False, None),
    ],
    ids=["the most", "the fewest", "level", "a team", "a team with fewer", "all together", "alone"],
)
def test_the_leader_is_the_side_that_is_ahead_of_all_others(totals, teams, fewest, ahead):
    assert leader(totals, teams, fewest) == ahead


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=6), st.booleans())
def test_a_lead_is_the_distance_to_the_best_of_the_others(totals, fewest):
    for seat, lead in enumerate(leads(totals, fewest)):
        others = totals[:seat] + totals[seat + 1 :]
        assert lead == (min(others) - totals[seat] if fewest else totals[seat] - max(others))

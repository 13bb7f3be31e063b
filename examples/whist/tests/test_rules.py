"""The rulings of Whist, one by one, and what holds in every deal."""

from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from whist.components import PACK, TEAMS
from whist.judgement import WhistJudgement
from whist.rules import GAME, Play, State, TurnUp

from companion.gamekit import FaceDown, Refusal, Setup, Step
from companion.gamekit.face_down import after_action, dealt, drawn

BOX = PACK.parse_box(PACK.standin(), "the pack")
LOW = ["2", "3", "4", "5"]


def begun(trump: str = "clubs-2", first: int = 0) -> State:
    state = GAME.setup(Setup(4, first, GAME.options(), BOX))
    return after(state, TurnUp(trump))


def after(state: State, *actions: TurnUp | Play) -> State:
    def then(before: State, action: TurnUp | Play) -> State:
        step = GAME.apply(before, action)
        assert isinstance(step, Step), step
        return step.state

    return reduce(then, actions, state)


def trick(state: State, *cards: str) -> State:
    """The next cards, from the leader on, clockwise."""
    for card in cards:
        state = after(state, Play(state.turn, card))
    return state


def test_W1_partners_sit_opposite_each_other() -> None:
    assert TEAMS == ((0, 2), (1, 3))


def test_W2_the_last_card_is_the_dealers_and_its_suit_is_trump() -> None:
    state = begun("hearts-9")
    assert (state.dealer, state.trump, state.turned_up, state.held) == (3, "hearts", "hearts-9", (13, 13, 13, 13))
    refused = GAME.apply(state, Play(0, "hearts-9"))
    assert isinstance(refused, Refusal)
    assert refused.rule == "W2"


def test_W3_the_player_to_the_dealers_left_leads() -> None:
    assert begun(first=2).turn == 2


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (("hearts-5", "hearts-9", "hearts-J", "hearts-10"), 2),
        (("hearts-5", "spades-A", "hearts-6", "diamonds-A"), 2),
        (("hearts-A", "clubs-3", "hearts-K", "hearts-Q"), 1),
        (("clubs-3", "clubs-A", "hearts-A", "clubs-K"), 1),
    ],
    ids=["the highest of the suit led", "a discard never wins", "a ruff", "trumps led"],
)
def test_W5_the_highest_trump_or_else_the_highest_of_the_suit_led_takes_the_trick(cards, winner) -> None:
    state = trick(begun(), *cards)
    assert state.turn == winner
    assert state.tricks == ((1, 0) if winner % 2 == 0 else (0, 1))


def test_W6_a_player_who_did_not_follow_cannot_play_that_suit_later() -> None:
    state = trick(begun(), "hearts-5", "spades-2", "hearts-6", "hearts-7")
    assert state.lacks[1] == ("hearts",)
    state = trick(state, *(f"diamonds-{rank}" for rank in LOW[:2]))
    refused = GAME.apply(state, Play(1, "hearts-8"))
    assert isinstance(refused, Refusal)
    assert (refused.rule, refused.what) == ("W6", "a revoke")


def test_W6_what_no_player_can_hold_was_a_revoke() -> None:
    """All others are out of hearts, so Anna holds the other twelve, and nothing else."""
    state = trick(begun(), "hearts-5", "spades-2", "spades-3", "spades-4")
    refused = GAME.apply(state, Play(0, "diamonds-2"))
    assert isinstance(refused, Refusal)
    assert (refused.rule, refused.what) == ("W6", "a player revoked")
    assert {action.card.partition("-")[0] for action in GAME.legal(state)} == {"hearts"}


@pytest.mark.parametrize(("tricks", "points"), [((7, 6), (1, 0)), ((3, 10), (0, 4)), ((13, 0), (7, 0))])
def test_W7_each_trick_above_six_is_a_point_for_both_partners(tricks, points) -> None:
    state = replace(begun(), results=(tricks,))
    assert state.points == points
    assert [score.total for score in GAME.scores(state)] == [points[0], points[1]] * 2


def test_W8_a_side_with_five_points_wins_together() -> None:
    state = replace(begun(), results=((11, 2),))
    assert GAME.winners(state) == (0, 2)
    assert GAME.awaiting(state) is None


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_every_deal_is_played_out_from_the_hands_that_were_dealt(seed: int) -> None:
    """A player who plays from a real hand and follows suit is never refused, and all tricks are counted."""
    luck, thinking = Random(seed), WhistJudgement(GAME)
    state = GAME.setup(Setup(4, 0, GAME.options(), BOX))
    assert GAME.face_down is not None
    hidden = dealt(GAME.face_down(state), luck)
    while not state.results:
        assert GAME.face_down(state).is_possible
        action = drawn(GAME.legal(state), hidden)
        action = action or luck.choice(list(thinking.candidates(state, state.turn, hidden.hands[state.turn])))
        following = after(state, action)
        hidden = after_action(hidden, GAME.face_down(state), GAME.face_down(following), luck)
        assert sum(following.tricks) + sum(map(len, hidden.hands)) // 4 in (0, 12, 13)
        state = following
    assert sum(state.results[0]) == 13


def test_a_card_that_only_players_without_room_can_hold_is_impossible() -> None:
    everything = FaceDown(("a", "b"), (1, 1), lacks=(frozenset("a"), frozenset("a")))
    assert not everything.is_possible
    assert FaceDown(("a", "b", "c"), (1, 1), lacks=(frozenset("a"), frozenset("a"))).is_possible

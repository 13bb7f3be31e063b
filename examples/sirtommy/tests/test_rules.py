"""The rulings of Sir Tommy, one by one, and what holds in every game."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sirtommy.components import PACK
from sirtommy.rules import GAME, HAND, Lay, State

from companion.gamekit import Setup, Step

BOX = PACK.parse_box(PACK.standin(), "the pack")


def begun(players: int = 2, heaps: int = 4) -> State:
    return GAME.setup(Setup(players, 0, GAME.options(heaps=heaps), BOX))


def after(state: State, *laid: tuple[str, int]) -> Step[State]:
    step = Step(state, ())
    for card, heap in laid:
        answer = GAME.apply(step.state, Lay(step.state.turn, card, heap))
        assert isinstance(answer, Step), answer
        step = answer
    return step


def test_T1_all_players_are_one_team() -> None:
    assert GAME.teams is not None
    assert GAME.teams(3) == ((0, 1, 2),)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_T2_all_are_dealt_a_hand_and_the_rest_is_the_stock(players: int) -> None:
    state = begun(players)
    assert state.held == (HAND[players],) * players
    assert state.stock == 52 - players * HAND[players]


@pytest.mark.parametrize("heaps", [3, 4])
def test_T3_a_card_that_does_not_fit_goes_on_any_heap(heaps: int) -> None:
    assert {action.heap for action in GAME.legal(begun(heaps=heaps)) if action.card == "hearts-7"} == {
        *range(1, heaps + 1)
    }


def test_T4_suits_do_not_matter_on_a_foundation() -> None:
    state = after(begun(), ("hearts-A", 0), ("clubs-2", 0)).state
    assert state.foundations[0] == ("hearts-A", "clubs-2")


def test_T5_the_top_of_a_heap_goes_up_as_soon_as_it_fits() -> None:
    step = after(begun(), ("hearts-3", 1), ("clubs-2", 1), ("spades-K", 2), ("spades-A", 0))
    assert [ruling.what for ruling in step.rulings] == ["builds", "goes up", "goes up"]
    assert step.state.heaps[:2] == ((), ("spades-K",))


def test_T6_the_player_draws_until_the_stock_is_gone() -> None:
    state = after(begun(), ("hearts-3", 1)).state
    assert (state.held, state.stock) == ((5, 5), 41)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_T7_all_win_or_all_lose_and_no_card_is_lost(seed: int, players: int) -> None:
    state, luck = begun(players), Random(seed)
    while legal := GAME.legal(state):
        state = after(state, *[(each.card, each.heap) for each in [luck.choice(legal)]]).state
        piles = Counter(card for pile in (*state.foundations, *state.heaps) for card in pile)
        assert max(piles.values()) == 1
        assert len(piles) + sum(state.held) + state.stock == 52
    assert GAME.winners(state) == (tuple(range(players)) if state.built == 52 else ())
    assert len({score.total for score in GAME.scores(state)}) == 1

"""Cards that are dealt face down: where they are after each action."""

from random import Random

import pytest
from msgspec import Struct

from companion.gamekit import FaceDown, Game, GameAction, PerSeat, Seat, Step
from companion.gamekit.contract import GameContract
from companion.gamekit.contract.failure import BrokenContractError
from companion.gamekit.face_down import DealtCards, SimulatedDeal, after_action
from companion.gamekit.simulated import PastStep

CARDS = tuple(f"c{number}" for number in range(8))
LYING = DealtCards((frozenset({"c0", "c1"}), frozenset({"c2", "c3"})), ("c4", "c5", "c6"))
BEFORE = FaceDown(CARDS[:7], (2, 2))
"""c7 is on the table."""


def following(after: FaceDown) -> DealtCards:
    return after_action(LYING, BEFORE, after, Random(1))


def test_a_card_that_is_taken_from_the_table_is_in_the_hand_that_took_it() -> None:
    now = following(FaceDown(CARDS, (3, 2), known={"c7": 0}))
    assert now == DealtCards((frozenset({"c0", "c1", "c7"}), LYING.hands[1]), LYING.stock)


def test_a_card_that_is_known_to_be_in_one_hand_leaves_the_others() -> None:
    now = following(FaceDown(CARDS[:7], (2, 2), known={"c2": 0}))
    assert "c2" in now.hands[0]
    assert "c2" not in now.hands[1]
    assert sorted([*now.stock, *(card for hand in now.hands for card in hand)]) == list(CARDS[:7])


def test_a_card_that_goes_back_face_down_is_drawn_last() -> None:
    now = following(FaceDown(CARDS, (2, 2)))
    assert now == DealtCards(LYING.hands, (*LYING.stock, "c7"))


def test_who_draws_has_the_next_card_of_the_stock() -> None:
    now = following(FaceDown(CARDS[:7], (2, 3)))
    assert now == DealtCards((LYING.hands[0], frozenset({"c2", "c3", "c4"})), ("c5", "c6"))


def test_the_contract_looks_whether_each_card_is_where_the_rules_say() -> None:
    contract = GameContract()
    contract._expect_dealt(BEFORE, LYING)
    for now, wrong in (
        (FaceDown(CARDS[:7], (2, 3)), "as many cards as they hold"),
        (FaceDown(CARDS, (2, 2)), "each card that is in a hand or in the stock, once"),
        (FaceDown(CARDS[:6], (2, 2)), "each card that is in a hand or in the stock, once"),
        (FaceDown(CARDS[:7], (2, 2), known={"c0": 1}), "is in the hand of its player"),
    ):
        with pytest.raises(BrokenContractError, match=wrong):
            contract._expect_dealt(now, LYING)


def test_a_card_that_is_given_away_unseen_is_any_one_of_the_givers_cards() -> None:
    """As in Old Maid: no rule knows which card was drawn from a hand, so Companion has to say."""
    given = set()
    for seed in range(20):
        now = after_action(LYING, BEFORE, FaceDown(CARDS[:7], (1, 3)), Random(seed))
        (card,) = now.hands[1] - LYING.hands[1]
        assert now == DealtCards((LYING.hands[0] - {card}, LYING.hands[1] | {card}), LYING.stock)
        given.add(card)
    assert given == {"c0", "c1"}


def test_a_card_that_all_know_to_be_in_a_hand_is_not_the_one_that_is_given_away() -> None:
    now = following(FaceDown(CARDS[:7], (1, 3), known={"c0": 0}))
    assert now.hands == (frozenset({"c0"}), frozenset({"c1", "c2", "c3"}))


class Draw(GameAction, frozen=True):
    """A card from the other player's hand."""

    seat: Seat


class Hands(Struct, frozen=True):
    turn: Seat
    held: PerSeat[int]


def draw(state: Hands, action: Draw) -> Step[Hands]:
    return Step(Hands(1 - action.seat, (3, 1) if action.seat == 0 else (2, 2)), ())


DRAWING: Game[Hands, Draw] = Game(
    name="drawing",
    players=range(2, 3),
    actions=(Draw,),
    state=Hands,
    setup=lambda agreed: Hands(0, (2, 2)),
    legal=lambda state: [Draw(state.turn)],
    perform=draw,
    points=lambda state: state.held,
    face_down=lambda state: FaceDown(CARDS[:4], state.held),
    sentences={},
)


def test_two_players_who_draw_from_each_other_do_not_go_round_in_circles() -> None:
    """All hands come up that there can be, and the same past leads to the same hands."""
    deal, past, state = SimulatedDeal(DRAWING, None, 1), list[PastStep](), Hands(0, (2, 2))
    seen = set()
    for _ in range(100):
        action = Draw(state.turn)
        after = draw(state, action).state
        past.append(PastStep(state, action, after))
        state = after
        seen.add(deal.lying(0, past, state).hands)
    assert len(seen) == 4 + 6
    assert SimulatedDeal(DRAWING, None, 1).lying(0, past, state) == deal.lying(0, past, state)

"""How to think about Whist: one deal at a time."""

from collections.abc import Sequence

from companion.gamekit import Seat
from companion.gamekit.search import CHANCE, Judgement
from whist.rules import Play, State, TurnUp

TRICK = 0.5
"""What a trick is worth in points while the deal goes on."""


class WhistJudgement(Judgement[State, TurnUp | Play]):
    spread = 2.0

    def turn(self, state: State) -> Seat | None:
        if state.trump is not None:
            return state.turn
        return None if max(state.points) >= state.options.target else CHANCE

    def candidates(self, state: State, seat: Seat, held: frozenset[str] | None = None) -> Sequence[TurnUp | Play]:
        """W4 Follow suit, from a hand that is known or imagined."""
        if held is None:
            return super().candidates(state, seat)
        led = state.cards[state.trick[state.leader] or ""].suit if state.leader is not None else ""
        following = [card for card in held if state.cards[card].suit == led]
        return [Play(seat, card) for card in sorted(following or held)]

    def stops(self, root: State, state: State) -> bool:
        return len(state.results) > len(root.results)

    def totals(self, state: State) -> Sequence[float]:
        return [state.points[seat % 2] + TRICK * state.tricks[seat % 2] for seat in range(4)]

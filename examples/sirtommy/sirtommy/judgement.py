"""How to think about Sir Tommy: what can be built is built, and a heap goes down from high cards to low ones."""

from collections.abc import Sequence

from companion.gamekit import Seat
from companion.gamekit.search import Judgement
from sirtommy.rules import Lay, State

BUILD, BURY, EMPTY = 20.0, 0.1, 0.6
"""How good it looks to build, to lay a card on a lower one, and to begin a heap."""


class SirTommyJudgement(Judgement[State, Lay]):
    spread = 4.0

    def turn(self, state: State) -> Seat | None:
        return state.turn if any(state.held) else None

    def weights(self, state: State, seat: Seat, actions: Sequence[Lay]) -> Sequence[float]:
        return [self._weight(state, action) for action in actions]

    def _weight(self, state: State, action: Lay) -> float:
        if not action.heap:
            return BUILD
        heap = state.heaps[action.heap - 1]
        gap = state.values[heap[-1]] - state.values[action.card] if heap else 0
        return EMPTY if not heap else 2 / (1 + gap) if gap >= 0 else BURY

"""How to think about Sioux: one winter at a time, with cards that are remembered."""

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.gamekit import Seat
from companion.gamekit.search import CHANCE, Judgement
from companion.games.sioux.components import HUNTER
from companion.games.sioux.rules.public_view import legal
from companion.games.sioux.rules.state import (
    Action,
    Crow,
    Dealt,
    Duel,
    Fixed,
    Gifts,
    Name,
    Play,
    State,
    waiting_for,
)
from companion.games.sioux.rules.winter import HUNTING_ENDS

MOST_AT_ONCE = 12
"""More prey than that nobody wins in one hunt."""
PREY = 0.06
"""What a point of prey is worth in points of supply, while the hunting goes on."""


class SiouxJudgement(Judgement[State, Action]):
    spread = 3.0
    _fixed: Fixed | None = None
    _known: dict[bool, dict[str, float]]

    def turn(self, state: State) -> Seat | None:
        phase = state.phase
        if phase == "play":
            return state.laid.index(None)
        if phase == "dealt":
            return CHANCE
        return None if phase == "over" else waiting_for(state)[0]

    def candidates(self, state: State, seat: Seat, held: frozenset[str] | None = None) -> Sequence[Action]:
        if state.phase == "play":
            return state.choices[seat]
        return [action for action in legal(state) if getattr(action, "seat", None) == seat]

    def blunder(self, state: State, past: Sequence[Any], action: Action) -> bool:
        """S7 A shaman counts as much as it can. S16 A gift is taken. Unless that may bring the winter (S19)."""
        if max(state.totals) + MOST_AT_ONCE >= HUNTING_ENDS:
            return False
        match action:
            case Name(value=value):
                return value < state.free[-1]
            case Gifts(from_=givers):
                return not givers
        return False

    def draw(self, state: State, luck: Random) -> Action:
        order = [*state.tied]
        luck.shuffle(order)
        return Dealt(tuple(order))

    def weights(self, state: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float] | None:
        if state.phase == "play":
            appeals = self._appeals(state, seat)
            return [appeals[each.card] for each in actions if isinstance(each, Play)]
        return [self._answer(state, seat, action) for action in actions]

    def guess(self, state: State, seat: Seat, luck: Random) -> Action:
        if state.phase != "play":
            return super().guess(state, seat, luck)
        hand = state.choices[seat]
        appeals = self._appeals(state, seat)
        at = luck.random() * sum([appeals[each.card] for each in hand])
        for each in hand:
            at -= appeals[each.card]
            if at < 0:
                return each
        return hand[-1]

    def _appeals(self, state: State, seat: Seat) -> dict[str, float]:
        """How each card looks to this seat: it depends on who has the hunter, and on nothing else."""
        key = state.hunter is not None and state.hunter != seat
        if state.fixed is not self._fixed:
            self._fixed, self._known = state.fixed, {}
        if key not in self._known:
            worth = state.fixed.worth
            self._known[key] = {card: self._appeal(state, seat, card, worth) for card in worth}
        return self._known[key]

    def _appeal(self, state: State, seat: Seat, card: str, worth: dict[str, int]) -> float:
        if card == HUNTER:
            return 4.0
        if card == state.fixed.crow:
            return 4.0 if state.hunter not in (None, seat) else 0.5
        return 0.8 + 0.1 * worth[card]

    def _answer(self, state: State, seat: Seat, action: Action) -> float:
        """S7 The highest value. S13 The crow for whoever would lose by the swap. S16 All gifts."""
        match action:
            case Name(value=value):
                return 8.0 if value == state.free[-1] else 1.0
            case Crow(call=call):
                return 3.0 if call == self._loses(state, seat) else 1.0
            case Duel(card=card):
                wanted = 6.0 if self._loses(state, seat) else 1.5
                return wanted if card == state.fixed.crow else 0.5
            case Gifts(from_=givers):
                return 1.0 + 4.0 * len(givers)
        return 1.0

    def _loses(self, state: State, seat: Seat) -> bool:
        other = next(each for each in state.tied if each != seat)
        return state.totals[seat] > state.totals[other]

    def stops(self, root: State, state: State) -> bool:
        return state.winter > root.winter

    def totals(self, state: State) -> Sequence[float]:
        """S23 The supply so far, and a little for prey that is not counted yet."""
        return [sum(supply) + PREY * total for supply, total in zip(state.supply, state.totals, strict=True)]

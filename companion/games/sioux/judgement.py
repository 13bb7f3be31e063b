"""How to think about Sioux: one winter at a time, with cards that are remembered."""

import math
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.gamekit import Seat
from companion.gamekit.search import CHANCE, Judgement, picked
from companion.games.sioux.components import HUNTER, WINTERS
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
# How likely one player gets more supply in this winter than another. Measured: 2,000 games by first sight, logistic
# regression on pairs of players at the beginning of a hunt. It is little: swaps turn much round.
PREY, PREY_LATE = 0.03, 0.00045
"""A point of prey, and more the nearer the winter is: by the square of the leader's total."""
PROMISED = 1.2
"""What a point of prey that the cards in hand promise is worth, compared with one that is there."""
HUNTER_IN_HAND, HUNTERS_OWNER = 0.35, 0.4
SHAMAN = 7
"""What it counts on average."""
CLEAR, CLEAR_PER_WINTER = 1.0, 0.65
"""How many points are a clear lead, and more for each winter to come."""


class SiouxJudgement(Judgement[State, Action]):
    habit = 1.0
    _fixed: Fixed | None = None
    _known: dict[tuple[bool, int], dict[str, float]]
    _values: dict[str, int]
    _highest: int

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

    def resampled(self, state: State, seat: Seat, luck: Random) -> State | None:
        """S2 What the others have laid, guessed by first sight. In a duel they hide a card that its calls hint at."""
        if state.phase == "duel":
            return None
        if state.phase != "play":
            return state
        laid = [*state.laid]
        for other, place in enumerate(laid):
            if place is not None and other != seat:
                hand = state.hands[other]
                appeals = self._appeals(state, other)
                laid[other] = hand.index(picked(hand, [appeals[each.card] for each in hand], luck))
        return replace(state, laid=tuple(laid))

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
        """How each card looks to this seat: a high one better, the more so towards the winter."""
        self._look_up(state.fixed)
        key = state.hunter is not None and state.hunter != seat, max(state.totals)
        if key not in self._known:
            worth = state.fixed.worth
            keen = (0.4 + key[1] / HUNTING_ENDS) / max(worth.values())
            appeals = {card: 0.8 + keen * value for card, value in worth.items()}
            self._known[key] = appeals | {HUNTER: 4.0, state.fixed.crow: 4.0 if key[0] else 0.5}
        return self._known[key]

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
        """After this hunt, or this winter. What comes then is mostly chance: it would drown what a card has done."""
        return state.winter > root.winter or (state.phase == "play" and state.hands is not root.hands)

    def clear_lead(self, state: State) -> float:
        winters = 0 if state.phase == "over" else WINTERS[-1] + 1 - state.winter
        return CLEAR + CLEAR_PER_WINTER * winters

    def totals(self, state: State) -> Sequence[float]:
        """S23 The supply so far, and what prey and cards in hand promise for this winter."""
        if state.phase == "over":
            return [sum(supply) for supply in state.supply]
        self._look_up(state.fixed)
        prey = PREY + PREY_LATE * max(state.totals) ** 2
        promises = _promised([[self._values[each.card] for each in hand] for hand in state.hands], self._highest)
        strengths = [prey * (total + PROMISED * promise) for total, promise in zip(state.totals, promises, strict=True)]
        if state.hunter is not None:
            held = state.fixed.hunters[state.hunter] in state.hands[state.hunter]
            strengths[state.hunter] += HUNTERS_OWNER + HUNTER_IN_HAND * held
        cards = state.fixed.winters[state.winter - 1]
        step = (cards[0] - cards[-1]) / (len(cards) - 1)
        expected: list[float] = [sum(supply) for supply in state.supply]
        for seat, strength in enumerate(strengths):
            for other in range(seat):
                ahead = step / (1 + math.exp(strengths[other] - strength))
                expected[seat] += ahead
                expected[other] += step - ahead
        return expected

    def _look_up(self, fixed: Fixed) -> None:
        """What is the same for all games with one box."""
        if fixed is self._fixed:
            return
        self._fixed, self._known = fixed, {}
        self._values = fixed.worth | {fixed.shaman: SHAMAN}
        self._highest = max(self._values.values())


def _promised(hands: list[list[int]], highest: int) -> list[float]:
    """S3 The prey that each hand wins until it is played, if all lay their cards in any order: what each card is above
    the highest of one card from each other hand."""
    below = [list(accumulate([hand.count(value) for value in range(highest)])) for hand in hands]
    promises: list[float] = []
    for seat, hand in enumerate(hands):
        others = below[:seat] + below[seat + 1 :]
        ahead = [0, *accumulate(map(math.prod, zip(*others, strict=True)))]
        ways = math.prod([len(other) or 1 for other in hands]) / (len(hand) or 1)
        promises.append(sum([ahead[value] for value in hand]) / ways)
    return promises

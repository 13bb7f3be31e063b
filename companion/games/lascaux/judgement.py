"""How to think about Lascaux: which colours and which stones are worth thinking about, and when to look no further."""

from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.gamekit import Seat
from companion.gamekit.search import CHANCE, SURPRISE, Hidden, Judgement, picked
from companion.games.lascaux.components import ANIMALS, CARDS_PER_ANIMAL, Card
from companion.games.lascaux.rules.engine import Action, Choose, Draw, Pass, State, Stone, owes_first_stone
from companion.games.lascaux.rules.scoring import STONES_PER_POINT

KEENNESS = 3.0
"""How sharply a colour that brings more is preferred."""
STONE_POINTS = 0.3
"""What a stone is worth: a sixth of a point, and the next auction."""
# What a herd, a stone and the start of a round bring in the end. Measured: 1,500 games by first sight, least squares.
_BRINGS = {
    -2: (0.03, 0.04),
    -1: (0.29, 0.09),
    0: (0.79, 0.16),
    1: (1.10, 0.28),
    2: (1.08, 0.43),
    3: (1.03, 0.52),
    4: (1.02, 0.54),
}
"""By the lead in an animal while cards of it are left: points for each own card and for each of those."""
STONE, STONE_PER_CARD = 0.12, 0.0077
"""What a stone brings, and more for each card in the deck: it buys some of them."""
STARTS = 0.7
"""Whoever starts bids before knowing what the others do."""
CLEAR, CLEAR_PER_CARD = 1.2, 0.25
"""How many points are a clear lead, and more for each card in the deck."""
TAKEN = 1 / 3
"""How likely another bidder takes a given card: it shows two of six colours."""


class LascauxJudgement(Judgement[State, Action]):
    habit = 1.0
    _row: tuple[Card, ...] | None = None
    _won: tuple[tuple[Card, ...], ...] | None = None
    _worths: list[dict[str, float]]

    def turn(self, state: State) -> Seat | None:
        if state.phase == "bid":
            return state.bidders[0]
        if state.phase == "choose":
            return state.choices.index(None) if None in state.choices else 0
        return CHANCE if state.phase == "draw" else None

    def candidates(self, state: State, seat: Seat, held: frozenset[str] | None = None) -> Sequence[Action]:
        """All colours that the row shows, and one that it does not."""
        if state.phase == "bid":
            if owes_first_stone(state):
                return (_STONE[seat],)
            return (_STONE[seat], _PASS[seat]) if state.stones[seat] else (_PASS[seat],)
        shown = {colour for card in state.row for colour in card.colours}
        colours = len(state.box.colours)
        mine = state.markers[seat * colours : (seat + 1) * colours]
        return [each for each in mine if each.colour in shown] + [each for each in mine if each.colour not in shown][:1]

    def blunder(self, state: State, past: Sequence[Any], action: Action) -> bool:
        """L8 Whoever has just paid a stone does not pass for an empty pot."""
        if not isinstance(action, Pass) or state.pot:
            return False
        lately = takewhile(lambda done: not isinstance(done, Choose | Draw | Hidden), reversed(past))
        return Stone(action.seat) in lately

    def resampled(self, state: State, seat: Seat, luck: Random) -> State:
        """What the others hide, guessed by first sight as at the time when they chose: the row is still the same."""
        choices = [*state.choices]
        for other, colour in enumerate(choices):
            if colour is not None and other != seat:
                worth = self._worth(state, other)
                odds = [1.0] * len(worth) if luck.random() < SURPRISE else [_appeal(each) for each in worth.values()]
                choices[other] = picked([*worth], odds, luck)
        return replace(state, choices=tuple(choices))

    def draw(self, state: State, luck: Random) -> Action:
        deck = tuple(state.deck)
        return Draw(deck[int(luck.random() * len(deck))])

    def weights(self, state: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float] | None:
        worth = self._worth(state, seat)
        if state.phase == "choose":
            return [_appeal(worth[each.colour]) for each in actions if isinstance(each, Choose)]
        return (_keen(state, worth[state.choices[seat] or ""]), 1.0)

    def guess(self, state: State, seat: Seat, luck: Random) -> Action:
        """The same in one go."""
        if state.phase != "bid":
            return super().guess(state, seat, luck)
        if not state.stones[seat]:
            return _PASS[seat]
        keen = _keen(state, self._worth(state, seat)[state.choices[seat] or ""])
        stays = luck.random() * (keen + 1.0) < keen
        return _STONE[seat] if stays or owes_first_stone(state) else _PASS[seat]

    def _worth(self, state: State, seat: Seat) -> dict[str, float]:
        """What the cards of each colour in the row may bring this seat. It stays the same for a whole round."""
        row, won = state.row, state.won
        if row is not self._row or won is not self._won:
            self._row, self._won = row, won
            self._worths = _worths(row, [_herd(cards) for cards in won], state.box.colours)
        return self._worths[seat]

    def stops(self, root: State, state: State) -> bool:
        """After the next round. Which cards come then is chance."""
        return state.round > root.round + 1

    def clear_lead(self, state: State) -> float:
        return CLEAR + CLEAR_PER_CARD * len(state.deck)

    def totals(self, state: State) -> Sequence[float]:
        """L17, L18 As they are counted, without the reasons; before the end what may be expected."""
        herds, cards = [_herd(cards) for cards in state.won], len(state.deck)
        if state.phase == "over":
            totals: list[float] = [stones // STONES_PER_POINT for stones in state.stones]
        else:
            stone = STONE + STONE_PER_CARD * cards
            totals = [stone * stones for stones in state.stones]
            totals[state.start] -= STARTS
        for counts in zip(*herds, strict=True):
            second, most = sorted(counts)[-2:]
            left = CARDS_PER_ANIMAL - sum(counts) if state.phase != "over" else 0
            for seat, count in enumerate(counts):
                if not left:
                    totals[seat] += count if count == most else 0
                elif (lead := count - (second if count == most else most)) > -3:
                    own, more = _BRINGS[min(lead, 4)]
                    totals[seat] += own * count + more * left
        return totals


def _appeal(worth: float) -> float:
    """The odds that somebody chooses a colour."""
    appeal: float = worth**KEENNESS
    return appeal + 0.1


def _keen(state: State, worth: float) -> float:
    """The odds that somebody lays one more stone for cards of this worth: what staying to the last brings more than
    passing now, against the pot. Whoever passes may still get their cards, if no one who is left takes them first."""
    more = worth * _TAKEN_BY[len(state.bidders) - 1] / (STONE_POINTS * (state.pot + 1))
    return more * more + 0.02


def _worths(row: tuple[Card, ...], herds: list[list[int]], colours: tuple[str, ...]) -> list[dict[str, float]]:
    """L17 Only the most cards of an animal score: a card counts most for whoever defends a lead with it."""
    worths = [dict.fromkeys(colours, 0.0) for _ in herds]
    for card in row:
        at = ANIMALS.index(card.animal)
        counts = [herd[at] for herd in herds]
        second, most = sorted(counts)[-2:]
        one, other = card.colours
        for own, worth in zip(counts, worths, strict=True):
            rival = second if own == most else most
            brings = 1.0 + 0.8 * own if own >= rival else 0.8 if own == rival - 1 else 0.1
            worth[one] += brings
            worth[other] += brings
    return worths


def _herd(cards: tuple[Card, ...]) -> list[int]:
    animals = [card.animal for card in cards]
    return [animals.count(animal) for animal in ANIMALS]


_TAKEN_BY = [1 - (1 - TAKEN) ** others for others in range(5)]
_STONE = [Stone(seat) for seat in range(5)]
_PASS = [Pass(seat) for seat in range(5)]

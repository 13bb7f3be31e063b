"""How to think about Carnuta: what cards will bring in the end, and which two actions make the most of a turn."""

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.gamekit import Game, Seat
from companion.gamekit.search import CHANCE, Judgement, picked
from companion.games.carnuta.components import FACES, TRACK, Card
from companion.games.carnuta.rules.payment import can_pay, flipped
from companion.games.carnuta.rules.public_view import legal
from companion.games.carnuta.rules.scoring import points, symbols
from companion.games.carnuta.rules.state import (
    Action,
    Bonus,
    Deal,
    Discard,
    Flip,
    Holdings,
    Play,
    Runes,
    Sickle,
    State,
    Take,
)
from companion.games.carnuta.rules.turn import most_runes
from companion.games.carnuta.simulated import LUCK, Own, best_column, expense, hoped_points, worth

HELD = (0.7, 0.45, 0.25)
"""What the best cards in hand are worth, compared with played ones: they still cost an action and runes."""
RUNE = 0.5
FOCUS = 2.0
"""How much better than by chance a player finds the symbols that they still need."""
PLAYED = 0.6
"""What it is worth to be one card further on the track."""
NOT_YET = 0.6
"""What a card in hand is worth that the runes do not pay now, compared with one that they do."""
KEPT = 4_000
"""Holdings that are remembered."""


class CarnutaJudgement(Judgement[State, Action]):
    spread = 8.0
    habit = 0.5
    draws_matter = False

    def __init__(self, game: Game[State, Action]) -> None:
        super().__init__(game)
        self._plain: dict[str, float] = {}
        self._cards: dict[str, Card] | None = None
        self._owned: dict[tuple[Holdings, float], tuple[Own, dict[str, float]]] = {}
        self._promised: dict[tuple[Holdings, float, bool], float] = {}

    def turn(self, state: State) -> Seat | None:
        if state.phase == "deal":
            return CHANCE
        return state.starting if state.phase == "start" else state.turn

    def candidates(self, state: State, seat: Seat, held: frozenset[str] | None = None) -> Sequence[Action]:
        return legal(state)

    def blunder(self, state: State, past: Sequence[Any], action: Action) -> bool:
        """C11 A sickle is of no use after both actions. C14 The last action of all plays what can be paid."""
        if isinstance(action, Sickle) and not state.actions_left:
            return True
        last = state.last_round and state.actions_left == 1 and not isinstance(action, Play)
        return last and any(isinstance(other, Play) and state.cards[other.card].points for other in legal(state))

    def draw(self, state: State, luck: Random) -> Action:
        assert state.due is not None
        deck = tuple(state.decks.of(state.due))
        return Deal(state.due, deck[int(luck.random() * len(deck))])

    def resampled(self, state: State, seat: Seat, luck: Random) -> State | None:
        """C17 The start cards of the others may be any cards of their decks that nobody has seen."""
        players, decks = [*state.players], state.decks
        for face in FACES:
            hides = [
                (other, player.secret)
                for other, player in enumerate(players)
                if other != seat and player.secret is not None and state.cards[player.secret].deck == face
            ]
            if not hides:
                continue
            unseen = [secret for _, secret in hides]
            if face not in state.reshuffled:
                unseen += decks.of(face)
            drawn = luck.sample(unseen, len(hides))
            for (other, secret), card in zip(hides, drawn, strict=True):
                hand = tuple([card if each == secret else each for each in players[other].hand])
                players[other] = replace(players[other], hand=hand, secret=card, named=card)
            if face not in state.reshuffled:
                left = {card: state.cards[card] for card in unseen if card not in drawn}
                decks = decks.with_(face, left)
        return replace(state, players=tuple(players), decks=decks)

    # --- First sight ------------------------------------------------------------------------------------------

    def weights(self, state: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float] | None:
        player = state.players[seat]
        return [math.exp(min(12.0, self._looks(state, player, action)) / 2) for action in actions]

    def _looks(self, state: State, player: Holdings, action: Action) -> float:
        match action:
            case Play(card=card, as_=None):
                return 6 + self._brings(state, player, card)
            case Play(card=card, as_=column):
                return 6 + worth(state.cards[card], column, self._own(state, player)[0]) - expense(state.prices[card])
            case Take(card=card):
                return self._take(state, player, card)
            case Runes(face=face):
                return 1.0 + most_runes(state, player, face)
            case Flip(face=face):
                turned = flipped(player.runes, face, player.runes.of(face))
                able = [can_pay(turned, state.prices[card], state.options.flipped_pays) for card in player.hand]
                return 3.0 * any(able)
            case Sickle():
                return 0.0
            case Discard(card=card):
                return 6 - expense(state.prices[card]) - self._brings(state, player, card)
            case Bonus(ingredient=ingredient):
                symbol = Card(ingredient, "sun", ingredient, (ingredient,), (), 0)
                return worth(symbol, ingredient, self._own(state, player)[0])
        return 0.0

    def _take(self, state: State, player: Holdings, card: str) -> float:
        payable = can_pay(player.runes, state.prices[card], state.options.flipped_pays)
        if len(player.hand) >= 3 and state.actions_left < 2:
            return -4.0
        return 0.7 * self._brings(state, player, card) + 3.0 * payable

    def _own(self, state: State, player: Holdings) -> tuple[Own, dict[str, float]]:
        """What a player has, and what cards bring them, as far as that was asked for. A search comes back to the same
        holdings again and again."""
        to_come = min(max(0, TRACK + 1 - len(player.played)), _turns_left(state)) * FOCUS
        known = self._owned.get((player, to_come))
        if known is None:
            if len(self._owned) > KEPT:
                self._owned.clear()
            known = self._owned[player, to_come] = _own(state, player, to_come), {}
        return known

    def _brings(self, state: State, player: Holdings, card: str) -> float:
        """What a card brings in its best column, less what is paid for it."""
        owned, known = self._own(state, player)
        if card not in known:
            printed = state.cards[card]
            known[card] = worth(printed, best_column(printed, owned), owned) - expense(state.prices[card])
        return known[card]

    def guess(self, state: State, seat: Seat, luck: Random) -> Action:
        """Without looking at what the player has."""
        actions = legal(state)
        return picked(actions, self._odds(state, seat, actions), luck) if len(actions) > 1 else actions[0]

    def _odds(self, state: State, seat: Seat, actions: Sequence[Action]) -> list[float]:
        if state.cards is not self._cards:
            self._cards = state.cards
            self._plain = {card.id: _plain(card) for card in state.box.cards}
        plain, runes = self._plain, state.players[seat].runes
        odds: list[float] = []
        for action in actions:
            kind = type(action)
            if kind is Play:
                odds.append(30.0 * plain[action.card])  # type: ignore[union-attr]
            elif kind is Take:
                card = action.card  # type: ignore[union-attr]
                odds.append(plain[card] * (3.0 if can_pay(runes, state.prices[card], False) else 0.7))
            elif kind is Runes:
                odds.append(12.0 if runes.sun + runes.moon < 3 else 3.0)
            elif kind is Discard:
                odds.append(1.0 / plain[action.card])  # type: ignore[union-attr]
            else:
                odds.append(1.0)
        return odds

    # --- Looking ahead ----------------------------------------------------------------------------------------

    def stops(self, root: State, state: State) -> bool:
        """At the end of this player's next turn, which shows what cards and runes were taken for."""
        if state.turn is None or root.turn is None:
            return False
        players, first = len(state.players), state.first
        turns = (state.round - root.round) * players + (state.turn - first) % players - (root.turn - first) % players
        return turns > players

    def totals(self, state: State) -> Sequence[float]:
        """C15 Points as they would be counted now, and what hands, runes and cards to come promise."""
        if state.phase == "over":
            return [points(state, player) for player in state.players]
        return [self._promise(state, player) for player in state.players]

    def _promise(self, state: State, player: Holdings) -> float:
        owned, _ = self._own(state, player)
        promise = self._promised.get((player, owned.to_come, state.last_round))
        if promise is None:
            if len(self._promised) > KEPT:
                self._promised.clear()
            promise = self._promised[player, owned.to_come, state.last_round] = self._counted(state, player, owned)
        return promise

    def _counted(self, state: State, player: Holdings, owned: Own) -> float:
        total = 0.0
        for played in player.played:
            card = state.cards[played.card]
            total += card.points if card.per is None else _alone(card, owned)
        if state.last_round:
            return total
        total += PLAYED * len(player.played) + RUNE * (player.runes.sun + player.runes.moon)
        promises = []
        for held in player.hand:
            payable = can_pay(player.runes, state.prices[held], state.options.flipped_pays)
            promises.append(max(0.0, self._brings(state, player, held)) * (1.0 if payable else NOT_YET))
        promises.sort(reverse=True)
        return total + sum(share * brings for share, brings in zip(HELD, promises, strict=False))


def _own(state: State, player: Holdings, to_come: float) -> Own:
    """What a player has, as far as points are concerned."""
    counting = tuple([state.cards[played.card] for played in player.played if state.cards[played.card].per])
    return Own(symbols(state, player), counting, to_come, state.options.salt == "joker")


def _turns_left(state: State) -> int:
    """C14 About one card a turn; whoever has eleven first brings one more round."""
    return 0 if state.last_round else 1 + max(0, TRACK - max([len(player.played) for player in state.players]))


def _alone(card: Card, owned: Own) -> float:
    """What a card that is played brings by itself, as things stand and with a little hope."""
    return hoped_points(card, owned.have, owned.to_come * LUCK)


def _plain(card: Card) -> float:
    return 1.0 + (card.points if card.per is None else 1.5 * card.points)

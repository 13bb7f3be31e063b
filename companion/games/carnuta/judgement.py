"""How to think about Carnuta: what cards will bring in the end, and which two actions make the most of a turn."""

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.gamekit import Seat
from companion.gamekit.search import CHANCE, Judgement
from companion.games.carnuta.components import FACES, TRACK, Card
from companion.games.carnuta.rules.payment import can_pay, flipped
from companion.games.carnuta.rules.public_view import legal
from companion.games.carnuta.rules.scoring import points, sets, symbols
from companion.games.carnuta.rules.state import (
    Action,
    Bonus,
    Deal,
    Discard,
    Flip,
    Holdings,
    Play,
    Played,
    Runes,
    Sickle,
    State,
    Take,
)
from companion.games.carnuta.rules.turn import most_runes
from companion.games.carnuta.simulated import LUCK, Own, best_column, expense, hoped_points, worth

FOCUS = 2.0
"""How much better than by chance a player finds the symbols that they still need."""
# What a player's board and hand bring in the end. Measured: 500 games of simulated players, least squares on the
# differences between players at the beginning of a turn. TURNS: the more, the more of the track is still to come.
COUNTED, HOPED, HOPED_TURNS = 0.83, 0.36, -1.0
"""Each point as things stand, and each that is hoped for."""
SETS, SETS_TURNS = -0.25, 4.7
"""Each played card that counts sets: they grow."""
PLAYED, PLAYED_TURNS = -2.7, 1.2
"""Each field of the track that is used up: a better card could have been played."""
HELD, HELD_BRINGS, PAYABLE = -4.0, 0.85, 1.4
"""Each card in hand, which costs actions, each point that it would bring, and more if the runes pay it."""
RUNE, BOTH_FACES, BOTH_FACES_TURNS = 0.18, 0.8, -2.8
CLEAR, CLEAR_PER_TURN = 5.5, 1.2
"""How many points are a clear lead, and more for each turn to come."""
KEPT = 1_000
"""Boards that are remembered."""


class CarnutaJudgement(Judgement[State, Action]):
    habit = 0.5
    draws_matter = False

    _cards: dict[str, Card] | None = None
    _outlooks: dict[tuple[tuple[Played, ...], tuple[str, ...], int], "Outlook"]

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
        outlook = self._outlook(state, player)
        return [math.exp(min(12.0, self._looks(state, player, outlook, action)) / 2) for action in actions]

    def _looks(self, state: State, player: Holdings, outlook: "Outlook", action: Action) -> float:
        kind = type(action)
        if kind is Take:
            return self._take(state, player, outlook, action.card)  # type: ignore[union-attr]
        match action:
            case Play(card=card, as_=None):
                return 6 + outlook.brings(card)
            case Play(card=card, as_=column):
                return 6 + worth(state.cards[card], column, outlook.owned) - expense(state.prices[card])
            case Runes(face=face):
                return 1.0 + most_runes(state, player, face)
            case Flip(face=face):
                turned = flipped(player.runes, face, player.runes.of(face))
                able = [can_pay(turned, state.prices[card], state.options.flipped_pays) for card in player.hand]
                return 3.0 * any(able)
            case Sickle():
                return 0.0
            case Discard(card=card):
                return 6 - expense(state.prices[card]) - outlook.brings(card)
            case Bonus(ingredient=ingredient):
                symbol = Card(ingredient, "sun", ingredient, (ingredient,), (), 0)
                return worth(symbol, ingredient, outlook.owned)
        return 0.0

    def _take(self, state: State, player: Holdings, outlook: "Outlook", card: str) -> float:
        if len(player.hand) >= 3 and state.actions_left < 2:
            return -4.0
        payable = can_pay(player.runes, state.prices[card], state.options.flipped_pays)
        return 0.7 * outlook.brings(card) + 3.0 * payable

    def _outlook(self, state: State, player: Holdings) -> "Outlook":
        """A search comes back to the same boards again and again."""
        if state.cards is not self._cards:
            self._cards, self._outlooks = state.cards, {}
        key = player.played, player.bonus, _turns_left(state)
        known = self._outlooks.get(key)
        if known is None:
            if len(self._outlooks) > KEPT:
                self._outlooks.clear()
            known = self._outlooks[key] = Outlook(state, player, key[2])
        return known

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

    def clear_lead(self, state: State) -> float:
        return CLEAR + CLEAR_PER_TURN * min(6, _turns_left(state))

    def _promise(self, state: State, player: Holdings) -> float:
        if state.last_round:
            return points(state, player)
        outlook = self._outlook(state, player)
        runes, total = player.runes, outlook.board
        total += RUNE * (runes.sun + runes.moon) + outlook.both_faces * min(runes.sun, runes.moon)
        for held in player.hand:
            total += HELD + HELD_BRINGS * max(0.0, outlook.brings(held))
            if can_pay(runes, state.prices[held], state.options.flipped_pays):
                total += PAYABLE
        return total


class Outlook:
    """What a player has laid out, and what it and further cards will bring."""

    __slots__ = ("_brings", "_state", "board", "both_faces", "owned")

    def __init__(self, state: State, player: Holdings, turns: int) -> None:
        to_come = min(max(0, TRACK + 1 - len(player.played)), turns) * FOCUS
        self.owned = owned = _own(state, player, to_come)
        self._state, self._brings = state, dict[str, float]()
        early = turns / (TRACK + 1)
        self.both_faces = BOTH_FACES + BOTH_FACES_TURNS * early
        self.board = (PLAYED + PLAYED_TURNS * early) * len(player.played)
        for played in player.played:
            card = state.cards[played.card]
            sure = card.points * sets(card, owned.have)
            self.board += COUNTED * sure
            if card.per is not None:
                more = hoped_points(card, owned.have, to_come * LUCK) - sure
                self.board += SETS + SETS_TURNS * early + (HOPED + HOPED_TURNS * early) * more

    def brings(self, card: str) -> float:
        """What a card brings in its best column, less what is paid for it."""
        known = self._brings.get(card)
        if known is None:
            printed = self._state.cards[card]
            best = worth(printed, best_column(printed, self.owned), self.owned)
            known = self._brings[card] = best - expense(self._state.prices[card])
        return known


def _own(state: State, player: Holdings, to_come: float) -> Own:
    """What a player has, as far as points are concerned."""
    counting = tuple([state.cards[played.card] for played in player.played if state.cards[played.card].per])
    return Own(symbols(state, player), counting, to_come, state.options.salt == "joker")


def _turns_left(state: State) -> int:
    """C14 About one card a turn; whoever has eleven first brings one more round."""
    return 0 if state.last_round else 1 + max(0, TRACK - max([len(player.played) for player in state.players]))

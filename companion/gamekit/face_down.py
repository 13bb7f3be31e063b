"""Hands that the rules do not know: cards are dealt face down, and a card is known when it is played.

A game says in `FaceDown` how many cards each player holds, and what all may know about them. From that the kit deals
where the players have no cards: to simulated players, to persons, and in what a player who searches imagines.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from random import Random
from typing import Any

from msgspec import Struct

from companion.gamekit.game import FaceDown, Game, Refusal, Seat, Thing, named
from companion.gamekit.simulated import Folded, PastStep, chance
from companion.gamekit.state_fields import unchosen

TRIES = 50
"""How often hands are dealt again that one of the players cannot hold."""
REMEMBERED = 4096
"""Actions whose cards are remembered: more than a game of ten players has with a hundred cards each."""


class DealtCards(Struct, frozen=True):
    """Which cards are where."""

    hands: tuple[frozenset[str], ...]
    stock: tuple[str, ...]
    """The next one to be drawn comes first."""


def dealt(now: FaceDown, luck: Random, own: Mapping[Seat, frozenset[str]] | None = None) -> DealtCards:
    """All cards that are face down, dealt by chance. `own`: hands that are known; all others can hold what is left."""
    own = own or {}
    hands = [set(own.get(seat, ())) for seat in range(len(now.held))]
    for card, seat in now.known.items():
        hands[seat].add(card)
    there = {card for hand in hands for card in hand}
    rest = [card for card in now.unseen if card not in there]
    luck.shuffle(rest)
    for _ in range(TRIES):
        found = _shared_out(now, hands, rest, luck, strict=True)
        if found is not None:
            return found
    found = _shared_out(now, hands, rest, luck, strict=False)
    assert found is not None, "fewer cards than players hold"
    return found


def _shared_out(
    now: FaceDown, hands: Sequence[set[str]], rest: Sequence[str], luck: Random, strict: bool
) -> DealtCards | None:
    """First the cards that few players can hold. None: one has no place."""
    room = [count - len(hand) for count, hand in zip(now.held, hands, strict=True)]
    stock_room = len(rest) - sum(room)
    grown, stock = [set(hand) for hand in hands], list[str]()
    seats = range(len(room))

    def may_hold(card: str) -> list[Seat]:
        return [seat for seat in seats if not (strict and now.lacks and card in now.lacks[seat])]

    for card in sorted(rest, key=lambda card: len(may_hold(card))):
        places = [seat for seat in may_hold(card) for _ in range(room[seat])] + [-1] * (stock_room - len(stock))
        if not places:
            return None
        seat = luck.choice(places)
        if seat < 0:
            stock.append(card)
        else:
            grown[seat].add(card)
            room[seat] -= 1
    luck.shuffle(stock)
    return DealtCards(tuple(map(frozenset, grown)), tuple(stock))


def after_action(hidden: DealtCards, before: FaceDown, after: FaceDown, luck: Random) -> DealtCards:
    """What lies where after an action: cards that were shown are gone, and players who hold more than that have drawn;
    a card that all have seen before is in the hand that took it, or under the stock. A player who holds fewer without
    having shown a card gave one away unseen, any one of theirs. After a new deal everything is dealt again. If a card
    was shown that another player was thought to hold, that player has one of the cards of the player who showed it."""
    if after.deal != before.deal:
        return dealt(after, luck)
    unseen, known = {*after.unseen}, after.known
    back = sorted(unseen.difference(before.unseen, known))
    luck.shuffle(back)
    left = [sorted(hand & unseen - known.keys()) for hand in hidden.hands]
    for seat, hand in enumerate(left):
        if len(hand) > after.held[seat] - sum(owner == seat for owner in known.values()):
            luck.shuffle(hand)
    for card, seat in known.items():
        left[seat].insert(0, card)
    stock = [card for hand, count in zip(left, after.held, strict=True) for card in hand[count:]]
    stock += [card for card in hidden.stock if card in unseen and card not in known]
    stock += back
    hands = []
    for hand, count in zip(left, after.held, strict=True):
        missing = max(0, count - len(hand))
        hands.append(frozenset([*hand[:count], *stock[:missing]]))
        stock = stock[missing:]
    return DealtCards(tuple(hands), tuple(stock))


def playable(game: Game[Any, Any], state: Any, seat: Seat, hand: Set[str], actions: Iterable[Any]) -> list[Any]:
    """Of these actions of a player, what is possible with this hand: a card has to be in it, and afterwards the player
    holds none that all know them to lack. (A player who does not follow suit has no card of it left.)"""
    assert game.face_down is not None
    before = unchosen(state) if game.state else state
    now = game.face_down(state)
    # Also what other players have chosen in secret is not in this hand: to offer it would tell.
    others = {*(now if before is state else game.face_down(before)).unseen} - hand
    held = [action for action in actions if _named(action).isdisjoint(others)]
    if not now.lacks:
        return held
    return [action for action in held if not _lacked(game, state, action, seat, now.deal) & (hand - _named(action))]


def _lacked(game: Game[Any, Any], state: Any, action: Any, seat: Seat, deal: int) -> Set[str]:
    """What all know this player to lack after their action, as long as the deal goes on."""
    assert game.face_down is not None
    step = game.at_table(state, action)
    after = None if isinstance(step, Refusal) else game.face_down(step.state)
    return after.lacks[seat] if after and after.deal == deal else frozenset()


@lru_cache(maxsize=REMEMBERED)
def _named(action: Any) -> frozenset[str]:
    """A search looks at the same actions in every playout."""
    return frozenset(named(action))


class SimulatedDeal:
    """The stack from which Companion deals to simulated players and to persons: always the same for a seed."""

    def __init__(self, game: Game[Any, Any], box: Any, seed: int) -> None:
        self._game, self._seed = game, seed
        self._pieces = {piece.id: piece for piece in game.pieces(box)}
        self._folded: dict[int, Folded[tuple[DealtCards | None, int]]] = {}
        """For each game of the match where the cards lie, and how many actions there were."""

    def lying(self, number: int, past: Sequence[PastStep], state: Any) -> DealtCards:
        """Which cards are where in this game of the match, after all that was done."""
        first = past[0].before if past else state
        folded = self._folded.setdefault(number, Folded((None, 0), lambda now, step: self._take(number, *now, step)))
        return folded.over(past)[0] or self._first(number, first)

    def _take(self, number: int, now: DealtCards | None, done: int, step: PastStep) -> tuple[DealtCards, int]:
        """Each action has a chance of its own: two players who draw from each other must not go round in circles."""
        before, after = self._face_down(step.before), self._face_down(step.after)
        luck = chance(self._seed, number, "deal", after.deal, *([done] if after.deal == before.deal else []))
        return after_action(now or self._first(number, step.before), before, after, luck), done + 1

    def _first(self, number: int, state: Any) -> DealtCards:
        now = self._face_down(state)
        return dealt(now, chance(self._seed, number, "deal", now.deal))

    def _face_down(self, state: Any) -> FaceDown:
        assert self._game.face_down is not None
        return self._game.face_down(state)

    def drawn(self, number: int, past: Sequence[PastStep], state: Any) -> Any | None:
        """The action of no player that shows the next card of the stock; None: none is shown now."""
        return drawn(self._game.legal(state), self.lying(number, past, state))

    # --- Dealing, as companion.gamekit.simulated has it ---

    def table_does(self, state: Any) -> tuple[str, ...]:
        """What belongs to no player: a card of the stock is shown."""
        return _kinds(action for action in self._game.legal(state) if not hasattr(action, "seat"))

    def from_hand(self, state: Any) -> tuple[str, ...]:
        unseen = {*self._face_down(state).unseen}
        return _kinds(
            action for action in self._game.legal(state) if hasattr(action, "seat") and named(action) & unseen
        )

    def dealt(self, number: int, past: Sequence[PastStep], state: Any, seat: Seat) -> tuple[Thing, ...]:
        """In the order of `unseen`; nothing when the game is over. A game need not have pieces with tags."""
        if self._game.awaiting(state) is None:
            return ()
        hand = self.lying(number, past, state).hands[seat]
        unseen = self._face_down(state).unseen
        return tuple(self._pieces.get(card) or Thing("card", card) for card in unseen if card in hand)


def drawn(legal: Sequence[Any], hidden: DealtCards) -> Any | None:
    shown = [action for action in legal if not hasattr(action, "seat")]
    return next((action for action in shown if hidden.stock and hidden.stock[0] in named(action)), None)


def _kinds(actions: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(action.__struct_config__.tag) for action in actions))

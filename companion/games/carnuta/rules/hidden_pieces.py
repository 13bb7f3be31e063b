"""C17 At a table no answer tells who holds a start card that nobody has seen.

A start card may have been named wrongly: a finger slips on a screen. If the same card is dealt, or named once more, a
refusal would tell who hides it. So the newer word is believed. Whoever named the card first still holds a card that
nobody has seen, and sees it as they have named it; which one it is, its player says when it is shown. Any card that it
may be is believed then: a refusal would tell which one was named.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from companion.gamekit import Refusal, Seat
from companion.games.carnuta.components import Card, Side
from companion.games.carnuta.rules.engine import apply
from companion.games.carnuta.rules.state import Action, Deal, Discard, Outcome, Play, Start, State
from companion.games.carnuta.rules.turn import seated


def at_table(state: State, action: Action) -> Outcome:
    """C17 As the rules say it, but nothing is refused because of a start card that somebody else hides."""
    match action:
        case Start(card=card) | Deal(card=card):
            state = _freed(state, card)
        case Play(seat=seat, card=card) | Discard(seat=seat, card=card) if could_be_start(state, seat, card):
            state = _claimed(state, seat, card)
    return apply(state, action)


def could_be_start(state: State, seat: Seat, card: str) -> bool:
    """C17 Whether this is a card that nobody has seen, and may be the start card that this player hides."""
    if not 0 <= seat < len(state.players) or card not in state.cards:
        return False
    player, face = state.players[seat], state.cards[card].deck
    if player.secret is None or state.cards[player.secret].deck != face:
        return False
    return card in _unseen(state, face) or _holder(state, card) is not None


def is_unnamed(state: State, seat: Seat) -> bool:
    """C17 Whether this player hides a start card that is not the one that they have named: that one was seen."""
    player = state.players[seat]
    if player.secret is None or player.named is None:
        return False
    return player.named not in _unseen(state, state.cards[player.named].deck) and _holder(state, player.named) is None


def _freed(state: State, card: str) -> State:
    """If somebody hides this card it goes back to its deck, and another one that nobody has seen stands for it."""
    holder = _holder(state, card)
    if holder is None or not (unseen := _unseen(state, state.cards[card].deck)):
        return state
    return _exchanged(state, holder, next(iter(unseen)))


def _claimed(state: State, seat: Seat, card: str) -> State:
    """This player's start card is that one; whoever seemed to hide it has what stood for it."""
    holder, secret = _holder(state, card), state.players[seat].secret
    if holder == seat:
        return state
    if holder is None or secret is None:
        return _exchanged(state, seat, card)
    return _with_secret(_with_secret(state, holder, secret), seat, card)


def _holder(state: State, card: str) -> Seat | None:
    return next((seat for seat, player in enumerate(state.players) if player.secret == card), None)


def _unseen(state: State, face: Side) -> dict[str, Card]:
    """The cards of a deck that nobody has seen. C12 Once it was reshuffled all of them have lain open."""
    return {} if face in state.reshuffled else state.decks.of(face)


def _exchanged(state: State, seat: Seat, card: str) -> State:
    """This player's start card is that one, out of the deck; what stood for it goes back."""
    secret, face = state.players[seat].secret, state.cards[card].deck
    back = () if secret is None else (secret,)
    deck = {other: state.cards[other] for other in (*state.decks.of(face), *back) if other != card}
    return replace(_with_secret(state, seat, card), decks=state.decks.with_(face, deck))


def _with_secret(state: State, seat: Seat, card: str) -> State:
    player = state.players[seat]
    hand = tuple(card if held == player.secret else held for held in player.hand)
    return replace(state, players=seated(state, seat, replace(player, hand=hand, secret=card, doubted=True)))


def corrected(state: State, actions: Sequence[Action]) -> Sequence[Action]:
    """The start cards as they turned out. What was never shown may stay what stands for it: nobody has seen it."""
    cards: dict[Seat, str] = {}
    for action in actions:
        step = at_table(state, action)
        if isinstance(step, Refusal):
            return actions
        state = step.state
        cards |= {seat: player.secret for seat, player in enumerate(state.players) if player.secret is not None}
        if isinstance(action, Play | Discard) and action.seat in step.revealed:
            cards[action.seat] = action.card
    return [_with_card(action, cards) if isinstance(action, Start) else action for action in actions]


def _with_card(start: Start, cards: dict[Seat, str]) -> Start:
    return replace(start, card=cards[start.seat]) if start.seat in cards else start

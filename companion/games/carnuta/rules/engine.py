"""The rules of Carnuta, in the order of its rule book. C1 to C19 are the numbers of docs/rules/carnuta.md.

The set-up, the end of a turn and the end of the game are here; the actions of a turn and the rows are in turn.py.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from companion.gamekit import Refusal, Ruling, Seat, Setup, Step, with_item
from companion.games.carnuta.components import (
    BOARDS,
    FACES,
    INGREDIENTS,
    PADLOCKS_EACH,
    RUNES,
    SICKLES_EACH,
    SLOTS,
    TRACK,
    Card,
    Pair,
    Side,
    price,
)
from companion.games.carnuta.rules import turn
from companion.games.carnuta.rules.state import (
    Action,
    Bonus,
    Deal,
    Discard,
    EndTurn,
    Flip,
    Holdings,
    Outcome,
    Play,
    Played,
    Runes,
    Sickle,
    Start,
    State,
    Take,
    not_now,
    not_starting,
    without,
)
from companion.games.carnuta.rules.turn import ACTIONS, column_of, settle, which_column

PLAYERS = range(2, BOARDS + 1)
START_RUNES = Pair(2, 2)
HAND_LIMIT = 3


# --- Set-up ---------------------------------------------------------------------------------------------------


def setup(agreed: Setup) -> State:
    """C1 Runes, sickles and a board for each player; the other runes are the reserve: half sun, half moon."""
    left = RUNES - agreed.players * (START_RUNES.sun + START_RUNES.moon)
    sun, moon = ({card.id: card for card in agreed.box.cards if card.deck == face} for face in FACES)
    return State(
        options=agreed.options,
        box=agreed.box,
        cards={card.id: card for card in agreed.box.cards},
        prices={card.id: price(card) for card in agreed.box.cards},
        first=agreed.first,
        round=1,
        turn=agreed.first,
        phase="start",
        starting=0,
        due=None,
        actions_left=ACTIONS,
        sickled=0,
        checked=False,
        rows=Pair((), ()),
        decks=Pair(sun, moon),
        discards=Pair((), ()),
        reserve=Pair(left - left // 2, left // 2),
        players=(Holdings(START_RUNES, SLOTS - PADLOCKS_EACH, SICKLES_EACH, (), None, (), ()),) * agreed.players,
        bonus_left=INGREDIENTS,
        last_round=False,
    )


def start(state: State, action: Start) -> Outcome:
    """C1 Each player's start card, in seat order: to the hand, or with the option played at once, free of cost."""
    seat = action.seat
    if state.phase != "start" or seat != state.starting:
        return not_starting(state, seat)
    card = state.cards.get(action.card)
    if card is None or card.id not in state.decks.of(card.deck):
        return Refusal("C18" if card is None else "C1", "no start card", {"seat": seat})
    deck = {other: state.cards[other] for other in state.decks.of(card.deck) if other != card.id}
    taken = replace(state, decks=state.decks.with_(card.deck, deck), starting=seat + 1)
    player = state.players[seat]
    if state.options.start_card == "hand":
        player = replace(player, hand=(card.id,), secret=card.id, named=card.id)
        return _next_start(taken, seat, player, Ruling("C17", "has a start card", {"seat": seat}))
    column = column_of(state, card.id, action.as_)
    if column is None:
        return which_column(seat)
    said = Ruling("C1", "plays the start card", {"seat": seat, "card": card.id, "ingredient": column})
    return _next_start(taken, seat, replace(player, played=(Played(card.id, column),)), said)


def _next_start(state: State, seat: Seat, player: Holdings, said: Ruling) -> Step[State]:
    """C1 After the last start card the rows are laid out. A card that is played at once is no secret."""
    state = replace(state, players=with_item(state.players, seat, player))
    revealed = (seat,) if player.played else ()
    if state.starting < len(state.players):
        return Step(state, (said,), revealed)
    return settle(state, [said], revealed)


# --- The end of a turn ----------------------------------------------------------------------------------------


def discard(state: State, action: Discard) -> Outcome:
    """C13 Discard down to 3 hand cards, after both actions."""
    seat, card = action.seat, action.card
    if state.phase != "act" or seat != state.turn:
        return not_now(state, seat)
    player = state.players[seat]
    if state.actions_left:
        return Refusal("C13", "actions first", {"seat": seat, "count": state.actions_left})
    if card not in player.hand:
        return Refusal("C18", "not in the hand", {"seat": seat})
    if len(player.hand) <= HAND_LIMIT:
        return Refusal("C13", "few enough cards", {"seat": seat, "count": len(player.hand)})
    was_secret = card == player.secret
    hand = without(player.hand, card)
    player = replace(player, hand=hand, secret=None if was_secret else player.secret)
    deck = state.cards[card].deck
    discards = state.discards.with_(deck, (*state.discards.of(deck), card))
    said = Ruling("C13", "discards", {"seat": seat, "card": card})
    lighter = replace(state, players=with_item(state.players, seat, player), discards=discards)
    return settle(lighter, [said], (seat,) if was_secret else ())


def done(state: State, action: EndTurn) -> Outcome:
    """C13 The turn ends with both actions used and at most 3 hand cards; the marker shows the played cards."""
    seat = action.seat
    if state.phase != "act" or seat != state.turn:
        return not_now(state, seat)
    player = state.players[seat]
    if state.actions_left:
        return Refusal("C2", "actions first", {"seat": seat, "count": state.actions_left})
    if len(player.hand) > HAND_LIMIT:
        return Refusal("C13", "too many cards", {"seat": seat, "count": len(player.hand) - HAND_LIMIT})
    said = Ruling("C13", "ends the turn", {"seat": seat, "marker": min(len(player.played), TRACK)})
    following = (seat + 1) % len(state.players)
    if following == state.first:
        return end_round(state, said)
    state = replace(state, turn=following, actions_left=ACTIONS, sickled=0, checked=False)
    return Step(state, (said, _BEGINS[following]))


# --- The end of a round and of the game -----------------------------------------------------------------------


def end_round(state: State, said: Ruling) -> Step[State]:
    """C14 Once a player has 11 cards the round is finished and one more is played (not with the option)."""
    if state.last_round:
        return end(state, said)
    rulings = [said, Ruling("C2", "a new round", {"round": state.round + 1})]
    last = any(len(player.played) >= TRACK for player in state.players)
    if last:
        rulings.append(Ruling("C14", "the last round", {"round": state.round + 1}))
    rulings.append(_BEGINS[state.first])
    state = replace(
        state,
        round=state.round + 1,
        turn=state.first,
        actions_left=ACTIONS,
        sickled=0,
        checked=False,
        last_round=last,
    )
    return Step(state, tuple(rulings))


def end(state: State, said: Ruling) -> Step[State]:
    """C14 After the last round the game is over. C17 Start cards that no player has seen are shown then."""
    shown = {seat: player for seat, player in enumerate(state.players) if player.secret is not None}
    rulings = [said, Ruling("C14", "it is over")]
    for seat, player in shown.items():
        if not player.doubted:  # else only the player knows which card it is
            rulings.append(Ruling("C17", "shows the start card", {"seat": seat, "card": player.secret}))
    players = tuple([replace(player, secret=None) for player in state.players])
    state = replace(state, phase="over", turn=None, actions_left=0, last_round=True, players=players)
    return Step(state, tuple(rulings), tuple(shown))


_BEGINS = [Ruling("C2", "begins", {"turn": seat}) for seat in range(BOARDS)]

RULES: dict[type[Action], Callable[[State, Any], Outcome]] = {
    Start: start,
    Deal: turn.deal,
    Take: turn.take,
    Play: turn.play,
    Bonus: turn.bonus,
    Runes: turn.take_runes,
    Flip: turn.flip,
    Sickle: turn.sickle,
    Discard: discard,
    EndTurn: done,
}


# --- C17 At a table no answer tells who holds a start card that no player has seen -------------------------------
# A player may have named a wrong start card: a finger slips on a screen. If the same card is then dealt, or named by
# another player, a refusal would tell who hides it. So the newer word is believed. The player who named the card first
# still holds an unseen card and sees it as named. Which card it really is, that player says when it is shown; any card
# that it may be is believed then, because a refusal would tell which one was named.


def at_table(state: State, action: Action) -> Outcome:
    """C17 As the rules say it, but nothing is refused because of a start card that another player hides."""
    match action:
        case Start(card=card) | Deal(card=card):
            state = _freed(state, card)
        case Play(seat=seat, card=card) | Discard(seat=seat, card=card) if could_be_start(state, seat, card):
            state = _claimed(state, seat, card)
    return RULES[type(action)](state, action)


def could_be_start(state: State, seat: Seat, card: str) -> bool:
    """C17 Whether this is a card that no player has seen, and may be the start card that this player hides."""
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
    """If a player hides this card it goes back to its deck, and another one that no player has seen stands for it."""
    holder = _holder(state, card)
    if holder is None or not (unseen := _unseen(state, state.cards[card].deck)):
        return state
    return _exchanged(state, holder, next(iter(unseen)))


def _claimed(state: State, seat: Seat, card: str) -> State:
    """This player's start card is that one; the player who seemed to hide it has what stood for it."""
    holder, secret = _holder(state, card), state.players[seat].secret
    if holder == seat:
        return state
    if holder is None or secret is None:
        return _exchanged(state, seat, card)
    return _with_secret(_with_secret(state, holder, secret), seat, card)


def _holder(state: State, card: str) -> Seat | None:
    return next((seat for seat, player in enumerate(state.players) if player.secret == card), None)


def _unseen(state: State, face: Side) -> dict[str, Card]:
    """The cards of a deck that no player has seen. C12 Once it was reshuffled all of them have lain open."""
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
    return replace(state, players=with_item(state.players, seat, replace(player, hand=hand, secret=card, doubted=True)))


def corrected(state: State, actions: Sequence[Action]) -> Sequence[Action]:
    """The start cards as they turned out. What was never shown may stay what stands for it: no player has seen it."""
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

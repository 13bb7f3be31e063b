"""The rules of Carnuta, in the order of its rule book. C1 to C19 are the numbers of docs/rules/carnuta.md.

Here stand the set-up, the end of a turn and the end of the game; a turn itself is in turn.py, the rows in rows.py.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.gamekit import Refusal, Ruling, Seat, Setup, Step
from companion.games.carnuta.components import (
    BOARDS,
    FACES,
    INGREDIENTS,
    PADLOCKS_EACH,
    RUNES,
    SICKLES_EACH,
    SLOTS,
    TRACK,
    Pair,
    price,
)
from companion.games.carnuta.rules import rows, turn
from companion.games.carnuta.rules.refusals import not_now, not_starting
from companion.games.carnuta.rules.rows import ACTIONS, settle
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
)
from companion.games.carnuta.rules.turn import column_of, seated, which_column

PLAYERS = range(2, BOARDS + 1)
START_RUNES = Pair(2, 2)
HAND_LIMIT = 3


def apply(state: State, action: Action) -> Outcome:
    """What the rules say to an action: a step, or a refusal that changes nothing."""
    return _RULES[type(action)](state, action)


# --- Set-up ---------------------------------------------------------------------------------------------------


def setup(agreed: Setup) -> State:
    """C1 Runes, sickles and a board for everybody; the other runes are the reserve: half sun, half moon."""
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
    """C1 Everybody's start card, in seat order: to the hand, or with the option played at once, free of cost."""
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
    state = replace(state, players=seated(state, seat, player))
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
    hand = tuple([other for other in player.hand if other != card])
    player = replace(player, hand=hand, secret=None if was_secret else player.secret)
    deck = state.cards[card].deck
    discards = state.discards.with_(deck, (*state.discards.of(deck), card))
    said = Ruling("C13", "discards", {"seat": seat, "card": card})
    lighter = replace(state, players=seated(state, seat, player), discards=discards)
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
    """C14 Once somebody has 11 cards the round is finished and one more is played (not with the option)."""
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
    """C14 After the last round the game is over. C17 Start cards that nobody has seen are shown then."""
    shown = {seat: player for seat, player in enumerate(state.players) if player.secret is not None}
    rulings = [said, Ruling("C14", "it is over")]
    for seat, player in shown.items():
        if not player.doubted:  # else only the player knows which card it is
            rulings.append(Ruling("C17", "shows the start card", {"seat": seat, "card": player.secret}))
    players = tuple([replace(player, secret=None) for player in state.players])
    state = replace(state, phase="over", turn=None, actions_left=0, last_round=True, players=players)
    return Step(state, tuple(rulings), tuple(shown))


def rematch(played: Setup) -> tuple[Seat, dict[str, Any]]:
    """Another player starts the next game of a match; the rulings say nothing about it."""
    return (played.first + 1) % played.players, {}


_BEGINS = [Ruling("C2", "begins", {"turn": seat}) for seat in range(BOARDS)]

_RULES: dict[type, Callable[[State, Any], Outcome]] = {
    Start: start,
    Deal: rows.deal,
    Take: turn.take,
    Play: turn.play,
    Bonus: turn.bonus,
    Runes: turn.take_runes,
    Flip: turn.flip,
    Sickle: turn.sickle,
    Discard: discard,
    EndTurn: done,
}

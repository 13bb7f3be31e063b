"""What hands mean at a table of Carnuta. Nothing said here names a card that nobody has seen.

A card is tapped on the centre when it is dealt, taken, played or discarded; the start card lies on the own pad or is
tapped on the centre. A bonus ingredient is tapped when it is chosen. For everything else there are the buttons: green
steps through what may be done, green held does it, red lets it be (see choosing.py). When both actions are used, green
or the own marker on the centre ends the turn.
"""

from companion.gamekit import Aside, Draft, Gesture, Laid, Pushed, Seat
from companion.games.carnuta.components import INGREDIENTS, SALT
from companion.games.carnuta.rules import choosing
from companion.games.carnuta.rules.believing import could_be_start, is_unnamed
from companion.games.carnuta.rules.engine import HAND_LIMIT
from companion.games.carnuta.rules.paying import can_pay
from companion.games.carnuta.rules.state import (
    Action,
    Bonus,
    Deal,
    Discard,
    EndTurn,
    Play,
    Start,
    State,
    Take,
    unfolded,
)


def meaning(state: State, gesture: Gesture) -> Action | Draft | Aside:
    """The action that a gesture asks for or begins, which the rules may still refuse, or an aside."""
    if gesture.seat is not None and gesture.seat >= len(state.players):
        return Aside("foreign", "nobody sits here")
    if isinstance(gesture, Laid) and not _is_ours(state, gesture):
        return Aside("foreign", "not of this game")
    if state.turn is None:
        return Aside("idle", "nothing more to do")
    seat = state.turn if gesture.seat is None else gesture.seat
    if isinstance(gesture, Pushed):
        return _button(state, gesture, seat)
    if gesture.piece.kind == "marker":
        return _marker(state, gesture)
    if gesture.piece.kind == "bonus":
        return Bonus(seat, gesture.piece.id)
    return _card(state, gesture, seat)


def continued(state: State, so_far: Action, gesture: Gesture) -> Action | Draft | Aside:
    """What the next gesture means when an action lies there half said."""
    whose = state.starting if state.phase == "start" else state.turn
    if isinstance(gesture, Laid) or gesture.seat not in (None, whose):
        return meaning(state, gesture)
    return choosing.go_on(state, so_far, gesture)


def _is_ours(state: State, laid: Laid) -> bool:
    known = {"card": state.cards, "bonus": INGREDIENTS, "marker": ("",)}
    return laid.piece.id in known.get(laid.piece.kind, ())


# --- Cards ----------------------------------------------------------------------------------------------------


def _card(state: State, laid: Laid, seat: Seat) -> Action | Draft | Aside:
    card = laid.piece.id
    if state.phase == "start":
        return _start(state, laid)
    if state.phase == "deal":
        return _deal(state, laid)
    if card in state.rows.sun or card in state.rows.moon:
        return Take(seat, card)
    if _is_held(state, seat, card):
        return _from_hand(state, seat, card)
    if _lies_open(state, card):
        return Aside("foreign", "lies elsewhere", {"card": card})
    return Aside("foreign", "not for now")


def _start(state: State, laid: Laid) -> Action | Draft | Aside:
    """C1 In seat order: on the centre it is the card of the one who comes next. C7 Salt that is played asks where."""
    seat = state.starting if laid.seat is None else laid.seat
    card = state.cards[laid.piece.id]
    free = card.id in state.decks.of(card.deck)
    if card.ingredient == SALT and state.options.start_card == "played" and free and seat == state.starting:
        return choosing.half(state, Start(seat, card.id, INGREDIENTS[0]))
    return Start(seat, card.id)


def _deal(state: State, laid: Laid) -> Action | Aside:
    """C3 A card that does not belong there goes to the rules, too: they say from which deck it has to come."""
    card = laid.piece.id
    if laid.seat is not None:
        return Aside("foreign", "card on a pad", {"seat": laid.seat})
    if card in state.rows.sun or card in state.rows.moon:
        return Aside("repeated", "in the row already", {"card": card})
    assert state.due is not None  # while a card is dealt
    return Deal(state.due, card)


def _from_hand(state: State, seat: Seat, card: str) -> Action | Draft | Aside:
    """C4 Play it, or C13 discard it when both actions are used. C7 Salt asks where: everybody sees the question, so
    C17 the column of a start card that nobody has seen is said on the screen, together with the card."""
    player = state.players[seat]
    if not state.actions_left and len(player.hand) > HAND_LIMIT:
        return Discard(seat, card)
    asks = state.cards[card].ingredient == SALT and can_pay(
        player.runes, state.prices[card], state.options.flipped_pays
    )
    if asks and seat == state.turn and state.phase == "act" and state.actions_left:
        if card == player.secret or card not in player.hand:
            return Aside("idle", "column on the screen", {"seat": seat})
        return choosing.half(state, Play(seat, card, INGREDIENTS[0]))
    return Play(seat, card)


def _is_held(state: State, seat: Seat, card: str) -> bool:
    """C17 A start card is the one that was named; if that one was seen elsewhere, any that nobody has seen."""
    player = state.players[seat]
    if card in unfolded(player):
        return True
    return (
        could_be_start(state, seat, card)
        if is_unnamed(state, seat)
        else player.secret is not None and card == player.named
    )


def _lies_open(state: State, card: str) -> bool:
    """C17 Whether everybody can see where this card is."""
    return any(
        card in unfolded(player) or any(played.card == card for played in player.played) for player in state.players
    )


# --- Markers and buttons --------------------------------------------------------------------------------------


def _marker(state: State, laid: Laid) -> Action | Aside:
    """C13 The own marker ends the turn: that is when it is looked at."""
    owner = laid.piece.owner
    if owner is None or owner >= len(state.players):
        return Aside("foreign", "nobody's marker")
    if laid.seat is not None and laid.seat != owner:
        return Aside("foreign", "foreign pad", {"owner": owner, "seat": laid.seat})
    return EndTurn(owner)


def _button(state: State, button: Pushed, seat: Seat) -> Action | Draft | Aside:
    """C13 Green ends the turn when both actions are used; before, it steps through what may be done."""
    if state.phase == "start":
        return Aside("idle", "start cards are taken", {"turn": state.starting})
    if state.phase == "deal":
        return Aside("idle", "a card is dealt", {"row": state.due})
    if seat != state.turn:
        return Aside("foreign", "somebody else's turn", {"seat": seat, "turn": state.turn})
    finished = state.phase == "act" and not state.actions_left
    if finished and button.colour == "green" and len(state.players[seat].hand) <= HAND_LIMIT:
        return EndTurn(seat)
    if button.colour == "red" and not finished:
        return Aside("idle", "green steps", {"seat": seat})
    return choosing.first(state)

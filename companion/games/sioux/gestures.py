"""What hands mean at a table of Sioux. Nothing said here names a card.

A tribe card says whose it is: face down on the own pad, or tapped on the centre, it is laid. Green calls the crow and
claims all gifts, red does neither. For the shaman green is the highest free value, red the lowest, green held the one
between. Who got the higher of two supply cards that were dealt presses green, or taps a card of his on the centre.
"""

from companion.games.game import Aside, Button, Gesture, Laid, Seat
from companion.games.sioux.components import HUNTER
from companion.games.sioux.hunt import free_values
from companion.games.sioux.state import Action, Crow, Dealt, Duel, Gifts, Name, Play, State, waiting_for


def meaning(state: State, gesture: Gesture) -> Action | Aside:
    """The action that a gesture asks for, which the rules may still refuse, or an aside."""
    if gesture.seat is not None and gesture.seat not in state.fixed.seats:
        return Aside("foreign", "nobody sits here")
    if isinstance(gesture, Button):
        return _button(state, gesture)
    if gesture.piece.kind == "card":
        return _card(state, gesture)
    return Aside("foreign", "not of this game")


# --- Cards ----------------------------------------------------------------------------------------------------


def _card(state: State, laid: Laid) -> Action | Aside:
    card, owner = laid.piece.id, laid.piece.owner
    if card == HUNTER and owner is None:
        if state.hunter is None:
            return Aside("foreign", "hunter lies aside")
        owner = state.hunter
    elif owner is None or card not in state.fixed.worth or card == HUNTER:
        return Aside("foreign", "not of this game")
    if owner not in state.fixed.seats:
        return Aside("foreign", "nobody's card")
    if laid.seat is not None and laid.seat != owner:
        return Aside("foreign", "foreign pad", {"owner": owner, "seat": laid.seat})
    if state.phase == "dealt" and laid.seat is None:
        return _dealt(state, owner, True)
    return Duel(owner, card) if state.phase == "duel" else Play(owner, card)


# --- Buttons --------------------------------------------------------------------------------------------------


def _button(state: State, button: Button) -> Action | Aside:
    """At the centre the buttons speak for the one who is asked."""
    green = button.colour == "green"
    waiting = waiting_for(state)
    match state.phase:
        case "name":
            return _name(state, button)
        case "crow":
            return Crow(state.asked if button.seat is None else button.seat, green)
        case "gifts":
            seat, givers = state.claims[0]
            return Gifts(seat if button.seat is None else button.seat, givers if green else ())
        case "duel":
            empty = [seat for seat in waiting if button.seat in (None, seat) and not state.hands[seat]]
            return Duel(empty[0], None) if empty else Aside("idle", "cards are laid", {"seats": waiting})
        case "dealt":
            return _dealt(state, button.seat, green)
        case "play":
            return Aside("idle", "cards are laid", {"seats": waiting})
    return Aside("idle", "nothing more to do")


def _name(state: State, button: Button) -> Action:
    """S7 At most three values are free: two buttons are enough for them."""
    free = free_values(state, state.asked)
    value = free[0] if button.colour == "red" else free[len(free) // 2] if button.held else free[-1]
    return Name(state.asked if button.seat is None else button.seat, value)


def _dealt(state: State, seat: Seat | None, highest: bool) -> Action | Aside:
    """S20 Of two, one says it all. More of them have to be named on the screen."""
    tied = state.tied
    if len(tied) > 2:
        return Aside("idle", "say it on the screen", {"seats": tied})
    if seat not in tied:
        return Aside("idle", "who got the highest", {"seats": tied})
    return Dealt(tied if (seat == tied[0]) == highest else tied[::-1])

"""What hands mean at a table of Sioux. Nothing said here names a card.

A tribe card says whose it is: face down on the own pad, or tapped on the centre, it is laid. Green calls the crow and
claims all gifts, red does neither. For the shaman green is the highest free value, red the lowest, green held the one
between. Who got the highest of the supply cards that were dealt presses green, or taps a card on the centre, then who
got the next highest, and so on; red takes the last one back.
"""

from companion.gamekit import Aside, Draft, Gesture, Laid, Pushed, Seat
from companion.games.sioux.components import HUNTER
from companion.games.sioux.rules.state import Action, Crow, Dealt, Duel, Gifts, Name, Play, State, waiting_for


def meaning(state: State, gesture: Gesture) -> Action | Draft | Aside:
    """The action that a gesture asks for, which the rules may still refuse, a part of one, or an aside."""
    return continued(state, (), gesture)


def continued(state: State, so_far: tuple[Seat, ...], gesture: Gesture) -> Action | Draft | Aside:
    """The same after a part of it. S20 Only what was dealt is told in parts: who got the highest card, the next…"""
    if gesture.seat is not None and gesture.seat not in state.fixed.seats:
        return Aside("foreign", "nobody sits here")
    if isinstance(gesture, Pushed):
        return _button(state, so_far, gesture)
    if gesture.piece.kind == "card":
        return _card(state, so_far, gesture)
    return Aside("foreign", "not of this game")


# --- Cards ----------------------------------------------------------------------------------------------------


def _card(state: State, so_far: tuple[Seat, ...], laid: Laid) -> Action | Draft | Aside:
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
        return _dealt(state, so_far, owner)
    return Duel(owner, card) if state.phase == "duel" else Play(owner, card)


# --- Buttons --------------------------------------------------------------------------------------------------


def _button(state: State, so_far: tuple[Seat, ...], button: Pushed) -> Action | Draft | Aside:
    """At the centre the buttons speak for the one who is asked."""
    green = button.colour == "green"
    waiting = waiting_for(state)
    match state.phase:
        case "name":
            return _name(state, button)
        case "crow":
            return Crow(waiting[0] if button.seat is None else button.seat, green)
        case "gifts":
            seat, givers = state.claims[0]
            return Gifts(seat if button.seat is None else button.seat, givers if green else ())
        case "duel":
            empty = [seat for seat in waiting if button.seat in (None, seat) and not state.hands[seat]]
            return Duel(empty[0], None) if empty else Aside("idle", "cards are laid", {"seats": waiting})
        case "dealt":
            return _dealt(state, so_far, button.seat) if green else _take_back(so_far)
        case "play":
            return Aside("idle", "cards are laid", {"seats": waiting})
    return Aside("idle", "nothing more to do")


def _name(state: State, button: Pushed) -> Action:
    """S7 At most three values are free: two buttons are enough for them."""
    free = state.free
    value = free[0] if button.colour == "red" else free[len(free) // 2] if button.held else free[-1]
    return Name(state.asked[0] if button.seat is None else button.seat, value)


# --- Who got which supply card --------------------------------------------------------------------------------


def _dealt(state: State, so_far: tuple[Seat, ...], seat: Seat | None) -> Action | Draft | Aside:
    """S20 One after another, the highest card first; the last one need not be told."""
    missing = tuple(each for each in state.tied if each not in so_far)
    if seat not in missing:
        return Aside("idle", "who got the next card", {"seats": missing})
    named = (*so_far, seat)
    left = tuple(each for each in missing if each != seat)
    if len(left) == 1:
        return Dealt(named + left)
    return Draft(named, "got the next card", {"seat": seat, "seats": left})


def _take_back(so_far: tuple[Seat, ...]) -> Draft | Aside:
    if not so_far:
        return Aside("idle", "nothing to take back")
    return Draft(so_far[:-1] or None, "taken back", {"seat": so_far[-1]})

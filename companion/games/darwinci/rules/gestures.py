"""What hands mean at a table of Darwinci. Nothing said here names a tile that lies face down.

Green buys, red doesn't. An offered tile lies face down on the own pad, or is tapped on the centre, one after another.
While bidding, a press on somebody's pad lays a stone on their tile: green one's own, red a foreign one; with one reader
the tile is tapped on the centre first. Red, held, takes the last stone back; the centre's green ends the bid.
A tile to be built is laid on the own pad or tapped on the centre; green steps through the places, red turns it, green
held builds it. Green steps through the jewellery lines likewise; a jewellery marker asks for its kind; red skips.
"""

from companion.gamekit import Aside, Draft, Gesture, Laid, Pushed, Seat
from companion.games.darwinci.rules import bidding, placing
from companion.games.darwinci.rules.state import Action, Build, Buy, Discard, Jewels, Keep, Offer, State, clockwise
from companion.games.darwinci.view import HalfBid

_OVER = Aside("idle", "nothing more to do")


def meaning(state: State, gesture: Gesture) -> Action | Draft | Aside:
    """The action that a gesture asks for or begins, which the rules may still refuse, or an aside."""
    if gesture.seat is not None and gesture.seat not in state.seats:
        return Aside("foreign", "nobody sits here")
    if state.phase == "bid":
        return bidding.go_on(state, HalfBid(state.turn), gesture)
    if isinstance(gesture, Pushed):
        return _button(state, gesture)
    if gesture.piece.kind == "tile" and gesture.piece.id in state.tiles:
        return _tile(state, gesture)
    if gesture.piece.kind == "jewel" and gesture.piece.id in state.box.jewels:
        return _marker(state, gesture)
    return Aside("foreign", "not of this game")


def continued(state: State, so_far: HalfBid | Build | Discard | Jewels, gesture: Gesture) -> Action | Draft | Aside:
    """What the next gesture means when half an action has been said."""
    if so_far.seat != state.turn or (gesture.seat is not None and gesture.seat not in state.seats):
        return meaning(state, gesture)
    if isinstance(so_far, HalfBid):
        return bidding.go_on(state, so_far, gesture)
    if isinstance(gesture, Laid):
        return meaning(state, gesture)
    if gesture.seat not in (None, state.turn):
        return _not_his_turn(state, gesture.seat)
    if isinstance(so_far, Jewels):
        return placing.next_line(state, so_far, gesture)
    return placing.next_place(state, so_far, gesture)


# --- Buttons --------------------------------------------------------------------------------------------------


def _button(state: State, button: Pushed) -> Action | Draft | Aside:
    seat = state.turn if button.seat is None else button.seat
    green = button.colour == "green"
    if state.phase == "buy":
        return Buy(seat) if green else Keep(seat)
    if state.phase == "offer":
        return Aside("idle", "tiles are offered", {"seats": _missing(state)})
    if state.phase == "over":
        return _OVER
    if seat != state.turn:
        return _not_his_turn(state, seat)
    if state.phase == "jewels":
        return placing.first_line(state) if green else placing.no_line(state)
    return placing.first_tile(state) if green else Aside("idle", "lay a tile", {"seat": seat})


def _not_his_turn(state: State, seat: Seat | None) -> Aside:
    return Aside("foreign", "somebody else's turn", {"seat": seat, "turn": state.turn})


# --- Tiles and markers ----------------------------------------------------------------------------------------


def _tile(state: State, laid: Laid) -> Action | Draft | Aside:
    if state.phase == "offer":
        return _offered(state, laid)
    if state.phase == "over":
        return _OVER
    if state.phase in ("buy", "jewels"):
        return Aside("idle", "no tiles now", {"turn": state.turn})
    if laid.seat not in (None, state.turn):
        return _not_his_turn(state, laid.seat)
    return placing.take_up(state, laid.piece.id)


def _offered(state: State, laid: Laid) -> Action | Aside:
    """D2 On the own pad; on the centre for the next one from the start player on, where a tile that is tapped twice was
    offered once. D21 On a pad it does not matter what others have offered: the rules hear it."""
    missing = _missing(state)
    seat = missing[0] if laid.seat is None else laid.seat
    known = state.offers if laid.seat is None else state.offers[seat : seat + 1]
    if laid.piece.id in known:
        return Aside("repeated", "lies face down")
    return Offer(seat, laid.piece.id)


def _missing(state: State) -> tuple[Seat, ...]:
    """Who has not offered, in order from the start player."""
    return tuple(seat for seat in clockwise(state.start, len(state.seats)) if state.offers[seat] is None)


def _marker(state: State, laid: Laid) -> Draft | Aside:
    """D15 A jewellery marker asks for its kind."""
    owner = laid.piece.owner
    if owner is None or owner not in state.seats:
        return Aside("foreign", "nobody's marker")
    if laid.seat not in (None, owner):
        return Aside("foreign", "foreign pad", {"owner": owner, "seat": laid.seat})
    if state.phase == "over":
        return _OVER
    if state.phase != "jewels":
        return Aside("idle", "no jewellery now", {"turn": state.turn})
    if owner != state.turn:
        return _not_his_turn(state, owner)
    return placing.first_line(state, laid.piece.id)

"""What hands mean at a table of Lascaux. Nothing said here names a marker's colour.

A drawn card is tapped on the centre. A marker lies on the own pad, or is tapped on the centre: that is a choice, and
while bidding the chosen marker on the centre is a pass. Green lays a stone, red passes; green held proposes the end.
"""

from companion.gamekit import Aside, Gesture, Laid, Pushed, Seat, Thing
from companion.games.lascaux.rules.engine import Action, Choose, Draw, End, Pass, State, Stone


def meaning(state: State, gesture: Gesture) -> Action | Aside:
    """The action that a gesture asks for, which the rules may still refuse, or an aside."""
    if gesture.seat is not None and gesture.seat not in state.order:
        return Aside("foreign", "nobody sits here")
    if isinstance(gesture, Pushed):
        return _button(state, gesture)
    if gesture.piece.kind == "card":
        return _card(state, gesture)
    if gesture.piece.kind == "marker":
        return _marker(state, gesture)
    return Aside("foreign", "not of this game")


def _card(state: State, laid: Laid) -> Action | Aside:
    """L2 A drawn card. L4 One too many goes to the rules, too: they say where to put it."""
    card = laid.piece.id
    if card not in state.cards:
        return Aside("foreign", "not of this game")
    if laid.seat is not None:
        return Aside("foreign", "card on a pad", {"seat": laid.seat})
    if any(shown.id == card for shown in state.row):
        return Aside("repeated", "in the row already", {"card": card})
    return Draw(card)


# --- Markers --------------------------------------------------------------------------------------------------


def _marker(state: State, laid: Laid) -> Action | Aside:
    owner = laid.piece.owner
    if owner is None or laid.piece.id not in state.box.colours:
        return Aside("foreign", "not of this game")
    if owner not in state.order:
        return Aside("foreign", "nobody's marker")
    if laid.seat is not None and laid.seat != owner:
        return Aside("foreign", "foreign pad", {"owner": owner, "seat": laid.seat})
    if laid.seat is None and state.phase == "bid":
        return _pass(state, owner, laid.piece)
    if state.choices[owner] == laid.piece.id:
        return Aside("repeated", "chosen already", {"seat": owner})
    return Choose(owner, laid.piece.id)


def _pass(state: State, owner: Seat, marker: Thing) -> Action | Aside:
    """L8 Passing by the marker. L10 Out of turn every marker is refused alike, so no refusal tells which one it is."""
    if owner == state.bidders[0] and marker.id != state.choices[owner]:
        return Aside("foreign", "not the chosen marker", {"seat": owner})
    return Pass(owner)


# --- Buttons --------------------------------------------------------------------------------------------------


def _button(state: State, button: Pushed) -> Action | Aside:
    if state.phase == "bid":
        seat = state.bidders[0] if button.seat is None else button.seat
        return Stone(seat) if button.colour == "green" else Pass(seat)
    if state.phase == "draw":
        return Aside("idle", "cards are drawn", {"start": state.start})
    if state.phase == "choose":
        return _button_while_choosing(state, button)
    return Aside("idle", "nothing more to do")


def _button_while_choosing(state: State, button: Pushed) -> Action | Aside:
    """L16 In a stalemate green, held, asks the table whether to end."""
    if state.stalemate and button.colour == "green":
        return End() if button.held else Aside("idle", "hold green to end")
    missing = tuple(seat for seat in state.order if state.choices[seat] is None)
    return Aside("idle", "markers are chosen", {"seats": missing})

"""Why an action comes at the wrong time. C18 Out of turn or at the wrong time: refused."""

from companion.gamekit import Refusal, Seat
from companion.games.carnuta.rules.state import State


def not_now(state: State, seat: Seat) -> Refusal:
    """C18 Why this seat can't do this now."""
    if not 0 <= seat < len(state.players):
        return _no_such_seat(state, seat)
    if state.phase == "over":
        return game_over()
    if state.phase == "start":
        return Refusal("C1", "start cards first", {"turn": state.starting})
    if state.phase == "deal":
        return Refusal("C3", "a place is empty", {"row": state.due})
    if seat != state.turn:
        return Refusal("C18", "out of turn", {"seat": seat, "turn": state.turn})
    if state.phase == "bonus":
        return Refusal("C8", "the bonus first", {"seat": seat, "ingredients": state.bonus_left})
    return Refusal("C8", "no bonus now", {"seat": seat})


def not_starting(state: State, seat: Seat) -> Refusal:
    """C1 Start cards come first. C18 In seat order."""
    if not 0 <= seat < len(state.players):
        return _no_such_seat(state, seat)
    if state.phase == "over":
        return game_over()
    if state.phase != "start":
        return Refusal("C1", "all have start cards")
    return Refusal("C18", "another's start card", {"seat": seat, "turn": state.starting})


def game_over() -> Refusal:
    """C14 After the end every further action is refused."""
    return Refusal("C14", "the game is over")


def _no_such_seat(state: State, seat: Seat) -> Refusal:
    return Refusal("C18", "no such seat", {"number": seat, "last": len(state.players) - 1})

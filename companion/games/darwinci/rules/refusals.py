"""D22 Order and form: what is said to an action out of turn, at the wrong time or from no seat."""

from companion.gamekit import Refusal, Seat
from companion.games.darwinci.rules.state import State

_OVER = Refusal("D22", "the game is over")


def out_of_turn(state: State, seat: Seat, do: str) -> Refusal:
    """D22 Why this seat may not do this now."""
    if not 0 <= seat < len(state.seats):
        return no_such_seat(state, seat)
    if do in _POSSIBLE[state.phase]:
        return Refusal("D22", "out of turn", {"seat": seat, "turn": state.turn})
    return not_now(state, seat, do)


def not_now(state: State, seat: Seat, do: str) -> Refusal:
    """D22 At the wrong time."""
    if state.phase == "over":
        return _OVER
    return Refusal("D22", "not now", {"seat": seat, "do": do, "possible": _POSSIBLE[state.phase]})


def no_such_seat(state: State, seat: Seat) -> Refusal:
    """D22 Nobody sits there."""
    return Refusal("D22", "no such seat", {"number": seat, "last": len(state.seats) - 1})


_POSSIBLE: dict[str, tuple[str, ...]] = {
    "setup": ("build",),
    "buy": ("buy", "keep"),
    "offer": ("offer",),
    "bid": ("bid",),
    "build": ("build", "discard"),
    "jewels": ("jewels", "skip"),
    "over": (),
}

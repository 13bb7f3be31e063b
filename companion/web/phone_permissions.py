"""What a phone may say to the referee in its seat's name. Nothing else leaves this process."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.gamekit.game import Seat
from companion.messages.intentions import (
    Act,
    Agree,
    Decline,
    EndMatch,
    Inquiry,
    Intention,
    LookedOver,
    NextGame,
    Peek,
    Prepare,
    Undo,
)

Permit = Callable[[Any, Seat], bool]


def _always(_said: object, _seat: Seat) -> bool:
    return True


def _own(said: Act | Peek, seat: Seat) -> bool:
    """In the seat's own name; the referee then looks whether this seat may do it."""
    return said.seat == seat


def _own_now(said: Act, seat: Seat) -> bool:
    """It also says for which game it is meant: in the next one another player may sit there."""
    return said.seat == seat and said.begun is not None


PERMITS: Mapping[type, Permit] = {
    Act: _own_now,
    Peek: _own,
    Agree: lambda said, seat: said.seat == seat and said.question is not None,
    Decline: lambda said, _seat: said.question is not None,
    Undo: lambda said, _seat: said.entry is not None and said.to is None,  # the newest action, which everybody sees
    NextGame: lambda said, _seat: not said.seats,
    EndMatch: _always,
    LookedOver: _always,
    Prepare: _always,
}
"""Kind → whether this seat's phone may say it. What names no seat is everybody's: any player may turn the page, or ask
for the newest action to be taken back. A question or an entry has to be named: an answer that comes late is no answer
to the next question."""


def permitted(said: Intention | Inquiry, seat: Seat) -> bool:
    permit = PERMITS.get(type(said))
    return permit is not None and permit(said, seat)

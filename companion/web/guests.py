"""Who may come in: a code for each seat and one for spectators, for one evening.

A code is a random number of 128 bits. Whoever shows it gets a cookie, which is made of the code and says nothing about
it. When a seat gets a new code, the old one and every cookie made of it are worth nothing.
"""

import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from companion.gamekit.game import Seat
from companion.messages.phones import SPECTATORS

CODE_BYTES = 16
WATCHING = SPECTATORS
"""Where spectators sit."""

GuestSeat: TypeAlias = int
"""A seat, or WATCHING."""
T = TypeVar("T")


def new_code() -> str:
    return secrets.token_urlsafe(CODE_BYTES)


def new_codes(seats: Iterable[Seat]) -> dict[GuestSeat, str]:
    return {chair: new_code() for chair in (*seats, WATCHING)}


def moved_seats(before: Sequence[str], now: Sequence[str]) -> dict[Seat, Seat]:
    """Who of the same people sits elsewhere now: seat before → seat now. Of two with one name, the first stays so."""
    if sorted(before) != sorted(now):
        return {}
    moving = [seat for seat, name in enumerate(before) if now[seat] != name]
    free = list(moving)
    moved: dict[Seat, Seat] = {}
    for seat in moving:
        moved[seat] = next(place for place in free if now[place] == before[seat])
        free.remove(moved[seat])
    return moved


def moved_along(things: Mapping[GuestSeat, T], moved: Mapping[Seat, Seat]) -> dict[GuestSeat, T]:
    """What belongs to people, by where they sit now."""
    return {moved.get(chair, chair): thing for chair, thing in things.items()}


class _Pass(NamedTuple):
    code: str
    cookie: str


class Guests:
    def __init__(self, codes: Mapping[GuestSeat, str]) -> None:
        self._passes = {chair: _Pass(code, _cookie(code)) for chair, code in codes.items()}

    @property
    def chairs(self) -> tuple[GuestSeat, ...]:
        return tuple(self._passes)

    def renew(self, chair: GuestSeat, code: str) -> None:
        self._passes[chair] = _Pass(code, _cookie(code))

    def reseat(self, moved: Mapping[Seat, Seat]) -> None:
        """Everybody's code goes with them."""
        self._passes = moved_along(self._passes, moved)

    def cookie_for(self, code: str) -> str | None:
        """What whoever shows this code is given; None: nobody knows it. All are compared, in the same time."""
        found = [each.cookie for each in self._passes.values() if _same(each.code, code)]
        return found[0] if found else None

    def chair_of(self, cookie: str) -> GuestSeat | None:
        found = [chair for chair, each in self._passes.items() if _same(each.cookie, cookie)]
        return found[0] if found else None


def _cookie(code: str) -> str:
    return hmac.new(code.encode(), b"companion cookie", "sha256").hexdigest()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "replace"))

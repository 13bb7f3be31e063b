"""Access codes: one for each player and one for spectators, for one evening.

A code is a random number of 128 bits. A phone that shows it gets a cookie, which is derived from the code and does not
reveal it. Both belong to a player and not to a seat: every snapshot says where that player sits. When a player gets a
new code, the old one and all its cookies become invalid.
"""

import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from companion.messages.phone_access import SPECTATORS

CODE_BYTES = 16
WATCHING = SPECTATORS
"""Instead of a player: spectators."""

Guest: TypeAlias = int
"""A player, by the seat that they had in the evening's first game (`Player.person`), or WATCHING."""


def new_code() -> str:
    return secrets.token_urlsafe(CODE_BYTES)


def new_codes(players: Iterable[int]) -> dict[Guest, str]:
    return {guest: new_code() for guest in (*players, WATCHING)}


class _Pass(NamedTuple):
    code: str
    cookie: str


class AccessCodes:
    def __init__(self, codes: Mapping[Guest, str]) -> None:
        self._passes = {guest: _Pass(code, _cookie(code)) for guest, code in codes.items()}

    def renew(self, guest: Guest, code: str) -> None:
        self._passes[guest] = _Pass(code, _cookie(code))

    def code_of(self, guest: Guest) -> str:
        return self._passes[guest].code

    def cookie_for(self, code: str) -> str | None:
        """The cookie for this code; None if the code is unknown. All codes are compared, in constant time."""
        found = [each.cookie for each in self._passes.values() if _same(each.code, code)]
        return found[0] if found else None

    def guest_of(self, cookie: str) -> Guest | None:
        found = [guest for guest, each in self._passes.items() if _same(each.cookie, cookie)]
        return found[0] if found else None


def _cookie(code: str) -> str:
    return hmac.new(code.encode(), b"companion cookie", "sha256").hexdigest()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "replace"))

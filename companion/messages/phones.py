"""What a table screen needs to know about phones: where they are to come, with which codes, and who has come."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

PORT, PORTS = 8137, 10
"""How many ports are tried, one after another, if somebody else is listening already."""
SPECTATORS = -1
"""Instead of a seat: whoever only watches."""


class Wifi(Struct, frozen=True):
    """The network in which phones find the table."""

    name: str
    password: str = ""


class PhonesOffer(Struct, frozen=True):
    url: str
    """Where phones come to, without a code: people can type it."""
    links: Mapping[int, str] = {}
    """Seat, or SPECTATORS → what its code says."""
    counts: Mapping[int, int] = {}
    """How many phones have come, seat by seat."""
    wifi: Wifi | None = None
    encrypted: bool = False


class PhonesDesk(Protocol):
    """Lets phones come to the table, once somebody has said so."""

    def open(self) -> None:
        """May block for a moment. Raises CompanionError."""

    def offer(self) -> PhonesOffer | None:
        """None: phones cannot come, because nobody has said so, or because they could not be let in."""

    def renew(self, seat: int) -> None:
        """A phone was lost: its seat gets a new code, and the old one is dead."""

    @property
    def problem(self) -> str:
        """Why phones can no longer come; "" if they can."""


class ForServer(Struct, frozen=True, omit_defaults=True):
    """What the phones' server is told on its standard input, line by line: first all codes, then those that were
    replaced."""

    codes: dict[int, str]


class FromServer(Struct, frozen=True, omit_defaults=True):
    """What it says on its standard output: where it listens, and who has come."""

    url: str
    counts: dict[int, int] = {}
    moved: dict[int, int] = {}
    """Who has just changed seats: seat before → seat now. Their codes go with them."""

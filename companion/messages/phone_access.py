"""What a table screen needs to know about phones: where they are to come, with which codes, and who has come."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from companion.gamekit.discovery import Found

PORT, PORTS = 8137, 10
"""How many ports are tried, one after another, if somebody else is listening already."""
SPECTATORS = -1
"""Instead of a player: whoever only watches."""
MESSAGE_BYTES = 128 * 1024
"""No message between the phones' server and its keeper is longer."""


class Wifi(Struct, frozen=True):
    """The network in which phones find the table."""

    name: str
    password: str = ""


class PhonesOffer(Struct, frozen=True):
    url: str
    """Where phones come to, without a code: people can type it."""
    links: Mapping[int, str] = {}
    """Player (`Player.person`), or SPECTATORS → what their code says."""
    counts: Mapping[int, int] = {}
    """How many phones have come, player by player."""
    wifi: Wifi | None = None
    encrypted: bool = False
    new_certificate: bool = False
    """It was made today: phones that have come before warn once more."""


class PhoneAccess(Protocol):
    """Lets phones come to the table, once somebody has said so."""

    def open(self) -> None:
        """May block for a moment. Raises CompanionError."""

    def offer(self) -> PhonesOffer | None:
        """None: phones cannot come, because nobody has said so, or because they could not be let in."""

    def renew(self, guest: int) -> None:
        """A phone was lost: its player, or SPECTATORS, gets a new code, and the old one is dead."""

    @property
    def problem(self) -> str:
        """Why phones can no longer come; "" if they can."""


class ServerPlace(Struct, frozen=True):
    """Where the phones' server listens."""

    address: str
    port: int
    ports: int = PORTS
    certificate: str = ""
    """With its key, as PEM; "": what phones say is not encrypted."""

    def __repr__(self) -> str:
        """Without the key: a repr ends up in logs."""
        return f"ServerPlace({self.address!r}, {self.port})"


class ForServer(Struct, frozen=True, omit_defaults=True):
    """What the phones' server is told, a packet each: first where to listen, all codes and the game, then codes that
    were replaced. The server cannot read the journal, tries no package, and finds no referee by itself."""

    codes: dict[int, str] = {}
    place: ServerPlace | None = None
    game: Found | None = None
    """What is known about the game of this evening."""
    referee: bool | None = None
    """True: a connection to the referee comes with this packet; False: there is no referee now."""

    def __repr__(self) -> str:
        """Without the codes: a repr ends up in logs."""
        return f"ForServer({self.place!r}, {self.referee!r})"


class FromServer(Struct, frozen=True, omit_defaults=True):
    """What it says: where it listens and who has come, that it needs a connection to the referee, or what is wrong."""

    url: str = ""
    counts: dict[int, int] = {}
    wants_referee: bool = False
    problem: str = ""
    """Why it cannot begin."""
    crash: str = ""
    """The account of a mistake of ours (`companion.crash`): it cannot write one down itself."""

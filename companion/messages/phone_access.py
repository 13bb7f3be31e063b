"""What a table screen needs to know about phones: their address, their codes, and how many have joined."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from companion.gamekit.discovery import Found

PORT, PORTS = 8137, 10
"""How many ports are tried, one after another, if the first is taken."""
SPECTATORS = -1
"""Instead of a player: the spectators."""
MESSAGE_BYTES = 128 * 1024
"""No message between the phone server and its supervisor is longer."""


class Wifi(Struct, frozen=True):
    """The network in which phones find the table."""

    name: str
    password: str = ""


class PhonesOffer(Struct, frozen=True):
    url: str
    """The address without a code, which players can type."""
    links: Mapping[int, str] = {}
    """Player (`Player.person`), or SPECTATORS → the address with their code."""
    counts: Mapping[int, int] = {}
    """How many phones have joined, player by player."""
    wifi: Wifi | None = None
    encrypted: bool = False
    new_certificate: bool = False
    """The certificate is from today: phones that have joined before warn once more."""


class PhoneAccess(Protocol):
    """Lets phones join the table, once a player has switched this on."""

    def open(self) -> None:
        """May block for a moment. Raises CompanionError."""

    def offer(self) -> PhonesOffer | None:
        """None: phones cannot join, because this is off or has failed."""

    def renew(self, guest: int) -> None:
        """A phone was lost: its player, or SPECTATORS, gets a new code, and the old one no longer works."""

    @property
    def problem(self) -> str:
        """Why phones can no longer join; "" if they can."""


class ServerPlace(Struct, frozen=True):
    """Where the phone server listens."""

    address: str
    port: int
    ports: int = PORTS
    certificate: str = ""
    """With its key, as PEM; "": connections are not encrypted."""

    def __repr__(self) -> str:
        """Without the key: a repr ends up in logs."""
        return f"ServerPlace({self.address!r}, {self.port})"


class ForServer(Struct, frozen=True, omit_defaults=True):
    """A packet for the phone server: first where to listen, all codes and the game, later codes that were replaced. The
    server cannot read the journal, imports no unknown package, and finds no referee by itself."""

    codes: dict[int, str] = {}
    place: ServerPlace | None = None
    game: Found | None = None
    """The game of this evening."""
    referee: bool | None = None
    """True: a connection to the referee comes with this packet; False: there is no referee now."""

    def __repr__(self) -> str:
        """Without the codes: a repr ends up in logs."""
        return f"ForServer({self.place!r}, {self.referee!r})"


class FromServer(Struct, frozen=True, omit_defaults=True):
    """A packet from the phone server: where it listens and how many have joined, that it needs a connection to the
    referee, or what is wrong."""

    url: str = ""
    counts: dict[int, int] = {}
    wants_referee: bool = False
    problem: str = ""
    """Why it cannot start."""
    crash: str = ""
    """The report of a crash (`companion.crash`), which it cannot write to a file itself."""

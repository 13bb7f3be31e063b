"""What a screen, the phone server and its supervisor tell each other: addresses, codes, and which phones have
connected."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from companion.gamekit.discovery import Found
from companion.messages.looks import Preference

PORT, PORTS = 8137, 10
"""The first port, and how many are tried if others are in use."""
SPECTATORS = -1
"""Stands for the people who only watch, where a player's number is expected."""
MESSAGE_BYTES = 128 * 1024
"""No message between the phone server and its supervisor is longer."""


class Wifi(Struct, frozen=True):
    """The network in which phones find the table."""

    name: str
    password: str = ""


def result_link(url: str, code: str, game: int) -> str:
    """Opens the page of results at this game of the evening. It is short, so that its code fits the smallest screen."""
    return f"{url}/?{game}#{code}"


class PhonesOffer(Struct, frozen=True):
    url: str
    """The address without a code, for people who type it."""
    links: Mapping[int, str] = {}
    """Player (`Player.person`) or SPECTATORS → the link in their code."""
    counts: Mapping[int, int] = {}
    """How many phones each player has connected."""
    wifi: Wifi | None = None
    encrypted: bool = False
    new_certificate: bool = False
    """It was just made, so every phone warns once."""
    trust: str = ""
    """The page that explains the warning of the certificate; "" without encryption."""

    def result_link(self, game: int) -> str:
        """For any phone: it may see what spectators see. A phone that plays keeps its seat."""
        url, _hash, code = self.links.get(SPECTATORS, "").partition("/#")
        return result_link(url, code, game)


class PhoneAccess(Protocol):
    """Opens the table for phones, once a player wants that."""

    def open(self) -> None:
        """May block for a moment. Raises CompanionError."""

    def offer(self) -> PhonesOffer | None:
        """None: the table is not open for phones."""

    def renew(self, person: int) -> None:
        """A new code for this player, or for SPECTATORS. The old one stops working."""

    @property
    def problem(self) -> str:
        """Why phones can no longer connect; "" if they can."""


class ServerPlace(Struct, frozen=True):
    """Where the phone server listens."""

    address: str
    port: int
    ports: int = PORTS
    certificate: str = ""
    """With its key, as PEM; "": the connection is not encrypted."""

    def __repr__(self) -> str:
        """Without the key: a repr ends up in logs."""
        return f"ServerPlace({self.address!r}, {self.port})"


class ForServer(Struct, frozen=True, omit_defaults=True):
    """A packet for the phone server: the first says where to listen, all codes and the game; later ones replace codes.
    The server cannot read the journal, imports no other game, and cannot connect to the referee by itself."""

    codes: dict[int, str] = {}
    place: ServerPlace | None = None
    game: Found | None = None
    """Where the game of this evening is installed."""
    preferences: dict[int, Preference] = {}
    """Player → what they want at every table."""
    results: str | None = None
    """The page that it asked for (`FromServer.wants_results`)."""
    referee: bool | None = None
    """True: a connection to the referee comes with this packet; False: there is no referee now."""

    def __repr__(self) -> str:
        """Without the codes: a repr ends up in logs."""
        return f"ForServer({self.place!r}, {self.referee!r})"


class FromServer(Struct, frozen=True, omit_defaults=True):
    """A packet from the phone server: where it listens and which phones have connected, that it needs a connection to
    the referee, or what is wrong."""

    url: str = ""
    counts: dict[int, int] = {}
    wants_referee: bool = False
    wants_results: str = ""
    """A phone asks for the results of this and earlier evenings, in this language: the server cannot read journals."""
    problem: str = ""
    """Why it cannot start."""
    trust: str = ""
    """Where it explains its certificate."""
    crash: str = ""
    """The account of a crash (`companion.crash`): the server cannot write files."""

"""What a screen, the phone server and its supervisor tell each other: addresses, codes, and which phones have
connected."""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct

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

    @property
    def wall_link(self) -> str:
        """What to type into a television's browser."""
        address, _hash, secret = self.links.get(SPECTATORS, "").partition("/#")
        return f"{address.partition('//')[2]}/wall#{secret}" if secret else ""

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


# --- A phone that enrols a box --------------------------------------------------------------------------------


class EnrolmentTexts(Struct, frozen=True):
    """What an enrolling phone shows and says, in one language."""

    title: str
    sentence: str
    progress: str
    printed: tuple[str, ...] = ()
    """What is printed on the piece, in words: its owner compares."""
    notice: str = ""
    next: str = ""
    """The button that goes on without a tag."""


class StickerText(Struct, frozen=True):
    """What a phone is to write on the sticker with this number."""

    uid: str
    text: str
    number: int
    """Goes up with every sticker that is to be written: a phone writes once for each."""
    link: str = ""
    """For iPhones; "": none."""

    def __repr__(self) -> str:
        """Without the token: a repr ends up in logs."""
        return f"StickerText({self.uid!r})"


class EnrolmentView(Struct, frozen=True, tag_field="is", tag="enrolment"):
    """Where the enrolment is."""

    step: int
    """Goes up with every change: what a phone says about an earlier step does not count."""
    texts: dict[str, EnrolmentTexts]
    """By language: each phone has its own."""
    notices: int = 0
    """How many notices there have been: the same one may come twice."""
    is_refusal: bool = False
    """The notice refuses something."""
    tagged: bool = False
    """The next step asks for a sticker."""
    done: bool = False
    writes: bool = False
    """Stickers are written, too."""
    write: StickerText | None = None
    cards: bool = False
    """Nothing is enrolled: before a game, phones read player cards."""


class EnrolmentWish(Struct, frozen=True, tag_field="is", tag="enrol"):
    """What an enrolling phone says."""

    what: Literal["tap", "next", "later", "undo", "write", "unwritten"]
    """"write": switch writing on or off; "unwritten": this sticker cannot be written."""
    step: Annotated[int, Meta(ge=0, le=2**53)]
    uid: Annotated[str, Meta(max_length=20)] = ""
    text: Annotated[str, Meta(max_length=200)] = ""
    """What is written on the sticker."""


ENROLLER = 0
"""The number under which an enrolling phone has its code: there is only one."""


class EnrolmentPhones(PhoneAccess, Protocol):
    """Lets phones read the stickers of a box that is being enrolled, or player cards before a game."""

    def show(self, view: EnrolmentView) -> None:
        """On all connected phones."""

    def stop(self) -> None:
        """Close it. May be called twice."""

    async def listen(self, heed: Callable[[EnrolmentWish], object], changed: Callable[[], object]) -> None:
        """Until cancelled. `changed` is called when a phone has connected or left."""


# --- Between the server and its supervisor --------------------------------------------------------------------


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
    enrolment: EnrolmentView | None = None
    """In the first packet: this server enrols a box, and has no referee. Later: what has changed."""

    def __repr__(self) -> str:
        """Without the codes: a repr ends up in logs."""
        return f"ForServer({self.place!r}, {self.referee!r})"


class ResultsWish(Struct, frozen=True, omit_defaults=True):
    """Which page of results a phone asks for: that of this evening, or statistics of what it names."""

    language: str
    person: str = ""
    """The id of a person."""
    game: str = ""
    since: str = ""
    """A day, 2026-11-18; so is the next. Both are included."""
    until: str = ""

    @property
    def is_of_all(self) -> bool:
        """Nothing is selected."""
        return not (self.person or self.game or self.since or self.until)


class FromServer(Struct, frozen=True, omit_defaults=True):
    """A packet from the phone server: where it listens and which phones have connected, that it needs a connection to
    the referee, or what is wrong."""

    url: str = ""
    counts: dict[int, int] = {}
    wants_referee: bool = False
    wants_results: ResultsWish | None = None
    """A phone asks for results of this and earlier evenings: the server cannot read journals."""
    problem: str = ""
    """Why it cannot start."""
    trust: str = ""
    """Where it explains its certificate."""
    wish: EnrolmentWish | None = None
    """What an enrolling phone says."""
    crash: str = ""
    """The account of a crash (`companion.crash`): the server cannot write files."""

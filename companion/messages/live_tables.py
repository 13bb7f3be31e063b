"""A live table on an MQTT broker: its topics and its payloads. docs/hall.md documents both for others.

    companion/1/<hall>/tables/<table>/presence   "online", or "offline" by the last will
    companion/1/<hall>/tables/<table>/glance     `Glance` as JSON: what fits on a tile
    companion/1/<hall>/tables/<table>/view       the table as spectators see it: JSON, compressed with zlib
    companion/1/<hall>/tables/<table>/pause      a command to the table: "on" or "off"

The first three are retained. The number behind `companion` is raised with every change that an older reader could not
read; a new field with a default is none. What a table publishes is drawn from a snapshot, so it holds no secret.
"""

import re
import zlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

VERSION = 1
ROOT = f"companion/{VERSION}"
ONLINE, OFFLINE = "online", "offline"
GLANCE_BYTES, VIEW_BYTES = 32 * 1024, 256 * 1024
"""No payload is longer. A usual one has 1 KB, or 6 KB."""
UNPACKED_BYTES = 4 * 1024 * 1024
KEPT_S = 7 * 24 * 3600
"""How long the broker keeps what a table has published last."""

TablePhase: TypeAlias = Literal["preparing", "playing", "question", "paused", "over"]
SeatLamp: TypeAlias = Literal["", "turn", "done", "question", "lost"]
Wide: TypeAlias = Literal["wide", "narrow"]
"""For a large screen, or for a phone held upright."""
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
ShortText: TypeAlias = Annotated[str, Meta(max_length=2000)]
InLanguages: TypeAlias = dict[Annotated[str, Meta(max_length=8)], ShortText]
"""Language → the text in it."""


class PublicRuling(Struct, frozen=True, omit_defaults=True):
    """The newest line that revealed something, or who has won."""

    number: int
    """Another number: another ruling."""
    said: InLanguages
    rule: ShortText = ""
    """Its number in the rules of the game: "L12"."""


class Glance(Struct, frozen=True):
    """A table on a tile."""

    game: ShortText
    title: ShortText
    players: Annotated[tuple[ShortText, ...], Meta(max_length=99)]
    phase: TablePhase
    turn: tuple[SeatNumber, ...] = ()
    """The seats that the table waits for."""
    headline: InLanguages = {}
    scores: tuple[int, ...] = ()
    """Each seat's points in this game, as soon as it is over."""
    sums: tuple[int, ...] = ()
    """Each seat's points in the match: earlier games, and this one when it is over. Empty in a single game."""
    winners: tuple[SeatNumber, ...] = ()
    lamps: tuple[SeatLamp, ...] = ()
    """What each seat's lamp says, or would say where the table has no lamps."""
    thought: tuple[float, ...] = ()
    """How many seconds each seat has thought in this game, before the current thought."""
    since: float | None = None
    """When the current thought began, by the table's own clock; None: no clock is running."""
    ruling: PublicRuling | None = None
    entry: int = 0
    """Grows with every action."""
    at: float = 0.0
    """When this was published, by the table's own clock, in Unix time."""


class TableTopics(NamedTuple):
    """The topics of one table."""

    hall: str
    table: str

    def _named(self, what: str) -> str:
        return f"{ROOT}/{self.hall}/tables/{self.table}/{what}"

    @property
    def presence(self) -> str:
        return self._named("presence")

    @property
    def glance(self) -> str:
        return self._named("glance")

    @property
    def view(self) -> str:
        return self._named("view")

    @property
    def pause(self) -> str:
        return self._named("pause")

    @property
    def device(self) -> str:
        """Its name for Home Assistant."""
        return f"companion_{self.hall}_{self.table}".replace("-", "_")

    @property
    def discovery(self) -> str:
        """Where Home Assistant finds it."""
        return f"homeassistant/device/{self.device}/config"


def every_table(hall: str, what: str) -> str:
    """A filter for this topic of all tables of a hall."""
    return f"{ROOT}/{hall}/tables/+/{what}"


def topic_name(name: str) -> str:
    """The name of a hall or a table as it stands in a topic: small letters, digits and hyphens. "" if none is left."""
    plain = name.casefold().translate(_UMLAUTS)
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-")


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_TABLE_TOPIC = re.compile(rf"{ROOT}/([a-z0-9-]{{1,40}})/tables/([a-z0-9-]{{1,40}})/([a-z]+)")


def table_of(topic: str) -> tuple[TableTopics, str] | None:
    """Whose topic this is, and which one; None for any other."""
    found = _TABLE_TOPIC.fullmatch(topic)
    return (TableTopics(found[1], found[2]), found[3]) if found else None


_glances = msgspec.json.Decoder(Glance)


def read_glance(payload: bytes) -> Glance:
    """Raises ValueError for what no table of this version sends."""
    if len(payload) > GLANCE_BYTES:
        raise ValueError("longer than any table's")
    try:
        glance = _glances.decode(payload)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    seats = len(glance.players)
    listed = (glance.scores, glance.sums, glance.lamps, glance.thought)
    if any(each and len(each) != seats for each in listed) or any(
        seat >= seats for seat in (*glance.turn, *glance.winners)
    ):
        raise ValueError("about seats that the table does not have")
    return glance


def packed_view(views: Mapping[str, Mapping[Wide, Any]]) -> bytes:
    """Language → width → `companion.web.phone_view.PhoneView` of a spectator."""
    return zlib.compress(msgspec.json.encode(views), 6)


def unpacked_view(payload: bytes) -> dict[str, dict[str, dict[str, Any]]]:
    """Raises ValueError for what no table of this version sends."""
    if len(payload) > VIEW_BYTES:
        raise ValueError("longer than any table's")
    inflating = zlib.decompressobj()
    try:
        data = inflating.decompress(payload, UNPACKED_BYTES)
    except zlib.error as error:
        raise ValueError("not compressed") from error
    if inflating.unconsumed_tail or not inflating.eof:
        raise ValueError("too long, or cut off")
    try:
        return msgspec.json.decode(data, type=dict[str, dict[str, dict[str, Any]]])
    except RecursionError:
        raise ValueError("nested too deeply") from None


# --- Who publishes where --------------------------------------------------------------------------------------

PORT, TLS_PORT = 1883, 8883


class BrokerAccess(Struct, frozen=True):
    """Where a broker is, and who we are to it."""

    host: str
    port: int = TLS_PORT
    user: str = ""
    password: str = ""
    tls: bool = True
    certificate: str = ""
    """The certificate to trust, as PEM: the hall's own. "": those that this computer trusts."""

    def __repr__(self) -> str:
        """Without the password: a repr ends up in logs."""
        return f"BrokerAccess({self.name})"

    @property
    def name(self) -> str:
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class LiveSettings(Struct, frozen=True):
    """Where a table is published, and what others may do with it."""

    hall: str
    table: str
    """As they stand in topics: `topic_name`."""
    broker: BrokerAccess
    title: str = ""
    """The table's name for people; "": as it stands in topics."""
    home_assistant: bool = False
    """Whether Home Assistant finds it."""
    pause: bool = False
    """Whether others may pause the game (`…/pause`)."""

    @property
    def topics(self) -> TableTopics:
        return TableTopics(self.hall, self.table)


class LiveOrder(Struct, frozen=True):
    """What a publisher's process needs: one line on its standard input. It ends when that is closed."""

    socket: str
    """The referee's."""
    settings: LiveSettings

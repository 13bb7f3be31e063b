"""What a table and its hall tell each other, as JSON over HTTP. docs/hall.md describes it."""

from typing import Any

from msgspec import Struct

from companion.hall.hall_state import ReportedSeat

PORT, PORTS = 8170, 10
"""The first port of a hall, and how many are tried if others are in use."""
CLOCK_S = 300.0
"""How far a table's clock may be off."""
USUAL_CLUB = "Club night"
"""The name of a club that has none."""
PROTOCOL = 1
"""Both sides send it with every message."""
PROTOCOL_HEADER, TIME_HEADER, CLUB_HEADER = "Companion-Hall", "Companion-Time", "Companion-Club"
"""The protocol, the sender's clock (Unix time), and the club to which a table belongs."""


class JoinRequest(Struct, frozen=True):
    """A table wants a credential."""

    code: str
    """As the hall shows it."""
    table: str = ""
    """The name that it wants; "": the next number."""


class Joined(Struct, frozen=True):
    table: str
    credential: str
    club: str
    club_id: str


class ClubFacts(Struct, frozen=True):
    """Whose hall this is. Anybody may ask."""

    club: str
    club_id: str
    protocol: int
    at: float
    """The hall's clock."""


class TablePlan(Struct, frozen=True, omit_defaults=True):
    """What a table has to play now."""

    night: int
    round: int
    game: str
    players: tuple[str, ...]
    """Clockwise."""
    options: dict[str, Any] = {}
    ends_at: float = 0.0
    """When the round ends, by the hall's clock; 0: its clock does not run yet."""
    box: "ClubBox | None" = None
    """The box of the club that this table may use."""
    note: str = ""
    """Something the players should know: a box that another table uses."""


class ClubBox(Struct, frozen=True):
    """A box of the club: what is printed on its pieces, and their tags."""

    name: str
    printed: str
    tags: str


class ClubBoxes(Struct, frozen=True):
    boxes: tuple[ClubBox, ...]


class GameReport(Struct, frozen=True, omit_defaults=True):
    """The result of a game, for `PUT /results/KEY`."""

    club_id: str
    revision: int
    """The newest one counts."""
    night: int
    round: int
    game: str
    ended_at: float
    seats: tuple[ReportedSeat, ...]
    finished: bool = True
    lowest_wins: bool = False


class Stored(Struct, frozen=True):
    """The answer: this revision of the result is committed, or a newer one."""

    revision: int


class BoxUse(Struct, frozen=True):
    """A table takes its players; it has this box of its own, "" if none."""

    own_box: str = ""


class HallRefusal(Struct, frozen=True):
    """Why the hall refuses a request: one line for the person at the table."""

    problem: str


class LivePlace(Struct, frozen=True):
    """Where a table publishes."""

    hall: str
    table: str
    """As they stand in topics; the table's is its user name at the broker."""
    port: int
    host: str = ""
    """"": the hall's own."""
    tls: bool = True
    certificate: str = ""

"""What a table and its hall tell each other, as JSON over HTTP. docs/hall.md describes it."""

from typing import Any

from msgspec import Struct

PORT, PORTS = 8170, 10
"""The first port of a hall, and how many are tried if others are in use."""
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
    why: str = ""
    """Why these players sit together."""


class HallRefusal(Struct, frozen=True):
    """Why the hall refuses a request: one line for the person at the table."""

    problem: str

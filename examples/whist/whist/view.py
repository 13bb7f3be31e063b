"""What all players of Whist can see and agree on."""

from typing import Annotated, Literal

from msgspec import Struct

from companion.gamekit import N_, Seat, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    target: Annotated[
        Literal[5, 7, 10],
        option(
            N_("Points for the game (W8)"), **{"5": N_("5 (short whist)"), "7": N_("7"), "10": N_("10 (long whist)")}
        ),
    ] = 5


class Table(Struct, frozen=True):
    deal: int
    dealer: Seat
    trump: str | None
    """The card that was turned up."""
    turn: Seat | None
    trick: tuple[str | None, ...]
    """What each player has played to it."""
    leader: Seat | None
    last: tuple[str | None, ...]
    """The trick before."""
    tricks: tuple[int, int]
    """Of each side in this deal."""
    points: tuple[int, int]
    held: tuple[int, ...]
    """How many cards each player has left."""
    lacks: tuple[tuple[str, ...], ...]
    """The suits that each player could not follow in this deal."""
    gone: tuple[str, ...]
    """Cards of this deal that were played to earlier tricks."""

"""What all players of Sir Tommy can see and agree on."""

from typing import Annotated, Literal

from msgspec import Struct

from companion.gamekit import N_, Seat, option


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    heaps: Annotated[
        Literal[4, 3],
        option(N_("How many heaps there are (T3)"), **{"4": N_("four"), "3": N_("three (harder)")}),
    ] = 4


class Table(Struct, frozen=True):
    turn: Seat | None
    foundations: tuple[int, ...]
    """How high each of them is."""
    heaps: tuple[tuple[str, ...], ...]
    held: tuple[int, ...]
    """How many cards each player holds."""
    stock: int

"""What all players at a table of GOPS can see."""

from typing import Literal

from msgspec import Struct


class Table(Struct, frozen=True):
    round: int
    phase: Literal["prize", "bid", "over"]
    deck: int
    prizes: tuple[str, ...]
    hands: tuple[int, ...]
    bids: tuple[bool, ...]
    spent: tuple[tuple[str, ...], ...]
    """Bids of earlier rounds, so each player can work out what the others still hold."""
    won: tuple[tuple[str, ...], ...]
    lost: tuple[str, ...]

"""What all players of Sioux can see."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from companion.gamekit import PerSeat, Seat, clockwise

Phase: TypeAlias = Literal["play", "name", "crow", "duel", "gifts", "dealt", "over"]


class Table(Struct, frozen=True):
    """The public table, in the shape of a transcript's verdict. `bank` and `prey` count every animal, also with 0."""

    winter: int
    phase: Phase
    bank: dict[str, int]
    prey: PerSeat[dict[str, int]]
    totals: PerSeat[int]
    supply: PerSeat[tuple[int, ...]]
    """The values that each seat has got, in the order of the winters."""
    laid_out: tuple[int, ...]
    """What is not yet handed out, highest first."""
    hands: PerSeat[int]
    """How many cards, the hunter card included."""
    hunter: Seat | None
    """Who owns the hunter card, played or not."""


class OwnHand(Struct, frozen=True):
    """What a player alone may see."""

    cards: tuple[str, ...]
    """What they can still lay, in the order of the box."""
    laid: str | None
    """Their card that lies face down, in the hunt or in the duel."""


class View(Table, frozen=True):
    """What a screen may see: the table, and what lies before the players in this round."""

    laid: tuple[bool, ...]
    """Who has a card lying face down."""
    open: tuple[str, ...]
    """The cards of this round, seat by seat, from their reveal to the end of the round; S24: no longer."""
    tied: tuple[int, ...]
    """Who is tied: for the hunt, in the duel, or for supply cards."""
    givers: tuple[int, ...]
    """From whom a gift may be claimed just now."""


def dealer(tied: Sequence[int], players: int) -> int | None:
    """S20 Who shuffles and deals what others are tied for: the next clockwise from the highest tied seat who is not
    involved; None if all are."""
    return next((seat for seat in clockwise(max(tied), players) if seat not in tied), None)

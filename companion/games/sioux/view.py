"""What everybody at a table of Sioux can see."""

from typing import Literal, TypeAlias

from msgspec import Struct

Phase: TypeAlias = Literal["play", "name", "crow", "duel", "gifts", "dealt", "over"]


class Table(Struct, frozen=True):
    """The public table, in the shape of a transcript's verdict. `bank` and `prey` count every animal, also with 0."""

    winter: int
    phase: Phase
    bank: dict[str, int]
    prey: tuple[dict[str, int], ...]
    totals: tuple[int, ...]
    supply: tuple[tuple[int, ...], ...]
    """The values that each seat has got, in the order of the winters."""
    laid_out: tuple[int, ...]
    """What is not yet handed out, highest first."""
    hands: tuple[int, ...]
    """How many cards, the hunter card included."""
    hunter: int | None
    """The seat that owns the hunter card, played or not."""


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

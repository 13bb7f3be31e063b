"""What all players of Carnuta can see."""

from typing import Literal

from msgspec import Struct

from companion.gamekit import PerSeat, Seat
from companion.games.carnuta.components import Pair, Side

Phase = Literal["start", "deal", "act", "bonus", "over"]


class Table(Struct, frozen=True):
    """The public table, in the shape of a transcript's verdict. Cards are named by their ids."""

    round: int
    turn: Seat | None
    """None when the game is over."""
    phase: Phase
    actions_left: int
    rows: Pair[tuple[str, ...]]
    decks: Pair[int]
    discards: Pair[int]
    reserve: Pair[int]
    runes: PerSeat[Pair[int]]
    slots: PerSeat[int]
    """Those without a padlock, filled or not."""
    sickles: PerSeat[int]
    hands: PerSeat[int]
    columns: PerSeat[dict[str, tuple[str, ...]]]
    """All eight ingredients; salt stands in the column that it was assigned to."""
    bonus: PerSeat[tuple[str, ...]]
    last_round: bool


class OwnHand(Struct, frozen=True):
    """What a player alone may see."""

    cards: tuple[str, ...]
    """All of them, the start card included."""
    secret: str | None
    """C17 The start card, while no other player knows it."""
    seen_elsewhere: bool = False
    """C17 The card that was named as the start card has turned up somewhere else."""


class View(Table, frozen=True):
    """The table as a screen shows it, with hints for the players."""

    known: tuple[tuple[str, ...], ...]
    """C17 The hand cards that came from the open rows; a start card that is not among them is secret."""
    marker: tuple[int, ...]
    """The field of the track, 0 to 11."""
    bonus_left: tuple[str, ...]
    due: Side | None
    """The row that waits for a card."""
    payable: tuple[str, ...]
    """The open cards, in the rows and in the hand, that the player whose turn it is could pay now."""

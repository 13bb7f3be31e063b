"""What all players of Lascaux can see."""

from typing import Literal

from msgspec import Struct

from companion.gamekit import PerSeat, Seat


class OwnHand(Struct, frozen=True):
    """What a player alone may see."""

    colour: str | None
    """Their marker that lies face down."""
    stones: int
    """Their supply, also where the option L20 hides it from all other players."""


class Table(Struct, frozen=True):
    """The public table, in the shape of a transcript's verdict. Cards are named by their ids."""

    round: int
    start: Seat
    direction: Literal["clockwise", "anticlockwise"]
    phase: Literal["draw", "choose", "bid", "over"]
    row: tuple[str, ...]
    deck: int
    pot: int
    stones: PerSeat[int | None]
    """None where the option L20 hides a supply from the screens."""
    won: PerSeat[tuple[str, ...]]
    pile: tuple[Seat, ...]
    """Bottom first."""
    chosen: PerSeat[bool]

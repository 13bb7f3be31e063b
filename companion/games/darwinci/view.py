"""What everybody at a table of Darwinci can see."""

from typing import Literal, TypeAlias

from msgspec import Struct

Phase: TypeAlias = Literal["setup", "buy", "offer", "bid", "build", "jewels", "over"]


class Built(Struct, frozen=True, gc=False):
    """A tile in a display: x grows to the right, y downwards; turned clockwise by so many degrees."""

    tile: str
    x: int
    y: int
    turn: int


class Stones(Struct, frozen=True, gc=False):
    """So many stones of one colour on one offered tile; tile and colour are named by the seat they belong to."""

    on: int
    colour: int
    count: int


class HalfBid(Struct, frozen=True, tag_field="do", tag="bid"):
    """A bid that is being put together."""

    seat: int
    stones: tuple[Stones, ...] = ()
    on: int | None = None
    """The tile that is meant for the next stone."""
    colours: tuple[int, ...] = ()
    """The foreign colours that it may have; the first one is asked for."""


class OwnHand(Struct, frozen=True):
    """What a player alone may see. D21 Which tiles they hold nobody tells the companion."""

    offer: str | None
    """Their offered tile, as long as it lies face down."""


class Table(Struct, frozen=True):
    """The public table, in the shape of a transcript's verdict. Tiles are named by their ids."""

    round: int
    start: int
    phase: Phase
    bidding: int | None
    """Which of the three bidding rounds."""
    money: tuple[int, ...]
    stones: tuple[tuple[int, ...], ...]
    """Held by seat s, of the colour of seat c."""
    offers: tuple[str | None, ...]
    """None until all have offered."""
    on: tuple[tuple[int, ...], ...]
    """On the tile offered by seat s, of the colour of seat c."""
    built: tuple[tuple[Built, ...], ...]
    hands: tuple[int, ...]
    stack: int
    darwin_card: int | None
    jewels_scored: tuple[tuple[str, ...], ...]
    creatures: tuple[tuple[int, ...], ...]
    """The number of tiles of each scored creature, largest first."""
    won: tuple[tuple[str, ...], ...]
    counter: int

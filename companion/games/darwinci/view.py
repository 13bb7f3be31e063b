"""What all players of Darwinci can see, and which stones that lets a player lay."""

from collections.abc import Iterable
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from companion.gamekit import PerSeat, Seat

STONES_PER_BID = 2
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
    """What a player alone may see. D21 Companion does not know which tiles they hold."""

    offer: str | None
    """Their offered tile, as long as it lies face down."""


class Table(Struct, frozen=True):
    """The public table, in the shape of a transcript's verdict. Tiles are named by their ids."""

    round: int
    start: Seat
    phase: Phase
    bidding: int | None
    """Which of the three bidding rounds."""
    money: PerSeat[int]
    stones: PerSeat[tuple[int, ...]]
    """Held by seat s, of the colour of seat c."""
    offers: PerSeat[str | None]
    """None until all have offered."""
    on: PerSeat[tuple[int, ...]]
    """On the tile offered by seat s, of the colour of seat c."""
    built: PerSeat[tuple[Built, ...]]
    hands: PerSeat[int]
    stack: int
    darwin_card: Seat | None
    jewels_scored: PerSeat[tuple[str, ...]]
    creatures: PerSeat[tuple[int, ...]]
    """The number of tiles of each scored creature, largest first."""
    won: PerSeat[tuple[str, ...]]
    counter: Seat


# --- Which stones a player may lay: the rules ask for them, and a screen offers them beforehand ------------------


class Auction(Protocol):
    """What all players can see of an auction: a table, or a state."""

    @property
    def bidding(self) -> int | None: ...
    @property
    def stones(self) -> tuple[tuple[int, ...], ...]: ...
    @property
    def darwin_card(self) -> Seat | None: ...


def foreign_due(auction: Auction, seat: Seat) -> int:
    """D4 Exactly min(2, foreign stones held)."""
    return min(STONES_PER_BID, sum(auction.stones[seat]) - auction.stones[seat][seat])


def most_stones(auction: Auction, seat: Seat) -> int:
    """D5 Two stones; the holder of the Darwin card may lay 1 more in the second bidding round."""
    return STONES_PER_BID + (auction.bidding == 2 and seat == auction.darwin_card)


def colours_left(auction: Auction, seat: Seat, laid: Iterable[Stones]) -> list[Seat]:
    """D4, D5 The colours of which one more stone may be laid, after those of half a bid."""
    held = list(auction.stones[seat])
    before = [0] * len(held)
    for stones in laid:
        before[stones.colour] += stones.count
    own, total = before[seat], sum(before)
    if auction.bidding == 1:
        due = foreign_due(auction, seat)
        more = [own == 0 if colour == seat else total - own < due for colour in range(len(held))]
    else:
        more = [total < most_stones(auction, seat)] * len(held)
    return [colour for colour, count in enumerate(held) if count > before[colour] and more[colour]]


def is_whole(auction: Auction, seat: Seat, laid: Iterable[Stones]) -> bool:
    """D4 Whether these stones are a bid: in the first bidding round the foreign ones that are due must be there."""
    foreign = sum(stones.count for stones in laid if stones.colour != seat)
    return auction.bidding != 1 or foreign == foreign_due(auction, seat)

"""Which stones a player of Darwinci may lay: what the rules ask for, and what a screen can offer beforehand."""

from collections.abc import Iterable
from typing import Protocol

from companion.gamekit import Seat
from companion.games.darwinci.view import Stones

STONES_PER_BID = 2


class Auction(Protocol):
    """What everybody can see of an auction: a table, or a state."""

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

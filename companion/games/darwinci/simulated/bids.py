"""How simulated players of Darwinci bid: which stones they lay on which tiles."""

from random import Random
from typing import NamedTuple

from companion.gamekit import Seat
from companion.games.darwinci.rules.auction import precedence
from companion.games.darwinci.view import Table

OWN_STONE = 0.8
"""How often an own stone is laid in the first bidding round."""
GIVE_UP = 0.35
"""How often somebody lays nothing although they could."""


class Stone(NamedTuple):
    """One stone: on whose tile, of whose colour."""

    on: Seat
    colour: Seat


def stones_to_lay(table: Table, tie: str, seat: Seat, worth: list[float], luck: Random) -> list[Stone]:
    """D4, D5 A bid that the rules accept; `worth` is what each offered tile is worth for this player."""
    wish = sorted(table_seats(table), key=lambda on: worth[on] + luck.uniform(0, 1.5), reverse=True)
    if table.bidding == 1:
        return _first_bid(table, seat, wish, luck)
    most = 2 + (table.bidding == 2 and table.darwin_card == seat)
    needed = [to_lead(table, tie, seat, on) for on in wish[:2]]
    return _later_bid(seat, list(zip(wish, needed, strict=False)), min(most, table.stones[seat][seat]), luck)


def table_seats(table: Table) -> range:
    return range(len(table.money))


def _first_bid(table: Table, seat: Seat, wish: list[Seat], luck: Random) -> list[Stone]:
    """The foreign stones go where they hurt least: on what this player wants least."""
    held = [colour for colour in table_seats(table) for _ in range(table.stones[seat][colour]) if colour != seat]
    luck.shuffle(held)
    stones = [Stone(wish[-1 - luck.randrange(2)], colour) for colour in held[:2]]
    if table.stones[seat][seat] and luck.random() < OWN_STONE:
        stones.append(Stone(wish[0], seat))
    return stones


def _later_bid(seat: Seat, wish: list[tuple[Seat, int]], most: int, luck: Random) -> list[Stone]:
    """Take the lead on the tile that is wanted most, else on the next one, as far as the stones reach."""
    if luck.random() < GIVE_UP:
        return []
    stones: list[Stone] = []
    for on, needed in wish:
        if 0 < needed <= most - len(stones):
            stones += [Stone(on, seat)] * needed
    return stones


def to_lead(table: Table, tie: str, seat: Seat, on: Seat) -> int:
    """D6, D7 So many stones more give this player the tile as it lies there: who comes first wins a tie."""
    order = precedence(table.start, len(table.money), tie)
    first = set(order[: order.index(seat)])
    beaten = [count + (other in first and count > 0) for other, count in enumerate(table.on[on]) if other != seat]
    return max(*beaten, 1) - table.on[on][seat]

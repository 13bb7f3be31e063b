"""How simulated players of Darwinci bid: which stones they lay on which tiles."""

from random import Random
from typing import NamedTuple

from companion.games.darwinci.view import Table
from companion.games.game import Seat

OWN_STONE = 0.8
"""How often an own stone is laid in the first bidding round."""
GIVE_UP = 0.35
"""How often somebody lays nothing although he could."""


class Stone(NamedTuple):
    """One stone: on whose tile, of whose colour."""

    on: Seat
    colour: Seat


def stones_to_lay(table: Table, seat: Seat, worth: list[float], luck: Random) -> list[Stone]:
    """D4, D5 A bid that the rules accept; `worth` is what each offered tile is worth for this player."""
    wish = sorted(table_seats(table), key=lambda on: worth[on] + luck.uniform(0, 1.5), reverse=True)
    if table.bidding == 1:
        return _first_bid(table, seat, wish, luck)
    most = 2 + (table.bidding == 2 and table.darwin_card == seat)
    return _later_bid(table, seat, wish, min(most, table.stones[seat][seat]), luck)


def table_seats(table: Table) -> range:
    return range(len(table.money))


def _first_bid(table: Table, seat: Seat, wish: list[Seat], luck: Random) -> list[Stone]:
    """The foreign stones go where they hurt least: on what he wants least."""
    held = [colour for colour in table_seats(table) for _ in range(table.stones[seat][colour]) if colour != seat]
    luck.shuffle(held)
    stones = [Stone(wish[-1 - luck.randrange(2)], colour) for colour in held[:2]]
    if table.stones[seat][seat] and luck.random() < OWN_STONE:
        stones.append(Stone(wish[0], seat))
    return stones


def _later_bid(table: Table, seat: Seat, wish: list[Seat], most: int, luck: Random) -> list[Stone]:
    """Take the lead on the tile that he wants, else on the next one, as far as the stones reach."""
    if luck.random() < GIVE_UP:
        return []
    stones: list[Stone] = []
    for on in wish[:2]:
        needed = _to_lead(table, seat, on)
        if 0 < needed <= most - len(stones):
            stones += [Stone(on, seat)] * needed
    return stones


def _to_lead(table: Table, seat: Seat, on: Seat) -> int:
    """D6, D7 So many stones more give him this tile as it lies there; ties go to whoever sits closer to the start."""
    players = len(table.money)
    mine, place = table.on[on][seat], (seat - table.start) % players
    beaten = [
        count + ((other - table.start) % players < place and count > 0)
        for other, count in enumerate(table.on[on])
        if other != seat
    ]
    return max(*beaten, 1) - mine

"""The auction of Darwinci is settled: who wins which tile, where every stone goes, who gets the round counter."""

from msgspec.structs import replace

from companion.games.darwinci.state import State, clockwise
from companion.games.game import Ruling, Seat


def settle(state: State, said: list[Ruling]) -> State:
    """D6 Tile by tile, in the order of the seats; told stone by stone. The tiles go to their winners."""
    players = len(state.seats)
    order = clockwise(state.start, players)
    stones = [list(held) for held in state.stones]
    won = [list(tiles) for tiles in state.won]
    winners: dict[Seat, Seat | None] = {}
    for offerer in state.seats:
        tile, laid = state.offers[offerer], state.on[offerer]
        assert tile is not None  # all have offered
        winner = winners[offerer] = winner_of(laid, order)
        if winner is None:
            said.append(Ruling("D9", "nobody bids", {"seat": offerer, "tile": tile}))
            continue
        said.append(_won(winner, laid, tile))
        won[winner].append(tile)
        for colour, receiver, count in returned(laid, winner, offerer):
            stones[receiver][colour] += count
            said.append(Ruling("D8", "stones go", {"tile": tile, "stones": count, "owner": colour, "seat": receiver}))
    counter = next_counter(state.start, winners[state.start], players)
    said.append(Ruling("D10", "gets the counter", {"seat": counter}))
    return replace(
        state,
        stones=tuple([tuple(held) for held in stones]),
        won=tuple([tuple(tiles) for tiles in won]),
        offers=(None,) * players,
        on=((0,) * players,) * players,
        bidding=None,
        counter=counter,
    )


def winner_of(laid: tuple[int, ...], order: tuple[Seat, ...]) -> Seat | None:
    """D6 Whose colour has most stones, whoever laid them. D7 Tied: the first in order from the start player."""
    most = max(laid)
    if not most:
        return None
    return next(seat for seat in order if laid[seat] == most)


def _won(winner: Seat, laid: tuple[int, ...], tile: str) -> Ruling:
    most = laid[winner]
    tied = tuple([seat for seat, count in enumerate(laid) if count == most])
    if len(tied) > 1:
        return Ruling("D7", "wins the tie", {"seat": winner, "tile": tile, "stones": most, "seats": tied})
    return Ruling("D6", "wins", {"seat": winner, "tile": tile, "stones": most, "counts": laid})


def returned(laid: tuple[int, ...], winner: Seat, offerer: Seat) -> list[tuple[Seat, Seat, int]]:
    """D8 Colour, receiver, how many: the winner gets 1 back, the offerer his others; the rest goes back to its colour.

    The winner of his own tile takes all his own stones back.
    """
    moved: list[tuple[Seat, Seat, int]] = []
    for colour, count in enumerate(laid):
        if colour == winner != offerer:
            moved.append((colour, winner, 1))
            if count > 1:
                moved.append((colour, offerer, count - 1))
        elif count:
            moved.append((colour, colour, count))
    return moved


def next_counter(start: Seat, winner: Seat | None, players: int) -> Seat:
    """D10 To the winner of the tile beside it; if that is the start player, or nobody, to his left neighbour."""
    return (start + 1) % players if winner in (None, start) else winner

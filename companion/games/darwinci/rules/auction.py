"""The auction of Darwinci is settled: who wins which tile, where every stone goes, who gets the round counter."""

from functools import cache

from msgspec.structs import replace

from companion.gamekit import Facts, Ruling, Seat, clockwise, highest
from companion.games.darwinci.rules.state import State


def settle(state: State, said: list[Ruling]) -> State:
    """D6 Tile by tile, in the order of the seats; told stone by stone. The tiles go to their winners."""
    players = len(state.seats)
    order = precedence(state.start, players, state.options.tie)
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
        said.append(_won(state, winner, offerer))
        won[winner].append(tile)
        for colour, receiver, count in returned(laid, winner, offerer):
            stones[receiver][colour] += count
            said.append(_gone(state, offerer, colour, count, receiver))
    counter = next_counter(state.start, winners[state.start], players)
    said.append(_moved_counter(state, winners[state.start], counter))
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
    """D6 The colour with the most stones, no matter who laid them. D7 Tied: the first in this order."""
    best = max(order, key=laid.__getitem__)
    return best if laid[best] else None


@cache
def precedence(start: Seat, players: int, tie: str) -> tuple[Seat, ...]:
    """D7 The start player, then the others clockwise; or by distance, clockwise first if it is equal."""
    order = clockwise(start, players)
    return order if tie == "clockwise" else tuple(sorted(order, key=lambda seat: _away(start, seat, players)))


def _away(start: Seat, seat: Seat, players: int) -> int:
    """D7 Seats between them, in the shorter direction round the table."""
    steps = (seat - start) % players
    return min(steps, players - steps)


def _won(state: State, winner: Seat, offerer: Seat) -> Ruling:
    """D6 Whose tile it was is told, too: two may look alike."""
    laid, tile = state.on[offerer], state.offers[offerer]
    most = laid[winner]
    facts: Facts = {"seat": winner, "seat_offering": offerer, "tile": tile, "stones": most, "counts": laid}
    if laid.count(most) == 1:
        return Ruling("D6", "wins", facts)
    tied, start = highest(laid), state.start
    tie: Facts = {"seats": tied, "start": start}
    if winner == start:
        return Ruling("D7", "start player wins the tie", facts | tie)
    if state.options.tie == "clockwise":
        return Ruling("D7", "wins the tie", facts | tie)
    near = tuple([seat for seat in tied if _away(start, seat, len(laid)) == _away(start, winner, len(laid))])
    if len(near) == 1:
        return Ruling("D7", "nearest wins the tie", facts | tie)
    return Ruling("D7", "clockwise wins the tie", facts | tie | {"seats_near": near})


def _gone(state: State, offerer: Seat, colour: Seat, count: int, receiver: Seat) -> Ruling:
    """D8 So many stones of a colour go from this player's tile to another."""
    tile = state.offers[offerer]
    facts: Facts = {"seat_offering": offerer, "tile": tile, "stones": count, "owner": colour, "seat": receiver}
    return Ruling("D8", "stones go", facts)


def returned(laid: tuple[int, ...], winner: Seat, offerer: Seat) -> list[tuple[Seat, Seat, int]]:
    """D8 Colour, receiver, how many: the winner gets 1 back, the offerer the others; the rest goes back to its colour.

    The player who wins their own tile takes all their own stones back.
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
    """D10 To the winner of the tile beside it; if that is the start player or no one, to the start player's left."""
    return (start + 1) % players if winner in (None, start) else winner


def _moved_counter(state: State, winner: Seat | None, counter: Seat) -> Ruling:
    """D10 Which of the three it was."""
    facts: Facts = {"seat": counter, "start": state.start, "tile": state.offers[state.start]}
    if winner is None:
        return Ruling("D10", "nobody wins the counter", facts)
    return Ruling("D10", "passes the counter on" if winner == state.start else "gets the counter", facts)

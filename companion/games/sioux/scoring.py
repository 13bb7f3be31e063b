"""The end of Sioux: supply cards are added up."""

from companion.games.game import Part, Score, Seat
from companion.games.sioux.state import State


def scores(state: State) -> tuple[Score, ...]:
    """S23 The sum of the supply cards, one part for each winter."""
    return tuple(Score(seat, supply_points(seat, supply)) for seat, supply in enumerate(state.supply))


def supply_points(seat: Seat, supply: tuple[int, ...]) -> tuple[Part, ...]:
    """S23 What each winter's supply card is worth."""
    return tuple(
        Part(f"winter {winter}", value, "S23", "supply", {"seat": seat, "winter": winter, "value": value})
        for winter, value in enumerate(supply, 1)
    )


def winners(state: State) -> tuple[Seat, ...]:
    """S23 Highest sum; a tie goes to more supply in the third winter, then it is shared."""
    ranks = [(sum(supply), supply[-1:]) for supply in state.supply]
    best = max(ranks)
    return tuple(seat for seat, rank in enumerate(ranks) if rank == best)

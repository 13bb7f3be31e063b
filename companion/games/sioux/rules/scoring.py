"""The end of Sioux: supply cards are added up."""

from companion.gamekit import Facts, Part, Ruling, Score, Seat
from companion.games.sioux.rules.state import Animals, State, names_of, worth


def scores(state: State) -> tuple[Score, ...]:
    """S23 The sum of the supply cards, one part for each winter."""
    return tuple(Score(seat, supply_points(state, seat)) for seat in state.fixed.seats)


def supply_points(state: State, seat: Seat) -> tuple[Part, ...]:
    """S23 What each winter's supply card is worth. S20 Which prey made the rank, and whether the card was dealt."""
    return tuple(
        _supply(state, seat, winter, value, animals)
        for winter, (value, animals) in enumerate(zip(state.supply[seat], state.brought[seat], strict=True), 1)
    )


def _supply(state: State, seat: Seat, winter: int, value: int, animals: Animals) -> Part:
    """S20 With equal prey it says whether the number of animals decided, or the card was dealt."""
    brought = [each[winter - 1] for each in state.brought]
    equal = tuple([other for other, prey in enumerate(brought) if worth(prey) == worth(animals)])
    counts = tuple([sum(brought[other]) for other in equal])
    facts: Facts = {
        "seat": seat,
        "winter": winter,
        "value": value,
        "total": worth(animals),
        "animals": names_of(state, animals),
        "seats": equal,
        "counts": counts,
    }
    alone = counts.count(sum(animals)) == 1
    return Part(
        f"winter {winter}",
        value,
        "S23",
        "supply" if len(equal) == 1 else "supply by animals" if alone else "supply dealt",
        facts,
    )


def tie_break(state: State, tied: tuple[Seat, ...]) -> Ruling:
    """S23 With a tie, more supply in the third winter."""
    points = sum(state.supply[tied[0]])
    values = tuple(state.supply[seat][-1] for seat in tied)
    return Ruling("S23", "third winter decides", {"seats": tied, "points": points, "values": values})


def winners(state: State) -> tuple[Seat, ...]:
    """S23 Highest sum; a tie goes to more supply in the third winter, then it is shared."""
    ranks = [(sum(supply), supply[-1:]) for supply in state.supply]
    best = max(ranks)
    return tuple(seat for seat, rank in enumerate(ranks) if rank == best)


def shared(state: State, seats: tuple[Seat, ...]) -> Ruling:
    """S23 The same sum, and as much supply in the third winter."""
    facts: Facts = {"seats": seats, "points": sum(state.supply[seats[0]]), "value": state.supply[seats[0]][-1]}
    return Ruling("S23", "equal in the third winter", facts)

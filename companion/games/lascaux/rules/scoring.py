"""The end of Lascaux: points for animals and stones, and who has won."""

from companion.gamekit import Facts, Part, Ruling, Score, Seat, highest
from companion.games.lascaux.components import ANIMALS
from companion.games.lascaux.rules.engine import State

STONES_PER_POINT = 6


def scores(state: State) -> tuple[Score, ...]:
    """All points of all players, each with its ruling."""
    parts = animal_points(state)
    return tuple(
        [
            Score(seat, (*parts[seat], *stone_points(seat, stones)), stone_notes(seat, stones))
            for seat, stones in enumerate(state.stones)
        ]
    )


def animal_points(state: State) -> list[list[Part]]:
    """L17 The most cards of an animal score one point each; with a tie everyone tied scores in full."""
    parts: list[list[Part]] = [[] for _ in state.won]
    herds = [[card.animal for card in cards] for cards in state.won]
    for animal in ANIMALS:
        counts = tuple([herd.count(animal) for herd in herds])
        most = highest(counts)
        for seat in most if any(counts) else ():
            facts: Facts = {
                "seat": seat,
                "animal": animal,
                "cards": counts[seat],
                "seats": tuple([other for other in most if other != seat]),
                "seats_all": tuple(range(len(counts))),
                "counts": counts,
            }
            parts[seat].append(
                Part(animal, counts[seat], "L17", "tied for the most" if len(most) > 1 else "has the most", facts)
            )
    return parts


def stone_points(seat: Seat, stones: int) -> list[Part]:
    """L18 One point for every full 6 stones left."""
    points = stones // STONES_PER_POINT
    if not points:
        return []
    return [Part("stones", points, "L18", "stones left", {"seat": seat, "stones": stones, "points": points})]


def stone_notes(seat: Seat, stones: int) -> tuple[Ruling, ...]:
    """L18 Too few stones for a point are listed, too, so that all players can check the count."""
    if stones >= STONES_PER_POINT:
        return ()
    return (Ruling("L18", "too few stones", {"seat": seat, "stones": stones}),)


def tie_break(state: State, tied: tuple[Seat, ...]) -> Ruling:
    """L19 With the option the most stones decide between those who have the most points."""
    points = scores(state)[tied[0]].total
    counts = tuple(state.stones[seat] for seat in tied)
    return Ruling("L19", "most stones win", {"seats": tied, "points": points, "counts": counts})


def shared(state: State, seats: tuple[Seat, ...]) -> Ruling:
    """L19 The same points, and with the option as many stones."""
    facts: Facts = {"seats": seats, "points": scores(state)[seats[0]].total}
    if state.options.tie == "shared":
        return Ruling("L19", "equal points", facts)
    return Ruling("L19", "equal stones", facts | {"stones": state.stones[seats[0]]})


def winners(state: State) -> tuple[Seat, ...]:
    """L19 Most points; a tie is shared, or with the option goes to the most stones (equal again: shared)."""
    by_stones = state.options.tie == "stones"
    return highest([(score.total, by_stones and state.stones[score.seat]) for score in scores(state)])

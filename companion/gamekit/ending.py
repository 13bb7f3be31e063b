"""How a game ended: who shares the best total, what broke the tie, and why a victory is shared."""

from collections.abc import Sequence
from typing import Any

from companion.gamekit.game import Game, Ruling, Score, Seat


def best_total(totals: Sequence[int], lowest_wins: bool = False) -> int:
    """The most points, or the fewest where those win."""
    return min(totals) if lowest_wins else max(totals)


def tied_for_the_best(scores: Sequence[Score], lowest_wins: bool = False) -> tuple[Seat, ...]:
    """All players with the best total."""
    best = best_total([score.total for score in scores], lowest_wins)
    return tuple(score.seat for score in scores if score.total == best)


def broken_tie(game: Game[Any, Any], state: Any) -> Ruling | None:
    """What decided in a game that is over; None where the points alone did, or where all who are tied have won."""
    tied = tied_for_the_best(game.scores(state), game.lowest_wins)
    return game.tie_break(state, tied) if len(tied) > len(game.winners(state)) else None


def shared_victory(game: Game[Any, Any], state: Any) -> Ruling | None:
    """Why several have won a game that is over; None where one has."""
    winners = game.winners(state)
    return game.shared(state, winners) if len(winners) > 1 else None


def leaders(totals: Sequence[Sequence[int]], lowest_wins: bool = False) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    """The sums of several games, each with a number for every seat, and who has the best."""
    sums = tuple(sum(each) for each in zip(*totals, strict=True))
    best = best_total(sums, lowest_wins)
    return sums, tuple(seat for seat, total in enumerate(sums) if total == best)

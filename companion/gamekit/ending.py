"""How a game ended: who shares the most points, what broke the tie, and why a victory is shared."""

from collections.abc import Sequence
from typing import Any

from companion.gamekit.game import Game, Ruling, Score, Seat


def tied_for_the_most(scores: Sequence[Score]) -> tuple[Seat, ...]:
    """All players with the most points."""
    most = max(score.total for score in scores)
    return tuple(score.seat for score in scores if score.total == most)


def broken_tie(game: Game[Any, Any], state: Any) -> Ruling | None:
    """What decided in a game that is over; None where the points alone did, or where all who are tied have won."""
    tied = tied_for_the_most(game.scores(state))
    return game.tie_break(state, tied) if len(tied) > len(game.winners(state)) else None


def shared_victory(game: Game[Any, Any], state: Any) -> Ruling | None:
    """Why several have won a game that is over; None where one has."""
    winners = game.winners(state)
    return game.shared(state, winners) if len(winners) > 1 else None


def leaders(totals: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    """The sums of several games, each with a number for every seat, and who has the most."""
    sums = tuple(sum(each) for each in zip(*totals, strict=True))
    return sums, tuple(seat for seat, total in enumerate(sums) if total == max(sums))

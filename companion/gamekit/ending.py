"""Who plays with whom, who leads, and how a game ended: what broke the tie, why a victory is shared.

A team wins as one: its players have the same points, and their victory is not a shared one. If all players are one
team, they win or lose together, and no player is ahead of another.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from companion.gamekit.deprecation import moved_names
from companion.gamekit.game import Game, Ruling, Score, Seat

__getattr__ = moved_names(__name__, {"tied_for_the_most": "tied_for_the_best"})
N = TypeVar("N", int, float)
Teams: TypeAlias = tuple[tuple[Seat, ...], ...]
"""The seats of each team; empty: all play for themselves."""
Contender: TypeAlias = tuple[Seat, ...]
"""All who win together: one player, or the players of a team."""
Victory: TypeAlias = Literal["one", "team", "shared", "won together", "lost together"]
"""Who has won: one player, one team, several who share the victory; or all players together have won or lost."""


def partners(players: int) -> Teams:
    """Two teams whose players sit alternately: of four players, those who sit opposite each other."""
    return tuple(range(0, players, 2)), tuple(range(1, players, 2))


def together(players: int) -> Teams:
    """One team: all players win or lose together."""
    return (tuple(range(players)),)


def teams_of(game: Game[Any, Any], players: int) -> Teams:
    return game.teams(players) if game.teams else ()


def sides(teams: Teams, players: int) -> Teams:
    """All who compete with each other: teams, or single players."""
    return teams or tuple((seat,) for seat in range(players))


def outcome_of(winners: Sequence[Seat], teams: Teams) -> Victory:
    """Of a game that is over."""
    if len(teams) == 1:
        return "won together" if winners else "lost together"
    if len(winners) == 1:
        return "one"
    return "team" if tuple(winners) in teams else "shared"


def share_of(seat: Seat, winners: Sequence[Seat], teams: Teams) -> float:
    """This player's share of the victory: all of it, unless another player or another team has won as well."""
    if seat not in winners:
        return 0.0
    return 1 / (sum(team[0] in winners for team in teams) if teams else len(winners))


def strengths(totals: Sequence[N], lowest_wins: bool = False) -> list[N]:
    """The totals, so that more is better."""
    return [-total for total in totals] if lowest_wins else list(totals)


def leads(totals: Sequence[N], lowest_wins: bool = False) -> list[N]:
    """How far each is ahead of the best of the others; below 0: behind. There are at least two."""
    strong = strengths(totals, lowest_wins)
    best, second = sorted(strong)[-1:-3:-1]
    return [each - (second if each == best else best) for each in strong]


def leader(totals: Sequence[int], teams: Teams, lowest_wins: bool = False) -> Contender | None:
    """The player or team that is ahead of all others. None: several are level, or there are no others."""
    every = sides(teams, len(totals))
    if len(every) < 2:
        return None
    ahead = leads([totals[side[0]] for side in every], lowest_wins)
    return next((side for side, lead in zip(every, ahead, strict=True) if lead > 0), None)


def best_total(totals: Sequence[int], lowest_wins: bool = False) -> int:
    """The most points, or the fewest where those win."""
    return min(totals) if lowest_wins else max(totals)


def tied_for_the_best(scores: Sequence[Score], lowest_wins: bool = False) -> tuple[Seat, ...]:
    """All players with the best total."""
    best = best_total([score.total for score in scores], lowest_wins)
    return tuple(score.seat for score in scores if score.total == best)


def broken_tie(game: Game[Any, Any], state: Any) -> Ruling | None:
    """What decided in a game that is over; None where the points alone did, where all who are tied have won, or where
    all play together."""
    scores = game.scores(state)
    tied = tied_for_the_best(scores, game.lowest_wins)
    alone = len(teams_of(game, len(scores))) != 1
    return game.tie_break(state, tied) if alone and len(tied) > len(game.winners(state)) else None


def shared_victory(game: Game[Any, Any], state: Any) -> Ruling | None:
    """Why several have won a game that is over; None where one player or one team has, or all together."""
    winners = game.winners(state)
    if len(winners) < 2 or outcome_of(winners, teams_of(game, len(game.scores(state)))) != "shared":
        return None
    return game.shared(state, winners)


def leaders(totals: Sequence[Sequence[int]], lowest_wins: bool = False) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    """The sums of several games, each with a number for every seat, and who has the best."""
    sums = tuple(sum(each) for each in zip(*totals, strict=True))
    best = best_total(sums, lowest_wins)
    return sums, tuple(seat for seat, total in enumerate(sums) if total == best)

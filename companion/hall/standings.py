"""Standings of a night and of a league. Pure: results in, lines out.

A game gives table points by rank: 5, 3, 2, 1, and none below. Players who tie share the points of their places, so a
table always gives the same sum. Equal table points are ranked by the shares that players had of the points at their
tables, because a game may give many points and another few; or by plain points, if the club prefers that. Numbers are
fractions, so that equal is equal.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from companion.hall.hall_state import HallState, Night, NightRound, ReportedSeat, ResultReported

TABLE_POINTS = (5, 3, 2, 1)
BYE = Fraction(sum(TABLE_POINTS), len(TABLE_POINTS))
"""A bye gives what a table of four gives on average, and that share of its points."""
BYE_SHARE = Fraction(1, len(TABLE_POINTS))


class HallStanding(Struct, frozen=True):
    """A line of the standings."""

    rank: int
    name: str
    table_points: Fraction
    share: Fraction
    """The sum of the shares that they had of each table's points."""
    points: int
    games: int
    byes: int = 0
    nights: int = 1


class _Sum(Struct):
    table_points: Fraction = Fraction(0)
    share: Fraction = Fraction(0)
    points: int = 0
    games: int = 0
    byes: int = 0
    nights: int = 0


def table_points(ranks: Sequence[int]) -> list[Fraction]:
    """What each player of a table gets, by their ranks."""
    order = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    given = dict(zip(order, (*TABLE_POINTS, *[0] * len(ranks)), strict=False))
    shared = []
    for rank in ranks:
        tied = [seat for seat in order if ranks[seat] == rank]
        shared.append(Fraction(sum(given[seat] for seat in tied), len(tied)))
    return shared


def shares(scores: Sequence[int], *, lowest_wins: bool = False) -> list[Fraction]:
    """The share that each player has of the table's points; all shares together are 1. Points below zero lift the whole
    table; where the fewest points win, a player has the share of what the others have."""
    lowest = min((0, *scores))
    lifted = [score - lowest for score in scores]
    total = sum(lifted)
    if total == 0:
        return [Fraction(1, len(scores)) for _ in scores]
    if lowest_wins and len(scores) > 1:
        return [Fraction(total - score, total * (len(scores) - 1)) for score in lifted]
    return [Fraction(score, total) for score in lifted]


def counted_results(state: HallState, night: Night) -> list[ResultReported]:
    """The result of each table in each round: the director's own entry, else the first game that it finished."""
    found: dict[tuple[int, str], ResultReported] = {}
    for result in state.results_of(night.number):
        place = result.round, result.table
        if place not in found or _weight(result) < _weight(found[place]):
            found[place] = result
    return [found[place] for place in sorted(found)]


def _weight(result: ResultReported) -> tuple[bool, float, str]:
    return not result.by_director, result.ended_at, result.key


def night_standings(state: HallState, night: Night) -> list[HallStanding]:
    """Best first, with everybody who has signed in."""
    return _ranked(_night_sums(state, night), plain_points=night.plan.plain_points)


def league(state: HallState, nights: Iterable[Night], who: Callable[[str], str] = str) -> list[HallStanding]:
    """The standings of several nights together. `who`: the person whom a name means."""
    sums: dict[str, _Sum] = {}
    plain_points = False
    for night in nights:
        plain_points = night.plan.plain_points
        for name, one in _night_sums(state, night).items():
            whole = sums.setdefault(who(name), _Sum())
            for part in _Sum.__struct_fields__:
                setattr(whole, part, getattr(whole, part) + getattr(one, part))
    return _ranked(sums, plain_points=plain_points)


def _night_sums(state: HallState, night: Night) -> dict[str, _Sum]:
    sums = {name: _Sum(nights=1) for name in night.players}
    for result in counted_results(state, night):
        _add(sums, result.seats, lowest_wins=result.lowest_wins)
    for each in night.rounds:
        for name in _sat_out(each):
            one = sums.setdefault(name, _Sum(nights=1))
            one.byes += 1
            one.table_points += BYE
            one.share += BYE_SHARE
    return sums


def _sat_out(played: NightRound) -> tuple[str, ...]:
    return played.byes if played.started_at is not None else ()


def _add(sums: dict[str, _Sum], seats: Sequence[ReportedSeat], *, lowest_wins: bool) -> None:
    scores = [seat.score for seat in seats]
    given = table_points([seat.rank for seat in seats])
    for seat, points, share in zip(seats, given, shares(scores, lowest_wins=lowest_wins), strict=True):
        one = sums.setdefault(seat.name, _Sum(nights=1))
        one.table_points += points
        one.share += share
        one.points += -seat.score if lowest_wins else seat.score
        one.games += 1


def _ranked(sums: dict[str, _Sum], *, plain_points: bool) -> list[HallStanding]:
    def strength(one: _Sum) -> tuple[Fraction, Fraction | int]:
        return one.table_points, one.points if plain_points else one.share

    order = sorted(sums, key=lambda name: strength(sums[name]), reverse=True)
    lines: list[HallStanding] = []
    for place, name in enumerate(order, 1):
        one = sums[name]
        is_equal = bool(lines) and strength(sums[order[place - 2]]) == strength(one)
        rank = lines[-1].rank if is_equal else place
        lines.append(HallStanding(rank, name, one.table_points, one.share, one.points, one.games, one.byes, one.nights))
    return lines

"""Seatings: properties for any attendance, designs without repeats, byes, the top table, and reasons."""

import time
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import UsageError
from companion.hall.hall_texts import reason_line
from companion.hall.seating import Seating, SeatingRequest, design_round, design_rounds, seat_round, table_sizes
from companion.language.wording import ENGLISH


class Attendance:
    """A night whose players come and go."""

    def __init__(self, tables: int, sizes: tuple[int, int] = (3, 5), seed: int = 1) -> None:
        self.tables, self.sizes, self.seed = [str(number) for number in range(1, tables + 1)], sizes, seed
        self.players: list[str] = []
        self.earlier: list[list[tuple[str, ...]]] = []
        self.byes: Counter[str] = Counter()
        self.met: Counter[frozenset[str]] = Counter()

    def come(self, count: int) -> "Attendance":
        first = len(self.players)
        self.players += [f"P{number}" for number in range(first, first + count)]
        return self

    def seat(self, leaders: list[str] | None = None) -> Seating:
        asked = SeatingRequest(
            self.players, self.tables, self.sizes, tuple(self.earlier), dict(self.byes), leaders or (), self.seed
        )
        return seat_round(asked)

    def play(self, leaders: list[str] | None = None) -> Seating:
        seating = self.seat(leaders)
        self.earlier.append([*seating.seats.values()])
        self.byes.update(seating.byes)
        self.met.update(frozenset(pair) for group in seating.seats.values() for pair in combinations(group, 2))
        return seating

    @property
    def repeats(self) -> int:
        return sum(count - 1 for count in self.met.values())


@given(st.integers(0, 60), st.integers(0, 20), st.sampled_from([(3, 5), (2, 4), (4, 4), (2, 6)]))
def test_as_many_as_possible_play_at_tables_of_an_allowed_size(players, tables, sizes) -> None:
    found = table_sizes(players, tables, sizes)
    assert all(sizes[0] <= size <= sizes[1] for size in found)
    assert len(found) <= tables
    playable = [
        count
        for count in range(players + 1)
        if any(sizes[0] * t <= count <= sizes[1] * t for t in range(1, tables + 1))
    ]
    assert sum(found) == max(playable, default=0)


@settings(max_examples=30)
@given(
    st.integers(1, 9),
    st.sampled_from([(3, 5), (2, 4), (4, 4)]),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=1, max_size=6),
    st.integers(0, 99),
)
def test_whoever_comes_and_goes_everybody_sits_once_and_byes_are_fair(tables, sizes, changes, seed) -> None:
    night = Attendance(tables, sizes, seed)
    arrived = 0
    for come, go in changes:
        night.players = [*night.players[go:], *(f"Q{number}" for number in range(arrived, arrived + come))]
        arrived += come
        before = dict(night.byes)
        try:
            seating = night.play()
        except UsageError:
            assert len(night.players) < sizes[0]
            continue
        seated = [name for group in seating.seats.values() for name in group]
        assert sorted([*seated, *seating.byes]) == sorted(night.players)
        assert {*seating.seats} <= {*night.tables}
        assert all(sizes[0] <= len(group) <= sizes[1] for group in seating.seats.values())
        for name in seating.byes:  # never twice before all have had one
            assert all(before.get(name, 0) <= before.get(other, 0) for other in seated)
        assert {*seating.reasons} == {*seating.seats, *([""] if seating.byes else [])}
        assert all(reason_line(reason, ENGLISH) for reason in seating.reasons.values())


@pytest.mark.parametrize(
    ("tables", "size", "rounds"), [(3, 3, 4), (4, 3, 4), (4, 4, 5), (5, 4, 5), (5, 5, 6), (7, 4, 7)]
)
def test_a_design_has_no_repeats(tables: int, size: int, rounds: int) -> None:
    assert design_rounds(tables, size) == rounds
    met: Counter[frozenset[int]] = Counter()
    for number in range(1, rounds + 1):
        groups = design_round(tables, size, number)
        assert sorted(player for group in groups for player in group) == list(range(tables * size))
        assert {len(group) for group in groups} == {size}
        met.update(frozenset(pair) for group in groups for pair in combinations(group, 2))
    assert max(met.values()) == 1


@pytest.mark.parametrize(("players", "rounds"), [(9, 4), (12, 4), (15, 5), (16, 5), (17, 5), (19, 5), (20, 5), (28, 6)])
def test_no_two_players_meet_twice_where_a_design_fits(players: int, rounds: int) -> None:
    night = Attendance(tables=players).come(players)
    for _ in range(rounds):
        night.play()
    assert night.repeats == 0


def test_a_late_arrival_and_players_who_go_home_cost_few_repeats() -> None:
    night = Attendance(tables=6).come(20)
    night.play()
    night.come(1)
    night.play()
    night.players = night.players[3:]
    night.play()
    assert night.repeats == 0


def test_a_thousand_people_are_seated_in_two_seconds_without_repeats() -> None:
    night = Attendance(tables=300).come(1000)
    for _ in range(6):
        begun = time.process_time()
        night.play()
        assert time.process_time() - begun < 2
    assert night.repeats == 0


def test_the_same_seed_seats_alike_and_another_one_does_not() -> None:
    one, same, other = (Attendance(5, seed=seed).come(18).play() for seed in (7, 7, 8))
    assert one == same != other


def test_the_leaders_sit_at_the_top_table_from_the_second_round_on() -> None:
    night = Attendance(4).come(14)
    leaders = [f"P{number}" for number in (3, 9, 1, 5, 0, 2, 4, 6, 7, 8, 10, 11, 12, 13)]
    first = night.play(leaders)
    assert first.reasons["1"].what == "by lot"
    second = night.play(leaders)
    assert {*second.seats["1"]} == {"P3", "P9", "P1", "P5"}
    assert second.reasons["1"].what == "top table"


def test_a_seating_with_repeats_names_the_pairs() -> None:
    night = Attendance(1).come(3)
    night.play()
    (reason,) = night.play().reasons.values()
    assert reason.what == "repeats"
    assert len(reason.facts["pairs"]) == 3
    assert "P0" in reason_line(reason, ENGLISH)


def test_too_few_players_or_no_table_are_refused_in_a_line() -> None:
    with pytest.raises(UsageError, match="A table needs 3 players, and 2 players have signed in"):
        Attendance(2).come(2).seat()
    with pytest.raises(UsageError, match="No table has joined"):
        Attendance(0).come(6).seat()

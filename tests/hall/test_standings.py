"""Table points, shares, and the standings of nights and leagues."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from companion.hall.hall_state import (
    AnyEvent,
    ClubFounded,
    HallState,
    LogEntry,
    NightClosed,
    NightOpened,
    ReportedSeat,
    ResultReported,
    RoundSeated,
    RoundStarted,
    SignedIn,
)
from companion.hall.standings import BYE, counted_results, league, night_standings, shares, table_points


def folded(*events: AnyEvent) -> HallState:
    state = HallState()
    state.take_all(LogEntry(number, 1000.0 * number, event) for number, event in enumerate(events, 1))
    return state


def reported(key: str, *seats: tuple[str, int, int], revision: int = 1, **more) -> ResultReported:
    """Seats are names, scores and ranks."""
    facts = {"table": "1", "night": 1, "round": 1, "game": "lascaux", "ended_at": 5.0} | more
    return ResultReported(key, revision, seats=tuple(ReportedSeat(*seat) for seat in seats), **facts)


NIGHT = (ClubFounded("c1", "Club"), NightOpened("lascaux"))
FOUR = (("Anna", 30, 1), ("Ben", 20, 2), ("Cleo", 10, 3), ("Dora", 0, 4))


def test_a_table_gives_five_three_two_and_one() -> None:
    assert table_points([2, 1, 4, 3, 5]) == [3, 5, 1, 2, 0]


def test_players_who_tie_share_the_points_of_their_places() -> None:
    assert table_points([1, 1, 3, 4]) == [4, 4, 2, 1]
    assert table_points([1, 2, 2, 2]) == [5, 2, 2, 2]
    assert table_points([1, 1, 1]) == [Fraction(10, 3)] * 3


def test_partners_share_the_points_of_two_places() -> None:
    assert table_points([1, 2, 1, 2]) == [4, Fraction(3, 2), 4, Fraction(3, 2)]


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
def test_every_table_of_one_size_gives_the_same_sum(ranks: list[int]) -> None:
    assert sum(table_points(ranks)) == sum((5, 3, 2, 1)[: len(ranks)])


@given(st.lists(st.integers(-50, 200), min_size=2, max_size=5), st.booleans())
def test_the_shares_of_a_table_are_one_and_more_points_are_never_a_smaller_share(scores, lowest_wins) -> None:
    found = shares(scores, lowest_wins=lowest_wins)
    assert sum(found) == 1
    assert min(found) >= 0
    for one, share in zip(scores, found, strict=True):
        for other, others in zip(scores, found, strict=True):
            if one > other:
                assert share <= others if lowest_wins else share >= others


def test_equal_table_points_are_ranked_by_the_share_of_the_tables_points() -> None:
    small = (("Eva", 3, 1), ("Finn", 1, 2), ("Gina", 0, 3))
    state = folded(*NIGHT, reported("a", *FOUR), reported("b", *small, table="2"))
    lines = night_standings(state, state.nights[0])
    assert [(line.rank, line.name) for line in lines[:4]] == [(1, "Eva"), (2, "Anna"), (3, "Ben"), (4, "Finn")]


def test_or_by_plain_points_if_the_club_prefers_that() -> None:
    small = (("Eva", 3, 1), ("Finn", 1, 2), ("Gina", 0, 3))
    state = folded(
        NIGHT[0], NightOpened("lascaux", plain_points=True), reported("a", *FOUR), reported("b", *small, table="2")
    )
    assert [line.name for line in night_standings(state, state.nights[0])][:2] == ["Anna", "Eva"]


def test_the_newest_revision_of_a_result_counts_in_any_order() -> None:
    corrected = reported("a", ("Anna", 10, 2), ("Ben", 20, 1), ("Cleo", 5, 3), revision=9)
    for events in ((reported("a", *FOUR), corrected), (corrected, reported("a", *FOUR))):
        state = folded(*NIGHT, *events)
        assert [line.name for line in night_standings(state, state.nights[0])] == ["Ben", "Anna", "Cleo"]


def test_a_game_whose_end_was_undone_counts_no_more() -> None:
    state = folded(*NIGHT, reported("a", *FOUR), reported("a", *FOUR, revision=2, finished=False))
    assert night_standings(state, state.nights[0]) == []


def test_the_first_game_of_a_table_in_a_round_counts_and_the_directors_entry_before_it() -> None:
    more = reported("b", ("Ben", 9, 1), ("Anna", 3, 2), ("Cleo", 1, 3), ended_at=9.0)
    state = folded(*NIGHT, more, reported("a", *FOUR))
    assert [result.key for result in counted_results(state, state.nights[0])] == ["a"]
    state = folded(*NIGHT, more, reported("a", *FOUR), reported("d", *FOUR, ended_at=99.0, by_director=True))
    assert [result.key for result in counted_results(state, state.nights[0])] == ["d"]


def test_a_bye_counts_as_an_average_game_once_the_round_has_started() -> None:
    seated = RoundSeated(1, {"1": ("Anna", "Ben", "Cleo", "Dora")}, ("Eva",))
    state = folded(*NIGHT, SignedIn("Eva"), seated)
    assert [line.table_points for line in night_standings(state, state.nights[0])] == [0]
    state = folded(*NIGHT, SignedIn("Eva"), seated, RoundStarted(9.0), reported("a", *FOUR))
    (eva,) = [line for line in night_standings(state, state.nights[0]) if line.name == "Eva"]
    assert (eva.table_points, eva.byes, eva.rank) == (BYE, 1, 3)


def test_a_league_adds_up_nights_and_knows_people_who_changed_their_name() -> None:
    second = reported("b", ("Annie", 8, 1), ("Ben", 7, 2), ("Cleo", 5, 3), night=2)
    state = folded(*NIGHT, reported("a", *FOUR), NightClosed(), NightOpened("lascaux"), second)
    lines = league(state, state.nights, lambda name: "Anna" if name == "Annie" else name)
    assert [(line.name, line.table_points, line.nights, line.games) for line in lines] == [
        ("Anna", 10, 2, 2),
        ("Ben", 6, 2, 2),
        ("Cleo", 4, 2, 2),
        ("Dora", 1, 1, 1),
    ]

"""Statistics from results: wins against chance, head-to-head, streaks, the start seat, scores, records, tallies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.people.past_games import PastGame, PastSeat
from companion.people.persons import People
from companion.people.statistics import (
    Selection,
    broken_records,
    counted,
    game_tables,
    h_index,
    person_tables,
    streaks,
)

DAY = 86_400.0


def game(number: int, *scores: tuple[str, int], name: str = "lascaux", first: int = 0, **more: object) -> PastGame:
    """A game on day `number`; the highest score wins."""
    best = max(score for _, score in scores)
    seats = tuple(
        PastSeat(who, score, 1 + sum(other > score for _, other in scores), score == best) for who, score in scores
    )
    about = {"seconds": 3600.0, "finished": True} | more
    return PastGame(f"evening-{number}", 1, name, DAY * number, DAY * number + 3600, first=first, seats=seats, **about)


def tables(*games: PastGame, people: People | None = None, selection: Selection | None = None):
    chosen = counted(games, people or People(), selection or Selection())
    return {table.person.name: table for table in person_tables(chosen)}


def test_wins_are_set_against_what_chance_would_give() -> None:
    found = tables(game(1, ("Anna", 5), ("Ben", 3)), game(2, ("Anna", 5), ("Ben", 3), ("Cleo", 1), ("Dora", 0)))
    anna = found["Anna"]
    assert (anna.games, anna.wins, anna.expected) == (2, 2.0, 0.75)
    assert anna.rate == pytest.approx(2 / 0.75)
    assert found["Dora"].expected == 0.25


def test_a_shared_victory_counts_as_a_share() -> None:
    found = tables(game(1, ("Anna", 5), ("Ben", 5), ("Cleo", 1)))
    assert [found[name].wins for name in ("Anna", "Ben", "Cleo")] == [0.5, 0.5, 0.0]
    assert found["Anna"].streak == 1


NAMES = st.permutations(["Anna", "Ben", "Cleo", "Dora"])


@given(st.lists(st.tuples(NAMES, st.lists(st.integers(0, 3), min_size=2, max_size=4)), max_size=12))
def test_all_wins_together_are_as_many_as_the_games_and_so_is_chance(drawn) -> None:
    games = [game(number, *zip(names, scores, strict=False)) for number, (names, scores) in enumerate(drawn)]
    found = tables(*games).values()
    assert sum(each.wins for each in found) == pytest.approx(len(games))
    assert sum(each.expected for each in found) == pytest.approx(len(games))
    for each in found:
        for versus in each.versus:
            back = next(other for other in found if other.person == versus.person)
            mirrored = next(other for other in back.versus if other.person == each.person)
            assert (versus.better, versus.equal, versus.worse) == (mirrored.worse, mirrored.equal, mirrored.better)


def test_a_nemesis_is_ahead_in_at_least_three_games() -> None:
    lost = [game(number, ("Anna", 1), ("Ben", 2), ("Cleo", 0)) for number in range(3)]
    assert tables(*lost[:2])["Anna"].nemesis is None
    anna = tables(*lost)["Anna"]
    assert (anna.nemesis.person.name, anna.nemesis.worse) == ("Ben", 3)
    assert tables(*lost)["Ben"].nemesis is None


def test_streaks_end_with_the_first_game_that_was_not_won() -> None:
    assert streaks([True, True, False, True]) == (1, 2)
    assert streaks([]) == (0, 0)
    assert streaks([True, False]) == (0, 1)


def test_the_h_index_is_the_number_of_games_played_as_often_as_that() -> None:
    assert [h_index(plays) for plays in ([], [1], [10], [5, 1], [5, 2], [3, 3, 3], [4, 4, 3, 1])] == [
        *(0, 1, 1, 1, 2, 3, 3),
    ]


def test_the_start_seat_is_measured_where_it_is_known() -> None:
    games = [
        game(1, ("Anna", 5), ("Ben", 3), first=0),
        game(2, ("Anna", 5), ("Ben", 3), first=1),
        game(3, ("Anna", 5), ("Ben", 3), first=-1),
    ]
    (table,) = game_tables(counted(games, People()))
    assert (table.start.games, table.start.wins, table.start.expected) == (2, 1.0, 1.0)
    assert tables(*games)["Ben"].start.games == 1


def test_scores_are_compared_only_with_the_same_number_of_players() -> None:
    games = [
        game(1, ("Anna", 10), ("Ben", 4)),
        game(2, ("Anna", 20), ("Ben", 6)),
        game(3, ("A", 1), ("B", 2), ("C", 3)),
    ]
    (table,) = game_tables(counted(games, People()))
    two, three = table.scores
    assert (two.players, two.games, two.mean, two.winning, two.best) == (2, 2, 10.0, 15.0, 20)
    assert (three.players, three.best) == (3, 3)


def test_a_record_belongs_to_the_first_who_set_it_and_is_broken_by_more() -> None:
    games = [game(1, ("Anna", 10), ("Ben", 4)), game(2, ("Anna", 3), ("Ben", 10)), game(3, ("Anna", 2), ("Ben", 12))]
    found = counted(games, People())
    (table,) = game_tables(found)
    records = {record.what: record for record in table.records}
    assert (records["highest score"].value, records["highest score"].people[0].name) == (12, "Ben")
    assert [record.what for record in broken_records(found[:2], found[1])] == ["largest lead"]
    assert {record.what for record in broken_records(found, found[2])} == {"highest score", "largest lead"}
    assert broken_records(found[:1], found[0]) == []


def test_games_are_selected_by_game_and_period() -> None:
    games = [game(1, ("A", 1), ("B", 0)), game(2, ("A", 1), ("B", 0), name="sioux"), game(3, ("A", 1), ("B", 0))]
    assert tables(*games, selection=Selection(game="sioux"))["A"].games == 1
    assert tables(*games, selection=Selection(since="1970-01-03"))["A"].games == 2
    assert tables(*games, selection=Selection(until="1970-01-02"))["A"].games == 1


def test_unfinished_games_and_simulated_players_do_not_count_unless_asked() -> None:
    bot = PastGame("e", 1, "lascaux", 0, 1, 1, 0, (PastSeat("Anna"), PastSeat("Ben", 3, 1, True, simulated=True)))
    unfinished = game(1, ("Anna", 0), ("Ben", 0), finished=False)
    assert tables(bot, unfinished) == {}
    asked = tables(bot, unfinished, selection=Selection(simulated=True))
    assert set(asked) == {"Anna", "Ben (simulated)"}


def test_a_merged_person_has_the_games_of_all_their_names() -> None:
    people = People().added("Anna").merged("Ann", "Anna")
    found = tables(game(1, ("Anna", 1), ("Ben", 0)), game(2, ("Ann", 1), ("Ben", 0)), people=people)
    assert (found["Anna"].games, found["Anna"].streak) == (2, 2)


def test_a_line_of_the_game_s_own_has_a_mean_and_a_most_and_0_for_those_not_named() -> None:
    def tallied(number: int, anna: int, ben: int) -> PastGame:
        seats = (PastSeat("Anna", 1, 1, True, tallies={"Swaps": anna}), PastSeat("Ben", tallies={"Swaps": ben}))
        return PastGame(f"e{number}", 1, "sioux", number, number, 1, 0, seats)

    plain = PastGame("e3", 1, "gops", 3, 3, 1, 0, (PastSeat("Anna", 1, 1, True), PastSeat("Ben")))
    sioux, gops = game_tables(counted([tallied(1, 4, 1), tallied(2, 2, 0), plain], People()))
    (line,) = sioux.tallies
    assert [(person.name, mean) for person, mean in line.means] == [("Anna", 3.0), ("Ben", 0.5)]
    assert (line.most[0].name, line.most[1]) == ("Anna", 4)
    assert gops.tallies == ()

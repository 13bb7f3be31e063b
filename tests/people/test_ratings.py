"""Ratings: Plackett–Luce from results, recomputed each time, so nothing that was undone leaves a trace."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from companion.people.past_games import PastGame, past_games
from companion.people.persons import People
from companion.people.ratings import SETTLED_GAMES, Ratings, ordinal, ratings
from companion.people.statistics import counted
from tests.people.evenings import ReopenedEvening, played
from tests.people.test_statistics import game

TABLE = ("Anna", "Ben", "Cleo")


def rated(*games: PastGame, people: People | None = None) -> Ratings:
    return ratings(counted(games, people or People()))


def test_the_winner_rises_and_the_last_one_falls() -> None:
    found = rated(game(1, ("Anna", 9), ("Ben", 5), ("Cleo", 1)))
    assert [rating.person.name for rating in found.table] == ["Anna", "Ben", "Cleo"]
    changes = {change.person.name: change.after - change.before for change in found.changes}
    assert changes["Anna"] > 0 > changes["Cleo"]


def test_a_rating_is_what_openskill_computes_game_by_game() -> None:
    model = PlackettLuce()
    ((anna,), (ben,)) = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    ((ben,), (anna,)) = model.rate([[ben], [anna]], ranks=[1, 1])
    found = rated(game(1, ("Anna", 9), ("Ben", 5)), game(2, ("Ben", 7), ("Anna", 7)))
    assert {each.person.name: (each.mu, each.sigma) for each in found.table} == {
        "Anna": (anna.mu, anna.sigma),
        "Ben": (ben.mu, ben.sigma),
    }


def test_equal_ranks_are_a_tie() -> None:
    found = rated(game(1, ("Anna", 5), ("Ben", 5), ("Cleo", 1)))
    anna, ben, cleo = found.table
    assert anna.mu == ben.mu > cleo.mu
    assert found.changes[0].reason.startswith("tied for 1st of 3, chance to win 33 %: +")


def test_each_change_has_its_reason() -> None:
    found = rated(*(game(number, ("Anna", 9), ("Ben", 5)) for number in range(5)))
    first, last = found.changes[0], found.changes[-2]
    assert first.reason.startswith("1st of 2, chance to win 50 %: +")
    assert last.chance > 0.6
    assert last.after - last.before < first.after - first.before
    assert found.changes[1].reason.startswith("2nd of 2, chance to win 50 %: -")


def test_a_band_is_shown_until_twenty_games_were_played() -> None:
    games = [game(number, ("Anna", 9), ("Ben", 5)) for number in range(SETTLED_GAMES)]
    assert "–" in str(rated(*games[:-1]).table[0])
    anna = rated(*games).table[0]
    assert str(anna) == f"{anna.mu:.1f}"


def test_unfinished_and_simulated_games_and_a_lonely_player_are_never_rated() -> None:
    unfinished = game(1, ("Anna", 0), ("Ben", 0), finished=False)
    assert rated(unfinished, game(2, ("Anna", 3))) == Ratings((), ())


def test_two_names_of_one_person_have_one_rating() -> None:
    people = People().added("Anna").merged("Ann", "Anna")
    found = rated(game(1, ("Anna", 9), ("Ben", 5)), game(2, ("Ann", 9), ("Ben", 5)), people=people)
    assert {each.person.name: each.games for each in found.table} == {"Anna": 2, "Ben": 2}


def test_ordinal_numbers() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"),
    ]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("finished")
    return [played(folder, "sioux", TABLE[:3], seed).path for seed in range(3)]


DEEDS = st.tuples(
    st.integers(0, 2), st.sampled_from(("undo", "correct", "play another end", "remove")), st.integers(0, 999)
)
"""Which evening, what is done to it, and by which chance."""


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds=st.lists(DEEDS, min_size=1, max_size=8))
@example(deeds=[(0, "undo", 1), (1, "correct", 2), (0, "play another end", 3), (2, "remove", 4), (2, "remove", 5)])
def test_ratings_equal_a_full_refold_after_any_undo_correction_or_removal(
    tmp_path_factory: pytest.TempPathFactory, finished: list[Path], deeds: list[tuple[int, str, int]]
) -> None:
    """Of real journals, also while one is being written."""
    folder, people = tmp_path_factory.mktemp("evenings"), People()
    cache = folder / "past-games.json"

    def check() -> None:
        through_cache = ratings(counted(past_games(folder, cache).games, people))
        assert through_cache == ratings(counted(past_games(folder).games, people))

    for path in finished:
        shutil.copy(path, folder / path.name)
    check()
    for number, deed, chance in deeds:
        path = folder / finished[number].name
        if not path.exists():
            shutil.copy(finished[number], path)
        elif deed == "remove":
            path.unlink()
        else:
            evening = ReopenedEvening(path, chance)
            if deed == "play another end":
                for _ in range(min(6, len(evening.evening.played_game.played))):
                    evening.undo()
                evening.play()
            elif (deed == "undo" or not evening.correct()) and evening.evening.to_undo:
                evening.undo()
            check()
            evening.close()
        check()


def test_a_correction_that_changes_the_winner_changes_the_ratings(folder: Path, finished: list[Path]) -> None:
    """So the property above is not kept by ratings that never change."""
    folder.mkdir(parents=True)
    shutil.copy(finished[0], folder / finished[0].name)
    cache, people, seen = folder / "past-games.json", People(), set()
    for chance in range(6):
        evening = ReopenedEvening(folder / finished[0].name, chance)
        for _ in range(6):
            evening.undo()
        evening.play().close()
        table = ratings(counted(past_games(folder, cache).games, people)).table
        seen.add(tuple((each.person.name, each.mu) for each in table))
    assert len(seen) > 1

"""Pages of statistics: by person, game and period, with links that lead to one another."""

import re
from html import unescape

from companion.messages.phone_access import ResultsWish
from companion.people.past_games import PastGame
from companion.people.persons import People
from companion.people.result_pages import EveningResults
from companion.people.statistics_pages import link, results_page, statistics_page
from companion.processes.phone_server import PAGE_BYTES
from tests.people.test_statistics import game


def words(page: str) -> str:
    """What a reader sees, without the form."""
    body = re.sub(r"<form.*?</form>", "", page.partition("<body>")[2], flags=re.DOTALL)
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", body)))


def shown(wish: ResultsWish, *games: PastGame, people: People | None = None) -> str:
    return words(statistics_page(EveningResults((), games, people or People()), wish))


SERIES = tuple(game(number, ("Anna", 9 - 2 * (number % 3 > 0)), ("Ben", 8)) for number in range(9))
"""Anna wins the first game of three, Ben the others."""


def test_a_person_sees_opponents_nemesis_streaks_and_why_the_rating_changed() -> None:
    page = shown(ResultsWish("en", person="Anna"), *SERIES)
    assert "9 games, 3 won, by chance 4.5" in page
    assert "Nemesis: Ben, ahead in 6 of 9 games." in page
    assert "Victories in a row: 0 now, 1 at most." in page
    assert "Ben 9 3 0 6" in page
    assert re.search(r"Chance Change \d{4}-\d\d-\d\d \w+ 2 of 2 \d+ % −\d\.\d", page)


def test_a_period_counts_only_its_games() -> None:
    days = sorted(set(re.findall(r"\d{4}-\d\d-\d\d", shown(ResultsWish("en", person="Anna"), *SERIES))))
    page = shown(ResultsWish("en", person="Anna", since=days[-2], until=days[-2]), *SERIES)
    assert "1 game, 0 won, by chance 0.5" in page
    assert "No finished game fits." in shown(ResultsWish("en", since="1999-01-01"), *SERIES)


def test_a_person_or_game_that_never_played_gets_a_line_and_no_error() -> None:
    for wish in (ResultsWish("en", person="<Zoe>"), ResultsWish("en", game="chess"), ResultsWish("en", since="soon")):
        assert "No finished game fits." in shown(wish, *SERIES)
    assert "No finished game fits." in shown(ResultsWish("en", person="Anna"))


def test_every_name_leads_to_its_page_whatever_it_is_made_of() -> None:
    name = 'Zoë & "<b>"'
    evening = EveningResults((), (game(1, (name, 9), ("Ben", 8)),), People())
    for page in (results_page(evening), statistics_page(evening, ResultsWish("en", person="Ben"))):
        assert "<b>" not in page
        target = unescape(page).partition(link(ResultsWish("en", person=name)))
        assert target[1]
    assert f"{name}" in shown(ResultsWish("en", person=name), *evening.past)


def test_someone_who_was_renamed_is_found_by_the_id_that_stays() -> None:
    people = People().added("Anna", sign="★").renamed("Anna", "Annette")
    page = shown(ResultsWish("en", person="Anna"), *SERIES, people=people)
    assert "★ Annette" in page
    assert "9 games, 3 won" in page


def test_a_game_has_its_scores_by_players_and_its_own_table() -> None:
    page = words(statistics_page(EveningResults((), SERIES, People()), ResultsWish("en", game=SERIES[0].game)))
    assert "Players Games Mean Winners Highest 2 9 7.8 8.3 9" in page


def test_a_page_of_a_club_with_a_thousand_people_still_fits_into_a_message() -> None:
    games = [game(number, (f"Member {number:04} of the club", 9), ("Anna", 8)) for number in range(1000)]
    evening = EveningResults((), games, People())
    for page in (results_page(evening), statistics_page(evening, ResultsWish("de", person="Anna"))):
        assert len(page.encode()) < PAGE_BYTES
        assert page.count("<option") < 310

"""A game in which the fewest points win: leaders, bars, statistics and words are the right way round everywhere."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import msgspec
import pytest

from companion.drawing.result_sheet import bars, outcome
from companion.drawing.table_frame import foot
from companion.gamekit import discovery
from companion.gamekit.game import Setup
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.face_discovery import find_face
from companion.gamekit.search import Judgement, rewards_at
from companion.gamekit.snapshot import Result, Snapshot
from companion.people.past_games import fold, fold_evening
from companion.people.persons import People
from companion.people.play_files import bg_stats_link, read_plays
from companion.people.ratings import ratings
from companion.people.recap import courses
from companion.people.result_pages import EveningResults, evening_page, evening_picture
from companion.people.statistics import broken_records, counted, game_tables
from companion.processes.screen_process import TableLobby
from companion.processes.simulation_settings import SimulationSettings
from companion.screen.screens.evening_list import ending
from companion.session import match
from companion.session.public_snapshot import seen
from tests.bulls import bulls_installed
from tests.people.evenings import PlayedEvening
from tests.verbs.command import Command
from tests.verbs.conftest import home

__all__ = ["home"]

TABLE = ("Anna", "Ben", "Cleo")


@pytest.fixture(autouse=True)
def bulls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with bulls_installed(tmp_path / "site", monkeypatch):
        yield


@pytest.fixture
def evening(home: Path) -> PlayedEvening:
    """A match of two finished games."""
    playing = PlayedEvening(home / "evenings", "bulls", TABLE).play()
    playing.begin("bulls", TABLE)
    return playing.play()


def totals_of(evening: PlayedEvening) -> tuple[list[int], list[str]]:
    """The sums of the match, and who has the fewest."""
    results = [*evening.evening.results, evening.evening.played_game.result]
    sums = [sum(each) for each in zip(*(result.totals for result in results), strict=True)]
    assert len(set(sums)) > 1
    return sums, [name for name, total in zip(TABLE, sums, strict=True) if total == min(sums)]


def test_the_players_with_the_fewest_points_win_and_lead_the_match(evening: PlayedEvening) -> None:
    result = evening.evening.played_game.result
    assert result.winners == tuple(seat for seat, total in enumerate(result.totals) if total == min(result.totals))
    sums, best = totals_of(evening)
    won = match.won(evening.evening)
    assert won.facts["points"] == min(sums)
    seats = won.facts.get("seats", (won.facts.get("seat"),))
    assert [TABLE[seat] for seat in seats] == best


def test_lists_of_evenings_name_the_leader_with_the_fewest(
    evening: PlayedEvening, capsys: pytest.CaptureFixture[str]
) -> None:
    evening.close()
    sums, best = totals_of(evening)
    assert f"led by {' and '.join(best)}\n" in Command(capsys)("games").out
    past = TableLobby(SimulationSettings()).evenings()[0]
    assert [TABLE[seat] for seat in past.leaders] == best
    for name, total in zip(TABLE, sums, strict=True):
        assert (f"» {name} {total}" in ending(past).partition("match")[2]) == (name in best)


def snapshot(evening: PlayedEvening, **changed: object) -> Snapshot:
    found = msgspec.json.encode(seen(evening.evening, "test", "none", evening.evening.state))
    return msgspec.structs.replace(msgspec.json.decode(found, type=Snapshot), **changed)


def test_a_screen_says_that_the_fewest_win_and_marks_those_who_have_them(evening: PlayedEvening) -> None:
    sight = Sight(snapshot(evening), find_face("bulls"))
    drawn = bars(sight, 66).plain.splitlines()
    assert "(the fewest win)" in drawn[0]
    for seat, line in enumerate(drawn[1:]):
        assert line.startswith(" »") == (seat in sight.snapshot.winners)
    sums, best = totals_of(evening)
    assert outcome(sight).sentence.endswith(f"match: {' and '.join(best)} with {min(sums)}")


def test_the_foot_of_the_table_marks_who_has_the_fewest_so_far(evening: PlayedEvening) -> None:
    begun = seen(evening.evening, "", "none", evening.evening.played_game.first_state)
    playing = snapshot(evening, match=(Result((3, 1, 4), (1,)),), awaiting=begun.awaiting)
    assert "Anna 3  »Ben 1  Cleo 4" in foot(Sight(playing, find_face("bulls"))).plain


def test_statistics_rank_and_record_the_fewest(evening: PlayedEvening, capsys: pytest.CaptureFixture[str]) -> None:
    evening.close()
    games = counted(fold(evening.path), People())
    for game in games:
        for seat in game.past.seats:
            assert seat.rank == 1 + sum(other.score < seat.score for other in game.past.seats)
    (table,) = game_tables(games)
    assert table.scores[0].best == min(seat.score for game in games for seat in game.past.seats)
    assert {"lowest score", "highest winning score"} <= {record.what for record in table.records}
    assert "highest score" not in {record.what for record in table.records}
    found = ratings(games[:1])
    first = {person.name for person in games[0].winners}
    assert {rating.person.name for rating in found.table[: len(first)]} == first
    out = Command(capsys)("stats").out
    assert f"lowest {table.scores[0].best} (" in out
    assert "\n  lowest score " in out


def test_the_page_of_an_evening_begins_with_the_winner_and_says_why(evening: PlayedEvening) -> None:
    past = fold(evening.close().path)
    results = EveningResults(past[:1], past, People(), courses(fold_evening(evening.path)))
    page = evening_page(results)
    assert "The fewest points win." in page
    lines = re.findall(r"<text[^>]*>([^<]*)</text>", evening_picture(results))
    assert "The fewest points win." in " ".join(lines)
    ranked = sorted(past[0].seats, key=lambda seat: seat.score)
    assert page.index(f">{ranked[0].score}</text>") < page.index(f">{ranked[-1].score}</text>")
    assert "Die wenigsten Punkte gewinnen." in evening_page(results, "de")


def test_other_programs_are_told_and_plays_without_a_rank_are_read_so(evening: PlayedEvening) -> None:
    past = fold(evening.close().path)
    assert json.loads(unquote(bg_stats_link(past[0], People())).partition("data=")[2])["game"]["highestWins"] is False
    plays = "play,game,began,person,score\n1,bulls,2026-11-01,Anna,7\n1,bulls,2026-11-01,Ben,3\n"
    (game,) = read_plays(plays, "plays.csv")
    assert [(seat.rank, seat.won) for seat in game.seats] == [(2, False), (1, True)]


def test_a_broken_record_of_the_fewest_is_told(evening: PlayedEvening) -> None:
    games = counted(fold(evening.close().path), People())
    lowest = [min(seat.score for seat in game.past.seats) for game in games]
    told = {record.what: record.value for record in broken_records(games, games[1])}
    assert (told.get("lowest score") == lowest[1]) == (lowest[1] < lowest[0])


def test_totals_are_told_in_the_game_s_own_unit_of_two_words(capsys: pytest.CaptureFixture[str]) -> None:
    out = Command(capsys)("demo", "bulls", "--headless", "--seed", "1", "--players", "2").out
    assert "bull heads" in out
    assert out.rstrip().endswith(("wins.", "win."))


def test_a_search_player_wants_few_points() -> None:
    game = discovery.find("bulls")
    setup = Setup(2, 0, game.options(), game.parse_box(game.standin(), ""))
    state = game.setup(setup)

    class Ahead(Judgement):  # type: ignore[type-arg]
        def totals(self, state: object) -> list[float]:
            return [2.0, 9.0]

    few, many = rewards_at(Ahead(game), state, False, boldness=0.7)
    assert few > many

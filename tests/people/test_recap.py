"""What is said about a finished game: where it turned, its rarest ruling, and that pages and pictures say it."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from companion.language.screen_language import LANGUAGES, load
from companion.people.past_games import fold, fold_evening, past_games
from companion.people.persons import People
from companion.people.recap import RARE_GAMES, courses, rarest, recap_lines, turning_point
from companion.people.result_pages import EveningResults, evening_page, evening_picture
from tests.people.evenings import PlayedEvening, played
from tests.verbs.command import Command

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
PLAYERS = ("Anna", "Ben", "Cleo")


@pytest.mark.parametrize("game", GAMES)
def test_from_the_turning_point_on_the_winner_is_ahead_and_just_before_it_they_are_not(folder: Path, game: str) -> None:
    found = [
        course
        for seed in range(1, 5)
        for course in courses(fold_evening(played(folder, game, PLAYERS, seed).path)).values()
    ]
    turned = [course for course in found if course.turned is not None]
    assert turned, "by chance, one player wins most games"
    for course in turned:
        point, actions = course.turned, list(course.played.played)
        assert point is not None
        ahead = []
        for action in actions:
            totals = [score.total for score in course.played.game.scores(action.step.state)]
            others = [total for seat, total in enumerate(totals) if seat != point.seat]
            ahead.append(totals[point.seat] > max(others))
        since = round(point.share * len(actions)) - 1
        assert all(ahead[since:])
        assert not since or not ahead[since - 1]
        assert point.ruling in actions[since].rulings


def test_a_shared_victory_has_no_turning_point(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = PlayedEvening(folder, "lascaux", PLAYERS).play()
    (course,) = courses(fold_evening(evening.path)).values()
    monkeypatch.setattr(course.played, "_result", replace(course.played.result, winners=(0, 1)))
    assert turning_point(course.played) is None


def test_a_ruling_is_rare_if_at_most_one_game_in_four_had_it(folder: Path) -> None:
    path = played(folder, "sioux", PLAYERS).path
    (game,), (course,) = fold(path), courses(fold_evening(path)).values()
    what = game.rulings[0]
    without = replace(game, rulings=tuple(each for each in game.rulings if each != what))
    assert rarest(course.played, [game] + [without] * (RARE_GAMES - 2)) is None, "too few games to say so"
    rare = rarest(course.played, [game] + [without] * (RARE_GAMES - 1))
    assert rare is not None
    assert (rare[0].what, *rare[1:]) == (what, 1, RARE_GAMES)
    assert rarest(course.played, [game, game] + [without] * (RARE_GAMES - 1)) is None


def test_an_unfinished_game_tells_nothing(folder: Path) -> None:
    assert courses(fold_evening(PlayedEvening(folder, "sioux", PLAYERS).play(20).path)) == {}
    (game,) = past_games(folder).games
    assert not game.rulings
    assert list(recap_lines(game, None, [game], People(), load("en"))) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_page_and_picture_say_where_the_game_turned_with_the_names_of_today(folder: Path, code: str) -> None:
    path = next(
        path
        for seed in range(1, 20)
        for path in (played(folder, "lascaux", PLAYERS, seed).path,)
        for course in courses(fold_evening(path)).values()
        if course.turned and course.turned.kind == "in the middle"
    )
    people = People().added("Anna").renamed("Anna", "Annette")
    results = EveningResults(fold(path), past_games(folder).games, people, courses(fold_evening(path)))
    (line, *_), text = results.recap(results.games[0], load(code)), evening_page(results, code)
    assert line in text
    assert "Anna " not in text
    assert ("took the lead" in line) == (code == "en")
    drawn = " ".join(text.text or "" for text in ElementTree.fromstring(evening_picture(results, code)).iter())
    assert line in drawn


def test_an_evening_is_exported_as_a_picture(folder: Path, tmp_path: Path, command: Command) -> None:
    played(folder, "lascaux", PLAYERS)
    target = tmp_path / "evening.svg"
    assert command("export", "--format", "picture", "-o", str(target)).status == 0
    assert ElementTree.parse(target).getroot().tag.endswith("svg")


def test_a_picture_of_an_unfinished_evening_is_refused_with_the_reason(folder: Path, command: Command) -> None:
    PlayedEvening(folder, "lascaux", PLAYERS).play(5).close()
    said = command("export", "--format", "picture")
    assert said.status == 2
    assert "a picture shows finished games" in said.err

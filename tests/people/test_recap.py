"""What is said about a finished game: who took the lead for good, its rarest ruling; pages and pictures say it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from companion.gamekit.ending import leader
from companion.gamekit.game import Game
from companion.language.screen_language import LANGUAGES, load
from companion.people.past_games import fold, fold_evening, past_games
from companion.people.persons import People
from companion.people.recap import RARE_GAMES, courses, lasting_lead, rarest, recap_lines
from companion.people.result_pages import EveningResults, evening_page, evening_picture
from companion.session.actions import CountedAction
from tests.people.evenings import PlayedEvening, played
from tests.verbs.command import Command

GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
PLAYERS = ("Anna", "Ben", "Cleo")


@pytest.mark.parametrize("game", GAMES)
def test_from_the_lasting_lead_on_the_winner_is_ahead_and_just_before_it_they_are_not(folder: Path, game: str) -> None:
    found = [
        course
        for seed in range(1, 5)
        for course in courses(fold_evening(played(folder, game, PLAYERS, seed).path)).values()
    ]
    led = [course for course in found if course.lead is not None]
    assert led, "by chance, one player wins most games"
    for course in led:
        point, actions = course.lead, list(course.played.played)
        assert point is not None
        standings = [[score.total for score in course.played.game.scores(each.step.state)] for each in actions]
        ahead = [leader(totals, ()) == point.side for totals in standings]
        since = round(point.share * len(actions)) - 1
        assert all(ahead[since:])
        assert not since or not ahead[since - 1]
        assert (point.own, point.theirs) == (standings[since][point.side[0]], standings[since][point.rival[0]])
        assert point.own > point.theirs
        said = _sayable(course.played.game, actions[since]) | _sayable(course.played.game, actions[-1])
        assert point.reason.what in said


def _sayable(game: Game[Any, Any], action: CountedAction) -> set[str]:
    """What can be said about an action: its rulings, and the parts of the scores after it."""
    parts = {part.what for score in game.scores(action.step.state) for part in score.parts}
    return parts | {ruling.what for ruling in action.rulings}


def test_a_shared_victory_has_no_lasting_lead(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = PlayedEvening(folder, "lascaux", PLAYERS).play()
    (course,) = courses(fold_evening(evening.path)).values()
    monkeypatch.setattr(course.played, "_result", replace(course.played.result, winners=(0, 1)))
    assert lasting_lead(course.played) is None


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
        if course.lead and course.lead.kind == "in the middle"
    )
    people = People().added("Anna").renamed("Anna", "Annette")
    results = EveningResults(fold(path), past_games(folder).games, people, courses(fold_evening(path)))
    (line, *_), text = results.recap(results.games[0], load(code)), evening_page(results, code)
    assert line in text
    assert "Anna " not in text
    assert ("and stayed ahead." in line) == (code == "en")
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


# --- In words ---------------------------------------------------------------------------------------------------


def _recap(folder: Path, game: str, players: Sequence[str], seed: int, code: str = "en") -> list[str]:
    evening = fold_evening(played(folder, game, players, seed).path)
    results = EveningResults(evening.games, evening.games, People(), courses(evening))
    return results.recap(results.games[0], load(code))


def test_the_recap_says_who_passed_whom_and_which_part_of_the_score_did_it(folder: Path) -> None:
    assert _recap(folder, "lascaux", PLAYERS, 4) == [
        "Late in the game, Anna passed Cleo, 19 to 14, and stayed ahead.",
        "What made the difference: Anna has the most horses, 4 cards: Anna, Ben and Cleo have 4, 2 and 3",
        "The lead changed hands 5 times.",
    ]
    assert _recap(folder, "lascaux", PLAYERS, 4, "de") == [
        "Erst spät zog Anna mit 19 zu 14 an Cleo vorbei und blieb vorn.",
        "Den Ausschlag gab: Anna hat die meisten Pferde, 4 Karten: Anna, Ben und Cleo haben 4, 2 und 3",
        "Die Führung wechselte 5 Mal.",
    ]


def test_the_recap_of_a_lead_that_another_player_lost_names_what_it_cost(folder: Path) -> None:
    first, second, *_ = _recap(folder, "darwinci", PLAYERS, 3)
    assert first == "When Cleo fell back, Ben took the lead, 10 to 8, and kept it."
    assert second == "What made the difference: Cleo bought tiles in round 1: −3 Darwin"


def test_the_recap_of_a_player_who_always_led_names_what_brought_most(folder: Path) -> None:
    first, second, *_ = _recap(folder, "lascaux", PLAYERS, 3)
    assert first == "Anna led from the first point to the last."
    assert second.startswith("What counted most: Anna has the most aurochs, 4 cards")
    assert "began with 12 Darwin" not in " ".join(_recap(folder, "darwinci", PLAYERS, 5)), "all players did"


def test_the_recap_of_equal_points_says_what_decided(folder: Path) -> None:
    (line, *_) = _recap(folder, "sioux", PLAYERS, 7)
    assert line == (
        "In the end the best had equal points: "
        "Anna and Ben have 10 points each, 3 and 5 of them in winter 3: more of those win"
    )

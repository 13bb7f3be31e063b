"""An analysis is made once and kept beside its journal, until the game changes; never of a game that is not over."""

from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.journal.evening_folder import recall, remove, summary
from companion.messages.phone_access import ResultsWish
from companion.people import analysis_files
from companion.people.analysis_files import (
    all_kept,
    analysis_path,
    keep_analysis,
    keep_solved,
    kept_analysis,
)
from companion.people.game_analysis import Alternative, GameAnalysis, JudgedDecision, as_data
from companion.people.statistics_pages import results_of
from companion.processes.analysis_process import analysed, unanalysed
from companion.processes.replay_process import WantedReplay, prepare
from tests.people.evenings import PlayedEvening, ReopenedEvening, played

ANNA = ("Anna", "Ben", "Cleo")


def decision(step: int, cost: float, *, is_clear: bool = True) -> JudgedDecision:
    return JudgedDecision(step, 0, Alternative({"do": "a"}, 0.2), Alternative({"do": "b"}, 0.2 + cost), is_clear)


DECISIONS = (decision(3, 0.2), decision(5, 0.4), decision(7, 0.9, is_clear=False), decision(9, 0.05))
ANALYSIS = GameAnalysis(((0.5, 0.5),), (1,), DECISIONS)


def test_it_is_kept_beside_the_journal_and_puzzles_are_its_clear_decisions(tmp_path: Path) -> None:
    path = played(tmp_path, "sioux", ANNA).path
    game = recall(path).evening.played_game
    assert kept_analysis(path, game, 1) is None
    kept = keep_analysis(path, game, 1, ANALYSIS)
    assert kept_analysis(path, game, 1) == kept
    assert [*all_kept(path)] == [kept]
    assert [each.step for each in kept.puzzles()] == [5, 3]
    assert analysis_path(path, "sioux", 1).stat().st_mode & 0o077 == 0
    keep_solved(path, kept, 5)
    (again,) = all_kept(path)
    assert [each.step for each in again.puzzles()] == [3]
    analysis_path(path, "sioux", 1).write_text("{")
    assert kept_analysis(path, game, 1) is None
    assert [*all_kept(path)] == []


def test_another_version_makes_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = played(tmp_path, "sioux", ANNA).path
    game = recall(path).evening.played_game
    keep_analysis(path, game, 1, ANALYSIS)
    monkeypatch.setattr(analysis_files, "versions", lambda: {"companion": "0"})
    assert kept_analysis(path, game, 1) is None
    assert unanalysed([summary(path)]) == [path]


def test_a_game_that_goes_on_has_no_analysis_and_no_puzzle(tmp_path: Path) -> None:
    """Players may undo the end of a game: then it is not over, and what was kept of it is not shown."""
    path = played(tmp_path, "sioux", ANNA).path
    keep_analysis(path, recall(path).evening.played_game, 1, ANALYSIS)
    assert unanalysed([summary(path)]) == []
    again = ReopenedEvening(path, 2)
    again.undo()
    again.close()
    evening = recall(path).evening
    assert kept_analysis(path, evening.played_game, 1) is None
    assert unanalysed([summary(path)]) == []
    with pytest.raises(UsageError, match="not over"):
        analysed(path, evening, lambda done, count: None)
    with pytest.raises(UsageError, match="is not over"):
        prepare(WantedReplay(str(path), None, is_open=False, puzzle=5))
    again = ReopenedEvening(path, 3)
    for _ in range(10):
        again.undo()
    again.play().close()
    assert kept_analysis(path, recall(path).evening.played_game, 1) is None, "the game ended in another way"


def test_an_analysis_is_made_once_without_games_of_bots_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, bots = (played(tmp_path, "sioux", ANNA, simulated=seats).path for seats in ((1, 2), (0, 1, 2)))
    assert unanalysed([summary(bots), summary(path)]) == [path]
    evening = recall(path).evening
    monkeypatch.setattr("companion.people.game_analysis.PLAYOUTS", 1)
    done: list[int] = []
    kept = analysed(path, evening, lambda number, count: done.append(number))
    assert done == [*range(1, len(evening.played_game.played) + 1)]
    assert {each.seat for each in kept.analysis.decisions} == {0}
    assert analysed(path, evening, lambda number, count: pytest.fail("made again")) == kept
    assert unanalysed([summary(path)]) == []


def test_it_is_removed_with_its_evening(tmp_path: Path) -> None:
    path = played(tmp_path / "evenings", "sioux", ANNA).path
    keep_analysis(path, recall(path).evening.played_game, 1, ANALYSIS)
    target = remove(path, tmp_path / "removed")
    assert [each.name for each in all_kept_paths(tmp_path / "removed")] == [analysis_path(target, "sioux", 1).name]
    assert all_kept_paths(tmp_path / "evenings") == []


def all_kept_paths(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def test_an_evening_that_was_not_played_to_its_end_is_not_analysed(tmp_path: Path) -> None:
    path = PlayedEvening(tmp_path, "sioux", ANNA).play(20).close().path
    assert unanalysed([summary(path)]) == []


@pytest.mark.parametrize(
    ("code", "waits", "title"),
    [
        ("en", "being analysed", "what else could you have done"),
        ("de", "wird gerade analysiert", "Was hättet ihr sonst tun können"),
    ],
)
def test_the_page_for_phones_has_the_analysis_as_soon_as_it_is_made(
    tmp_path: Path, code: str, waits: str, title: str
) -> None:
    path = played(tmp_path, "sioux", ANNA, simulated=(1, 2)).path
    asked: list[int] = []
    first = results_of(path, ResultsWish(code), 10**6, asked.append)
    assert waits in first
    assert title not in first
    assert asked == [1]
    assert waits not in results_of(path, ResultsWish(code), 10**6)
    game = recall(path).evening.played_game
    step = next(step for step, each in enumerate(game.played) if getattr(each.counting, "seat", None) == 0)
    done = Alternative(as_data(game.played[step].counting), 0.2, {"winter 1": 1.0})
    better = Alternative(done.action, 0.6, {"winter 1": 3.5})
    found = (JudgedDecision(step, 0, done, better, is_clear=True),)
    keep_analysis(path, game, 1, GameAnalysis(((0.2, 0.3, 0.5),) * 9, (4,), found))
    then = results_of(path, ResultsWish(code), 10**6, asked.append)
    assert title in then
    assert waits not in then
    assert then.count('stroke-width="2"') == 3
    assert "(60 %)" in then
    assert "+2.5" in then or "+2,5" in then
    assert asked == [1]


def test_games_of_bots_alone_are_not_analysed_for_phones(tmp_path: Path) -> None:
    path = played(tmp_path, "sioux", ANNA, simulated=(0, 1, 2)).path
    results_of(path, ResultsWish("en"), 10**6, lambda number: pytest.fail("analysed"))

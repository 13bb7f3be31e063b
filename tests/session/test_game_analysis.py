"""A finished game is analysed: chances that add up, turning points, and decisions judged by what could be known."""

from argparse import Namespace
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.gamekit.game import Step
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import Skill
from companion.journal.evening_folder import recall
from companion.people.analysis_report import picture, report
from companion.session.actions import CountedAction
from companion.session.game_analysis import (
    Alternative,
    GameAnalysis,
    JudgedDecision,
    _judged,
    analyse,
    turning_points,
)
from companion.session.played_game import PlayedGame
from companion.verbs.replay import run
from tests.people.evenings import PlayedEvening, played

QUICK = Skill(12)


def finished(folder: Path, game: str, seed: int = 1) -> PlayedGame:
    return recall(played(folder, game, ("Anna", "Ben", "Cleo"), seed).path).evening.played_game


def whole(game: PlayedGame) -> GameAnalysis:
    *_, analysis = analyse(game, judgement_of(game.game.name), QUICK)
    return analysis


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lascaux", "sioux", "darwinci"])
def test_chances_add_up_and_end_with_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("companion.session.game_analysis.PLAYOUTS", 2)
    game = finished(tmp_path, name)
    analysis = whole(game)
    assert len(analysis.chances) == len(game.played) + 1
    for row in analysis.chances:
        assert sum(row) == pytest.approx(1)
    winners = game.result.winners
    assert analysis.chances[-1] == tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(3))
    for decision in analysis.decisions:
        assert decision.done.action == game.played[decision.step].counting
        assert isinstance(game.game.at_table(game.played[decision.step].before, decision.best.action), Step)
    text = "\n".join(report(analysis, game))
    assert all(name in text for name in game.header.players)
    assert picture(analysis, game).count("<polyline") == 3


def test_turning_points_are_where_the_chances_changed_for_good() -> None:
    flat = [(0.5, 0.5)] * 10
    curve = [*flat, *[(0.9, 0.1)] * 10, (0.4, 0.6), *[(0.9, 0.1)] * 9, *[(0.0, 1.0)] * 5]
    assert {10, 30} <= set(turning_points(curve))
    assert turning_points(flat) == ()


def test_a_decision_is_clear_only_if_it_cost_enough() -> None:
    worse = JudgedDecision(0, 0, Alternative("a", 0.2), Alternative("b", 0.5))
    assert (worse.cost, worse.is_clear) == (pytest.approx(0.3), True)
    assert not JudgedDecision(0, 0, Alternative("a", 0.5), Alternative("b", 0.52)).is_clear
    assert JudgedDecision(0, 0, Alternative("a", 0.5), Alternative("b", 0.4)).cost == 0


def test_a_decision_is_judged_by_what_its_player_could_know(tmp_path: Path) -> None:
    """Two games that differ only in what another player has hidden so far lead to the same judgement."""
    evening = PlayedEvening(tmp_path, "lascaux", ("Anna", "Ben", "Cleo"))
    while not any(getattr(each, "colour", "") for each in evening.evening.game.legal(evening.evening.state)):
        evening.act()
    game = evening.evening.played_game
    choices = [each for each in game.game.legal(game.state) if type(each).__name__ == "Choose"]
    mine = next(each for each in choices if each.seat == 1)
    judged = []
    for hidden in [each for each in choices if each.seat == 0][:2]:
        first = game.game.apply(game.state, hidden)
        second = game.game.apply(first.state, mine)
        actions = [
            *game.played,
            CountedAction(1000, hidden, game.state, first),
            CountedAction(1001, mine, first.state, second),
        ]
        judged.append(_judged(game, judgement_of("lascaux"), actions, len(actions) - 1, QUICK))
    assert judged[0] is not None
    assert judged[0] == judged[1]


def test_a_game_that_is_not_over_is_not_analysed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    PlayedEvening(tmp_path / "evenings", "sioux", ("Anna", "Ben", "Cleo")).play(20).close()
    with pytest.raises(UsageError, match="would reveal secrets before its end"):
        run(Namespace(evening=None, game=None, open=False, analyse=True, player=None, serve=None, language=None))

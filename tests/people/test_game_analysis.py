"""A finished game is analysed: chances that add up, turning points, and decisions judged by what could be known."""

from argparse import Namespace
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.gamekit.game import Step
from companion.gamekit.game_start import read_action
from companion.gamekit.parts import judgement_of
from companion.gamekit.search import Skill
from companion.journal.evening_folder import recall
from companion.people.analysis_report import picture, report
from companion.people.game_analysis import (
    Alternative,
    Analyst,
    GameAnalysis,
    JudgedDecision,
    Position,
    Prospects,
    analyse,
    around,
    as_data,
    gains,
    turning_points,
)
from companion.session.actions import CountedAction
from companion.session.played_game import PlayedGame
from companion.verbs.replay import run
from tests.people.evenings import PlayedEvening, played

QUICK = Skill(12)


def analyst(game: str) -> Analyst:
    return Analyst(judgement_of(game), QUICK)


def finished(folder: Path, game: str, seed: int = 1) -> PlayedGame:
    return recall(played(folder, game, ("Anna", "Ben", "Cleo"), seed).path).evening.played_game


def whole(game: PlayedGame) -> GameAnalysis:
    *_, analysis = analyse(game, analyst(game.game.name))
    return analysis


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lascaux", "sioux", "darwinci"])
def test_chances_add_up_and_end_with_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("companion.people.game_analysis.PLAYOUTS", 2)
    game = finished(tmp_path, name)
    analysis = whole(game)
    assert len(analysis.chances) == len(game.played) + 1
    for row in analysis.chances:
        assert sum(row) == pytest.approx(1)
    winners = game.result.winners
    assert analysis.chances[-1] == tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(3))
    for decision in analysis.decisions:
        assert decision.done.action == as_data(game.played[decision.step].counting)
        assert decision.other.action != decision.done.action
        other = read_action(game.game, decision.other.action)
        assert isinstance(game.game.at_table(game.played[decision.step].before, other), Step)
    text = "\n".join(report(analysis, game))
    assert all(name in text for name in game.header.players)
    assert picture(analysis, game).count('stroke-width="2"') == 3


def test_turning_points_are_where_the_chances_changed_for_good() -> None:
    flat = [(0.5, 0.5)] * 10
    curve = [*flat, *[(0.9, 0.1)] * 10, (0.4, 0.6), *[(0.9, 0.1)] * 9, *[(0.0, 1.0)] * 5]
    assert {10, 30} <= set(turning_points(curve))
    assert turning_points(flat) == ()


def test_the_chances_around_a_turning_point_are_averages() -> None:
    curve = [(0.2, 0.8), (0.4, 0.6), (0.6, 0.4), (0.9, 0.1), (0.7, 0.3), (0.8, 0.2)]
    assert around(curve, 3) == (pytest.approx([0.4, 0.6]), pytest.approx([0.8, 0.2]))


def judged(game: PlayedGame, step: int) -> JudgedDecision | None:
    return Position(game, list(game.played), step, analyst(game.game.name)).judged()


def first_decision(game: PlayedGame) -> int:
    return next(step for step in range(len(game.played)) if judged(game, step) is not None)


def test_what_looks_better_has_to_be_better_with_other_chances_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many actions the luckiest looks best: that alone does not make a decision a mistake."""
    game = finished(tmp_path, "sioux")
    step = first_decision(game)
    monkeypatch.setattr("companion.people.game_analysis.CLEAR", -1.0)  # all are tried again
    worths = {True: 0.3, False: 0.5}

    def lucky(self: Position, action: object) -> Prospects:
        worth = worths[action == game.played[step].counting]
        swing = [worth + (0.4 if number % 2 else -0.4) * (worth - 0.3) / 0.2 for number in range(8)]
        return Prospects(worth, tuple(swing), {"winter 1": worth})

    monkeypatch.setattr(Position, "prospects", lucky)
    found = judged(game, step)
    assert found is not None
    assert (found.cost, found.is_clear) == (pytest.approx(0.2), False)

    def steady(self: Position, action: object) -> Prospects:
        worth = worths[action == game.played[step].counting]
        return Prospects(worth, tuple(worth + 0.01 * number * worth for number in range(8)), {})

    monkeypatch.setattr(Position, "prospects", steady)
    found = judged(game, step)
    assert found is not None
    assert found.is_clear


def test_gains_are_by_the_kinds_of_points() -> None:
    one, other = Alternative({}, 0.2, {"deer": 1.0, "horse": 2.0}), Alternative({}, 0.5, {"deer": 3.0, "rhino": 0.5})
    assert gains(one, other) == {"deer": 2.0, "horse": -2.0, "rhino": 0.5}


def test_a_decision_is_judged_by_what_its_player_could_know(tmp_path: Path) -> None:
    """Two games that differ only in what another player has hidden so far lead to the same judgement."""
    evening = PlayedEvening(tmp_path, "lascaux", ("Anna", "Ben", "Cleo"))
    while not any(getattr(each, "colour", "") for each in evening.evening.game.legal(evening.evening.state)):
        evening.act()
    game = evening.evening.played_game
    choices = [each for each in game.game.legal(game.state) if type(each).__name__ == "Choose"]
    mine = next(each for each in choices if each.seat == 1)
    found = []
    for hidden in [each for each in choices if each.seat == 0][:2]:
        first = game.game.apply(game.state, hidden)
        second = game.game.apply(first.state, mine)
        actions = [
            *game.played,
            CountedAction(1000, hidden, game.state, first),
            CountedAction(1001, mine, first.state, second),
        ]
        found.append(Position(game, actions, len(actions) - 1, analyst("lascaux")).judged())
    assert found[0] is not None
    assert found[0] == found[1]


def test_a_game_that_is_not_over_is_not_analysed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    PlayedEvening(tmp_path / "evenings", "sioux", ("Anna", "Ben", "Cleo")).play(20).close()
    with pytest.raises(UsageError, match="would reveal secrets before its end"):
        run(
            Namespace(
                evening=None, game=None, open=False, analyse=True, player=None, serve=None, language=None, quietly=False
            )
        )

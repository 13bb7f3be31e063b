"""Whole games as text: each file in data/ tells after every step what changed on the table; see data/annotate.py."""

import json
from pathlib import Path

import pytest

from companion.gamekit.game import Refusal
from companion.gamekit.game_start import read_action
from companion.verbs import adjudicate
from tests.data.annotate import changes, opened, points

DATA = Path(__file__).parents[1] / "data"
WHOLE_GAMES = sorted(DATA.glob("*/*.jsonl"))


@pytest.fixture(autouse=True)
def _no_box_is_enrolled(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_whole_game_step_by_step(path):
    game, state = opened(path)
    expected: list[str] = []
    """What the file says after each action."""
    found: list[str] = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines()[1:], 2):
        if text.startswith("{"):
            assert len(expected) == len(found), f"line {number}: the action before has no #= or #!"
            action = read_action(game, json.loads(text))
            outcome = action if isinstance(action, Refusal) else game.apply(state, action)
            if isinstance(outcome, Refusal):
                found.append(f"#! {outcome.rule or 'null'}")
            else:
                found.append(f"#= {json.dumps(changes(game, state, outcome.state), sort_keys=True)}")
                state = outcome.state
        elif text.startswith("#="):
            expected.append(f"#= {json.dumps(json.loads(text[2:]), sort_keys=True)}")
            assert found[-1] == expected[-1], f"line {number}"
        elif text.startswith("#!"):
            expected.append(text)
            assert found[-1] == expected[-1], f"line {number}"
        elif text.startswith("#scores"):
            assert points(game, state) == json.loads(text.removeprefix("#scores")), f"line {number}"
        elif text.startswith("#winners"):
            assert game.winners(state) == tuple(json.loads(text.removeprefix("#winners"))), f"line {number}"
    assert len(expected) == len(found) > 0
    assert (game.awaiting(state) is None) == ("\n#winners" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_verdict_names_the_refused_lines(path):
    verdict = adjudicate.adjudicate(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = [(number, text.removeprefix("#! ")) for number, text in enumerate(lines) if text.startswith("#!")]
    assert [(refused.line, refused.rule or "null") for refused in verdict.refusals] == marked


def test_secret_stones_stay_secret_until_the_end_of_a_whole_game():
    path = DATA / "lascaux" / "secret-stones.jsonl"
    game, state = opened(path)
    for text in path.read_text(encoding="utf-8").splitlines()[1:]:
        if text.startswith("{"):
            assert game.view(state).stones == (None,) * len(state.stones)
            outcome = game.apply(state, read_action(game, json.loads(text)))
            state = state if isinstance(outcome, Refusal) else outcome.state
    assert game.view(state) == game.table(state)

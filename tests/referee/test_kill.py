"""The plug is pulled on the referee, again and again, in the middle of games that people and simulated hands play."""

from pathlib import Path

import pytest

from companion.journal.store import read
from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening
from tests.referee.killer import Killer

EVENINGS = 4
ROUNDS = 50
"""Of an evening: more than a game. The longer its journal, the longer each referee takes until it can be killed."""
MIXED = GamePlan("lascaux", ("Anna", "Ben", "Cleo"), (1, 2))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("home")
def test_no_accepted_action_is_lost_or_doubled_and_the_resumed_table_is_the_one_last_shown() -> None:
    killers = [Killer(begin_evening(MIXED), seed) for seed in range(EVENINGS)]
    for killer in killers:
        play_and_kill(killer)
    for _ in range(EVENINGS):  # a busy machine plays less before it is killed
        if any(killer.games > 1 for killer in killers):
            break
        play_and_kill(killers[0])
    accepted = sum(len(killer.accepted) for killer in killers)
    assert accepted > EVENINGS * ROUNDS / 10, "too little was played to prove anything"
    assert any(killer.games > 1 for killer in killers), "no referee was killed between two games"


def play_and_kill(killer: Killer) -> None:
    rounds, enough = 0, len(killer.shown) + ROUNDS
    while rounds < ROUNDS or len(killer.shown) < enough:
        rounds += 1
        assert rounds < 10 * ROUNDS, "hardly anything is ever shown"
        killer.round()
        assert len(read(killer.path)) >= max(killer.shown, default=0), "something was shown before it was durable"
    assert list(killer.wrong()) == []

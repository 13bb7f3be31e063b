"""The plug is pulled on the referee, again and again, in the middle of games that people and simulated hands play."""

from pathlib import Path

import pytest

from companion.journal.store import read
from companion.services.evenings import Plan, begin_evening
from tests.referee.killer import Killer

ROUNDS = 300
MIXED = Plan("lascaux", ("Anna", "Ben", "Cleo"), ("Ben", "Cleo"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("home")
def test_no_accepted_action_is_lost_or_doubled_and_the_resumed_table_is_the_one_last_shown() -> None:
    killer = Killer(begin_evening(MIXED), seed=11)
    rounds = 0
    while rounds < ROUNDS or len(killer.shown) < ROUNDS:
        rounds += 1
        assert rounds < 10 * ROUNDS, "hardly anything is ever shown"
        killer.round()
        newest = killer.shown[max(killer.shown)]
        assert len(read(killer.path)) >= newest.entry, "something was shown before it was durable"
    assert list(killer.wrong()) == []
    assert len(killer.accepted) > ROUNDS / 10, "too little was played to prove anything"

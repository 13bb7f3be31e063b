"""The plug is pulled on the referee, again and again, in the middle of games that people and simulated hands play."""

import gc
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from companion.journal.evening import Evening
from companion.journal.store import read
from companion.referee.link import answers
from companion.snapshot import Act, LookedOver, NextGame, Reply, Snapshot
from companion.verbs.evenings import Plan, begin_evening, socket_of
from companion.verbs.table import Pace, run_table
from tests.referee.screen import FakeScreen

ROUNDS = 300
PATIENCE_S = 20.0
MIXED = Plan("lascaux", ("Anna", "Ben", "Cleo"), ("Ben", "Cleo"))


class Killer:
    """A person at a screen who keeps playing, and who pulls the plug at any moment."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path = path
        self.chance = random.Random(seed)
        self.shown: dict[int, Snapshot] = {}
        """The newest snapshot that was seen for each entry of the journal."""
        self.accepted: set[str] = set()
        self.unanswered: Act | NextGame | None = None
        self.intentions = 0

    def round(self) -> None:
        referee = self._start()
        try:
            with FakeScreen(socket_of(self.path)) as screen:
                self._play(screen, self.chance.uniform(0.0, 0.04), patient=self.chance.random() < 0.8)
                os.kill(referee, signal.SIGKILL)
                self._drain(screen)
        finally:
            os.kill(referee, signal.SIGKILL)
            os.waitpid(referee, 0)

    def _start(self) -> int:
        """Forked, not executed: the same code in a process of its own, without half a second of imports."""
        child = os.fork()
        if child == 0:
            status = 1
            gc.freeze()  # what the tests before have left behind is none of its business
            try:
                status = run_table(self.path, Pace(seed=5, speed=1000.0, mischief=0.1))
            finally:
                os._exit(status)
        while not answers(socket_of(self.path)):
            assert os.waitpid(child, os.WNOHANG) == (0, 0), "the referee did not start"
            time.sleep(0.001)
        return child

    def _play(self, screen: FakeScreen, seconds: float, *, patient: bool) -> None:
        """For so long; a patient one counts from the first thing that is shown, however slow the machine is."""
        if self.unanswered:
            screen.say(self.unanswered)  # as a screen does after a reconnect: the same id again
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            message = screen.hear(PATIENCE_S if patient else left)
            if patient:
                patient, deadline = False, time.monotonic() + seconds
            if isinstance(message, Reply):
                self._answered(message)
            elif isinstance(message, Snapshot):
                self._see(message)
                if message.layout:
                    screen.say(LookedOver("the pieces lie where they should"))
                self._act(screen, message)

    def _act(self, screen: FakeScreen, seen: Snapshot) -> None:
        own = [action for action in seen.offered if action.get("seat") == 0]
        if self.unanswered or not (own or seen.awaiting is None):
            return
        self.intentions += 1
        name = f"intention-{self.intentions}"
        if seen.awaiting is None:
            self.unanswered = NextGame(name)
        elif seen.table["phase"] == "choose" and seen.table["chosen"][0]:
            return
        else:
            self.unanswered = Act(name, self.chance.choice(own))
        screen.say(self.unanswered)

    def _answered(self, reply: Reply) -> None:
        if self.unanswered and reply.id == self.unanswered.id:
            if reply.told.kind in ("accepted", "noted") or reply.told.what == "heard already":
                self.accepted.add(reply.id)
            self.unanswered = None

    def _drain(self, screen: FakeScreen) -> None:
        """What the referee sent before it died was shown, too."""
        while message := screen.hear():
            if isinstance(message, Snapshot):
                self._see(message)
            elif isinstance(message, Reply):
                self._answered(message)

    def _see(self, snapshot: Snapshot) -> None:
        self.shown[snapshot.entry] = snapshot


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
    _check_against_the_journal(killer)
    assert len(killer.accepted) > ROUNDS / 10, "too little was played to prove anything"


def _check_against_the_journal(killer: Killer) -> None:
    entries = read(killer.path)
    evening = Evening()
    checked = 0
    for entry in entries:
        evening.take(entry)
        if entry.number in killer.shown:
            seen = killer.shown[entry.number].table
            assert msgspec.json.encode(seen) == msgspec.json.encode(evening.game.view(evening.state))
            checked += 1
    assert checked >= ROUNDS - 1  # the first thing shown may be a table on which nothing has happened
    causes = Counter(entry.cause for entry in entries if entry.cause)
    assert [cause for cause, count in causes.items() if count > 1] == []
    assert killer.accepted <= set(causes)

"""Kills the referee again and again, in the middle of games."""

import gc
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.gamekit.snapshot import Snapshot
from companion.journal.store import read
from companion.messages.intentions import Act, LookedOver, NextGame, Prepare
from companion.messages.protocol import Reply
from companion.processes.evenings import socket_of
from companion.processes.referee_process import introductions, run_referee
from companion.processes.simulation_settings import SimulationSettings
from companion.session.evening import Evening
from companion.table.pieces import Pack
from tests.referee.screen import FakeScreen

PATIENCE_S = 20.0


class Killer:
    """A person at a screen who keeps playing, and who pulls the plug at any moment."""

    def __init__(self, path: Path, seed: int, most_s: float = 0.04) -> None:
        """`most_s`: how long a referee lives, at most, once it has shown something."""
        self.path = path
        self.socket = socket_of(path)
        self.most_s = most_s
        self.chance = random.Random(seed)
        self.shown: dict[int, Snapshot] = {}
        """The newest snapshot that was seen for each entry of the journal."""
        self.accepted: set[str] = set()
        self.unanswered: Act | NextGame | None = None
        self.intentions = 0
        self.games = 0
        """In the journal, once one has looked at what is wrong."""

    def round(self) -> None:
        referee = self._start()
        try:
            with self._meet(referee) as screen:
                self._play(screen, self.chance.uniform(0.0, self.most_s), patient=self.chance.random() < 0.8)
                os.kill(referee, signal.SIGKILL)
                self._drain(screen)
        finally:
            os.kill(referee, signal.SIGKILL)
            os.waitpid(referee, 0)

    def _start(self) -> int:
        """Forked, not executed: the same code in a process of its own, without half a second of imports."""
        introductions(Pack({}))  # loads what reads tags: once here, not in every process
        child = os.fork()
        if child == 0:
            status = 1
            gc.freeze()  # what the tests before have left behind is none of its business
            try:
                status = run_referee(self.path, SimulationSettings(seed=5, speed=1000.0, mischief=0.1))
            finally:
                os._exit(status)
        return child

    def _meet(self, referee: int) -> FakeScreen:
        """As soon as it listens. Before, there is no socket, or that of the one who was killed."""
        while True:
            try:
                return FakeScreen(self.socket)
            except (FileNotFoundError, ConnectionRefusedError):
                assert os.waitpid(referee, os.WNOHANG) == (0, 0), "the referee did not start"
                time.sleep(0.002)

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
                if message.preparation:
                    screen.say(Prepare(f"the table of {message.entry} is set up", message.preparation.pages))
                self._act(screen, message)

    def _act(self, screen: FakeScreen, seen: Snapshot) -> None:
        own = [action for action in seen.offered if action.get("seat") == 0]
        if self.unanswered or not (own or seen.awaiting is None):
            return
        self.intentions += 1
        name = f"intention-{self.intentions}"
        if seen.awaiting is None:
            self.unanswered = NextGame(name)
        elif seen.players[0].simulated or (seen.table["phase"] == "choose" and seen.table["chosen"][0]):
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

    # --- Afterwards -------------------------------------------------------------------------------------------

    def wrong(self) -> Iterator[str]:
        """What the journal does not say as it was shown, or answered."""
        entries = read(self.path)
        evening = Evening()
        for entry in entries:
            evening.take(entry)
            shown = self.shown.get(entry.number)
            if shown and msgspec.json.encode(shown.table) != msgspec.json.encode(evening.game.view(evening.state)):
                yield f"entry {entry.number} was shown otherwise"
        causes = Counter(entry.cause for entry in entries if entry.cause)
        yield from (f"{cause} counts {count} times" for cause, count in causes.items() if count > 1)
        yield from (f"{cause} was accepted and is not there" for cause in self.accepted - set(causes))
        if self.shown and max(self.shown) > len(entries):
            yield f"entry {max(self.shown)} was shown, and {len(entries)} are there"
        self.games = len(evening.played_games)

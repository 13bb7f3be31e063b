"""Evenings for statistics: whole games in real journals, played by chance."""

import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from companion.gamekit import discovery
from companion.gamekit.game_start import Header
from companion.journal.evening_folder import resume
from companion.journal.soundness import inspect
from companion.journal.store import Journal
from companion.session.entry import action_body, clock_body, correction_body, undo_body
from companion.session.evening import Evening, game_body
from tests.left_open import at_the_end

TONIGHT = date(2026, 11, 16)
BEGIN = 1_794_600_000.0


class PlayedEvening:
    """A journal, its evening, and a clock that goes on by ten seconds with each entry."""

    def __init__(self, folder: Path, game: str, players: Sequence[str], seed: int = 1, **began: object) -> None:
        self.journal = Journal.create(folder, date=TONIGHT)
        at_the_end(self.journal.close)
        self.path = self.journal.path
        self.evening = Evening()
        self.now = BEGIN + 86_400.0 * seed
        self.chance = random.Random(seed)
        self.begin(game, players, **began)  # type: ignore[arg-type]

    def begin(self, game: str, players: Sequence[str], first: int = 0, simulated: Sequence[int] = ()) -> None:
        header = Header(game, tuple(players), first)
        self.write("game", game_body(header, discovery.find(game).standin(), simulated))

    def write(self, kind: str, body: bytes, after_s: float = 10.0) -> None:
        self.now += after_s
        self.evening.take(self.journal.append(kind, body, "screen", "", self.now))

    def act(self) -> bool:
        """One legal action by chance; False if the game is over."""
        legal = self.evening.game.legal(self.evening.state)
        if legal:
            self.write("action", action_body(self.chance.choice(legal)))
        return bool(legal)

    def play(self, actions: int = 5000) -> "PlayedEvening":
        for _ in range(actions):
            if not self.act():
                break
        return self

    def undo(self) -> None:
        self.write("undo", undo_body(self.evening.to_undo))

    def correct(self) -> bool:
        """Correct the first action that can be, to another legal one; False if none can."""
        for counted in list(self.evening.played_game.played):
            for other in self.evening.game.legal(counted.before):
                tail = self.evening.played_game.corrected(counted.number, other)
                if isinstance(tail, list):
                    self.write("corrected", correction_body(counted.number, other))
                    return True
        return False

    def pause(self, seconds: float) -> None:
        self.write("clock", clock_body(runs=False))
        self.write("clock", clock_body(runs=True), seconds)

    def close(self) -> "PlayedEvening":
        self.journal.close()
        return self


def played(folder: Path, game: str, players: Sequence[str], seed: int = 1, **began: object) -> PlayedEvening:
    """A finished game in a closed journal."""
    return PlayedEvening(folder, game, players, seed, **began).play().close()


class ReopenedEvening(PlayedEvening):
    """Goes on with an evening that was closed."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path = path
        self.journal, self.evening = resume(path)
        at_the_end(self.journal.close)
        self.now = inspect(path).entries[-1].at
        self.chance = random.Random(seed)

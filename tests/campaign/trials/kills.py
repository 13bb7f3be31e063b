"""The referee is killed, at any moment, while people and simulated hands play."""

import tempfile
from collections import Counter
from pathlib import Path

from companion.gamekit import discovery
from companion.gamekit.game_start import NAMES
from companion.messages.lobby import GamePlan
from companion.processes.evenings import begin_evening
from tests.campaign.trial import Outcome
from tests.places import at_home, quick_place
from tests.referee.killer import Killer

TITLE = "kills"
HOW = (
    "SIGKILL hits the referee's process while a screen is connected and hands play, in all four games, and it is "
    "started again. Nothing that was shown or accepted is missing, nothing counts twice, and each table is as it was "
    "shown."
)
FULL = 1200
QUICK = 16
GAMES = ("lascaux", "sioux", "darwinci", "carnuta")
ROUNDS = 100
"""Of one evening: then another begins."""


def run(count: int, seed: int) -> Outcome:
    seen: Counter[str] = Counter()
    failures: list[str] = []
    done = 0
    while done < count:
        game = GAMES[done // ROUNDS % len(GAMES)] if count >= ROUNDS else GAMES[done * len(GAMES) // count]
        rounds = min(ROUNDS, count - done, max(1, count // len(GAMES)))
        with tempfile.TemporaryDirectory(dir=quick_place()) as folder, at_home(Path(folder) / "home"):
            failures += [f"{game}, round {done}: {failure}" for failure in _evening(game, rounds, seed + done, seen)]
        done += rounds
    return Outcome(done, dict(seen), tuple(failures))


def _evening(game: str, rounds: int, seed: int, seen: Counter[str]) -> list[str]:
    """In Lascaux a person plays along on the screen."""
    players = NAMES[: max(3, discovery.find(game).players[0])]
    killer = Killer(
        begin_evening(GamePlan(game, players, tuple(range(game == "lascaux", len(players))))), seed, most_s=0.2
    )
    for _ in range(rounds):
        killer.round()
    seen["tables shown"] += len(killer.shown)
    seen["wishes on the screen accepted"] += len(killer.accepted)
    idle = ["too little was played to prove anything"] if len(killer.shown) < rounds // 4 else []
    return [*idle, *killer.wrong()]

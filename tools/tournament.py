"""Games between players of different strength, for docs/players.md: `make tournament`.

Today's simulated players decide by a snapshot and move their hands. Here their gestures are read by the game's own
`meaning`, without readers, referee or journal; the search player gets the sight of its seat. Seats are rotated.
"""

import argparse
import math
import sys
import time
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from companion.gamekit import discovery
from companion.gamekit.game import Draft, Game, Laid, Pushed, Refusal, Seat, Setup, Step
from companion.gamekit.game_start import read_action, usual_names
from companion.gamekit.parts import judgement_of, seat_players
from companion.gamekit.search import LEVELS, Skill, decide, sight_of, steady
from companion.gamekit.simulated import Lay, NextAct, Press, Say, Tap
from companion.gamekit.snapshot import Player, Snapshot, Told

HISTORY = 60
"""As many lines as a snapshot has, about."""
LONGEST = 20_000


class LightTable:
    """A game in progress: its state, what was done, and what players look at."""

    def __init__(self, game: Game[Any, Any], setup: Setup, seed: int) -> None:
        self.game, self.setup, self.seed = game, setup, seed
        self.state = game.setup(setup)
        self.past: list[tuple[Any, tuple[Seat, ...]]] = []
        self.told: list[Told] = []
        self.draft: Any = None
        self._options = msgspec.to_builtins(setup.options)
        self._names = tuple(Player(name, True) for name in usual_names(setup.players))

    def snapshot(self) -> Snapshot:
        game, state = self.game, self.state
        awaiting = game.awaiting(state)
        return Snapshot(
            number=len(self.told),
            entry=len(self.past) + 1,
            evening="tournament",
            game=game.name,
            players=self._names,
            kit="full",
            options=self._options,
            box=self.setup.box,
            table=game.view(state),
            awaiting=awaiting,
            settled=game.settled(state) if awaiting and game.settled else (),
            offered=tuple(game.offered(state)),
            history=tuple(self.told[-HISTORY:]),
            draft=self.draft,
        )

    def do(self, action: Any) -> bool:
        """Whether the rules accept it."""
        step = self.game.at_table(self.state, action)
        kind = "accepted" if isinstance(step, Step) else "refused"
        for said in step.rulings if isinstance(step, Step) else (step,):
            self.told.append(Told(len(self.told) + 1, kind, said.what, said.rule, said.facts, entry=len(self.past) + 2))
        self.draft = None
        if not isinstance(step, Step):
            return False
        self.state = step.state
        self.past.append((action, step.revealed))
        return True

    def move(self, plan: NextAct) -> None:
        """What hands do, as the game reads it."""
        for act in (*plan.first, plan.act):
            match act:
                case Say(action):
                    read = action if not isinstance(action, dict) else read_action(self.game, action)
                    if not isinstance(read, Refusal):
                        self.do(read)
                    return
                case Tap(piece, seat) | Lay(piece, seat):
                    self._mean(Laid(piece, seat))
                case Press(colour, seat, held):
                    self._mean(Pushed(colour, seat, held))

    def _mean(self, gesture: Laid | Pushed) -> None:
        game = self.game
        if self.draft is not None and game.continued:
            meant = game.continued(self.state, self.draft, gesture)
        else:
            meant = game.meaning(self.state, gesture)
        if isinstance(meant, Draft):
            self.draft = meant.so_far
        elif type(meant) in game.actions:
            self.do(meant)
        else:
            self.told.append(Told(len(self.told) + 1, meant.kind, meant.what, None, meant.facts))


class Played(Struct, frozen=True):
    winners: tuple[Seat, ...]
    totals: tuple[int, ...]
    decisions: int
    seconds: float
    """Of thinking, by searching players."""


def play(game: Game[Any, Any], setup: Setup, seed: int, minds: Sequence[Skill | None]) -> Played:
    """One game. None: today's simulated player."""
    table = LightTable(game, setup, seed)
    hands = seat_players(game.name, seed, frozenset(range(setup.players)), "full")
    judgement = judgement_of(game.name)
    decisions, seconds = 0, 0.0
    for _ in range(LONGEST):
        snapshot = table.snapshot()
        if snapshot.awaiting is None:
            break
        before = hands.memory
        plan = hands.plan(snapshot)
        assert plan is not None
        skill = minds[plan.seat]
        if skill is None or not plan.decides:
            table.move(plan)
            continue
        hands.memory = before
        held = hands.held(snapshot, plan.seat) if hasattr(hands, "held") else None
        began = time.process_time()
        sight = sight_of(game, setup, table.state, table.past, plan.seat, held)
        action = decide(game, judgement, sight, skill, f"{seed}/{len(table.past)}/{plan.seat}")
        seconds += time.process_time() - began
        decisions += 1
        accepted = table.do(action)
        assert accepted, table.told[-1]
    totals = tuple(score.total for score in game.scores(table.state))
    return Played(game.winners(table.state), totals, decisions, seconds)


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The interval in which a share lies with 95 %."""
    share = wins / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--level", default="strong")
    parser.add_argument("--playouts", type=int)
    parser.add_argument("--boldness", type=float)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args(words)
    game = discovery.find(said.game)
    box = game.parse_box(game.standin(), "the stand-in")
    skill = steady(LEVELS[said.level])
    skill = Skill(said.playouts or skill.playouts, None, skill.boldness if said.boldness is None else said.boldness, skill.doubt)
    wins, decisions, seconds = 0.0, 0, 0.0
    for number in range(said.games):
        seat = number % said.players
        minds = [skill if each == seat else None for each in range(said.players)]
        setup = Setup(said.players, Random(number).randrange(said.players), game.options(), box)
        played = play(game, setup, said.seed * 1000 + number, minds)
        wins += (seat in played.winners) / len(played.winners)
        decisions += played.decisions
        seconds += played.seconds
        low, high = wilson(wins, number + 1)
        print(f"{said.game}: {wins / (number+1):.1%} of {number+1} ({low:.0%}–{high:.0%}), {decisions / (number+1):.0f} decisions a game, {seconds / max(1, decisions) * 1000:.0f} ms each", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

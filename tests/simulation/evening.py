"""A small referee without a journal, and those who play at its table: hears signals and intentions, asks the rules."""

from collections import Counter
from functools import cache
from typing import Any

import msgspec

from companion.gamekit import discovery
from companion.gamekit.game import Aside, Draft, Refusal, Setup
from companion.gamekit.game_start import read_action
from companion.gamekit.snapshot import Player, Snapshot, Told
from companion.messages.intentions import Act
from companion.simulation.simulated_table import SimulatedTable
from companion.table.interpreter import Do, SeatPads, interpret
from companion.table.pieces import Pack, simulated_pack
from companion.table.presence import Presence

PATIENCE = 8000
"""So many deeds must be enough for a game."""


@cache
def _components(name: str) -> tuple[Any, Pack]:
    game = discovery.find(name)
    box = game.parse_box(game.standin(), "the stand-in")
    return box, simulated_pack(game, box)


class Evening:
    """A game with its stand-in box; every player is simulated, or only some `seats`."""

    def __init__(
        self, name: str, seed=0, players=3, kit="full", mischief=0.0, *, seats=None, state=None, history=(), **options
    ):
        self.game = game = discovery.find(name)
        self.box, self.pack = _components(name)
        self.players, self.kit = players, kit
        self.options = game.options(**options)
        self.state: Any = state or game.setup(Setup(players, 0, self.options, self.box))
        self.seat_pads = SeatPads(
            kit, self.pack, {f"pad{seat}": seat for seat in range(players)} if kit == "full" else {}
        )
        self.presence = Presence()
        self.draft: Any = None
        self.number = 0
        self.history: list[Told] = list(history)
        self.accepted: list = []
        self.given: list = []
        self.answers: list[str] = []
        seated = frozenset(range(players) if seats is None else seats)
        self.simulation = SimulatedTable(seed, seated, kit, mischief, self.pack)

    def hear(self, given) -> str:
        """Answer a signal or an intention; gives the kind of the answer."""
        if isinstance(given, Act):
            return self.do(read_action(self.game, given.action))
        self.presence, meaning = interpret(
            self.seat_pads, self.presence, self.game, self.state, False, given, self.draft
        )
        match meaning:
            case Draft(so_far, what, facts):
                self.draft = so_far
                return self._tell("noted", what, None, facts)
            case Aside(kind, what, facts):
                return self._tell(kind, what, None, facts)
            case Do(action):
                return self.do(action)
        raise AssertionError(meaning)

    def do(self, action) -> str:
        outcome = action if isinstance(action, Refusal) else self.game.apply(self.state, action)
        if isinstance(outcome, Refusal):
            return self._tell("refused", outcome.what, outcome.rule, outcome.facts)
        self.state, self.draft = outcome.state, None
        self.accepted.append(action)
        for ruling in outcome.rulings:
            self._tell("accepted", ruling.what, ruling.rule, ruling.facts)
        return "accepted"

    def _tell(self, kind, what, rule, facts) -> str:
        self.history.append(Told(len(self.history) + 1, kind, what, rule, facts))
        return kind

    def snapshot(self) -> Snapshot:
        self.number += 1
        return Snapshot(
            number=self.number,
            entry=len(self.accepted),
            evening="test",
            game=self.game.name,
            players=tuple(Player(name, simulated=True) for name in "ABCDE"[: self.players]),
            kit=self.kit,
            options=msgspec.to_builtins(self.options),
            box=self.box,
            table=self.game.view(self.state),
            awaiting=self.game.awaiting(self.state),
            offered=tuple(self.game.offered(self.state)),
            draft=self.draft,
            history=tuple(self.history[-60:]),
        )

    def step(self) -> bool:
        """Let one deed happen; False when the simulated players wait for a person."""
        deed = self.simulation.next(self.snapshot(), 0)
        if deed is None:
            return False
        for _, given in deed.steps:
            self.given.append(given)
            self.answers.append(self.hear(given))
        return True

    def play(self) -> "Evening":
        for _ in range(PATIENCE):
            if not self.step():
                return self
        raise AssertionError("they never come to an end")

    @property
    def totals(self) -> list[int]:
        return [score.total for score in self.game.scores(self.state)]

    def said(self) -> Counter:
        return Counter(line.what for line in self.history)

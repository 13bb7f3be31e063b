"""A small referee of Sioux without a journal: it hears signals and intentions, asks the rules, shows snapshots."""

from collections import Counter

import msgspec

from companion.games.beginning import read_action
from companion.games.game import Aside, Draft, Refusal, Setup
from companion.games.sioux.game import GAME
from companion.games.sioux.state import Options
from companion.simulation.table import SimulatedTable
from companion.snapshot import Act, Player, Snapshot, Told
from companion.table.interpreter import Desk, Do, interpret
from companion.table.pieces import simulated_pack
from companion.table.presence import Presence

BOX = GAME.parse_box(GAME.standin(), "the stand-in")
PACK = simulated_pack(GAME, BOX)
PATIENCE = 8000
"""So many deeds must be enough for a game."""


class Evening:
    """A table of Sioux and those who simulate it."""

    def __init__(self, seed=0, players=4, kit="full", mischief=0.0, *, seats=None, state=None, history=(), **options):
        self.players, self.kit = players, kit
        self.state = state or GAME.setup(Setup(players, 0, Options(**options), BOX))
        self.desk = Desk(kit, PACK, {f"pad{seat}": seat for seat in range(players)} if kit == "full" else {})
        self.presence = Presence()
        self.number = 0
        self.draft = None
        self.history: list[Told] = list(history)
        self.accepted: list = []
        self.given: list = []
        self.answers: list[str] = []
        seated = frozenset(range(players) if seats is None else seats)
        self.simulation = SimulatedTable(seed, seated, kit, mischief, PACK)

    def hear(self, given) -> str:
        """Answer a signal or an intention; gives the kind of the answer."""
        if isinstance(given, Act):
            return self.do(read_action(GAME, given.action))
        self.presence, meaning = interpret(self.desk, self.presence, GAME, self.state, False, given, self.draft)
        match meaning:
            case Draft(so_far):
                self.draft = so_far
                return "noted"
            case Aside(kind, what, facts):
                return self._tell(kind, what, None, facts)
            case Do(action):
                return self.do(action)
        raise AssertionError(meaning)

    def do(self, action) -> str:
        outcome = action if isinstance(action, Refusal) else GAME.apply(self.state, action)
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
            game="sioux",
            players=tuple(Player(name, simulated=True) for name in "ABCDE"[: self.players]),
            kit=self.kit,
            options=msgspec.to_builtins(self.state.fixed.options),
            box=BOX,
            table=GAME.view(self.state),
            awaiting=GAME.awaiting(self.state),
            offered=tuple(GAME.offered(self.state)),
            draft=self.draft,
            history=tuple(self.history[-60:]),
        )

    def step(self) -> bool:
        """Let one deed happen; False when the simulated players wait for somebody."""
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

    def said(self) -> Counter:
        return Counter(line.what for line in self.history)

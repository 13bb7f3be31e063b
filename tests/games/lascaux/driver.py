"""A small referee without a journal: it hears signals, asks the rules, and shows snapshots."""

import msgspec

from companion.gamekit.game import Aside, Refusal, Setup
from companion.gamekit.snapshot import Player, Question, Snapshot, Told
from companion.games.lascaux.options import Options
from companion.games.lascaux.rules import GAME
from companion.games.lascaux.rules.engine import End
from companion.simulation.simulated_table import SimulatedTable
from companion.table.interpreter import Agreement, Disagreement, Do, SeatPads, interpret
from companion.table.pieces import simulated_pack
from companion.table.presence import Presence

BOX = GAME.parse_box(GAME.standin(), "the stand-in")
PACK = simulated_pack(GAME, BOX)
PATIENCE = 5000
"""So many deeds must be enough for a game."""


class Table:
    def __init__(self, players=3, kit="full", state=None, options=None):
        self.players, self.kit = players, kit
        self.state = state or GAME.setup(Setup(players, 0, options or Options(), BOX))
        self.seat_pads = SeatPads(kit, PACK, {f"pad{seat}": seat for seat in range(players)} if kit == "full" else {})
        self.presence = Presence()
        self.number = 0
        self.history: list[Told] = []
        self.asked: set[int] | None = None
        self.accepted: list = []

    def hear(self, signal) -> str:
        """Answer one signal; gives the kind of the answer."""
        self.presence, meaning = interpret(
            self.seat_pads, self.presence, GAME, self.state, self.asked is not None, signal
        )
        match meaning:
            case Aside(kind, what, facts):
                return self._tell(kind, what, None, facts)
            case Do(End()):
                self.asked = set()
            case Do(action):
                return self.do(action)
            case Agreement(seat):
                missing = [each for each in range(self.players) if each not in self.asked]
                self.asked.add(missing[0] if seat is None else seat)
                if len(self.asked) == self.players:
                    self.asked = None
                    return self.do(End())
            case Disagreement():
                self.asked = None
        return self._tell("noted", str(meaning), None, {})

    def do(self, action) -> str:
        outcome = GAME.apply(self.state, action)
        if isinstance(outcome, Refusal):
            return self._tell("refused", outcome.what, outcome.rule, outcome.facts)
        self.state = outcome.state
        self.accepted.append(action)
        for ruling in outcome.rulings:
            self._tell("accepted", ruling.what, ruling.rule, ruling.facts)
        return "accepted"

    def _tell(self, kind, what, rule, facts) -> str:
        self.history.append(Told(len(self.history) + 1, kind, what, rule, facts))
        return kind

    def snapshot(self) -> Snapshot:
        self.number += 1
        missing = tuple(seat for seat in range(self.players) if self.asked is not None and seat not in self.asked)
        return Snapshot(
            number=self.number,
            entry=len(self.accepted),
            evening="test",
            game="lascaux",
            players=tuple(Player(name, simulated=True) for name in "ABCDE"[: self.players]),
            kit=self.kit,
            options=msgspec.to_builtins(self.state.options),
            box=BOX,
            table=GAME.view(self.state),
            awaiting=GAME.awaiting(self.state),
            offered=tuple(GAME.offered(self.state)),
            question=None if self.asked is None else Question(1, "end", tuple(self.asked), missing),
            history=tuple(self.history[-60:]),
        )


def simulated(seed, players, kit, mischief=0.0, seats=None) -> SimulatedTable:
    return SimulatedTable(seed, frozenset(range(players) if seats is None else seats), kit, mischief, PACK)


class Evening:
    """A table and those who simulate it."""

    def __init__(self, seed=0, players=3, kit="full", mischief=0.0, seats=None, **table):
        self.table = Table(players, kit, **table)
        self.simulation = simulated(seed, players, kit, mischief, seats)
        self.signals: list = []
        self.answers: list[str] = []

    def step(self) -> bool:
        """Let one deed happen; False when the simulated players wait for a person."""
        deed = self.simulation.next(self.table.snapshot(), 0)
        if deed is None:
            return False
        for _, signal in deed.steps:
            self.signals.append(signal)
            self.answers.append(self.table.hear(signal))
        return True

    def play(self) -> "Evening":
        for _ in range(PATIENCE):
            if not self.step():
                return self
        raise AssertionError("they never come to an end")

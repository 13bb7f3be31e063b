"""A table that plays by itself: simulated players with simulated hands on simulated readers.

It looks at redacted snapshots, as players look at a table, and answers with signals. It does no waiting itself.
"""

from collections.abc import Collection, Sequence
from random import Random
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Seat
from companion.simulation.hands import Hands, Lay, Press, Stray, Tap, Timed
from companion.simulation.players import Plan, Players, seat_players
from companion.snapshot import Snapshot
from companion.table.pieces import Pack
from companion.table.signals import Signal

AGREE_MS = 1200
DOUBLE_MS = 90
"""A double tap or press: well within the time in which it counts once."""
MISTAKES = 3
"""A game's own mistakes are so many times as frequent as a double tap or a strange tag."""


class Deed(Struct, frozen=True):
    """What hands do next: wait so many milliseconds, then give the signal; then the next one."""

    seat: Seat
    steps: tuple[tuple[int, Signal], ...]


class SimulatedTable:
    """Simulated players in some or all seats. The same seed plays the same game, with and without mischief."""

    def __init__(
        self, seed: int, seats: Collection[Seat], kit: Literal["one", "full"], mischief: float, pack: Pack
    ) -> None:
        self._seed, self._seats, self._kit, self._pack = seed, frozenset(seats), kit, pack
        self._hands = Hands(kit, pack)
        self._mischief = Mischief(seed, mischief)
        self._players: Players | None = None
        self._answered: int | None = None
        self._before: tuple[Any, ...] | None = None

    def next(self, snapshot: Snapshot, at_ms: int) -> Deed | None:
        """What happens next at a table that looks like this; None when it is for a person to go on.

        Ask again when all signals of the deed have been answered, with the snapshot that came after them. The time
        of the signals is the hands' own: at least `at_ms`, and never earlier than what they did before.
        """
        if snapshot.number == self._answered:
            return None
        players = self._players = self._players or seat_players(snapshot.game, self._seed, self._seats, self._kit)
        hands = self._hands
        self._before = (hands.lying, hands.now_ms, players.memory, self._mischief.stream.getstate(), self._answered)
        plan = self._agree(snapshot) if snapshot.question else players.plan(snapshot)
        if plan is None:
            return None
        self._answered = snapshot.number
        acts = self._mischief.spoil(plan, () if snapshot.question else players.mistakes(snapshot, plan))
        return Deed(plan.seat, hands.do(acts, at_ms))

    def abandon(self) -> None:
        """The newest deed was not begun: the table changed while the player was still thinking."""
        if self._before and self._players:
            self._hands.lying, self._hands.now_ms, self._players.memory, stream, self._answered = self._before
            self._mischief.stream.setstate(stream)
            self._before = None

    def _agree(self, snapshot: Snapshot) -> Plan | None:
        """Everybody who is asked agrees. At a shared green button the others' hands would speak for a person, so
        there a piece says who it is."""
        asked = snapshot.question.missing if snapshot.question else ()
        for seat in asked:
            if seat in self._seats:
                own = next((piece for piece in self._pack.tags.values() if piece.owner == seat), None)
                act = Tap(own) if own and self._kit == "one" else Press("green", seat)
                return Plan(seat, Timed(AGREE_MS, act))
        return None


class Mischief:
    """Now and then something goes wrong around a plan: before it, or twice instead of once. It never changes the game.

    It has its own stream of chance, so that the game is the same without it."""

    def __init__(self, seed: int, rate: float) -> None:
        self.stream = Random(f"{seed}/mischief")
        self._rate = rate

    def spoil(self, plan: Plan, mistakes: Sequence[tuple[Timed, ...]]) -> tuple[Timed, ...]:
        """What the hands really do."""
        as_planned = (*plan.first, plan.act, *plan.then)
        if self.stream.random() >= self._rate:
            return as_planned
        kind = self.stream.choice(["stray", "double", *["mistake"] * MISTAKES * bool(mistakes)])
        if kind == "double":
            return (*plan.first, *_doubled(plan.act), *plan.then)
        if kind == "stray":
            return (Timed(plan.act.wait_ms, Stray(f"E0{self.stream.randrange(16**6):06X}")), *as_planned)
        return (*self.stream.choice(mistakes), *as_planned)


def _doubled(timed: Timed) -> tuple[Timed, Timed]:
    """The same thing twice in one movement."""
    act = timed.act
    quick = replace(act, for_ms=DOUBLE_MS) if isinstance(act, Tap | Lay) else act
    return Timed(timed.wait_ms, quick), Timed(DOUBLE_MS, quick)

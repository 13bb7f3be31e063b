"""Simulated players for a game that brings none: they pick from what is offered, and say it on the screen."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.gamekit.game import Seat
from companion.gamekit.simulated import HandAct, NextAct, Say, chance
from companion.gamekit.snapshot import Snapshot
from companion.stations import ReaderKit

THINK_MS = (900, 2500)


class Tried(Struct, frozen=True):
    """What was said in vain since the newest entry of the journal: not all that is offered is accepted."""

    entry: int = -1
    actions: tuple[bytes, ...] = ()


class AnyPlayers:
    """Each picks by chance. The same seed plays the same game."""

    def __init__(self, seed: int, seats: frozenset[Seat], kit: ReaderKit) -> None:
        self._seed, self._seats = seed, seats
        self.memory = Tried()

    def plan(self, snapshot: Snapshot) -> NextAct | None:
        awaiting = snapshot.awaiting
        waiting = self._waiting(snapshot) if awaiting else ()
        if not waiting:
            return None
        tried = self.memory.actions if self.memory.entry == snapshot.entry else ()
        mine = [
            action for action in map(msgspec.to_builtins, snapshot.offered) if action.get("seat", waiting[0]) in waiting
        ]
        fresh = [action for action in mine if _key(action) not in tried]
        if not fresh:
            return None
        luck = chance(self._seed, snapshot.entry, len(tried))
        action = luck.choice(fresh)
        self.memory = Tried(snapshot.entry, (*tried, _key(action)))
        return NextAct(action.get("seat", waiting[0]), luck.randint(*THINK_MS), Say(action))

    def mistakes(self, snapshot: Snapshot, plan: NextAct) -> Sequence[HandAct]:
        return ()

    def _waiting(self, snapshot: Snapshot) -> tuple[Seat, ...]:
        """Those of us who are awaited. Those who have chosen already do not change their minds."""
        seats = snapshot.awaiting.seats if snapshot.awaiting else ()
        return tuple(seat for seat in seats if seat in self._seats and seat not in snapshot.settled)


def _key(action: Any) -> bytes:
    return msgspec.json.encode(action)

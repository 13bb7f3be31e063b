"""Runs a simulated table in real time, or faster: waits as its hands do, and delivers their signals."""

import asyncio
import time
from typing import Protocol

from companion.gamekit.snapshot import Snapshot, Told
from companion.messages.intentions import Act, Intention
from companion.simulation.hands import Given
from companion.simulation.simulated_table import SimulatedTable
from companion.table.signals import Signal

AFTER_UNDO_S = 6.0
"""How long simulated hands rest after an undo, at any speed: a player may want to undo more."""


class Hears(Protocol):
    """The referee: takes signals and intentions, and shows the result."""

    snapshot: Snapshot

    def deliver(self, signal: Signal) -> Told: ...

    def heed(self, intention: Intention) -> Told: ...

    async def changed(self) -> None: ...


async def run(table: SimulatedTable, referee: Hears, speed: float) -> None:
    """Play until cancelled."""
    while True:
        for wait_ms, given in await next_deed(table, referee, speed):
            await asyncio.sleep(wait_ms / 1000 / speed)
            _give(referee, given)


async def next_deed(table: SimulatedTable, referee: Hears, speed: float) -> tuple[tuple[int, Given], ...]:
    """What hands do next, when they have thought about it: all its steps, each with the time to wait before it."""
    while True:
        seen = referee.snapshot
        resting = seen.paused and not table.may_step(seen)
        rest = resting or seen.layout or seen.preparation
        if not rest and (think := table.thought(seen)):
            await asyncio.to_thread(think)
            if not _alike(seen, referee.snapshot):
                continue
        deed = None if rest else table.next(seen, int(time.monotonic() * 1000))
        if deed is None:  # also while people set the table up, or check that all pieces are where they should be
            await referee.changed()
            continue
        (think_ms, first), *others = deed.steps
        think_s = max(think_ms / 1000 / speed / seen.speed, AFTER_UNDO_S if _was_undone(seen) else 0)
        if seen.paused or not await _changes_within(referee, seen, think_s):
            table.stepped(seen)
            return ((0, first), *((int(wait_ms / seen.speed), given) for wait_ms, given in others))
        table.abandon()


def _give(referee: Hears, given: Given) -> Told:
    return referee.heed(given) if isinstance(given, Act) else referee.deliver(given)


async def _changes_within(referee: Hears, seen: Snapshot, seconds: float) -> bool:
    """Whether the table changes while a player thinks. A refusal does not change it.

    `asyncio.timeout`, not `wait_for`: before Python 3.12 that one loses a cancellation that comes with the change."""
    try:
        async with asyncio.timeout(seconds):
            while _alike(seen, referee.snapshot):
                await referee.changed()
    except TimeoutError:
        return False
    return True


def _was_undone(seen: Snapshot) -> bool:
    return bool(seen.history) and seen.history[-1].kind == "undone"


def _alike(one: Snapshot, other: Snapshot) -> bool:
    return _what_matters(one) == _what_matters(other)


def _what_matters(seen: Snapshot) -> tuple[object, ...]:
    return seen.entry, seen.question, seen.draft, seen.paused, seen.speed

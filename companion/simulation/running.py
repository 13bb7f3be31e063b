"""Runs a simulated table in real time, or faster: waits as its hands do, and delivers their signals."""

import asyncio
import time
from typing import Protocol

from companion.simulation.hands import Given
from companion.simulation.table import SimulatedTable
from companion.snapshot import Act, Intention, Snapshot, Told
from companion.table.signals import Signal


class Hears(Protocol):
    """Whoever takes the signals, heeds what is said on a screen, and shows what came of them."""

    snapshot: Snapshot

    def deliver(self, signal: Signal) -> Told: ...

    def heed(self, intention: Intention) -> Told: ...

    async def changed(self) -> None: ...


async def run(table: SimulatedTable, referee: Hears, speed: float) -> None:
    """Play until cancelled."""
    while True:
        seen = referee.snapshot
        deed = table.next(seen, int(time.monotonic() * 1000))
        if deed is None:
            await referee.changed()
            continue
        (think_ms, first), *others = deed.steps
        if await _changes_within(referee, think_ms / 1000 / speed):
            table.abandon()
            continue
        _give(referee, first)
        for wait_ms, given in others:
            await asyncio.sleep(wait_ms / 1000 / speed)
            _give(referee, given)


def _give(referee: Hears, given: Given) -> Told:
    return referee.heed(given) if isinstance(given, Act) else referee.deliver(given)


async def _changes_within(referee: Hears, seconds: float) -> bool:
    """Whether the table changes while somebody thinks."""
    try:
        await asyncio.wait_for(referee.changed(), seconds)
    except TimeoutError:
        return False
    return True

"""Runs a simulated table in real time, or faster: waits as its hands do, and delivers their signals."""

import asyncio
import time
from typing import Protocol

from companion.simulation.table import SimulatedTable
from companion.snapshot import Snapshot, Told
from companion.table.signals import Signal


class Hears(Protocol):
    """Whoever takes the signals and shows what came of them."""

    snapshot: Snapshot

    def deliver(self, signal: Signal) -> Told: ...

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
        referee.deliver(first)
        for wait_ms, signal in others:
            await asyncio.sleep(wait_ms / 1000 / speed)
            referee.deliver(signal)


async def _changes_within(referee: Hears, seconds: float) -> bool:
    """Whether the table changes while somebody thinks."""
    try:
        await asyncio.wait_for(referee.changed(), seconds)
    except TimeoutError:
        return False
    return True

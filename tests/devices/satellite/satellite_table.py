"""A satellite as a device, the simulated one that it is plugged into, and what it has told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from companion.devices.satellite.driver import Satellite
from companion.devices.satellite.simulated_satellite import SimulatedSatellite
from companion.table.signals import LinkDown, LinkUp, Signal
from tests.devices.hasty import PATIENCE_S, now_ms

A, B, C = "04A1B2C3D4E5F6", "DEADBEEF", "0400000000000001"[:14]
PADS = {pad: f"pad{pad}" for pad in range(5)}

S = TypeVar("S")


class Told:
    """The signals of a device, in order."""

    def __init__(self, device: Satellite) -> None:
        self.device = device
        self.signals: list[Signal] = []
        self.failing: Exception | None = None
        self._news = asyncio.Event()

    def deliver(self, signal: Signal) -> None:
        if self.failing:
            raise self.failing
        self.signals.append(signal)
        self._news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Looks whenever a signal has been told."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def of(self, kind: type[S], station: str | None = None) -> list[S]:
        return [each for each in self.signals if isinstance(each, kind) and station in (None, each.station)]  # type: ignore[attr-defined]

    def state(self, station: str) -> str:
        """ "ready", a problem, or "connecting"."""
        for signal in reversed(self.signals):
            if signal.station == station and not hasattr(signal, "uid") and not hasattr(signal, "button"):
                return "ready" if isinstance(signal, LinkUp) else getattr(signal, "problem", "connecting")
        return ""

    async def becomes(self, state: str, stations: Sequence[str] = tuple(PADS.values())) -> None:
        await self.until(lambda: all(self.state(station) == state for station in stations))

    async def hears(self, kind: type[S], count: int = 1) -> S:
        """The newest signal of a kind, when there are so many of them."""
        await self.until(lambda: len(self.of(kind)) >= count)
        return self.of(kind)[-1]

    def forget(self) -> None:
        self.signals.clear()

    @property
    def problems(self) -> list[str]:
        return [signal.problem for signal in self.of(LinkDown, "pad0")]


@asynccontextmanager
async def running(device: Satellite) -> AsyncIterator[Told]:
    told = Told(device)
    task = asyncio.create_task(device.run(told.deliver))
    try:
        yield told
        assert not task.done(), task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def plugged_in(folder: Path, **options: Any) -> AsyncIterator[tuple[SimulatedSatellite, Told]]:
    """A satellite that is ready, and nothing told yet but that."""
    async with SimulatedSatellite(folder / "satellite", serial=77) as satellite:
        device = Satellite(PADS, str(satellite.path), 77, clock=now_ms, **options)
        async with running(device) as told:
            await told.becomes("ready")
            yield satellite, told

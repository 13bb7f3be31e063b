"""The referee's process: devices and screens on one side, the referee on the other, one thing at a time."""

import asyncio
import os
import signal as unix
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion import crash
from companion.devices.device import Device
from companion.errors import DoubtError
from companion.gamekit.game import Seat
from companion.gamekit.snapshot import Snapshot, Told
from companion.journal.store import Journal
from companion.messages.intentions import Intention
from companion.referee import effects
from companion.referee.link import ScreenLink
from companion.referee.referee import Referee
from companion.referee.supervision import keep
from companion.table.effects import Effect, Pattern
from companion.table.signals import Signal

ORPHANED_S = 60.0
"""How long a referee that was started for a screen stays once that screen and all others have gone."""
LOOK_ROUND_S = 1.0
"""How often it looks whether they have."""
PARTING_S, PARTING_LOOKS = 1.0, 20
"""How long the screen that it was started for may take to leave, and how often to look."""

PlayHands = Callable[["Process"], Coroutine[Any, Any, None]]
"""Simulated hands: they look at the table, and give signals, for as long as they run."""


class Process:
    """Runs one referee until it is told to stop. Everything happens in one thread, so nothing needs a lock."""

    def __init__(
        self,
        referee: Referee,
        journal: Journal,
        socket_path: Path,
        pads: Mapping[str, Seat] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`pads`: whose light is whose. `now`: what entries are dated by."""
        self._now = now
        self.keep_box: Callable[[str, str], object] = lambda _before, _after: None
        """Told what the box was, and what it is now that a piece has joined it."""
        self._referee = referee
        self._journal = journal
        self.socket_path = socket_path
        self._link = ScreenLink(socket_path, self.heed, referee.inform)
        self._news = asyncio.Event()
        self._stop = asyncio.Event()
        self._released = asyncio.Event()
        """The screen that we were started for says that it is leaving."""
        self._failure: Exception | None = None
        self._devices: Sequence[Device] = ()
        self._pads = pads or {}
        self._lights: dict[str, Pattern] = {}
        self.snapshot: Snapshot = referee.snapshot()

    async def run(
        self, devices: Sequence[Device] = (), hands: PlayHands | None = None, *, parent: int | None = None
    ) -> None:
        """Serve until SIGTERM or SIGINT, or until nobody is left if `parent` (a process id) has gone, or has said by
        SIGHUP that it is leaving.

        Raises whatever the referee itself failed with: its journal is sound, so a fresh referee is better."""
        self._devices = devices
        loop = asyncio.get_running_loop()
        for number in (unix.SIGTERM, unix.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        try:
            await self._link.open()
            self._publish()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(keep(device, self.deliver)) for device in devices]
                if hands:
                    tasks.append(group.create_task(hands(self)))
                if parent is not None:
                    loop.add_signal_handler(unix.SIGHUP, self._released.set)
                    tasks.append(group.create_task(self._leave_with(parent)))
                    tasks.append(group.create_task(self._leave_alone()))
                await self._stop.wait()
                for task in tasks:
                    task.cancel()
        except ExceptionGroup as errors:
            raise self._failure or errors from None
        finally:
            await self._link.close()
            self._journal.close()
        if self._failure:
            raise self._failure

    def deliver(self, signal: Signal) -> Told:
        """A device has something to say."""
        try:
            told = self._referee.hear(signal, self._now())
            self._publish()
        except Exception as error:  # a device would take it for a fault of its own
            self._failure = error
            self._stop.set()
            raise
        self._show(effects.answer(signal, told))
        return told

    def heed(self, intention: Intention) -> Told:
        """Somebody wants something on a screen. When the disk has failed they get no answer: the next referee knows."""
        box = self._referee.box_text
        try:
            told = self._referee.heed(intention, self._now())
            self._publish()
        except Exception as error:  # as above: the journal is sound, and what was made of it may not be
            self._failure = error
            self._stop.set()
            if isinstance(error, DoubtError):
                raise ConnectionAbortedError from error
            raise
        if self._referee.box_text != box:
            self.keep_box(box, self._referee.box_text)
        return told

    async def changed(self) -> None:
        """Wait for the next snapshot."""
        await self._news.wait()

    def _publish(self) -> None:
        self.snapshot = self._referee.snapshot()
        self._light()
        self._link.publish(msgspec.json.encode(self.snapshot))
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _light(self) -> None:
        """Lamps say what the snapshot says, if there are any."""
        if self._devices:
            lights = effects.lights(self.snapshot, self._pads)
            self._show(effects.changes(self._lights, lights))
            self._lights = lights
            self.snapshot = replace(self.snapshot, lights=lights)

    def _show(self, shown: Sequence[Effect]) -> None:
        """A bug in a driver takes down its own lamps only."""
        for effect in shown:
            for device in self._devices:
                try:
                    device.show(effect)
                except Exception as error:
                    crash.tell(error)

    async def _leave_with(self, parent: int) -> None:
        alone_since: float | None = None
        while True:
            gone = self._released.is_set() or os.getppid() != parent
            alone = gone and not self._link.screens
            alone_since = (alone_since or time.monotonic()) if alone else None
            if alone_since is not None and time.monotonic() - alone_since > ORPHANED_S:
                self._stop.set()
            await asyncio.sleep(LOOK_ROUND_S)

    async def _leave_alone(self) -> None:
        """When the screen that we were started for goes, and no other is there, so do we. It may still be on its way
        out."""
        await self._released.wait()
        for _ in range(PARTING_LOOKS):
            if not self._link.screens:
                self._stop.set()
                return
            await asyncio.sleep(PARTING_S / PARTING_LOOKS)

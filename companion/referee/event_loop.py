"""The referee's process: passes signals and intentions to the referee one at a time, and shows what came of them."""

import asyncio
import os
import signal as unix
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion import crash
from companion.devices.device import Deliver, Device
from companion.errors import DoubtError
from companion.gamekit.game import Seat
from companion.gamekit.snapshot import Kind, Snapshot, Told
from companion.journal.store import Journal
from companion.messages.intentions import Intention
from companion.referee.link import ScreenLink
from companion.referee.referee import Referee
from companion.stations import CENTRE
from companion.table.effects import Cue, Effect, Light, Pattern, Sound
from companion.table.signals import Held, LinkDown, Missed, Pressed, Signal, TagPlaced, TagsUnclear
from companion.troubles import DriverTrouble

# --- Effects: lights and sounds, made of the public snapshot. So they cannot reveal a secret. ---

_CUES: dict[Kind, Cue] = {
    **dict.fromkeys(("accepted", "undone", "corrected", "noted"), "accepted"),
    **dict.fromkeys(("refused", "unknown", "foreign"), "refused"),
}


def lights(snapshot: Snapshot, pads: Mapping[str, Seat]) -> dict[str, Pattern]:
    """What each station's light shows now."""
    seats = {station: seat for station, seat in pads.items() if seat < len(snapshot.players)}
    lost = {device.station for device in snapshot.devices if device.state == "lost"}
    shown: dict[str, Pattern] = {station: _pad(snapshot, seat) for station, seat in seats.items()}
    shown[CENTRE] = _centre(snapshot)
    return {station: "lost" if station in lost else pattern for station, pattern in shown.items()}


def changes(before: Mapping[str, Pattern], after: Mapping[str, Pattern]) -> list[Effect]:
    """The lights that change. A pad whose turn has come also makes a sound."""
    told: list[Effect] = []
    for station, pattern in after.items():
        if before.get(station) != pattern:
            told.append(Light(station, pattern))
            if pattern == "turn" and station in before and station != CENTRE:
                told.append(Sound(station, "turn"))
    return told


def answer(signal: Signal, told: Told) -> list[Effect]:
    """The sound that answers what hands did. What is known already gets none."""
    if not isinstance(signal, TagPlaced | Pressed | Held | Missed | TagsUnclear):
        return []
    cue = _CUES.get(told.kind)
    return [Sound(signal.station, cue)] if cue else []


def _pad(snapshot: Snapshot, seat: Seat) -> Pattern:
    if snapshot.question:
        return "question" if seat in snapshot.question.missing else "done"
    if snapshot.awaiting is None:
        return "off"
    if seat in snapshot.awaiting.seats and seat not in snapshot.settled:
        return "turn"
    return "done" if snapshot.secret else "off"  # all choose in secret, and this seat has chosen


def _centre(snapshot: Snapshot) -> Pattern:
    if snapshot.question:
        return "question"
    return "turn" if snapshot.awaiting and snapshot.kit == "one" else "off"


# --- Supervision: restarts a device that fails. The game never stops for one. ---

RESTS_S = (1.0, 2.0, 5.0, 15.0)
"""Pause before a failed device is started again: after the first failure, the second … and all later ones."""


async def keep(device: Device, deliver: Deliver) -> None:
    """Run a device until cancelled. Devices handle their own faults. What gets here is a bug in a driver, which may
    take down its own stations and nothing else."""
    for rest_s in chain(RESTS_S, repeat(RESTS_S[-1])):
        try:
            await device.run(deliver)
        except Exception as error:
            crash.tell(error)
        for station in device.stations:
            deliver(LinkDown(station, int(time.monotonic() * 1000), DriverTrouble.FAILED))
        await asyncio.sleep(rest_s)


ORPHANED_S = 60.0
"""How long a referee that was started for a screen stays after the last screen has gone."""
ALIVE_S = 0.5
"""How often a referee marks its socket: one that is killed leaves it behind, and the next one knows when that was."""
LOOK_ROUND_S = 1.0
"""How often it checks."""
PARTING_S, PARTING_LOOKS = 1.0, 20
"""How long the screen that it was started for may take to leave, and how often to check."""


def last_alive(socket_path: Path) -> float | None:
    """When the referee that listened here was last alive, if it was killed; None if it left its socket tidy."""
    with suppress(OSError):
        return socket_path.stat().st_mtime
    return None


PlayHands = Callable[["Process"], Coroutine[Any, Any, None]]
"""Simulated hands: they watch the table and send signals until cancelled."""


class Process:
    """Runs one referee until it is stopped. Everything happens in one thread, so nothing needs a lock."""

    def __init__(
        self,
        referee: Referee,
        journal: Journal,
        socket_path: Path,
        pads: Mapping[str, Seat] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`pads`: station → seat, for the lights. `now`: the clock that dates entries."""
        self._now = now
        self.keep_box: Callable[[str, str], object] = lambda _before, _after: None
        """Called with the text of the box before and after a piece has joined it."""
        self._referee = referee
        self._journal = journal
        self.socket_path = socket_path
        self._link = ScreenLink(socket_path, self.heed, referee.inform)
        self._news = asyncio.Event()
        self._stop = asyncio.Event()
        self._released = asyncio.Event()
        """The screen that started us has said that it is leaving."""
        self._failure: Exception | None = None
        self._devices: Sequence[Device] = ()
        self._pads = pads or {}
        self._lights: dict[str, Pattern] = {}
        self.snapshot: Snapshot = referee.snapshot()

    async def run(
        self, devices: Sequence[Device] = (), hands: PlayHands | None = None, *, parent: int | None = None
    ) -> None:
        """Serve until SIGTERM or SIGINT. With `parent` (a process id) also until no screen is left, once that process
        has gone or has said by SIGHUP that it is leaving.

        Raises the error that the referee failed with: its journal is sound, so the caller starts a new referee."""
        self._devices = devices
        loop = asyncio.get_running_loop()
        for number in (unix.SIGTERM, unix.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        try:
            await self._link.open()
            self._publish()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(keep(device, self.deliver)) for device in devices]
                tasks.append(group.create_task(self._stay_alive()))
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
        """Answer a signal from a device."""
        try:
            told = self._referee.hear(signal, self._now())
            self._publish()
        except Exception as error:  # otherwise the device would count it as its own fault
            self._failure = error
            self._stop.set()
            raise
        self._show(answer(signal, told))
        return told

    def heed(self, intention: Intention) -> Told:
        """Answer an intention. When the disk has failed there is no answer: the next referee gives it."""
        box = self._referee.box_text
        try:
            told = self._referee.heed(intention, self._now())
            self._publish()
        except Exception as error:  # the journal is sound, but our state may not be
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
        """Lights show what the snapshot shows, if there are any."""
        if self._devices:
            lit = lights(self.snapshot, self._pads)
            self._show(changes(self._lights, lit))
            self._lights = lit
            self.snapshot = replace(self.snapshot, lights=lit)

    def _show(self, shown: Sequence[Effect]) -> None:
        """A bug in a driver takes down its own lights only."""
        for effect in shown:
            for device in self._devices:
                try:
                    device.show(effect)
                except Exception as error:
                    crash.tell(error)

    async def _stay_alive(self) -> None:
        while True:
            with suppress(OSError):
                os.utime(self.socket_path, (self._now(), self._now()))
            await asyncio.sleep(ALIVE_S)

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
        """Stop when the screen that started us leaves and no other is there. It may take a moment to disconnect."""
        await self._released.wait()
        for _ in range(PARTING_LOOKS):
            if not self._link.screens:
                self._stop.set()
                return
            await asyncio.sleep(PARTING_S / PARTING_LOOKS)

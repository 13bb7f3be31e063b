"""A reader as a device: looks into its field again and again, in a thread of its own, and tells what changes.

One thread each, because a transfer may hang in the kernel: then this reader is lost until it comes back, and nobody
else waits for it. Buses are not locked (see `companion.devices.transceiver`).
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import TypeAlias

from msgspec import Struct

from companion.devices.device import Deliver
from companion.devices.field import Look, TagField, Uid
from companion.devices.rc522 import Rc522
from companion.devices.rollcall import RollCall
from companion.devices.trouble import Problem, ReaderError
from companion.table.effects import Effect
from companion.table.signals import ReaderFault, Signal

STALLED: Problem = "the reader does not answer"
GUARD_S = 0.5
"""How often the guard looks whether the thread still works."""
FAREWELL_S = 1.0
"""How long a thread is waited for that is told to end. One that hangs in the kernel is left behind."""

Greet: TypeAlias = Callable[[TagField, Uid], object]
"""Meets every tag that comes, in the reader's thread and before it is told: to read its memory, say."""


class Pace(Struct, frozen=True):
    look_s: float = 0.03
    """Between two looks."""
    first_pause_s: float = 0.05
    """After a fault; the pauses double while it lasts."""
    longest_pause_s: float = 2.0
    steady_looks: int = 30
    """After so many good looks the pauses begin anew."""
    stalled_s: float = 2.0
    """A look that takes longer hangs."""


class Watch:
    """Watches one field, one turn after another. No thread and no clock of its own."""

    def __init__(self, station: str, open_field: Callable[[], TagField], pace: Pace, greet: Greet | None) -> None:
        self.stalled = Event()
        """Set by whoever has told that a look hangs: what that look has shown does not count any more."""
        self._roll = RollCall(station)
        self._open_field = open_field
        self._pace = pace
        self._greet = greet
        self._field: TagField | None = None
        self._failures = 0
        self._good_looks = 0

    def begin(self, at_ms: int) -> list[Signal]:
        return self._roll.begin(at_ms)

    def turn(self, now_ms: Callable[[], int]) -> tuple[list[Signal], float]:
        """One look: what it tells, and for how many seconds to rest."""
        inventory = self._roll.wants_inventory
        try:
            look = self._look(inventory)
        except ReaderError as trouble:
            self.stalled.clear()
            return self._fail(trouble.problem, now_ms())
        if self.stalled.is_set():
            self.stalled.clear()
            self._fail(STALLED, now_ms())  # which was told when it was noticed
            return [], 0.0
        self._good_looks += 1
        if self._good_looks >= self._pace.steady_looks:
            self._failures = 0
        return self._roll.take(look, now_ms(), inventory=inventory), self._pace.look_s

    def _look(self, inventory: bool) -> Look:
        if self._field is None:
            self._field = self._open_field()
        elif not self._good_looks:
            self._field.restart()
        known = self._roll.known
        look = self._field.inventory(known) if inventory else self._field.look(known)
        if self._greet is not None:
            for uid in look.seen:
                if uid not in known:
                    self._greet(self._field, uid)
        return look

    def _fail(self, problem: Problem, at_ms: int) -> tuple[list[Signal], float]:
        """Less and less often, so that a dead reader costs nothing."""
        pause_s = min(self._pace.first_pause_s * 2**self._failures, self._pace.longest_pause_s)
        self._failures = min(self._failures + 1, 16)
        self._good_looks = 0
        return self._roll.fault(problem, at_ms), pause_s

    def close(self) -> None:
        """Idempotent."""
        if self._field is not None:
            self._field.close()
        self._field = None
        self._good_looks = 0


class Reader:
    """The `Device` of one RC522. It has no lamp, so it shows nothing."""

    def __init__(  # noqa: PLR0913 — what stands under [[reader]] in table.toml, one by one
        self,
        station: str,
        bus: int,
        device: int,
        reset_pin: int,
        *,
        pace: Pace | None = None,
        greet: Greet | None = None,
        open_field: Callable[[], TagField] | None = None,
    ) -> None:
        """`open_field`: another way to the field than the Pi's SPI bus."""
        self.stations = (station,)
        self._pace = pace or Pace()
        self._watch = Watch(station, open_field or (lambda: Rc522(bus, device, reset_pin)), self._pace, greet)
        self._at_work = Lock()
        self._due_s = 0.0

    def show(self, effect: Effect) -> None:
        """There is nothing to show it with."""

    async def run(self, deliver: Deliver) -> None:
        mail = _Mail(asyncio.get_running_loop())
        stop = Event()
        self._rest(0.0)
        Thread(target=self._work, args=(mail, stop), name=f"reader {self.stations[0]}", daemon=True).start()
        guard = asyncio.create_task(self._guard(mail))
        try:
            while True:
                for signal in await mail.next():
                    deliver(signal)
        finally:
            guard.cancel()
            stop.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL_S):
                    await mail.ended.wait()

    async def _guard(self, mail: "_Mail") -> None:
        """A thread that hangs cannot say so."""
        while True:
            await asyncio.sleep(GUARD_S)
            if time.monotonic() > self._due_s and not self._watch.stalled.is_set():
                self._watch.stalled.set()
                mail.post([ReaderFault(self.stations[0], _now_ms(), STALLED)])

    # --- In the reader's thread -------------------------------------------------------------------------------

    def _work(self, mail: "_Mail", stop: Event) -> None:
        try:
            with self._at_work:  # the thread of an earlier run may still hang
                self._look_round(mail, stop)
        except BaseException as error:
            mail.fail(error)
        finally:
            mail.end()

    def _look_round(self, mail: "_Mail", stop: Event) -> None:
        mail.post(self._watch.begin(_now_ms()))
        try:
            while not stop.is_set():
                signals, pause_s = self._watch.turn(_now_ms)
                mail.post(signals)
                self._rest(pause_s)
                stop.wait(pause_s)
        finally:
            self._watch.close()

    def _rest(self, pause_s: float) -> None:
        self._due_s = time.monotonic() + pause_s + self._pace.stalled_s


class _Mail:
    """From a thread to the event loop, in order. A loop that is closed gets none."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: asyncio.Queue[list[Signal] | BaseException] = asyncio.Queue()
        self.ended = asyncio.Event()

    async def next(self) -> list[Signal]:
        item = await self._queue.get()
        if isinstance(item, BaseException):
            raise item
        return item

    def post(self, signals: list[Signal]) -> None:
        if signals:
            self._call(self._queue.put_nowait, signals)

    def fail(self, error: BaseException) -> None:
        self._call(self._queue.put_nowait, error)

    def end(self) -> None:
        self._call(self.ended.set)

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)


def _now_ms() -> int:
    return int(time.monotonic() * 1000)

"""A reader as a device: polls its field in a thread of its own, and reports what changes.

One thread each, because a transfer may hang in the kernel: then this reader is lost until it comes back, and no
other waits for it. Buses are not locked (see `companion.devices.rc522.transceiver`).
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import TypeAlias

from msgspec import Struct

from companion.devices.device import Deliver
from companion.devices.reader_settings import ReaderPace
from companion.devices.roll_call import RollCall
from companion.devices.tag_field import Look, ReaderError, TagField, Uid
from companion.table.effects import Effect
from companion.table.signals import ReaderFault, Remarked, Signal, TagIntroduced
from companion.troubles import ReaderTrouble, Trouble

GUARD_S = 0.5
"""How often the guard looks whether the thread still works."""
FAREWELL_S = 1.0
"""How long to wait for a thread that should end. One that hangs in the kernel is left behind."""

Greet: TypeAlias = Callable[[TagField, Uid], str | None]
"""Called for every new tag, in the reader's thread and before the tag is reported: to read its memory, say. A text that
it returns is reported as the tag's introduction."""

_log = logging.getLogger(__name__)


class _Looked(Struct, frozen=True):
    look: Look
    inventory: bool


LookOutcome: TypeAlias = _Looked | Trouble
"""What came of a look."""


class FieldWatch:
    """Watches one field, one turn after another. No thread and no clock of its own."""

    def __init__(self, station: str, open_field: Callable[[], TagField], pace: ReaderPace, greet: Greet | None) -> None:
        self.stalled = Event()
        """Set by the guard when it reports that a look hangs: the result of that look no longer counts."""
        self._roll = RollCall(station, pace.misses, pace.missing_ms)
        self._open_field = open_field
        self._pace = pace
        self._greet = greet
        self._station = station
        self._introduced: list[tuple[Uid, str]] = []
        """What tags have said of themselves, until it is reported."""
        self._field: TagField | None = None
        self._failures = 0
        self._good_looks = 0
        self._remark: Trouble | None = None

    def begin(self, at_ms: int) -> list[Signal]:
        return self._roll.begin(at_ms)

    def look(self) -> LookOutcome:
        """One look, which may take its time."""
        try:
            inventory = self._roll.wants_inventory
            return _Looked(self._look(inventory), inventory)
        except ReaderError as trouble:
            return trouble.problem

    def take(self, taken: LookOutcome, at_ms: int) -> tuple[list[Signal], float]:
        """The signals of this look, and for how many seconds to rest."""
        if self.stalled.is_set():
            self.stalled.clear()
            self._fail(ReaderTrouble.STALLED, at_ms)  # which was reported when it was noticed
            return ([], 0.0) if isinstance(taken, _Looked) else self._fail(taken, at_ms)
        if not isinstance(taken, _Looked):
            return self._fail(taken, at_ms)
        self._good_looks += 1
        if self._good_looks >= self._pace.steady_looks:
            self._failures = 0
        told = self._roll.take(taken.look, at_ms, inventory=taken.inventory or taken.look.is_inventory)
        pause_s = min(self._pace.look_s, self._pace.hurry_s) if self._roll.hurries else self._pace.look_s
        return [*self._remarks(at_ms), *self._introductions(at_ms), *told], pause_s

    def turn(self, now_ms: Callable[[], int]) -> tuple[list[Signal], float]:
        """A look and its signals, without a guard."""
        taken = self.look()
        return self.take(taken, now_ms())

    def _remarks(self, at_ms: int) -> list[Signal]:
        """What this reader is known for, if its kind has a `remark`: once."""
        before, self._remark = self._remark, getattr(self._field, "remark", None)
        return [Remarked(self._station, at_ms, self._remark)] if self._remark and self._remark != before else []

    def _introductions(self, at_ms: int) -> list[Signal]:
        told, self._introduced = self._introduced, []
        return [TagIntroduced(self._station, at_ms, uid.hex().upper(), text) for uid, text in told]

    def _look(self, inventory: bool) -> Look:
        if self._field is None:
            self._field = self._open_field()
        elif not self._good_looks:
            self._field.restart()
        known = self._roll.known
        look = self._field.inventory(known) if inventory else self._field.look(known)
        for uid in look.seen:
            if uid not in known and (text := self._meet(self._field, uid)) is not None:
                self._introduced.append((uid, text))
        return look

    def _meet(self, field: TagField, uid: Uid) -> str | None:
        """A tag is reported even if its text, or the code that reads it, is broken."""
        try:
            return self._greet(field, uid) if self._greet is not None else None
        except ReaderError:
            raise
        except Exception:  # a mistake of ours: the introduction is lost, and nothing else
            _log.exception("%s: a tag could not be greeted", self._station)
            return None

    def _fail(self, problem: Trouble, at_ms: int) -> tuple[list[Signal], float]:
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
    """The `Device` of one reader of any kind. It has no lamp, so it shows nothing."""

    def __init__(
        self,
        station: str,
        open_field: Callable[[], TagField],
        *,
        pace: ReaderPace | None = None,
        greet: Greet | None = None,
    ) -> None:
        """`open_field`: what opens the reader, usually a `FieldOpener`."""
        self.stations = (station,)
        self._pace = pace or ReaderPace()
        self._watch = FieldWatch(station, open_field, self._pace, greet)
        self._at_work = Lock()
        self._telling = Lock()
        """Held for a moment by the thread when it reports what it has seen, or by the guard when it reports a hang."""
        self._due_s = 0.0

    def show(self, effect: Effect) -> None:
        """There is nothing to show it with."""

    async def run(self, deliver: Deliver) -> None:
        mail = _Mail(asyncio.get_running_loop())
        stop = Event()
        self._rest(0.0)
        thread = Thread(target=self._work, args=(mail, stop), name=f"reader {self.stations[0]}", daemon=True)
        thread.start()
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
                    thread.join(FAREWELL_S)  # it has nothing left to do but to end

    async def _guard(self, mail: "_Mail") -> None:
        """A thread that hangs cannot say so."""
        while True:
            await asyncio.sleep(GUARD_S)
            with self._telling:
                if time.monotonic() > self._due_s and not self._watch.stalled.is_set():
                    self._watch.stalled.set()
                    mail.post([ReaderFault(self.stations[0], _now_ms(), ReaderTrouble.STALLED)])

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
                taken = self._watch.look()
                with self._telling:  # from here on the guard is too late
                    signals, pause_s = self._watch.take(taken, _now_ms())
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

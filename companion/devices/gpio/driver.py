"""The Pi's own buttons, lamps and buzzer, on the pins of its header (BCM numbers).

A button lies between its pin and ground; the pull-up is the Pi's. A lamp is an LED with its resistor, between its pin
and ground. The buzzer is an active one, through a transistor. There are two ways to the pins, each in a module of
its own: the kernel, through gpiod, and pigpiod. "auto" takes pigpiod where it runs, else the kernel; and stays with it.

All that may block happens in one thread per device. If an answer takes too long, the connection is cut and made again.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.device import Deliver
from companion.devices.gpio.buttons import Buttons, Timing
from companion.devices.gpio.gpiod_pins import GpiodPins
from companion.devices.gpio.lamps import Buzzer, Lamp
from companion.devices.gpio.pigpio_pins import PigpioPins
from companion.devices.gpio.pins import USER_PINS, Pins, PinsError, PinWiring
from companion.errors import DeviceError
from companion.stations import BUTTON_COLOURS, PINS, ButtonColour
from companion.table.effects import Effect, Light, Sound
from companion.table.signals import Connecting, LinkDown, LinkUp, Missed, ReaderFault, Signal
from companion.troubles import PinsTrouble

Backend: TypeAlias = Literal["auto", "gpiod", "pigpio"]
_Answer = TypeVar("_Answer")

NO_PIGPIOD = (PinsTrouble.NO_PIGPIO, PinsTrouble.NO_DAEMON)
"""True on most tables, and no trouble where the kernel gives access to the pins."""


class Patience(Struct, frozen=True):
    beat_s: float = 1.0
    """How often we look whether the other side is alive."""
    answer_s: float = 2.0
    """How long it may take to answer."""
    first_pause_s: float = 0.25
    """Before the second attempt to connect; the pauses double."""
    longest_pause_s: float = 10.0


class Gpio:
    """The `Device` of the Pi's pins. It connects again by itself, for as long as it runs."""

    def __init__(  # noqa: PLR0913 — what stands under [gpio] in table.toml, one by one
        self,
        buttons: Mapping[int, tuple[str, ButtonColour]],
        lamps: Mapping[str, int] | None = None,
        buzzer: int | None = None,
        *,
        backend: Backend = "auto",
        host: str = "localhost",
        port: int = 8888,
        timing: Timing | None = None,
        patience: Patience | None = None,
    ) -> None:
        """Raises DeviceError if the pins make no sense."""
        self._lamp_pins = dict(lamps or {})
        self._buzzer_pin = buzzer
        outputs = (*self._lamp_pins.values(), *(() if buzzer is None else (buzzer,)))
        _check(buttons, outputs, backend)
        self.stations = (PINS,)
        self._places = {station for station, _ in buttons.values()} | set(self._lamp_pins)
        self._buttons = dict(buttons)
        self._timing = timing or Timing()
        self._patience = patience or Patience()
        self._wiring = PinWiring(tuple(buttons), outputs, self._timing.steady_us)
        self._ways = list(ways(backend, host, port).values())
        self._lamps = {station: Lamp() for station in self._lamp_pins}
        self._buzzer = Buzzer()
        self._news = asyncio.Event()
        self._is_up = False
        self._problem = ""
        self._missed: tuple[str, ...] = ()
        self._resumed: frozenset[str] = frozenset()
        """The stations to which we come back, but for those where a press is known to be missed."""

    # --- For the referee --------------------------------------------------------------------------------------

    async def run(self, deliver: Deliver) -> None:
        pauses_s = self._pauses_s()
        loop = asyncio.get_running_loop()
        self._problem = ""  # the referee that starts us again has said something else meanwhile
        deliver(Connecting(PINS, _now_ms()))
        with ThreadPoolExecutor(1, thread_name_prefix="gpio") as thread:
            while True:
                began_s = loop.time()
                await self._visit(_Errands(thread, self._patience.answer_s), deliver)
                if loop.time() - began_s > self._patience.longest_pause_s:
                    pauses_s = self._pauses_s()
                await asyncio.sleep(next(pauses_s))

    def show(self, effect: Effect) -> None:
        now_ms = _now_ms()
        match effect:
            case Light(station, pattern) if station in self._lamps:
                self._lamps[station] = self._lamps[station].shows(pattern, now_ms)
            case Sound(station, cue) if station in self._places and self._is_up:
                self._buzzer = Buzzer(cue, now_ms)
                if station in self._lamps:
                    self._lamps[station] = self._lamps[station].cued(cue, now_ms)
        self._news.set()

    # --- Connecting, again and again --------------------------------------------------------------------------

    async def _visit(self, errands: "_Errands", deliver: Deliver) -> None:
        """Connect, and stay for as long as it goes well."""
        try:
            line = await self._connect(errands, deliver)
        except PinsError as error:
            self._down(deliver, str(error))
            return
        problem = ""
        lost: tuple[str, ...] = ()
        try:
            self._up(deliver)
            line.begin()
            await _first_to_fail(self._watch(line), self._shine(line))
        except PinsError as error:
            problem, lost = str(error), self._pressed_unheard(error)
        finally:
            self._is_up = False
            self._missed = tuple(sorted({*line.end(), *lost}))
            self._resumed = frozenset(self._places).difference(self._missed)
            await line.close()
        self._down(deliver, problem)

    async def _connect(self, errands: "_Errands", deliver: Deliver) -> "_Line":
        problems: list[PinsTrouble] = []
        for way in self._ways:
            line = _Line(way(), errands, deliver)
            try:
                await line.open(self._wiring, self._untouched)
            except BaseException as error:
                await line.close()
                if not isinstance(error, PinsError):
                    raise
                problems += error.problems
            else:
                self._ways = [way]
                return line
        raise PinsError(*worth_telling(problems))

    def _pressed_unheard(self, error: PinsError) -> tuple[str, ...]:
        """The stations where a press may have been lost."""
        at_all = PinsTrouble.EDGES_LOST in error.problems
        return tuple(station for station, _ in self._buttons.values()) if at_all else ()

    def _untouched(self, steady_us: int) -> Buttons:
        """The buttons before anything is known of them."""
        return Buttons(self._buttons, replace(self._timing, steady_us=steady_us), self._resumed)

    async def _watch(self, line: "_Line") -> None:
        while True:
            await _within(line.lost, self._patience.beat_s)
            await line.beat()

    async def _shine(self, line: "_Line") -> None:
        """Lamps and buzzer follow what they should show. Open pins are low."""
        shown = dict.fromkeys(self._wiring.outputs, 0)
        while True:
            self._news.clear()
            now_ms = _now_ms()
            for pin, level in self._levels(now_ms).items():
                if shown[pin] != level:
                    await line.write(pin, level)
                    shown[pin] = level
            changes_ms = self._changes_after(now_ms)
            await _within(self._news, None if changes_ms is None else (changes_ms - _now_ms()) / 1000)

    def _levels(self, now_ms: int) -> dict[int, int]:
        levels = {self._lamp_pins[station]: int(lamp.is_on(now_ms)) for station, lamp in self._lamps.items()}
        if self._buzzer_pin is not None:
            levels[self._buzzer_pin] = int(self._buzzer.is_on(now_ms))
        return levels

    def _changes_after(self, now_ms: int) -> int | None:
        showing: list[Lamp | Buzzer] = [*self._lamps.values(), self._buzzer]
        return min((change for each in showing if (change := each.changes_after(now_ms)) is not None), default=None)

    def _pauses_s(self) -> Iterator[float]:
        pause_s = self._patience.first_pause_s
        while True:
            yield pause_s
            pause_s = min(2 * pause_s, self._patience.longest_pause_s)

    # --- What is told of it -----------------------------------------------------------------------------------

    def _up(self, deliver: Deliver) -> None:
        if self._problem:
            deliver(Connecting(PINS, _now_ms()))
        self._problem, self._is_up = "", True
        deliver(LinkUp(PINS, _now_ms()))
        for station in self._missed:
            deliver(Missed(station, _now_ms()))

    def _down(self, deliver: Deliver, problem: str) -> None:
        """Once, however often we try; and again when it is for another reason."""
        if problem != self._problem:
            self._problem = problem
            deliver(LinkDown(PINS, _now_ms(), problem))


class _Errands:
    """The thread in which calls that may block wait for their answers, one at a time."""

    def __init__(self, thread: ThreadPoolExecutor, answer_s: float) -> None:
        self._thread, self._answer_s = thread, answer_s

    async def do(self, abort: Callable[[], None], call: Callable[..., _Answer], *args: object) -> _Answer:
        """What the call returns or raises. If that takes too long, `abort` has to end it."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, lambda: call(*args))
        future.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps no task waits any more
        done, _ = await asyncio.wait({future}, timeout=self._answer_s)
        if not done:
            abort()
        return await asyncio.shield(future)


class _Line:
    """One connection to the pins, from its opening to its end."""

    def __init__(self, pins: Pins, errands: _Errands, deliver: Deliver) -> None:
        self._pins, self._errands, self._deliver = pins, errands, deliver
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        self._readable: int | None = None
        self._outputs: tuple[int, ...] = ()
        self._buttons = Buttons({})
        self._early: list[tuple[int, int, int]] = []
        """What came before everything that was there at first had been told."""
        self._stage: Literal["opening", "open", "ended"] = "opening"
        self._anchor = (0, 0.0)
        """The newest time of the pins' clock, and when that was by the loop's."""
        self._alarm: asyncio.TimerHandle | None = None
        self.lost = asyncio.Event()

    async def open(self, wiring: PinWiring, buttons: Callable[[int], Buttons]) -> None:
        """`buttons`: makes them, given how long a level still has to last."""
        start = await self._do(self._pins.open, wiring, self._pass_on, self._pass_on_lost)
        self._outputs = wiring.outputs
        self._buttons = buttons(start.steady_us)
        self._early[:0] = [(pin, level, start.at_us) for pin, level in start.levels.items()]
        self._readable = start.line

    def begin(self) -> None:
        self._stage = "open"
        for edge in self._early:
            self._hear(*edge)
        if self._readable is not None:
            self._loop.add_reader(self._readable, self._pins.pump)

    def end(self) -> tuple[str, ...]:
        """Nothing is heard from now on. Returns the stations where a button was down just then."""
        self._stage = "ended"
        self._stop_reading()
        if self._alarm is not None:
            self._alarm.cancel()
        return self._buttons.interrupted()

    async def close(self) -> None:
        try:
            await self._do(self._leave)
        except asyncio.CancelledError:  # a second time: no patience to let the lamps go out
            self._pins.abort()
            raise

    async def beat(self) -> None:
        await self._do(self._pins.beat)

    async def write(self, pin: int, level: int) -> None:
        await self._do(self._pins.write, pin, level)

    async def _do(self, call: Callable[..., _Answer], *args: object) -> _Answer:
        return await self._errands.do(self._pins.abort, call, *args)

    def _leave(self) -> None:
        with contextlib.suppress(PinsError):
            for pin in self._outputs:
                self._pins.write(pin, 0)
        self._pins.close()

    # --- Edges ------------------------------------------------------------------------------------------------

    def _pass_on(self, pin: int, level: int, at_us: int) -> None:
        if threading.get_ident() == self._loop_thread:
            self._hear(pin, level, at_us)
            return
        with contextlib.suppress(RuntimeError):  # the loop has been closed; an exception would end the library's thread
            self._loop.call_soon_threadsafe(self._hear, pin, level, at_us)

    def _pass_on_lost(self) -> None:
        """Comes from `pump`. What has ended can be read for ever, so it is not read any more."""
        self._stop_reading()
        self.lost.set()

    def _stop_reading(self) -> None:
        if self._readable is not None:
            self._loop.remove_reader(self._readable)
            self._readable = None

    def _hear(self, pin: int, level: int, at_us: int) -> None:
        if self._stage == "opening":
            self._early.append((pin, level, at_us))
        elif self._stage == "open":
            self._tell(self._buttons.edge(pin, level, at_us))

    def _ask(self) -> None:
        pins_us, loop_s = self._anchor
        self._tell(self._buttons.ask(pins_us + int((self._loop.time() - loop_s) * 1_000_000)))

    def _tell(self, signals: list[Signal]) -> None:
        """Signals carry the time of our clock, not that of the pins: how long ago it was is the same on both."""
        self._anchor = pins_us, loop_s = self._buttons.now_us or 0, self._loop.time()
        ahead_ms = int(loop_s * 1000) - pins_us // 1000
        for signal in signals:
            station = PINS if isinstance(signal, ReaderFault | LinkUp) else signal.station  # a button that is stuck
            self._deliver(replace(signal, station=station, at_ms=signal.at_ms + ahead_ms))
        self._set_alarm()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if (due_us := self._buttons.due_us) is not None:
            pins_us, loop_s = self._anchor
            self._alarm = self._loop.call_at(loop_s + (due_us - pins_us) / 1_000_000, self._ask)


def _check(buttons: Mapping[int, tuple[str, ButtonColour]], outputs: tuple[int, ...], backend: str) -> None:
    pins = (*buttons, *outputs)
    if backend not in get_args(Backend):
        raise DeviceError(f'gpio: there is no way to the pins called "{backend}"; say auto, gpiod or pigpio')
    for pin in pins:
        if pin not in USER_PINS:
            raise DeviceError(f"gpio: there is no pin {pin}; the BCM numbers of the header are 0 to {USER_PINS[-1]}")
        if pins.count(pin) > 1:
            raise DeviceError(f"gpio: pin {pin} is used for two things; give each its own")
    for pin, (station, colour) in buttons.items():
        if colour not in BUTTON_COLOURS:
            raise DeviceError(f'gpio: the button of {station} at pin {pin} is "{colour}"; it can be green or red')


def ways(backend: Backend, host: str, port: int) -> dict[str, Callable[[], Pins]]:
    """Those that may be tried, by what leads to the pins; the first comes first."""
    pigpiod: dict[str, Callable[[], Pins]] = {"pigpiod": lambda: PigpioPins(host, port)}
    kernel: dict[str, Callable[[], Pins]] = {"gpiod": GpiodPins}
    return {"auto": pigpiod | kernel, "pigpio": pigpiod, "gpiod": kernel}[backend]


def worth_telling(problems: list[PinsTrouble]) -> list[PinsTrouble]:
    """Where the kernel was tried, too, a daemon that does not run is not worth telling."""
    return [problem for problem in problems if problem not in NO_PIGPIOD] or problems


async def _within(event: asyncio.Event, seconds: float | None) -> None:
    """Until the event is set, or this many seconds have passed."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def _first_to_fail(*duties: Coroutine[Any, Any, None]) -> None:
    """Do all at once until one of them fails; then the others end, too. A task group of Python 3.11 would forget that
    it was cancelled, if that happens in the same moment."""
    tasks = [asyncio.create_task(duty) for duty in duties]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


def _now_ms() -> int:
    return int(time.monotonic() * 1000)

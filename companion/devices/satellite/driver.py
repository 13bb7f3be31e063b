"""A satellite on a USB serial line: up to five pads, each with a reader, two buttons and a lamp, and one buzzer.

The wire is in docs/wire.md, the wiring in hardware/full-kit.md, the firmware in firmware/. A satellite is known by the
serial number in its WELCOME, not by its port: without a port, all serial lines on USB are asked. What is not a
satellite is left alone after three seconds, and asked less and less often.

A port that opens is not yet a satellite, and a satellite that answers not yet known: after every new session all pads
are looked at again before anything is believed (`pads`). Events are acknowledged when `deliver` has returned.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from companion.devices.device import Deliver
from companion.devices.satellite import wire
from companion.devices.satellite.line import SerialLine
from companion.devices.satellite.pads import Copy, Pads
from companion.devices.satellite.wire_session import Ended, Happened, Happening, Opened, WireSession
from companion.devices.serial_port import LineError
from companion.devices.usb_ports import usb_ports
from companion.table.effects import Effect, Light
from companion.table.signals import Signal
from companion.troubles import LineTrouble, SatelliteTrouble, StartCause, Trouble, most_telling

REST_MS = (5, 2000)
"""How long to wait before a lost satellite is looked for again: at first, and at most. It doubles each time."""
STEADY_MS = 2000
"""One that was there for so long is looked for at once; one that comes and goes quickly, less and less often."""
SHUN_MS = (5_000, 60_000)
"""The same for lines on which no satellite answered, when there is a choice."""


class Satellite:
    """`stations`: pad → station. `serial`: only the satellite with this number will do."""

    def __init__(
        self,
        stations: Mapping[int, str],
        port: str | None = None,
        serial: int | None = None,
        *,
        root: Path = Path("/"),
        clock: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
    ) -> None:
        self.stations = tuple(stations.values())
        self._numbers = {station: pad for pad, station in stations.items()}
        self._port, self._serial, self._root, self._clock = port, serial, root, clock
        self._pads = Pads(stations)
        self._lights: dict[int, int] = {}
        self._problem: Trouble | None = None
        self._shunned: dict[str, _Shunned] = {}
        self.welcome: wire.Welcome | None = None
        """What it said of itself when it was last met."""
        self._line: SerialLine | None = None
        self._session: WireSession | None = None

    @property
    def started(self) -> StartCause | None:
        """Why it started, if it has told."""
        return self._pads.started

    @property
    def copies(self) -> Mapping[str, Copy]:
        """The stations whose readers are no chips of NXP's."""
        return self._pads.copies

    # --- Showing ----------------------------------------------------------------------------------------------

    def show(self, effect: Effect) -> None:
        pad = self._numbers.get(effect.station)
        if pad is None:
            return
        if isinstance(effect, Light):
            self._lights[pad] = wire.PATTERNS.index(effect.pattern)
            if self._session:
                self._session.light(pad, self._lights[pad])
        elif self._session:
            self._session.sound(pad, wire.CUES.index(effect.cue), self._clock())
        if self._line:
            self._line.nudge()

    # --- Running ----------------------------------------------------------------------------------------------

    async def run(self, deliver: Deliver) -> None:
        self._problem = None
        self._tell(deliver, self._pads.begin(self._clock()))
        rest_ms = REST_MS[0]
        while True:
            began_ms = self._clock()
            visit = await self._look(deliver)
            self._problem = visit.problem
            self._tell(deliver, self._pads.lost(visit.problem, self._clock()))
            steady = visit.met and self._clock() - began_ms >= STEADY_MS
            rest_ms = REST_MS[0] if steady else min(rest_ms * 2, REST_MS[1])
            await asyncio.sleep(rest_ms / 1000)

    @staticmethod
    def _tell(deliver: Deliver, signals: list[Signal]) -> None:
        for signal in signals:
            deliver(signal)

    async def _look(self, deliver: Deliver) -> "_Visit":
        """Ask on each line in turn, until the satellite is found and lost again, or no line is left to ask."""
        if self._port:
            return await self._visit(self._port, deliver)
        ports = [port.path for port in usb_ports(self._root)]
        self._shunned = {port: shunned for port, shunned in self._shunned.items() if port in ports}
        for port in ports:
            shunned = self._shunned.get(port)
            if shunned and self._clock() < shunned.until_ms:
                continue
            visit = await self._visit(port, deliver)
            if visit.met:
                self._shunned.pop(port, None)
                return visit
            self._shun(port, visit.problem)
        told = [shunned.problem for shunned in self._shunned.values()]
        return _Visit(most_telling(told, LineTrouble.UNPLUGGED), False)

    def _shun(self, port: str, problem: Trouble) -> None:
        """A line that could not be opened may be opened at any time; only lines that were asked are left alone."""
        for_ms = 0
        if isinstance(problem, SatelliteTrouble):
            for_ms = min(self._shunned[port].for_ms * 2, SHUN_MS[1]) if port in self._shunned else SHUN_MS[0]
        self._shunned[port] = _Shunned(problem, max(for_ms, 1), self._clock() + for_ms)

    async def _visit(self, port: str, deliver: Deliver) -> "_Visit":
        """Open this line and talk for as long as it goes well."""
        met = False
        try:
            line = await SerialLine.open(port)
        except LineError as error:
            return _Visit(error.problem, met)
        self._line, self._session = line, WireSession(_draw, self._clock(), self._lights)
        try:
            if isinstance(self._problem, LineTrouble):
                self._tell(deliver, self._pads.connecting(self._clock()))
            while True:
                for happening in await self._exchange(line, self._session):
                    if problem := self._take(happening, deliver):
                        return _Visit(problem, met)
                    met = True
        except LineError as error:
            return _Visit(error.problem, met)
        finally:
            self._line = self._session = None
            await line.close()

    async def _exchange(self, line: SerialLine, session: WireSession) -> list[Happening]:
        now_ms = self._clock()
        line.write(session.to_send(now_ms))
        wake_ms = session.wake_ms or 0
        data = await line.read(max(1, wake_ms - now_ms))
        return session.receive(data, self._clock())

    def _take(self, happening: Happening, deliver: Deliver) -> SatelliteTrouble | None:
        """Deal with what has happened. What is wrong, if it is the end."""
        match happening:
            case Opened(welcome):
                if self._serial not in (None, welcome.serial):
                    return SatelliteTrouble.ANOTHER
                self.welcome = welcome
                self._tell(deliver, self._pads.welcomed(welcome, self._clock()))
            case Happened(event, at_ms):
                self._tell(deliver, self._pads.hear(event, at_ms))
                self._pads.taken(event.number)
                if self._session:
                    self._session.taken(event.number)
            case Ended(problem):
                return problem
        return None


class _Visit(Struct, frozen=True):
    """How it ended, and whether the satellite was there."""

    problem: Trouble
    met: bool


class _Shunned(Struct, frozen=True):
    problem: Trouble
    for_ms: int
    until_ms: int


def _draw() -> int:
    return 1 + secrets.randbelow(2**32 - 1)

"""Simulated hands on simulated hardware: tags are laid into fields and buttons go down, and real drivers notice.

What `real_time` gives to the referee as a signal is done here for the drivers to find. Hands watch whether it was
noticed, and do it again where a reader was away, as people do.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

from companion.devices.device import Deliver, Device
from companion.messages.intentions import Act
from companion.simulation.real_time import Hears, next_deed
from companion.simulation.simulated_table import SimulatedTable
from companion.stations import CENTRE
from companion.table.effects import Effect
from companion.table.presence import REPEAT_MS
from companion.table.signals import Held, Missed, Pressed, Signal, TagFound, TagPlaced, TagRemoved

PATIENCE_S = 2.0
"""How long hands wait for something to happen before they look whether the station is lost, or try again."""
AGAIN_S = REPEAT_MS / 1000 + 0.02
"""However fast hands are to play, the same movement this soon would count once."""


class Hardware(Protocol):
    """What hands can touch."""

    @property
    def has_buttons(self) -> bool:
        """Where there are none, what would be pressed is said on the screen."""
        ...

    def lay(self, station: str, uid: str) -> None: ...

    def lift(self, station: str, uid: str) -> None: ...

    async def press(self, station: str, button: str, *, held: bool) -> None:
        """Down and up again, which takes its time."""
        ...


class Overheard:
    """A device, and all that it has said."""

    def __init__(self, device: Device, ears: "Ears") -> None:
        self._device, self._ears = device, ears
        self.stations = device.stations

    async def run(self, deliver: Deliver) -> None:
        def overhear(signal: Signal) -> object:
            answer = deliver(signal)
            self._ears.hear(signal)
            return answer

        await self._device.run(overhear)

    def show(self, effect: Effect) -> None:
        self._device.show(effect)


class Ears:
    """Listen to devices for what hands wait for, so that they know what was noticed. Nothing else is remembered."""

    def __init__(self) -> None:
        self._listening: list[Expected] = []

    def hear(self, signal: Signal) -> None:
        for expected in [each for each in self._listening if each.told(signal)]:
            self._listening.remove(expected)
            expected.come.set_result(signal)

    def listen(self, told: Callable[[Signal], bool]) -> "Expected":
        """Wait for the first signal from now on that fits."""
        expected = Expected(self, told)
        self._listening.append(expected)
        return expected

    def forget(self, expected: "Expected") -> None:
        if expected in self._listening:
            self._listening.remove(expected)


class Expected:
    """A signal that hands wait for."""

    def __init__(self, ears: Ears, told: Callable[[Signal], bool]) -> None:
        self._ears, self.told = ears, told
        self.come: asyncio.Future[Signal] = asyncio.get_running_loop().create_future()

    async def within(self, seconds: float) -> Signal | None:
        """None if it does not come in time. It can be waited for once more."""
        await asyncio.wait([self.come], timeout=seconds)
        return self.come.result() if self.come.done() else None

    def forget(self) -> None:
        self._ears.forget(self)


async def act(table: SimulatedTable, hardware: Hardware, ears: Ears, referee: Hears, speed: float) -> None:
    """Play until cancelled."""
    fingers = Fingers(hardware, ears, referee)
    while True:
        steps = await next_deed(table, referee, speed)
        for wait_ms, given in steps:
            await asyncio.sleep(wait_ms / 1000 / speed)
            if isinstance(given, Act):
                referee.heed(given)
            elif isinstance(given, Pressed | Held) and not hardware.has_buttons:
                referee.deliver(given)
            else:
                await fingers.do(given)


class Fingers:
    """One thing after the other, each until it is noticed, except lifting."""

    def __init__(self, hardware: Hardware, ears: Ears, referee: Hears) -> None:
        self._hardware, self._ears, self._referee = hardware, ears, referee
        self._moved: dict[tuple[str, str], float] = {}
        """When each tag or button was last moved at a station."""
        self._lifted: dict[str, Expected] = {}
        """Tag → that the reader where it lay misses it."""

    async def do(self, signal: Signal) -> None:
        """Do to the hardware what this signal says, and wait until a driver has reported it; but not until a lifted
        piece is missed."""
        match signal:
            case TagPlaced(station, _, uid):
                await self._until_noticed(station, lambda: self._lay(station, uid))
            case TagRemoved(station, _, uid):
                self._lift(station, uid)
            case Pressed(station, _, button):
                await self._until_noticed(station, lambda: self._press(station, button, held=False))
            case Held(station, _, button):
                await self._until_noticed(station, lambda: self._press(station, button, held=True))

    async def _until_noticed(self, station: str, attempt: Callable[[], Awaitable[bool]]) -> None:
        while not await attempt():
            while self._is_away(station):
                await self._referee.changed()

    def _is_away(self, station: str) -> bool:
        return any(device.station == station and device.state != "ready" for device in self._referee.snapshot.devices)

    async def _lay(self, station: str, uid: str) -> bool:
        """A piece that was only found on the centre means nothing yet: it is lifted, to be laid again."""
        await self._missed(uid)
        await self._rest(station, uid)
        expected = self._ears.listen(
            lambda said: isinstance(said, TagPlaced | TagFound) and (said.station, said.uid) == (station, uid)
        )
        try:
            self._hardware.lay(station, uid)
            noticed = await expected.within(PATIENCE_S)
        finally:
            expected.forget()
        if isinstance(noticed, TagPlaced) or (noticed and station != CENTRE):
            return True
        self._lift(station, uid)
        return False

    def _lift(self, station: str, uid: str) -> None:
        """People lay the next piece while a reader still looks for the last one."""
        if before := self._lifted.pop(uid, None):
            before.forget()
        self._lifted[uid] = self._ears.listen(
            lambda said: isinstance(said, TagRemoved) and (said.station, said.uid) == (station, uid)
        )
        self._hardware.lift(station, uid)

    async def _missed(self, uid: str) -> None:
        """Only the same piece has to be missed first: otherwise, laid again, it would seem never to have been away."""
        if lifted := self._lifted.pop(uid, None):
            try:
                await lifted.within(PATIENCE_S)
            finally:
                lifted.forget()

    async def _press(self, station: str, button: str, *, held: bool) -> bool:
        """A press that was missed has to be done again; one that is only late must not."""
        await self._rest(station, button)
        expected = self._ears.listen(lambda said: isinstance(said, Pressed | Held | Missed) and said.station == station)
        noticed = None
        try:
            await self._hardware.press(station, button, held=held)
            while noticed is None:
                noticed = await expected.within(PATIENCE_S)
                if noticed is None and not self._is_away(station):
                    return False
        finally:
            expected.forget()
        return not isinstance(noticed, Missed)

    async def _rest(self, station: str, what: str) -> None:
        await asyncio.sleep(self._moved.get((station, what), 0.0) + AGAIN_S - time.monotonic())
        self._moved[station, what] = time.monotonic()

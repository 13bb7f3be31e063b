"""A simulated satellite on a pseudo-terminal, which programs open like the serial line of a real one.

    async with SimulatedSatellite(folder / "satellite") as satellite:
        … Satellite({0: "pad0"}, port=str(satellite.path)) …
        satellite.pads[0].lay("04A1B2C3D4E5F6")
        satellite.pads[0].press("green")
        satellite.unplug()
        satellite.plug()

It lives in the event loop in which it was plugged in; `in_thread` gives it a loop and a thread of its own. What can go
wrong with a real one can be made to go wrong here while it runs; `fault_words` does it by typed commands.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import TypeVar

from companion.devices.satellite import wire
from companion.devices.satellite.simulated_board import SatelliteBoard, SimulatedPad, Weather
from companion.devices.satellite.simulated_link import Identity

CHUNK = 4096

T = TypeVar("T")


class SimulatedSatellite:
    """`path` becomes a link to the pseudo-terminal for as long as the satellite is plugged in."""

    def __init__(self, path: Path, **identity: int) -> None:
        """`identity`: its `serial`, `version`, `pads`, `room`…: see `Identity`."""
        self.path = path
        self.board = SatelliteBoard(self._now_ms, Identity(**identity))
        self.board.changed = self._work
        self.weather = Weather()
        """What the wire does to bytes, in both directions. Set another one at any time."""
        self.silent = False
        """It hangs: it neither reads nor says anything."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ends: tuple[int, int] | None = None
        """Its end of the pseudo-terminal, and the host's, which is kept open so that hosts may come and go."""
        self._alarm: asyncio.TimerHandle | None = None
        self._chance = Random(0)

    @property
    def pads(self) -> tuple[SimulatedPad, ...]:
        return self.board.pads

    # --- The cable --------------------------------------------------------------------------------------------

    def plug(self, *, powered: bool = False) -> None:
        """Plug it in. It gets its power from the cable, so it restarts, unless it was `powered` all the while."""
        import tty

        if self._ends is not None:
            return
        self._loop = asyncio.get_running_loop()
        own, hosts = os.openpty()
        tty.setraw(hosts)
        os.set_blocking(own, False)
        self._ends = own, hosts
        self._loop.add_reader(own, self._work)
        if not powered:
            self.board.reset()
        with suppress(FileNotFoundError):
            self.path.unlink()
        self.path.symlink_to(os.ttyname(hosts))

    def unplug(self) -> None:
        """Pull the cable. Twice is as good as once."""
        if self._ends is None or self._loop is None:
            return
        self.path.unlink(missing_ok=True)
        self._loop.remove_reader(self._ends[0])
        for end in self._ends:
            os.close(end)
        self._ends = None
        if self._alarm:
            self._alarm.cancel()

    async def __aenter__(self) -> "SimulatedSatellite":
        self.plug()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.unplug()

    # --- Misfortunes ------------------------------------------------------------------------------------------

    def reset(self, **identity: int) -> None:
        """It restarts while the cable stays in, perhaps with another `version` or `serial`."""
        self.board.reset(**identity)

    def lose_events(self, count: int = 1) -> None:
        """This many events are dropped, as if there had been no room for them."""
        self.board.lose_events(count)

    def babble(self, data: bytes) -> int:
        """Bytes on the wire that were not asked for. How many of them the line has taken."""
        return self._write(data)

    def garbage(self, count: int = 1000) -> None:
        """Bytes that mean nothing. The same ones for every satellite."""
        self.babble(self._chance.randbytes(count))

    def half_a_frame(self) -> None:
        """A frame breaks off in the middle."""
        frame = wire.frame(wire.pack(wire.Status(0, 0, 0)))
        self._write(frame[: len(frame) // 2])

    # --- Working ----------------------------------------------------------------------------------------------

    def _work(self) -> None:
        """Read what is there, answer, and come again when it is time."""
        if self._ends is None or self._loop is None:
            return
        arrived = self._read()
        if self.silent:
            return
        self.board.receive(self.weather.spoil(arrived))
        self._write(self.weather.spoil(self.board.to_send()))
        if self._alarm:
            self._alarm.cancel()
        wake_ms = self.board.wake_ms
        if wake_ms is not None:
            self._alarm = self._loop.call_later(max(1, wake_ms - self._now_ms()) / 1000, self._work)

    def _now_ms(self) -> int:
        return int(1000 * (self._loop.time() if self._loop else time.monotonic()))

    def _read(self) -> bytes:
        assert self._ends is not None
        try:
            return os.read(self._ends[0], CHUNK)
        except BlockingIOError:
            return b""

    def _write(self, data: bytes) -> int:
        """What the host does not read in time is lost, as on a real line."""
        if self._ends is None or not data:
            return 0
        try:
            return os.write(self._ends[0], data)
        except BlockingIOError:
            return 0


# --- In a thread of its own -----------------------------------------------------------------------------------


class Threaded:
    """A satellite in another thread's loop. `do` runs something there, and gives what came of it:

    with in_thread(path) as threaded:
        threaded.do(lambda satellite: satellite.pads[0].press("green"))
    """

    def __init__(self, satellite: SimulatedSatellite, loop: asyncio.AbstractEventLoop) -> None:
        self._satellite, self._loop = satellite, loop

    def do(self, what: Callable[[SimulatedSatellite], T]) -> T:
        async def there() -> T:
            return what(self._satellite)

        return asyncio.run_coroutine_threadsafe(there(), self._loop).result()


@contextmanager
def in_thread(path: Path, **identity: int) -> Iterator[Threaded]:
    """For hosts that block: the satellite is plugged in, and works beside them."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="simulated satellite", daemon=True)
    thread.start()
    threaded = Threaded(SimulatedSatellite(path, **identity), loop)
    try:
        threaded.do(SimulatedSatellite.plug)
        yield threaded
    finally:
        threaded.do(SimulatedSatellite.unplug)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

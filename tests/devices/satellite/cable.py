"""A cable between the two pure ends, on a manual clock: bytes are lost, doubled, flipped and late, never reordered."""

from collections import deque
from collections.abc import Callable
from itertools import count
from random import Random

from companion.devices.satellite import wire
from companion.devices.satellite.simulated_board import Weather
from companion.devices.satellite.simulated_link import Identity, Ordered, SatelliteLink
from companion.devices.satellite.wire_session import Ended, Happened, Opened, WireSession

CALM = Weather()


class Way:
    """One direction. Each chunk takes up to `late_ms`, but none overtakes another."""

    def __init__(self, weather: Weather, late_ms: int, chance: Random) -> None:
        self.weather, self._late_ms, self._chance = weather, late_ms, chance
        self._chunks: deque[tuple[int, bytes]] = deque()
        self._last_ms = 0

    def put(self, data: bytes, now_ms: int) -> None:
        if data := self.weather.spoil(data):
            self._last_ms = max(self._last_ms, now_ms + self._chance.randint(0, self._late_ms))
            self._chunks.append((self._last_ms, data))

    def due_ms(self) -> list[int]:
        return [self._chunks[0][0]] if self._chunks else []

    def get(self, now_ms: int) -> bytes:
        data = b""
        while self._chunks and self._chunks[0][0] <= now_ms:
            data += self._chunks.popleft()[1]
        return data


class Cable:
    """Both ends. `taken` is what the host has on its disk: name → event, each name once, in the order of arrival."""

    def __init__(self, seed: int = 0, *, up: Weather = CALM, down: Weather = CALM, late_ms: int = 0) -> None:
        chance = Random(seed)
        self._numbers = count(1)
        self.now_ms = 0
        self.satellite = SatelliteLink(Identity(serial=9), boot=1)
        self.up, self.down = Way(up, late_ms, chance), Way(down, late_ms, chance)
        self.taken: dict[tuple[int, int], bytes] = {}
        self.repeated = 0
        """Events that came again after a crash and were recognised."""
        self.ended = 0
        self.orders: list[Ordered] = []
        self.opened = 0
        self.disk: Callable[[], bool] = lambda: True
        """Whether the host lives on after it has written an event down, so that it can acknowledge."""
        self.crash()

    def crash(self) -> None:
        """The host starts again and knows nothing but what is on its disk."""
        self.session = WireSession(lambda: next(self._numbers), self.now_ms)

    def reset(self) -> None:
        """The satellite starts again and has forgotten everything."""
        self.satellite = SatelliteLink(self.satellite.identity, self.satellite.boot + 1)

    def run(self, until: Callable[[], bool], patience_ms: int = 100_000) -> None:
        """Time goes on, from one thing that happens to the next."""
        end_ms = self.now_ms + patience_ms
        while not until():
            self.step()
            assert self.now_ms < end_ms, "it never happens"

    def wait(self, ms: int) -> None:
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            self.step(end_ms)

    def step(self, latest_ms: int = 1 << 60) -> None:
        wakes = [wake for wake in (self.session.wake_ms, self.satellite.wake_ms) if wake is not None]
        soonest = min([*wakes, *self.up.due_ms(), *self.down.due_ms()])
        self.now_ms = min(max(self.now_ms + 1, soonest), latest_ms)
        self._host()
        occurrences = self.satellite.receive(self.down.get(self.now_ms), self.now_ms)
        self.orders += [each for each in occurrences if isinstance(each, Ordered)]
        self.satellite.confess(self.now_ms)
        self.up.put(self.satellite.to_send(self.now_ms), self.now_ms)

    def _host(self) -> None:
        for happening in self.session.receive(self.up.get(self.now_ms), self.now_ms):
            match happening:
                case Opened(welcome):
                    assert welcome.serial == 9
                    self._boot = welcome.boot
                    self.opened += 1
                case Happened(event):
                    if not self._write(event):
                        return self.crash()
                    self.session.taken(event.number)
                case Ended():
                    self.ended += 1
                    self.crash()
        return self.down.put(self.session.to_send(self.now_ms), self.now_ms)

    def _write(self, event: wire.Event) -> bool:
        """Onto the disk, once."""
        name = (self._boot, event.number)
        if name in self.taken:
            assert self.taken[name] == event.content
            self.repeated += 1
        else:
            self.taken[name] = event.content
        return self.disk()

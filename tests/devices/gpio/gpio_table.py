"""A Pi's buttons and lamps for tests: hands for both ways to the pins, and a listener for the device."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Protocol

from companion.devices.gpio.buttons import Timing
from companion.devices.gpio.driver import Backend, Gpio, Patience
from companion.devices.gpio.simulated_header import GpioHeader
from companion.devices.gpio.simulated_pigpiod import Pigpiod
from companion.table.signals import LinkUp, Signal

GREEN, RED, PAD = 17, 27, 22
LAMP, BUZZER = 24, 23
BUTTONS: Any = {GREEN: ("centre", "green"), RED: ("centre", "red"), PAD: ("pad1", "green")}
QUICK = Patience(beat_s=0.05, answer_s=1.0, first_pause_s=0.002, longest_pause_s=0.02)
BRIEF = Timing(hold_us=300_000, stuck_us=500_000)
"""Tests should not wait for seconds."""
SECONDS = 30.0
"""A test that waits for longer has failed."""


class Hands(Protocol):
    """Fingers on the buttons, and eyes on the lamps. A button that moves has then been steady for a while."""

    backend: Backend
    port: int

    def press(self, pin: int) -> None: ...

    def release(self, pin: int) -> None: ...

    def glitch(self, pin: int) -> None: ...

    def level(self, pin: int) -> int: ...

    def rises(self, pin: int) -> int: ...


class OnPigpio:
    backend: Backend = "pigpio"

    def __init__(self, daemon: Pigpiod) -> None:
        self.daemon = daemon

    @property
    def port(self) -> int:
        return self.daemon.port

    def press(self, pin: int) -> None:
        self.daemon.press(pin, (400, 900, 2500, 6000))
        self.daemon.advance(50_000)

    def release(self, pin: int) -> None:
        self.daemon.release(pin, (300, 700))
        self.daemon.advance(50_000)

    def glitch(self, pin: int) -> None:
        self.daemon.press(pin)
        self.daemon.advance(5_000)
        self.daemon.release(pin)
        self.daemon.advance(50_000)

    def level(self, pin: int) -> int:
        return self.daemon.level(pin)

    def rises(self, pin: int) -> int:
        return self.daemon.board.pins[pin].rises


class OnGpiod:
    """The kernel's pins, through the real library."""

    backend: Backend = "gpiod"
    port = 0

    def __init__(self, header: GpioHeader) -> None:
        self.header = header

    def press(self, pin: int) -> None:
        self.header.wait(20_000)
        self.header.press(pin, (400, 900, 2500, 6000))
        self.header.wait(50_000)

    def release(self, pin: int) -> None:
        self.header.release(pin, (300, 700))
        self.header.wait(50_000)

    def glitch(self, pin: int) -> None:
        self.header.press(pin)
        self.header.wait(5_000)
        self.header.release(pin)
        self.header.wait(50_000)

    def level(self, pin: int) -> int:
        return self.header.level(pin)

    def rises(self, pin: int) -> int:
        return self.header.pins[pin].rises


@contextlib.contextmanager
def hands_on(backend: str) -> Iterator[Hands]:
    """On pigpiod, or on a kernel that debounces, or on one that does not ("gpiod raw")."""
    if backend.startswith("gpiod"):
        header = GpioHeader(others=("gpio-brcmstb@107d508500",), path="/dev/gpiochip4")
        header.debounces = backend == "gpiod"
        with header.installed():
            yield OnGpiod(header)
        assert header.users == {}
        return
    with Pigpiod(tick=0xFFFF_0000) as daemon:  # its clock wraps after 65 ms
        yield OnPigpio(daemon)


class Listener:
    """Takes a device's signals, and waits for them."""

    def __init__(self) -> None:
        self.heard: list[Signal] = []
        self._news = asyncio.Event()

    def deliver(self, signal: Signal) -> None:
        self.heard.append(signal)
        self._news.set()

    @property
    def kinds(self) -> list[str]:
        return [type(signal).__name__ for signal in self.heard]

    def take(self) -> list[tuple[Any, ...]]:
        """What was heard since the last time, without the times: ("Pressed", "centre", "green")."""
        heard, self.heard = self.heard, []
        return [short(signal) for signal in heard]

    async def until(self, ready: Callable[[], object]) -> None:
        """Wait for signals until this holds."""
        async with asyncio.timeout(SECONDS):
            while not ready():
                self._news.clear()
                await self._news.wait()

    async def count(self, kind: type[Signal], number: int = 1) -> None:
        await self.until(lambda: sum(isinstance(signal, kind) for signal in self.heard) >= number)


def short(signal: Signal) -> tuple[Any, ...]:
    values = {name: getattr(signal, name) for name in signal.__struct_fields__ if name not in ("at_ms", "id")}
    return (type(signal).__name__, *values.values())


async def sees(ready: Callable[[], object]) -> None:
    """Wait until something that no signal tells can be seen."""
    async with asyncio.timeout(SECONDS):
        while not ready():
            await asyncio.sleep(0.001)


@contextlib.asynccontextmanager
async def running(device: Gpio) -> AsyncIterator[Listener]:
    """The device at work; in the end it is cancelled, and has to come to its end."""
    listener = Listener()
    task = asyncio.create_task(device.run(listener.deliver))
    try:
        yield listener
    finally:
        task.cancel()
        async with asyncio.timeout(SECONDS):
            await asyncio.wait({task})
        assert task.cancelled(), task.exception()


@contextlib.asynccontextmanager
async def connected(hands: Hands, **more: Any) -> AsyncIterator[tuple[Gpio, Listener]]:
    """A device that is ready, and has nothing left to say."""
    options: dict[str, Any] = {"buttons": BUTTONS, "timing": BRIEF, "patience": QUICK} | more
    device = Gpio(backend=hands.backend, host="127.0.0.1", port=hands.port, **options)
    async with running(device) as listener:
        await listener.count(LinkUp, len(device.stations))
        listener.take()
        yield device, listener

"""The Pi's pins through pigpiod and its client library, pigpio 1.78. Run the daemon with `-l`: it knows no passwords.

The library has defects that a table would notice:

- It compares the first notification with the levels that it read when it connected. Pull-ups that are set later change
  them behind its back, and the first press is lost.
- When the daemon dies, its thread spins, reading nothing, and it still says that it is connected.
- An exception in a callback ends that thread without a word.
- Its sockets have no time limit: on a daemon that hangs `pi()` waits for ever. It never raises, and when it gives up,
  it leaves its sockets open.
- `stop()` fails half-way if the daemon is dead, leaves its thread behind if it hangs, and stays registered with atexit.

So the library connects, arranges the pins and writes them, but its thread is never started: the event loop reads the
notifications itself, which also spares each press a change of threads. And while the library connects, it is lent a
`socket` module of ours, so that its sockets can be shut from outside, and are closed in the end.
"""

import atexit
import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from companion.devices.gpio.buttons import unwrapped
from companion.devices.gpio.pins import Edge, PinsError, PinsOpened, PinWiring
from companion.troubles import PinsTrouble

CONNECT_S = 1.0
"""For the network. On the Pi itself the answer, yes or no, comes at once."""
NOTIFICATION = struct.Struct("<HHII")
"""A running number, flags (a level has changed: none), the tick, and the levels of 32 pins."""

_lending = threading.Lock()


class PigpioPins:
    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._sockets = _Sockets()
        self._client: Any = None
        self._notifications: Any = None
        self._inputs: tuple[int, ...] = ()
        self._levels = 0
        self._near_us = 0
        self._unread = b""
        self._is_lost = False

    def open(self, wiring: PinWiring, edge: Edge, lost: Callable[[], None]) -> PinsOpened:
        try:
            import pigpio  # noqa: PLC0415 — only tables with buttons on a Pi need it
        except ImportError:
            raise PinsError(PinsTrouble.NO_PIGPIO) from None
        self._inputs, self._edge, self._lost = wiring.inputs, edge, lost
        with self._translated(pigpio.error):
            self._connect(pigpio)
            self._arrange(pigpio, wiring)
            return self._listen(wiring.steady_us)

    def pump(self) -> None:
        try:
            heard = self._notifications.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            heard = b""
        if heard:
            self._unread = self._report(self._unread + heard)
        elif not self._is_lost:
            self._is_lost = True
            self._lost()

    def write(self, pin: int, level: int) -> None:
        with self._translated():
            self._client.write(pin, level)

    def beat(self) -> None:
        """Also keeps the ticks in sight while no button is touched."""
        with self._translated():
            self._near_us = unwrapped(self._client.get_current_tick(), self._near_us)
        if self._is_lost:
            raise PinsError(PinsTrouble.NO_DAEMON)

    def abort(self) -> None:
        self._sockets.abort()

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            atexit.unregister(client.stop)
            with contextlib.suppress(OSError):
                client.stop()
        self._sockets.close()

    def _connect(self, pigpio: Any) -> None:
        with _lending, self._sockets.lent_to(pigpio), _threadless(pigpio):
            client = pigpio.pi(self._host, self._port, show_errors=False)
        if not client.connected:
            raise PinsError(PinsTrouble.SILENT if self._sockets.aborted else PinsTrouble.NO_DAEMON)
        self._client = client
        self._notifications = client._notify.sl.s
        self._notifications.setblocking(False)

    def _arrange(self, pigpio: Any, wiring: PinWiring) -> None:
        for pin in wiring.inputs:
            self._client.set_mode(pin, pigpio.INPUT)
            self._client.set_pull_up_down(pin, pigpio.PUD_UP)
            self._client.set_glitch_filter(pin, wiring.steady_us)
        for pin in wiring.outputs:
            self._client.set_mode(pin, pigpio.OUTPUT)
            self._client.write(pin, 0)

    def _listen(self, steady_us: int) -> PinsOpened:
        """Levels are read after we have begun to listen: what changes in between is told twice, which is harmless.

        What is read has not passed the filter, and what is told has: so a pin is low only if it still is when a glitch
        would be over. Taking a glitch for a press would make the next press no news."""
        self._client.notify_begin(self._client._notify.handle, sum(1 << pin for pin in self._inputs))
        self._near_us = self._client.get_current_tick()
        self._levels = self._client.read_bank_1()
        if any(not self._levels >> pin & 1 for pin in self._inputs):
            time.sleep(steady_us / 1_000_000)
            self._levels |= self._client.read_bank_1()
        levels = {pin: self._levels >> pin & 1 for pin in self._inputs}
        return PinsOpened(self._near_us, levels, steady_us=0, line=self._notifications.fileno())

    def _report(self, heard: bytes) -> bytes:
        """Tell every level that has changed. What is left is half a notification."""
        whole = len(heard) - len(heard) % NOTIFICATION.size
        for _, flags, tick, levels in NOTIFICATION.iter_unpack(heard[:whole]):
            if flags:  # only says that the daemon is alive
                continue
            changed, self._levels = levels ^ self._levels, levels
            self._near_us = unwrapped(tick, self._near_us)
            for pin in self._inputs:
                if changed >> pin & 1:
                    self._edge(pin, levels >> pin & 1, self._near_us)
        return heard[whole:]

    @contextlib.contextmanager
    def _translated(self, refused: type[Exception] = PinsError) -> Iterator[None]:
        """What the library raises when the daemon is gone, or refuses a pin, in our words."""
        try:
            yield
        except PinsError:
            raise
        except refused:
            raise PinsError(PinsTrouble.REFUSED) from None
        except (OSError, struct.error, AttributeError):  # AttributeError: closed meanwhile
            raise PinsError(PinsTrouble.SILENT if self._sockets.aborted else PinsTrouble.NO_DAEMON) from None


@contextlib.contextmanager
def _threadless(pigpio: Any) -> Iterator[None]:
    """Let the library ask for notifications as it does, but not start the thread that reads them."""
    threaded = pigpio._callback_thread
    pigpio._callback_thread = type("Threadless", (threaded,), {"start": lambda _: None})
    try:
        yield
    finally:
        pigpio._callback_thread = threaded


class _Sockets:
    """Stands for the `socket` module while pigpio connects, and remembers what it opened."""

    def __init__(self) -> None:
        self.aborted = False
        self._opened: list[socket.socket] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(socket, name)

    @contextlib.contextmanager
    def lent_to(self, pigpio: Any) -> Iterator[None]:
        pigpio.socket = self
        try:
            yield
        finally:
            pigpio.socket = socket

    def create_connection(self, address: tuple[str, int], _timeout: float | None) -> socket.socket:
        opened = socket.create_connection(address, CONNECT_S)
        opened.settimeout(None)
        self._opened.append(opened)
        if self.aborted:
            raise TimeoutError
        return opened

    def abort(self) -> None:
        """From any thread: a thread that waits on these sockets finds them closed."""
        self.aborted = True
        for each in tuple(self._opened):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        while self._opened:
            self._opened.pop().close()

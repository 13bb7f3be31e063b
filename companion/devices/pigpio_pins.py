"""The Pi's pins through pigpiod and its client library, pigpio 1.78. Run the daemon with `-l`: it knows no passwords.

The library has defects that a table would notice:

- What `pi()` reads when it connects is what it compares the first notification with. Pull-ups that are set later change
  levels behind its back, and the first press is lost. So we connect, arrange the pins, leave, and connect again.
- Its sockets have no time limit: on a daemon that hangs `pi()` waits for ever. It never raises, and when it gives up,
  it leaves its sockets open.
- When the daemon dies, its thread reads nothing at full speed, and it still says that it is connected.
- An exception in a callback ends that thread, and nobody hears of it.
- `stop()` fails half-way if the daemon is dead, leaves a thread behind if it hangs, and stays registered with atexit.

All but the first have their cause in the sockets. So the library is lent sockets of ours when it connects: they can be
shut from outside, and they know when the line has ended.
"""

import atexit
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

from companion.devices.buttons import unwrapped
from companion.devices.pins import NO_DAEMON, NO_PIGPIO, REFUSED, SILENT, Edge, PinsError, Start, Wiring

CONNECT_S = 1.0
"""For the network. On the Pi itself the answer, yes or no, comes at once."""

_lending = threading.Lock()


class PigpioPins:
    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._sockets = _Sockets()
        self._client: Any = None
        self._near_us = 0

    def open(self, wiring: Wiring, edge: Edge, lost: Callable[[], None]) -> Start:
        try:
            import pigpio  # noqa: PLC0415 — only who has buttons on a Pi needs it
        except ImportError:
            raise PinsError(NO_PIGPIO) from None
        with self._translated(pigpio.error):
            self._connect(pigpio)
            self._arrange(pigpio, wiring)
            self._disconnect()
            self._sockets.lost = lost
            self._connect(pigpio)
            return self._listen(pigpio, wiring, edge)

    def write(self, pin: int, level: int) -> None:
        with self._translated():
            self._client.write(pin, level)

    def beat(self) -> None:
        with self._translated():
            self._near_us = unwrapped(self._client.get_current_tick(), self._near_us)
        if not self._client._notify.is_alive():
            raise PinsError(NO_DAEMON)

    def abort(self) -> None:
        self._sockets.abort()

    def close(self) -> None:
        self._disconnect()

    def _connect(self, pigpio: Any) -> None:
        with self._sockets.lent_to(pigpio):
            client = pigpio.pi(self._host, self._port, show_errors=False)
        if not client.connected:
            problem = SILENT if self._sockets.aborted else NO_DAEMON
            self._sockets.close()
            raise PinsError(problem)
        self._client = client
        self._sockets.listener = client._notify

    def _arrange(self, pigpio: Any, wiring: Wiring) -> None:
        for pin in wiring.inputs:
            self._client.set_mode(pin, pigpio.INPUT)
            self._client.set_pull_up_down(pin, pigpio.PUD_UP)
            self._client.set_glitch_filter(pin, wiring.steady_us)
        for pin in wiring.outputs:
            self._client.set_mode(pin, pigpio.OUTPUT)
            self._client.write(pin, 0)

    def _listen(self, pigpio: Any, wiring: Wiring, edge: Edge) -> Start:
        self._near_us = self._client.get_current_tick()

        def heard(pin: int, level: int, tick: int) -> None:
            self._near_us = unwrapped(tick, self._near_us)
            edge(pin, level, self._near_us)

        for pin in wiring.inputs:
            self._client.callback(pin, pigpio.EITHER_EDGE, heard)
        levels = self._client.read_bank_1()
        return Start(self._near_us, {pin: levels >> pin & 1 for pin in wiring.inputs}, steady_us=0)

    def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            notify = client._notify
            atexit.unregister(client.stop)
            with contextlib.suppress(OSError):
                client.stop()
            self._sockets.shut()
            notify.join()
        self._sockets.close()

    @contextlib.contextmanager
    def _translated(self, refused: type[Exception] = PinsError) -> Iterator[None]:
        """What the library raises when the daemon is gone, or has something against a pin, in our words."""
        try:
            yield
        except PinsError:
            raise
        except refused:
            raise PinsError(REFUSED) from None
        except (OSError, struct.error, AttributeError):  # AttributeError: closed meanwhile
            raise PinsError(SILENT if self._sockets.aborted else NO_DAEMON) from None


class _Sockets:
    """Stands for the `socket` module while pigpio connects, and remembers what it opened."""

    def __init__(self) -> None:
        self.opened: list[_Socket] = []
        self.aborted = False
        self.listener: Any = None
        """The library's thread that reads notifications."""
        self.lost: Callable[[], None] = lambda: None
        """Called when there will be no more of them."""

    def __getattr__(self, name: str) -> Any:
        return getattr(socket, name)

    @contextlib.contextmanager
    def lent_to(self, pigpio: Any) -> Iterator[None]:
        with _lending:
            pigpio.socket = self
            try:
                yield
            finally:
                pigpio.socket = socket

    def create_connection(self, address: tuple[str, int], _timeout: float | None) -> "_Socket":
        with socket.create_connection(address, CONNECT_S) as connection:
            connection.settimeout(None)
            opened = _Socket(self, connection.detach())
        self.opened.append(opened)
        if self.aborted:
            raise TimeoutError
        return opened

    def ended(self) -> None:
        """Nothing will be heard any more: the library's thread, which would go on asking, is let go."""
        if self.listener is not None:
            self.listener.go = False
            self.lost()

    def abort(self) -> None:
        self.aborted = True
        self.shut()

    def shut(self) -> None:
        for each in tuple(self.opened):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.listener = None
        while self.opened:
            self.opened.pop().close()


class _Socket(socket.socket):
    def __init__(self, sockets: _Sockets, fileno: int) -> None:
        super().__init__(fileno=fileno)
        self._sockets = sockets

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Nothing means the end, and so does an error, which would end the library's thread with a traceback."""
        try:
            heard = super().recv(size, flags)
        except OSError:
            heard = b""
        if not heard:
            self._sockets.ended()
        return heard

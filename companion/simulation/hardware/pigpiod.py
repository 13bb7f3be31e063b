"""A simulated pigpiod: the real client library connects to it and cannot tell the difference.

It speaks the socket protocol on 127.0.0.1, in one thread. A command has 16 bytes, `<IIII` (command, two parameters, the
length of what follows), the answer is the same with the result in its last word; a notification has 12. Behind it is a
`PigpioBoard` with buttons to press. Its faults can be switched while it runs: killed, silent, half of a notification.

Its clock stands still until it is told to `advance`, so that a test owns the time; `paced` it is the real one.
"""

import contextlib
import selectors
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Self

from companion.simulation.hardware.pigpio_board import MASK, PigpioBoard

HEADER = struct.Struct("<IIII")
"""Source: the description of pigpio's socket interface (sif), and cmdCmd_t in pigpio's command.h."""
SHARED = socket.SO_REUSEADDR if sys.platform == "linux" else socket.SO_REUSEPORT
"""What lets a second socket of ours have a port that the first one only holds. Source: socket(7)."""
STEADY_US = 50_000
"""After a press or a release in `tap`: longer than any filter that a button needs. Source: none, ours."""

WRAP_US = 2_000_000
"""In `wrap`: long enough to connect again, and to press a button. Source: none, ours."""


class Pigpiod:
    """Starts when it is entered; every thread and socket is gone when it is left. Safe to use from any thread."""

    def __init__(self, *, tick: int = 0, port: int = 0, paced: bool = False) -> None:
        self.board = PigpioBoard(tick)
        self.port = port
        """0: any that is free; known once it runs, and kept when it is started again."""
        self.is_silent = False
        self.connections = 0
        self.answered = 0
        """How many connections and commands there have been."""
        self._silent_after: int | None = None
        self._paced_since: tuple[int, int] | None = (tick, time.monotonic_ns()) if paced else None
        self._lock = threading.RLock()
        self._server: _Server | None = None
        self._place: socket.socket | None = None
        """Holds the port while the daemon is dead: else somebody may take it, or a client connect to itself."""
        self._withhold: int | None = None
        self._withheld: list[tuple[_Client, bytes]] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        if self._place is not None:
            self._place.close()
            self._place = None

    # --- The daemon's life ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin, or begin again on the same port. One that runs goes on."""
        with self._lock:
            if self._server is not None:
                return
            self.is_silent = False
            self.board.restart()
            if self._place is None:
                self._place = _kept(self.port)
                self.port = self._place.getsockname()[1]
            self._server = _Server(self)
        self._server.thread.start()

    def kill(self, *, reset: bool = False) -> None:
        """As SIGKILL does: every line is closed, or reset if there was something unread. May be called twice."""
        with self._lock:
            server, self._server = self._server, None
            self._withheld.clear()
        if server is not None:
            server.end(reset)

    def wrap(self, after_us: int = WRAP_US) -> None:
        """Start over, as on a Pi that has run for 71 minutes: after this long, the tick is 0 again."""
        self.kill()
        with self._lock:
            self.catch_up()
            now_us = ((self.board.now_us + after_us) // (MASK + 1) + 1) * (MASK + 1) - after_us
            self.board.now_us = now_us
            if self._paced_since is not None:
                self._paced_since = (now_us, time.monotonic_ns())
        self.start()

    def silence(self) -> None:
        """As SIGSTOP does: the system still takes connections, but nobody answers."""
        with self._lock:
            self.is_silent = True
        self._wake()

    def silence_after(self, commands: int) -> None:
        """Answer this many more, and then none."""
        with self._lock:
            self._silent_after = self.answered + commands
            self.is_silent = commands == 0
        self._wake()

    def speak(self) -> None:
        """As SIGCONT does: what has been asked meanwhile is answered now."""
        with self._lock:
            self.is_silent, self._silent_after = False, None
        self._wake()

    def withhold(self, after_bytes: int) -> None:
        """Only this many bytes of the next notification are sent, until `complete`."""
        with self._lock:
            self._withhold = after_bytes

    def complete(self) -> None:
        with self._lock:
            withheld, self._withheld = self._withheld, []
            for client, rest in withheld:
                client.send(rest)

    # --- Hands ------------------------------------------------------------------------------------------------

    def press(self, pin: int, bounce_us: Sequence[int] = ()) -> None:
        with self._moving():
            self.board.move(pin, True, bounce_us)

    def release(self, pin: int, bounce_us: Sequence[int] = ()) -> None:
        with self._moving():
            self.board.move(pin, False, bounce_us)

    def tap(self, pin: int, for_us: int = STEADY_US) -> None:
        """A whole press, and the time that it takes."""
        self.press(pin)
        self.advance(for_us)
        self.release(pin)
        self.advance(STEADY_US)

    def advance(self, microseconds: int) -> None:
        """Let time pass; on a paced board it passes by itself."""
        with self._moving():
            self.board.advance(self.board.now_us + microseconds)

    def level(self, pin: int) -> int:
        """What can be measured at a pin."""
        with self._lock:
            return self.board.pins[pin].level

    @contextlib.contextmanager
    def _moving(self) -> Iterator[None]:
        with self._lock:
            self.catch_up()
            yield
            self.deliver()
        if self._paced_since is not None:
            self._wake()  # something may be due sooner now

    # --- For the thread that serves ---------------------------------------------------------------------------

    def catch_up(self) -> float | None:
        """Let a paced board come to the present time. How many seconds until something happens by itself."""
        with self._lock:
            if self._paced_since is None:
                return None
            tick, began_ns = self._paced_since
            now_us = tick + (time.monotonic_ns() - began_ns) // 1000
            self.board.advance(now_us)
            due_us = self.board.due_us
            return None if due_us is None else max(0.0, (due_us - now_us) / 1_000_000)

    def deliver(self) -> None:
        """Send what the board has to say, unless nobody speaks just now."""
        with self._lock:
            if self._server is None or self.is_silent:
                return
            outbox, self.board.outbox = self.board.outbox, []
            for handle, notification in outbox:
                if client := self._server.listeners.get(handle):
                    self._notify(client, notification)

    def _notify(self, client: "_Client", notification: bytes) -> None:
        if self._withhold is None:
            client.send(notification)
        else:
            client.send(notification[: self._withhold])
            self._withheld.append((client, notification[self._withhold :]))
            self._withhold = None

    def answer(self, client: "_Client", command: int, first: int, second: int) -> None:
        with self._lock:
            self.catch_up()
            self.deliver()
            result = self.board.command(command, first, second)
            if command == PigpioBoard.OPEN_IN_BAND and result >= 0 and self._server:
                self._server.listeners[result] = client
            client.send(HEADER.pack(command, first, second, result & MASK))
            self.deliver()
            self.answered += 1
            self.is_silent = self.answered == self._silent_after

    def forget(self, client: "_Client") -> None:
        with self._lock:
            if self._server:
                for handle in [handle for handle, each in self._server.listeners.items() if each is client]:
                    del self._server.listeners[handle]
                    self.board.forget(handle)

    def _wake(self) -> None:
        server = self._server
        if server is not None:
            server.wake()


class _Client:
    """One line to the daemon."""

    def __init__(self, line: socket.socket) -> None:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.setblocking(False)
        self.line = line
        self._unread = b""

    def send(self, data: bytes) -> None:
        """What a client does not read is lost to it, as with the real daemon."""
        with contextlib.suppress(OSError):
            self.line.send(data)

    def commands(self) -> Iterator[tuple[int, int, int]]:
        """What has come; what follows a command is left aside: none of ours needs it. Raises EOFError at the end."""
        try:
            data = self.line.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            raise EOFError
        self._unread += data
        while len(self._unread) >= HEADER.size:
            command, first, second, length = HEADER.unpack_from(self._unread)
            if len(self._unread) < HEADER.size + length:
                return
            self._unread = self._unread[HEADER.size + length :]
            yield command, first, second


def _kept(port: int) -> socket.socket:
    """A socket that reserves this port (0: any free one) without listening there."""
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, SHARED, 1)
    place.bind(("127.0.0.1", port))
    return place


class _Server:
    """Listens in a thread of its own, from one start to the next death."""

    def __init__(self, daemon: Pigpiod) -> None:
        self._daemon = daemon
        self._door = socket.socket()
        self._door.setsockopt(socket.SOL_SOCKET, SHARED, 1)
        self._door.bind(("127.0.0.1", daemon.port))
        self._door.listen(64)
        self._door.setblocking(False)
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._ear, selectors.EVENT_READ)
        self._selector.register(self._door, selectors.EVENT_READ)
        self._clients: list[_Client] = []
        self._over = False
        self.listeners: dict[int, _Client] = {}
        """By the handle of their notifications."""
        self.thread = threading.Thread(target=self._serve, name="simulated pigpiod", daemon=True)

    def wake(self) -> None:
        with contextlib.suppress(OSError):  # rung often enough, or gone
            self._bell.send(b"!")

    def end(self, reset: bool) -> None:
        self._over = True
        self.wake()
        self.thread.join()
        for client in self._clients:
            if reset:
                client.line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.line.close()
        for each in (self._door, self._bell, self._ear, self._selector):
            each.close()

    def _serve(self) -> None:
        while not self._over:
            pause_s = self._daemon.catch_up()
            self._daemon.deliver()
            for key, _ in self._selector.select(pause_s):
                if self._over:
                    return
                if key.fileobj is self._ear:
                    self._ear.recv(4096)
                elif self._daemon.is_silent:
                    self._rest()
                elif key.fileobj is self._door:
                    self._welcome()
                else:
                    self._heed(key.data)

    def _rest(self) -> None:
        """Whatever comes stays where it is until somebody rings."""
        self._ear.recv(4096)

    def _welcome(self) -> None:
        try:
            client = _Client(self._door.accept()[0])
        except OSError:  # gone again
            return
        self._daemon.connections += 1
        self._clients.append(client)
        self._selector.register(client.line, selectors.EVENT_READ, client)

    def _heed(self, client: Any) -> None:
        try:
            for command in client.commands():
                self._daemon.answer(client, *command)
        except EOFError:
            self._daemon.forget(client)
            self._clients.remove(client)
            self._selector.unregister(client.line)
            client.line.close()

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
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from msgspec import Struct

from companion.devices.gpio.simulated_pins import OUTPUT, PINS, PULL_DOWN, PULL_OFF, PULL_UP, PinBoard

# --- Pins as pigpiod sees them, and which client is notified of what ------------------------------------------

USER_PINS = 32
"""Source: PI_MAX_USER_GPIO + 1 in pigpio.h."""
SLOTS = 32
"""How many can be notified at the same time. Source: PI_NOTIFY_SLOTS in pigpio.h."""
ALIVE_US = 60_000_000
"""After this long without any other, a notification just says that the daemon is alive. Source: gpioNotifyOpen in
pigpio's description of its C interface: once a minute."""
MASK = 0xFFFF_FFFF
"""Of the tick. Source: gpioTick there: 32 bits, wraps after 71.6 minutes."""

WATCHDOG, ALIVE = 1 << 5, 1 << 6
"""Flags of a notification. With the first comes the number of a pin. Source: PI_NTFY_FLAGS_… in pigpio.h."""

BAD_USER_GPIO, BAD_GPIO, BAD_MODE, BAD_LEVEL, BAD_PUD = -2, -3, -4, -5, -6
BAD_WDOG_TIMEOUT, NO_HANDLE, BAD_HANDLE, UNKNOWN_COMMAND, BAD_FILTER = -15, -24, -25, -88, -125
"""Source: the errors PI_… in pigpio.h."""
LONGEST_WATCHDOG_MS, LONGEST_FILTER_US = 60_000, 300_000
"""Source: PI_MAX_WDOG_TIMEOUT and PI_MAX_STEADY in pigpio.h."""


class Watchdog(Struct):
    """Says so when a pin has been silent for a while."""

    patience_us: int
    since_us: int

    @property
    def due_us(self) -> int:
        return self.since_us + self.patience_us


class Notified(Struct):
    """A client that listens."""

    bits: int = 0
    number: int = 0
    last_us: int = 0


class PigpioBoard(PinBoard):
    """The pins of one Pi and the daemon's memory of what each client wants to know."""

    def __init__(self, now_us: int = 0) -> None:
        super().__init__(now_us)
        self.outbox: list[tuple[int, bytes]] = []
        """Notifications that are due, each with the handle of the client that gets it."""
        self._notified: dict[int, Notified] = {}
        self._watchdogs: dict[int, Watchdog] = {}

    @property
    def due_us(self) -> int | None:
        times = [each.last_us + ALIVE_US for each in self._notified.values() if each.bits]
        times += [watchdog.due_us for watchdog in self._watchdogs.values()]
        times += [] if (at_us := super().due_us) is None else [at_us]
        return min(times, default=None)

    def happen(self) -> None:
        super().happen()
        for number, watchdog in self._watchdogs.items():
            if watchdog.due_us <= self.now_us:
                watchdog.since_us = self.now_us
                self._notify(1 << number, WATCHDOG | number)
        for handle, each in self._notified.items():
            if each.bits and each.last_us + ALIVE_US <= self.now_us:
                self._send(handle, ALIVE)

    def report(self, number: int) -> None:
        if number in self._watchdogs:
            self._watchdogs[number].since_us = self.now_us
        self._notify(1 << number)

    # --- Notifications ----------------------------------------------------------------------------------------

    def _notify(self, bits: int, flags: int = 0) -> None:
        for handle, each in self._notified.items():
            if each.bits & bits:
                self._send(handle, flags)

    def _send(self, handle: int, flags: int) -> None:
        each = self._notified[handle]
        levels = sum(pin.reported << number for number, pin in enumerate(self.pins[:USER_PINS]))
        self.outbox.append((handle, struct.pack("<HHII", each.number, flags, self.now_us & MASK, levels)))
        each.number = each.number + 1 & 0xFFFF
        each.last_us = self.now_us

    def forget(self, handle: int) -> None:
        """The listener has gone."""
        self._notified.pop(handle, None)

    def restart(self) -> None:
        """The daemon restarts. Modes and pulls are the chip's and stay (BCM2835 ARM Peripherals, 6.1); what only the
        daemon knew is gone."""
        self._notified.clear()
        self.outbox.clear()
        self._watchdogs.clear()
        for pin in self.pins:
            pin.steady_us = 0
            pin.reported = pin.level

    # --- Commands ---------------------------------------------------------------------------------------------

    def command(self, number: int, first: int, second: int) -> int:
        """What a command does and returns; negative: an error."""
        if number not in self._COMMANDS:
            return UNKNOWN_COMMAND
        return self._COMMANDS[number](self, first, second)

    def _set_mode(self, number: int, mode: int) -> int:
        if number >= PINS:
            return BAD_GPIO
        if mode > 7:
            return BAD_MODE
        self.change(number, mode=mode)
        return 0

    def _get_mode(self, number: int, _: int) -> int:
        return self.pins[number].mode if number < PINS else BAD_GPIO

    def _set_pull(self, number: int, pull: int) -> int:
        if number >= PINS:
            return BAD_GPIO
        if pull not in (PULL_OFF, PULL_DOWN, PULL_UP):
            return BAD_PUD
        self.change(number, pull=pull)
        return 0

    def _read(self, number: int, _: int) -> int:
        return self.pins[number].level if number < PINS else BAD_GPIO

    def _write(self, number: int, level: int) -> int:
        if number >= PINS:
            return BAD_GPIO
        if level not in (0, 1):
            return BAD_LEVEL
        self.change(number, mode=OUTPUT, written=level)
        return 0

    def _set_watchdog(self, number: int, timeout_ms: int) -> int:
        if number >= USER_PINS:
            return BAD_USER_GPIO
        if timeout_ms > LONGEST_WATCHDOG_MS:
            return BAD_WDOG_TIMEOUT
        self._watchdogs.pop(number, None)
        if timeout_ms:
            self._watchdogs[number] = Watchdog(timeout_ms * 1000, self.now_us)
        return 0

    def _set_filter(self, number: int, steady_us: int) -> int:
        if number >= USER_PINS:
            return BAD_USER_GPIO
        if steady_us > LONGEST_FILTER_US:
            return BAD_FILTER
        self.pins[number].steady_us = steady_us
        return 0

    def _levels(self, _: int, __: int) -> int:
        return sum(pin.level << number for number, pin in enumerate(self.pins[:USER_PINS]))

    def _tick(self, _: int, __: int) -> int:
        return self.now_us & MASK

    def _revision(self, _: int, __: int) -> int:
        return 0xA02082  # a Pi 3 (Raspberry Pi documentation, revision codes)

    def _version(self, _: int, __: int) -> int:
        return 79  # PIGPIO_VERSION in pigpio.h, the last one

    def _open_notifications(self, _: int, __: int) -> int:
        free = next((handle for handle in range(SLOTS) if handle not in self._notified), None)
        if free is None:
            return NO_HANDLE
        self._notified[free] = Notified(last_us=self.now_us)
        return free

    def _begin_notifications(self, handle: int, bits: int) -> int:
        if handle not in self._notified:
            return BAD_HANDLE
        self._notified[handle].bits = bits
        return 0

    def _close_notifications(self, handle: int, _: int) -> int:
        if handle not in self._notified:
            return BAD_HANDLE
        self.forget(handle)
        return 0

    OPEN_IN_BAND = 99
    """NOIB: the notifications come over the line on which this was asked. Source, also of the numbers below: PI_CMD_…
    in pigpio.h."""
    _COMMANDS: dict[int, Callable[["PigpioBoard", int, int], int]] = {
        0: _set_mode,
        1: _get_mode,
        2: _set_pull,
        3: _read,
        4: _write,
        9: _set_watchdog,
        10: _levels,
        16: _tick,
        17: _revision,
        19: _begin_notifications,
        21: _close_notifications,
        26: _version,
        97: _set_filter,
        OPEN_IN_BAND: _open_notifications,
    }


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
        """Holds the port while the daemon is dead: else another program may take it, or a client connect to itself."""
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
        """As SIGSTOP does: the system still takes connections, but the daemon does not answer."""
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
        """Send what the board has to say, unless the daemon is silenced."""
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
        self._limits = socket.socket()
        self._limits.setsockopt(socket.SOL_SOCKET, SHARED, 1)
        self._limits.bind(("127.0.0.1", daemon.port))
        self._limits.listen(64)
        self._limits.setblocking(False)
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._ear, selectors.EVENT_READ)
        self._selector.register(self._limits, selectors.EVENT_READ)
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
        for each in (self._limits, self._bell, self._ear, self._selector):
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
                elif key.fileobj is self._limits:
                    self._welcome()
                else:
                    self._heed(key.data)

    def _rest(self) -> None:
        """Data waits until the bell rings."""
        self._ear.recv(4096)

    def _welcome(self) -> None:
        try:
            client = _Client(self._limits.accept()[0])
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

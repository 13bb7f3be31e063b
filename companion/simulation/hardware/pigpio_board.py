"""A Pi's pins as pigpiod sees them, and who is notified of what.

Pure: time is told, in microseconds, and what is to be sent waits in `outbox`. The numbers of commands and errors are
pigpio's own; what they do is what the real daemon does with them, as far as buttons and lamps need it.
"""

import struct
from collections.abc import Callable

from msgspec import Struct

from companion.simulation.hardware.pin_board import OUTPUT, PINS, PULL_DOWN, PULL_OFF, PULL_UP, PinBoard

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
    """Somebody who listens."""

    bits: int = 0
    number: int = 0
    last_us: int = 0


class PigpioBoard(PinBoard):
    """The pins of one Pi and the daemon's memory of who wants to know what."""

    def __init__(self, now_us: int = 0) -> None:
        super().__init__(now_us)
        self.outbox: list[tuple[int, bytes]] = []
        """Notifications that are due, each with the handle of who gets it."""
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
        """Whoever listened has gone."""
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

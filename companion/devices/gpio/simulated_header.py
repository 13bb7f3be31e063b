"""A Pi's header as the kernel shows it to gpiod, the bindings of libgpiod 2.

    header = GpioHeader()
    with header.installed():
        import gpiod                 # the real library; only its C part is replaced
        header.press(17, (400, 900))
        header.wait(50_000)

What is replaced is `gpiod._ext`, which speaks to the kernel; all Python above it is the library's own. Modelled after
the kernel's documentation of its GPIO character device, second version, and its gpiolib-cdev.c: a line has one user at
a time; a debounced line reports a level, and shows it, when it has lasted; the queue of edges throws away the oldest,
and every edge has a running number; a chip that has gone answers with ENODEV. Its clock is the kernel's monotonic one,
and can be put forward.
"""

import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

import gpiod
from gpiod import _ext

from companion.devices.gpio.simulated_pins import OUTPUT, PULL_DOWN, PULL_OFF, PULL_UP, PinBoard

PI_4, PI_5 = "pinctrl-bcm2711", "pinctrl-rp1"
"""Source: the labels in the kernel's pinctrl-bcm2835.c and pinctrl-rp1.c."""
QUEUE_FOR_EACH = 16
"""How many edges the kernel keeps for each line of a request, unless it is asked for more. Source: event_buffer_size of
gpio_v2_line_request in the kernel's uapi/linux/gpio.h."""
BIAS = {_ext.BIAS_PULL_UP: PULL_UP, _ext.BIAS_PULL_DOWN: PULL_DOWN, _ext.BIAS_DISABLED: PULL_OFF}
"""Source: libgpiod 2, enum gpiod_line_bias."""


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _monotonic_us() -> int:
    return time.monotonic_ns() // 1000


class GpioHeader(PinBoard):
    """The chip behind the header, with buttons on its lines, and what else the kernel has of this kind."""

    def __init__(self, label: str = PI_5, path: str = "/dev/gpiochip0", others: Sequence[str] = ()) -> None:
        """`others`: the labels of chips whose numbers come before this one's, if its path allows it."""
        super().__init__(_monotonic_us())
        self._ahead_us = 0
        self.lock = RLock()
        self.chips = {f"/dev/gpiochip{number}": other for number, other in enumerate(others)} | {path: label}
        self.users: dict[int, str] = {}
        """Line → the program that has it."""
        self.forbidden = False
        self.gone = False
        self.debounces = True
        """Whether the kernel can debounce."""
        self.claims_to_debounce = True
        """Whether it says so afterwards."""
        self.requests: list[KernelRequest] = []

    def press(self, pin: int, bounce_us: Sequence[int] = ()) -> None:
        self.wait(0)
        with self.lock:
            self.move(pin, True, bounce_us)

    def release(self, pin: int, bounce_us: Sequence[int] = ()) -> None:
        self.wait(0)
        with self.lock:
            self.move(pin, False, bounce_us)

    def wait(self, us: int) -> None:
        """Let so much time pass, beside the time that passes anyway."""
        with self.lock:
            self._ahead_us += us
            self.advance(_monotonic_us() + self._ahead_us)

    def level(self, pin: int) -> int:
        with self.lock:
            return self.pins[pin].level

    def vanish(self) -> None:
        """The driver is unbound: listeners are woken, and find nothing."""
        with self.lock:
            self.gone = True
            for request in self.requests:
                request.wake()

    def report(self, number: int) -> None:
        for request in self.requests:
            request.edge(number, self.pins[number].reported, self.now_us)

    @contextmanager
    def installed(self) -> Iterator["GpioHeader"]:
        """While this lasts, gpiod finds this header."""
        ours: dict[str, Callable[..., Any]] = {
            "Chip": lambda path: KernelChip(self, path),
            "LineConfig": KernelConfig,
            "LineSettings": dict,
        }
        before = {name: getattr(_ext, name) for name in ours}
        for name, value in ours.items():
            setattr(_ext, name, value)
        try:
            yield self
        finally:
            for name, kept in before.items():
                setattr(_ext, name, kept)


class KernelConfig:
    """`gpiod._ext.LineConfig`: settings by line, in the order in which they came."""

    def __init__(self) -> None:
        self.lines: dict[int, dict[str, Any]] = {}

    def add_line_settings(self, offsets: list[int], settings: dict[str, Any]) -> None:
        self.lines |= dict.fromkeys(offsets, settings)


class KernelChip:
    """`gpiod._ext.Chip`: an open chip."""

    def __init__(self, header: GpioHeader, path: str) -> None:
        if path not in header.chips or header.gone:
            raise _error(errno.ENOENT)
        if header.forbidden:
            raise _error(errno.EACCES)
        self._header, self.path = header, path

    def close(self) -> None:
        """Requests outlive their chip (libgpiod 2, gpiod_chip_close)."""

    def get_info(self) -> gpiod.ChipInfo:
        return gpiod.ChipInfo(self.path.removeprefix("/dev/"), self._header.chips[self.path], len(self._header.pins))

    def get_line_name(self, offset: int) -> str:
        return f"GPIO{offset}"

    def get_line_info(self, offset: int, watch: bool) -> gpiod.LineInfo:
        pin, user = self._header.pins[offset], self._header.users.get(offset, "")
        debounced_us = pin.steady_us if self._header.claims_to_debounce else 0
        direction = _ext.DIRECTION_OUTPUT if pin.mode == OUTPUT else _ext.DIRECTION_INPUT
        return gpiod.LineInfo(
            offset=offset,
            name=f"GPIO{offset}",
            used=bool(user),
            consumer=user,
            direction=direction,
            active_low=False,
            bias=_ext.BIAS_UNKNOWN,
            drive=_ext.DRIVE_PUSH_PULL,
            edge_detection=_ext.EDGE_NONE,
            event_clock=_ext.CLOCK_MONOTONIC,
            debounced=bool(debounced_us),
            debounce_period_us=debounced_us,
        )

    def request_lines(self, line_cfg: KernelConfig, consumer: str | None, queue: int | None) -> "KernelRequest":
        header = self._header
        with header.lock:
            if any(offset in header.users for offset in line_cfg.lines):
                raise _error(errno.EBUSY)  # gpiolib-cdev.c: a line has one user
            request = KernelRequest(header, self.path, line_cfg, queue or 0)
            header.users |= dict.fromkeys(line_cfg.lines, consumer or "?")
            header.requests.append(request)
            return request


class KernelRequest:
    """`gpiod._ext.Request`: lines in use, and the queue of their edges."""

    def __init__(self, header: GpioHeader, path: str, wanted: KernelConfig, queue: int) -> None:
        self._header, self.chip_name = header, path.removeprefix("/dev/")
        self.offsets = list(wanted.lines)
        self._room = queue or QUEUE_FOR_EACH * len(self.offsets)
        self._queue: list[gpiod.EdgeEvent] = []
        self._count = 0
        self._counts = dict.fromkeys(self.offsets, 0)
        self._heard: frozenset[int] = frozenset()
        self.fd, self._other_end = os.pipe()
        self.reconfigure_lines(wanted)

    def release(self) -> None:
        with self._header.lock:
            self._header.requests.remove(self)
            for offset in self.offsets:
                del self._header.users[offset]
                self._header.pins[offset].steady_us = 0
                self._header.change(offset, mode=0)  # as a Pi's driver does (bcm2835_pmx_free): free pins are inputs
            os.close(self.fd)
            os.close(self._other_end)

    def reconfigure_lines(self, line_cfg: KernelConfig) -> None:
        with self._header.lock:
            if any(each["debounce_period"] for each in line_cfg.lines.values()) and not self._header.debounces:
                raise _error(errno.EOPNOTSUPP)  # assumed: gpiolib-cdev.c debounces in software, so no source
            for offset, settings in line_cfg.lines.items():
                self._configure(offset, settings)
            self._heard = frozenset(
                offset for offset, each in line_cfg.lines.items() if each["edge_detection"] == _ext.EDGE_BOTH
            )

    def _configure(self, offset: int, settings: dict[str, Any]) -> None:
        pin = self._header.pins[offset]
        pin.steady_us = 0
        if settings["direction"] == _ext.DIRECTION_OUTPUT:
            self._header.change(offset, mode=OUTPUT, written=settings["output_value"])
        else:
            self._header.change(offset, mode=0, pull=BIAS.get(settings["bias"], pin.pull))
        pin.steady_us, pin.reported = settings["debounce_period"], pin.level

    def get_values(self, offsets: list[int], values: list[Any]) -> None:
        with self._header.lock:
            self._check()
            levels = [self._header.pins[offset].reported for offset in offsets]
        values[:] = [gpiod.line.Value(level) for level in levels]

    def set_values(self, values: dict[int, Any]) -> None:
        with self._header.lock:
            self._check()
            for offset, value in values.items():
                self._header.change(offset, written=value.value)

    def read_edge_events(self, max_events: int | None) -> list[gpiod.EdgeEvent]:
        os.read(self.fd, 1)
        with self._header.lock:
            self._check()
            events, self._queue = self._queue[: max_events or 64], self._queue[max_events or 64 :]
            if self._queue:
                self.wake()
            return events

    def edge(self, offset: int, level: int, at_us: int) -> None:
        """The kernel has seen one."""
        if offset not in self._heard:
            return
        self._count += 1
        self._counts[offset] += 1
        kind = _ext.EDGE_EVENT_TYPE_RISING if level else _ext.EDGE_EVENT_TYPE_FALLING
        if not self._queue:
            self.wake()
        self._queue = [*self._queue, gpiod.EdgeEvent(kind, at_us * 1000, offset, self._count, self._counts[offset])]
        self._queue = self._queue[-self._room :]

    def wake(self) -> None:
        os.write(self._other_end, b".")

    def _check(self) -> None:
        if self._header.gone:
            raise _error(errno.ENODEV)

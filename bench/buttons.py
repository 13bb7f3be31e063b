"""Buttons: from an edge to a callback of the bare client library, and to a signal of ours.

Both sides listen to the same simulated daemon, which has a process of its own as the real one has, and are measured in
turn, press by press. The clock starts when the daemon finds that a button has come up and stayed up. What it does then
is the same for both; how long that takes is said beside the figure.
"""

import asyncio
import multiprocessing
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from bench.figures import WHOLE, Effort, Figure, median, medians, ratio
from companion.devices.gpio.driver import Gpio
from companion.devices.gpio.simulated_pigpiod import Pigpiod
from companion.table.signals import LinkUp, Pressed, Signal

PRESSES = 600
PINS = {"ours": 17, "bare": 27}
STEADY_US = 50_000
REST_S = 0.0002
"""Between two presses, so that both sides wait again when the next one comes."""
PATIENCE_S = 10.0


def figures(effort: Effort = WHOLE) -> list[Figure]:
    presses = effort.of(PRESSES)
    arrived = {side: _Arrival() for side in PINS}
    with _daemon() as hands:
        port = hands.recv()
        with _ours(port, arrived["ours"]), _bare(port, arrived["bare"]):
            results = medians(presses, *(partial(_press, hands, pin, arrived[side]) for side, pin in PINS.items()))
            hands.send(None)
            daemon_s: float = hands.recv()
    ours, bare = (median(results, which) * 1e6 for which in range(2))
    detail = (
        f"{ours:.0f} µs against {bare:.0f} µs, {daemon_s * 1e6:.0f} of them the daemon's; {presses} presses in turn"
    )
    return [Figure("button: signal ÷ bare pigpio callback", ratio(results, 0, 1), 2, False, detail)]


class _Arrival:
    """When something came."""

    def __init__(self) -> None:
        self._at_s = 0.0
        self._came = threading.Event()

    def note(self) -> None:
        self._at_s = time.perf_counter()
        self._came.set()

    def wait(self) -> float:
        if not self._came.wait(PATIENCE_S):
            raise TimeoutError("a press was not heard")
        self._came.clear()
        return self._at_s


def _press(hands: Connection, pin: int, arrived: _Arrival) -> float:
    """Seconds from the edge. Both processes have the same clock."""
    time.sleep(REST_S)
    hands.send(pin)
    came_s = arrived.wait()
    edge_s: float = hands.recv()
    return came_s - edge_s


@contextmanager
def _daemon() -> Iterator[Connection]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,))
    process.start()
    try:
        yield ours
    finally:
        ours.close()
        process.join()


def _serve(orders: Connection) -> None:
    """The daemon's process: presses whatever pin it is told, and says when that came up; at last, how long it took to
    report it."""
    spent_s: list[float] = []
    with Pigpiod() as daemon, suppress(EOFError):
        orders.send(daemon.port)
        while (pin := orders.recv()) is not None:
            daemon.press(pin)
            daemon.advance(STEADY_US)
            daemon.release(pin)
            time.sleep(REST_S)  # the press has arrived, and both sides are idle
            edge_s = time.perf_counter()
            daemon.board.advance(daemon.board.now_us + STEADY_US)
            spent_s.append(time.perf_counter() - edge_s)
            daemon.deliver()
            orders.send(edge_s)
        orders.send(statistics.median(spent_s))
        orders.recv()  # until both sides have left


@contextmanager
def _ours(port: int, arrived: _Arrival) -> Iterator[None]:
    ready = _Arrival()

    def deliver(signal: Signal) -> None:
        if isinstance(signal, Pressed):
            arrived.note()
        elif isinstance(signal, LinkUp):
            ready.note()

    device = Gpio({PINS["ours"]: ("centre", "green")}, backend="pigpio", host="127.0.0.1", port=port)
    loop = asyncio.new_event_loop()
    task = loop.create_task(device.run(deliver))
    task.add_done_callback(lambda _: loop.stop())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        ready.wait()
        yield
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.close()


@contextmanager
def _bare(port: int, arrived: _Arrival) -> Iterator[None]:
    """The library as its documentation uses it; only the pull-up is set first, or the first press would be lost."""
    import pigpio

    pin = PINS["bare"]
    for attempt in range(2):
        client = pigpio.pi("127.0.0.1", port)
        client.set_pull_up_down(pin, pigpio.PUD_UP)
        client.set_glitch_filter(pin, 15_000)
        if attempt == 0:
            _stop(client)
    client.callback(pin, pigpio.RISING_EDGE, lambda *_: arrived.note())
    try:
        yield
    finally:
        _stop(client)


def _stop(client: Any) -> None:
    """The library's thread may die of the reset that is meant to end it, and would leave its socket open."""
    notify = client._notify
    client.stop()
    if notify is not None:
        notify.join(1.0)
        notify.sl.s.close()

"""The simulated pigpiod, seen through the unmodified client library, whose defects it has to bring to light."""

import contextlib
import gc
import queue
import socket
import struct
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Any

import pigpio
import pytest

from companion.devices.gpio.simulated_pigpiod import (
    ALIVE,
    HEADER,
    NO_HANDLE,
    SLOTS,
    UNKNOWN_COMMAND,
    PigpioBoard,
    Pigpiod,
)
from tests.threads import none_left_behind

PIN = 17
EDGE_S = 30.0


@pytest.fixture
def daemon() -> Iterator[Pigpiod]:
    with none_left_behind(), Pigpiod() as daemon:
        yield daemon


@contextlib.contextmanager
def client(daemon: Pigpiod) -> Iterator[Any]:
    pi = pigpio.pi("127.0.0.1", daemon.port, show_errors=False)
    assert pi.connected
    notify = pi._notify
    yield pi
    if pi.connected:
        pi.stop()
        notify.join()


@contextlib.contextmanager
def button(daemon: Pigpiod) -> Iterator[tuple[Any, "queue.Queue[tuple[int, int, int]]"]]:
    """A client that has arranged a pin before it connected, and hears its edges."""
    with client(daemon) as pi:
        pi.set_pull_up_down(PIN, pigpio.PUD_UP)
    with client(daemon) as pi:
        edges: queue.Queue[tuple[int, int, int]] = queue.Queue()
        pi.callback(PIN, pigpio.EITHER_EDGE, lambda *edge: edges.put(edge))
        yield pi, edges


def heard(edges: "queue.Queue[tuple[int, int, int]]", number: int) -> list[tuple[int, int]]:
    """So many edges, level and tick, and then no more."""
    found = [edges.get(timeout=EDGE_S)[1:] for _ in range(number)]
    assert edges.empty()
    return found


# --- What the daemon does -------------------------------------------------------------------------------------


def test_modes_pulls_and_levels_are_set_and_read(daemon: Pigpiod) -> None:
    with client(daemon) as pi:
        assert (pi.read(PIN), pi.get_mode(PIN)) == (0, pigpio.INPUT)
        assert pi.read(4) == 1  # the lower pins are pulled up from the start
        pi.set_pull_up_down(PIN, pigpio.PUD_UP)
        assert (pi.read(PIN), pi.read_bank_1() >> PIN & 1) == (1, 1)
        daemon.press(PIN)
        assert pi.read(PIN) == 0
        pi.write(22, 1)
        assert (pi.get_mode(22), pi.read(22), daemon.level(22)) == (pigpio.OUTPUT, 1, 1)


@pytest.mark.parametrize(
    ("call", "arguments", "words"),
    [
        ("set_mode", (54, 0), "GPIO not 0-53"),
        ("set_mode", (PIN, 8), "mode not 0-7"),
        ("get_mode", (54,), "GPIO not 0-53"),
        ("set_pull_up_down", (PIN, 3), "pud not 0-2"),
        ("set_pull_up_down", (54, 0), "GPIO not 0-53"),
        ("read", (54,), "GPIO not 0-53"),
        ("write", (PIN, 2), "level not 0-1"),
        ("write", (54, 0), "GPIO not 0-53"),
        ("set_glitch_filter", (32, 0), "GPIO not 0-31"),
        ("set_glitch_filter", (PIN, 300_001), "bad filter parameter"),
        ("set_watchdog", (32, 0), "GPIO not 0-31"),
        ("set_watchdog", (PIN, 60_001), "timeout not 0-60000"),
        ("notify_begin", (7, 1), "unknown handle"),
        ("notify_close", (7,), "unknown handle"),
        ("wave_clear", (), "unknown command"),
    ],
)
def test_what_makes_no_sense_is_refused_as_the_real_daemon_does(
    daemon: Pigpiod, call: str, arguments: Any, words: str
) -> None:
    with client(daemon) as pi, pytest.raises(pigpio.error, match=words):
        getattr(pi, call)(*arguments)


def test_what_follows_a_command_is_skipped(daemon: Pigpiod) -> None:
    with socket.create_connection(("127.0.0.1", daemon.port)) as line:
        line.sendall(HEADER.pack(38, 0, 0, 5) + b"tag 1" + HEADER.pack(26, 0, 0, 0))
        answers = line.recv(32, socket.MSG_WAITALL)
    assert struct.unpack("<12xi12xi", answers) == (UNKNOWN_COMMAND, 79)


def test_every_edge_is_reported_with_its_time(daemon: Pigpiod) -> None:
    with button(daemon) as (pi, edges):
        daemon.advance(1_000)
        daemon.press(PIN, bounce_us=(200, 300))
        daemon.advance(80_000)
        daemon.release(PIN)
        assert heard(edges, 4) == [(0, 1_000), (1, 1_200), (0, 1_500), (1, 81_000)]
        assert pi.get_current_tick() == 81_000


def test_a_filter_reports_only_what_is_steady_and_so_much_later(daemon: Pigpiod) -> None:
    with button(daemon) as (pi, edges):
        pi.set_glitch_filter(PIN, 15_000)
        daemon.press(PIN, bounce_us=(400, 14_000))
        daemon.advance(80_000)
        daemon.release(PIN, bounce_us=(5_000,))  # a glitch
        daemon.advance(20_000)
        daemon.release(PIN)
        daemon.advance(20_000)
        assert heard(edges, 2) == [(0, 14_400 + 15_000), (1, 100_000 + 15_000)]


def test_the_tick_wraps_after_32_bits() -> None:
    with Pigpiod(tick=2**32 - 1_000) as daemon, button(daemon) as (_, edges):
        daemon.press(PIN)
        daemon.advance(50_000)
        daemon.release(PIN)
        (_, before), (_, after) = heard(edges, 2)
        assert (before, after) == (2**32 - 1_000, 49_000)
        assert pigpio.tickDiff(before, after) == 50_000


def test_a_watchdog_reports_that_nothing_happens(daemon: Pigpiod) -> None:
    with button(daemon) as (pi, edges):
        pi.set_watchdog(PIN, 100)
        daemon.advance(250_000)
        daemon.press(PIN)
        daemon.advance(90_000)
        assert heard(edges, 3) == [(pigpio.TIMEOUT, 100_000), (pigpio.TIMEOUT, 200_000), (0, 250_000)]


def test_keep_alives_come_every_minute_of_silence_and_are_no_edges(daemon: Pigpiod) -> None:
    with button(daemon) as (_, edges):
        daemon.advance(150_000_000)
        daemon.press(PIN)
        assert heard(edges, 1) == [(0, 150_000_000)]
    board = PigpioBoard()
    assert board.command(19, board.command(99, 0, 0), 1 << PIN) == 0
    board.advance(150_000_000)
    assert [struct.unpack("<HHII", sent)[:3] for _, sent in board.outbox] == [
        (0, ALIVE, 60_000_000),
        (1, ALIVE, 120_000_000),
    ]


def test_only_who_asked_for_a_pin_hears_of_it(daemon: Pigpiod) -> None:
    with button(daemon) as (_, edges), client(daemon) as other:
        other.set_pull_up_down(22, pigpio.PUD_UP)
        daemon.press(22)
        daemon.press(PIN)
        assert heard(edges, 1) == [(0, 0)]


def test_so_many_can_listen_and_a_client_that_goes_makes_room(daemon: Pigpiod) -> None:
    def handle() -> int:
        lines[-1].sendall(HEADER.pack(PigpioBoard.OPEN_IN_BAND, 0, 0, 0))
        return int(struct.unpack("<12xi", lines[-1].recv(16))[0])

    with contextlib.ExitStack() as stack:
        lines = []
        for number in range(SLOTS):
            lines.append(stack.enter_context(socket.create_connection(("127.0.0.1", daemon.port))))
            assert handle() == number
        assert handle() == NO_HANDLE
        lines[5].close()
        deadline = time.monotonic() + EDGE_S
        while (found := handle()) != 5:
            assert found == NO_HANDLE
            assert time.monotonic() < deadline


def test_after_a_restart_the_chip_keeps_its_pulls_and_the_daemon_has_forgotten_its_filters(daemon: Pigpiod) -> None:
    with client(daemon) as pi:
        pi.set_pull_up_down(PIN, pigpio.PUD_UP)
        pi.set_glitch_filter(PIN, 15_000)
    daemon.kill()
    daemon.start()
    with client(daemon) as pi:
        assert pi.read(PIN) == 1
    assert daemon.board.pins[PIN].steady_us == 0


def test_paced_it_bounces_by_itself_in_real_time() -> None:
    with Pigpiod(paced=True) as daemon, button(daemon) as (pi, edges):
        pi.set_glitch_filter(PIN, 5_000)
        before = pi.get_current_tick()
        daemon.press(PIN, bounce_us=(2_000, 3_000))
        (level, tick), *_ = heard(edges, 1)
        assert level == 0
        assert before + 10_000 <= tick <= pi.get_current_tick()
        assert pi.get_current_tick() - before < EDGE_S * 1_000_000


def test_half_a_notification_is_kept_until_the_other_half_comes(daemon: Pigpiod) -> None:
    with button(daemon) as (_, edges):
        daemon.withhold(7)
        daemon.press(PIN)
        with pytest.raises(queue.Empty):
            edges.get(timeout=0.05)
        daemon.complete()
        assert heard(edges, 1) == [(0, 0)]


# --- What the library makes of it: the defects that our driver has to live with ---------------------------------


def test_defect_the_first_press_is_lost_if_pull_ups_are_set_after_connecting(daemon: Pigpiod) -> None:
    with client(daemon) as pi:
        edges: queue.Queue[tuple[int, int, int]] = queue.Queue()
        pi.set_pull_up_down(PIN, pigpio.PUD_UP)
        pi.callback(PIN, pigpio.FALLING_EDGE, lambda *edge: edges.put(edge))
        daemon.tap(PIN)
        daemon.tap(PIN)
        assert heard(edges, 1) == [(0, 100_000)]


def test_defect_a_dead_daemon_is_still_connected_and_burns_a_core(daemon: Pigpiod) -> None:
    with client(daemon) as pi:
        daemon.kill()
        before, deadline = time.process_time(), time.monotonic() + EDGE_S
        while time.process_time() - before < 0.1:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert pi.connected
        assert pi._notify.is_alive()
        with pytest.raises((OSError, struct.error)):
            pi.get_current_tick()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_defect_an_exception_in_a_callback_ends_all_notifications(daemon: Pigpiod) -> None:
    with button(daemon) as (pi, edges):
        notify = pi._notify
        pi.callback(PIN, pigpio.EITHER_EDGE, lambda *_: 1 / 0)
        daemon.press(PIN)
        notify.join(EDGE_S)
        assert not notify.is_alive()
        daemon.release(PIN)
        assert pi.get_current_tick() == 0  # so the daemon has reported it
        assert heard(edges, 1) == [(0, 0)]
        notify.sl.s.close()
        notify.go = False  # else stop() would send to a closed socket


def test_defect_a_daemon_that_hangs_keeps_a_call_waiting_and_stop_leaves_a_thread_behind(daemon: Pigpiod) -> None:
    with client(daemon) as pi:
        notify = pi._notify
        daemon.silence()
        caller = threading.Thread(target=pi.get_current_tick)
        caller.start()
        caller.join(0.1)
        assert caller.is_alive()
        daemon.speak()
        caller.join(EDGE_S)
        daemon.silence()
        pi.stop()
        notify.join(0.1)
        assert notify.is_alive()
        daemon.speak()
        notify.join(EDGE_S)
        assert not notify.is_alive()


def test_defect_connecting_never_raises_and_leaves_its_sockets_open(daemon: Pigpiod) -> None:
    daemon.kill()
    assert not pigpio.pi("127.0.0.1", daemon.port, show_errors=False).connected
    with socket.create_server(("127.0.0.1", 0)) as limits, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        hangs_up = threading.Thread(target=lambda: [limits.accept()[0].close() for _ in range(2)])
        hangs_up.start()
        assert not pigpio.pi("127.0.0.1", limits.getsockname()[1], show_errors=False).connected
        hangs_up.join(EDGE_S)
        gc.collect()
    of_sockets = [each for each in warned if "socket" in str(each.message)]  # Python 3.13 warns of databases, too
    assert [each.category for each in of_sockets] == [ResourceWarning, ResourceWarning]


def test_nothing_else_is_given_the_port_of_a_daemon_that_is_dead(daemon: Pigpiod) -> None:
    """A client that looked for it there would find another program."""
    daemon.kill()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", daemon.port))
    with pytest.raises(OSError, match="in use"), socket.socket() as other:
        other.bind(("127.0.0.1", daemon.port))
    daemon.start()
    with client(daemon) as pi:
        assert pi.connected

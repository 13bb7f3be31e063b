"""pigpiod dies, hangs, stutters and comes back, while the real client library is connected to it."""

import asyncio
import gc
import select
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pigpio
import pytest

from companion.devices.gpio.driver import Gpio, Patience
from companion.devices.gpio.pigpio_pins import PigpioPins
from companion.devices.gpio.pins import PinWiring
from companion.devices.gpio.simulated_pigpiod import Pigpiod
from companion.stations import PINS
from companion.table.effects import Light, Sound
from companion.table.signals import LinkDown, LinkUp, Missed, Pressed
from companion.troubles import PinsTrouble
from tests.devices.gpio.gpio_table import (
    BUTTONS,
    BUZZER,
    GREEN,
    LAMP,
    PAD,
    QUICK,
    RED,
    SECONDS,
    Listener,
    OnPigpio,
    connected,
    running,
    sees,
)
from tests.devices.hasty import PATIENCE_S
from tests.threads import none_left_behind

BACK = [("Connecting", PINS), ("LinkUp", PINS)]


def down(problem: str) -> list[tuple[Any, ...]]:
    return [("LinkDown", PINS, problem)]


@pytest.fixture
def daemon() -> Iterator[Pigpiod]:
    """No thread and no socket is left behind, whatever happened."""
    with none_left_behind(), Pigpiod() as daemon:
        yield daemon
    gc.collect()  # a socket that nothing closed says so now


# --- Dead -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reset", [False, True])
def test_a_daemon_that_dies_is_missed_at_once_and_found_again_by_itself(daemon: Pigpiod, reset: bool) -> None:
    async def evening() -> None:
        hands = OnPigpio(daemon)
        async with connected(hands, patience=Patience(beat_s=60, first_pause_s=0.01)) as (_, listener):
            daemon.kill(reset=reset)
            await listener.count(LinkDown)
            daemon.start()
            await listener.count(LinkUp)
            hands.press(GREEN)
            hands.release(GREEN)
            await listener.count(Pressed)
            assert listener.take() == [*down(PinsTrouble.NO_DAEMON), *BACK, ("Pressed", "centre", "green")]

    asyncio.run(evening())


def test_however_long_it_is_dead_that_is_told_once(daemon: Pigpiod) -> None:
    async def evening() -> None:
        async with connected(OnPigpio(daemon)) as (_, listener):
            daemon.kill()
            await listener.count(LinkDown)
            await asyncio.sleep(0.1)  # five attempts and more
            assert listener.take() == down(PinsTrouble.NO_DAEMON)

    asyncio.run(evening())


def test_one_that_is_dead_from_the_start_is_waited_for(daemon: Pigpiod) -> None:
    async def evening() -> None:
        daemon.kill()
        async with running(device(daemon)) as listener:
            await listener.count(LinkDown)
            daemon.start()
            await listener.count(LinkUp)
            assert listener.take() == [BACK[0], *down(PinsTrouble.NO_DAEMON), *BACK]

    asyncio.run(evening())


def test_pauses_between_attempts_become_longer(daemon: Pigpiod) -> None:
    async def evening() -> list[float]:
        daemon.kill()
        tried: list[float] = []
        gpio = device(daemon, patience=Patience(first_pause_s=0.01, longest_pause_s=0.08))
        gpio._ways = [lambda way=gpio._ways[0]: tried.append(time.monotonic()) or way()]  # type: ignore[misc]
        async with running(gpio):
            await sees(lambda: len(tried) == 7)
        return [after - before for before, after in pairwise(tried)]

    for pause_s, least_s in zip(asyncio.run(evening()), (0.01, 0.02, 0.04, 0.08, 0.08, 0.08), strict=True):
        assert pause_s >= least_s


def test_who_was_pressing_while_it_died_is_asked_to_do_it_again(daemon: Pigpiod) -> None:
    async def evening() -> None:
        hands = OnPigpio(daemon)
        async with connected(hands) as (_, listener):
            hands.press(PAD)
            hands.press(GREEN)
            hands.release(GREEN)
            await listener.count(Pressed)  # so the press before it has been heard
            daemon.kill()
            await listener.count(LinkDown)
            daemon.start()
            await listener.count(Missed)
            heard = listener.take()
            assert down(PinsTrouble.NO_DAEMON)[0] in heard
            told = [each for each in heard if each[0] != "LinkDown"]  # on a busy machine for two reasons
            assert told == [("Pressed", "centre", "green"), *BACK, ("Missed", "pad1")]
            hands.release(PAD)  # was down when we came back: says nothing
            hands.press(RED)
            hands.release(RED)
            await listener.count(Pressed)
            assert listener.take() == [("Pressed", "centre", "red")]

    asyncio.run(evening())


def test_who_pressed_while_it_was_dead_and_lets_go_when_it_is_back_is_asked_to_do_it_again(daemon: Pigpiod) -> None:
    async def evening() -> None:
        hands = OnPigpio(daemon)
        async with connected(hands) as (_, listener):
            daemon.kill()
            await listener.count(LinkDown)
            hands.press(PAD)
            daemon.start()
            await listener.count(LinkUp)
            hands.release(PAD)
            await listener.count(Missed)
            hands.press(PAD)
            hands.release(PAD)
            await listener.count(Pressed)
            assert listener.take() == [
                *down(PinsTrouble.NO_DAEMON),
                *BACK,
                ("Missed", "pad1"),
                ("Pressed", "pad1", "green"),
            ]

    asyncio.run(evening())


def test_a_glitch_while_we_connect_does_not_cost_the_next_press(
    daemon: Pigpiod, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pigpiod's clock goes on only while we sleep."""
    sleeping = SimpleNamespace(sleep=lambda seconds: daemon.advance(int(seconds * 1_000_000)))
    monkeypatch.setattr("companion.devices.gpio.pigpio_pins.time", sleeping)

    async def evening() -> None:
        hands = OnPigpio(daemon)
        async with connected(hands) as (_, listener):
            daemon.advance(50_000)
        daemon.press(GREEN, (5_000,))  # up again after 5 ms
        async with connected(hands) as (_, listener):
            hands.press(GREEN)
            hands.release(GREEN)
            await listener.count(Pressed)
            assert listener.take() == [("Pressed", "centre", "green")]

    asyncio.run(evening())


def test_a_device_that_is_run_anew_tells_again_what_is_wrong(daemon: Pigpiod) -> None:
    """Its driver was started again, and a signal has said that it is connecting."""

    async def evening() -> None:
        daemon.kill()
        gpio = device(daemon)
        for _ in range(2):
            async with running(gpio) as listener:
                await listener.count(LinkDown)
                assert listener.take() == [BACK[0], *down(PinsTrouble.NO_DAEMON)]

    asyncio.run(evening())


def test_who_cancels_in_the_very_moment_in_which_the_daemon_dies_is_heard(daemon: Pigpiod) -> None:
    async def evening() -> None:
        gpio = device(daemon)
        listener = Listener()
        task = asyncio.create_task(gpio.run(listener.deliver))
        watch = gpio._watch

        async def watched(line: Any) -> None:
            try:
                await watch(line)
            finally:
                task.cancel()

        gpio._watch = watched  # type: ignore[method-assign]
        await listener.count(LinkUp)
        daemon.kill()
        done, _ = await asyncio.wait({task}, timeout=PATIENCE_S)
        task.cancel()
        await asyncio.wait({task})
        assert done == {task}
        assert task.cancelled()

    asyncio.run(evening())


def test_a_dead_daemon_costs_no_time(daemon: Pigpiod) -> None:
    """The library alone would burn a core."""

    async def evening() -> float:
        async with connected(OnPigpio(daemon), patience=Patience(beat_s=60, first_pause_s=60)) as (_, listener):
            daemon.kill()
            await listener.count(LinkDown)
            before_s = time.process_time()
            await asyncio.sleep(0.3)
            return time.process_time() - before_s

    assert asyncio.run(evening()) < 0.1


# --- Silent ---------------------------------------------------------------------------------------------------


def test_a_daemon_that_hangs_is_told_and_found_again_when_it_goes_on(daemon: Pigpiod) -> None:
    async def evening() -> None:
        hands = OnPigpio(daemon)
        async with connected(hands) as (_, listener):
            daemon.silence()
            await listener.count(LinkDown)
            daemon.speak()
            await listener.count(LinkUp)
            assert listener.take() == [*down(PinsTrouble.SILENT), *BACK]
            hands.press(GREEN)
            hands.release(GREEN)
            await listener.count(Pressed)

    asyncio.run(evening())


def test_a_daemon_that_hangs_stops_neither_the_loop_nor_our_end(daemon: Pigpiod) -> None:
    async def evening() -> None:
        turns = 0
        daemon.silence()
        async with running(device(daemon, patience=Patience(answer_s=0.5, first_pause_s=0.01))) as listener:
            await listener.until(lambda: len(listener.heard) == 1)
            while len(listener.heard) < 2:
                await asyncio.sleep(0.001)
                turns += 1
            assert listener.take() == [BACK[0], *down(PinsTrouble.SILENT)]
        assert turns > 10  # one, if waiting for the daemon blocks the loop

    asyncio.run(evening())


@pytest.mark.parametrize("answers", range(12))
def test_wherever_it_begins_to_hang_we_notice(daemon: Pigpiod, answers: int) -> None:
    """Connecting takes two connections, and more commands than these."""
    daemon.silence_after(answers)

    async def evening() -> None:
        async with running(device(daemon)) as listener:
            await listener.count(LinkDown)
            assert listener.take() == [BACK[0], *down(PinsTrouble.SILENT)]
            daemon.speak()
            await listener.count(LinkUp)

    asyncio.run(evening())


# --- Lamps ----------------------------------------------------------------------------------------------------


def test_a_lamp_shows_the_newest_light_when_the_daemon_is_back_and_a_late_sound_is_not_made(daemon: Pigpiod) -> None:
    async def evening() -> None:
        async with connected(OnPigpio(daemon), lamps={"centre": LAMP}, buzzer=BUZZER) as (gpio, listener):
            gpio.show(Light("centre", "question"))
            daemon.kill()
            await listener.count(LinkDown)
            gpio.show(Light("centre", "turn"))
            gpio.show(Sound("centre", "turn"))
            daemon.start()
            await listener.count(LinkUp)
            await sees(lambda: daemon.level(LAMP))
            assert daemon.level(BUZZER) == 0

    asyncio.run(evening())


def test_a_daemon_that_dies_while_lamps_blink_is_a_lost_link_like_any_other(daemon: Pigpiod) -> None:
    async def evening() -> None:
        async with connected(OnPigpio(daemon), lamps={"centre": LAMP}) as (gpio, listener):
            for _ in range(20):
                gpio.show(Light("centre", "turn"))
                daemon.kill()
                gpio.show(Light("centre", "off"))
                daemon.start()
                await listener.count(LinkUp)
                assert listener.take() == [*down(PinsTrouble.NO_DAEMON), *BACK]

    asyncio.run(evening())


# --- Stuttering -----------------------------------------------------------------------------------------------


def test_half_a_notification_waits_for_its_other_half(daemon: Pigpiod) -> None:
    async def evening() -> None:
        hands = OnPigpio(daemon)
        async with connected(hands) as (_, listener):
            hands.press(GREEN)
            daemon.withhold(5)
            hands.release(GREEN)
            await asyncio.sleep(0.05)
            assert listener.heard == []
            daemon.complete()
            await listener.count(Pressed)
            assert listener.take() == [("Pressed", "centre", "green")]

    asyncio.run(evening())


def test_an_evening_of_several_hours_is_as_good_as_its_first_minute(daemon: Pigpiod) -> None:
    """The clock wraps, keep-alives come, and no button is touched for more than an hour at a time."""

    async def evening() -> None:
        hands = OnPigpio(daemon)
        async with connected(hands, patience=Patience(beat_s=0.001)) as (_, listener):
            for number in range(1, 5):
                daemon.advance(4_000_000_000)
                hands.press(GREEN)
                hands.release(GREEN)
                await listener.count(Pressed, number)
            assert listener.take() == [("Pressed", "centre", "green")] * 4

    asyncio.run(evening())


def test_the_heartbeat_keeps_the_time_right_when_the_clock_wraps_unseen(daemon: Pigpiod) -> None:
    edges: list[tuple[int, int, int]] = []
    pins = PigpioPins("127.0.0.1", daemon.port)
    start = pins.open(PinWiring((GREEN,), (), steady_us=0), lambda *edge: edges.append(edge), lambda: None)
    for _ in range(5):
        daemon.advance(1_000_000_000)
        pins.beat()
    daemon.press(GREEN)
    while not edges:
        assert start.line is not None
        assert select.select([start.line], [], [], SECONDS)[0]
        pins.pump()
    pins.close()
    assert edges == [(GREEN, 0, start.at_us + 5_000_000_000)]


def test_200_reconnects_leave_nothing_behind(daemon: Pigpiod) -> None:
    before = set(threading.enumerate())

    async def evening() -> None:
        hands = OnPigpio(daemon)
        async with connected(hands) as (_, listener):
            for number in range(200):
                daemon.kill(reset=number % 2 == 0)
                daemon.start()
                await listener.count(LinkUp)
                assert listener.take() == [*down(PinsTrouble.NO_DAEMON), *BACK]
            ours = set(threading.enumerate()) - before
            assert sum("pigpiod" not in thread.name for thread in ours) <= 2
            hands.press(GREEN)
            hands.release(GREEN)
            await listener.count(Pressed)
        del listener
        async with asyncio.timeout(PATIENCE_S):
            while left_behind():  # whose threads have been told to end
                await asyncio.sleep(0.05)

    def left_behind() -> list[pigpio.pi]:
        gc.collect()
        return [each for each in gc.get_objects() if isinstance(each, pigpio.pi) and each not in strangers]

    gc.collect()
    strangers = [each for each in gc.get_objects() if isinstance(each, pigpio.pi)]  # atexit keeps those of other tests
    asyncio.run(evening())


def test_a_pin_that_the_daemon_refuses_is_told(daemon: Pigpiod, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pigpio, "INPUT", 9)  # a mode that there is not

    async def evening() -> None:
        async with running(device(daemon)) as listener:
            await listener.count(LinkDown)
            assert listener.take() == [BACK[0], *down(PinsTrouble.REFUSED)]

    asyncio.run(evening())


def device(daemon: Pigpiod, **more: Any) -> Gpio:
    return Gpio(BUTTONS, backend="pigpio", host="127.0.0.1", port=daemon.port, **({"patience": QUICK} | more))

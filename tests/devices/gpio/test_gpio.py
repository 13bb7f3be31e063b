"""The Pi's buttons, lamps and buzzer, on both ways to the pins."""

import asyncio
import sys
from collections.abc import Iterator

import pytest

from companion.devices.gpio.driver import Gpio
from companion.devices.gpio.gpiod_pins import GpiodPins
from companion.devices.gpio.pigpio_pins import PigpioPins
from companion.devices.gpio.pins import Pins
from companion.devices.gpio.simulated_pigpiod import Pigpiod
from companion.errors import DeviceError
from companion.stations import PINS
from companion.table.effects import Light, Sound
from companion.table.signals import Held, LinkDown, LinkUp, Pressed, ReaderFault
from companion.troubles import STUCK, PinsTrouble
from tests.devices.gpio.gpio_table import (
    BUTTONS,
    BUZZER,
    GREEN,
    LAMP,
    PAD,
    QUICK,
    RED,
    Hands,
    connected,
    hands_on,
    running,
    sees,
)
from tests.threads import none_left_behind


@pytest.fixture(params=["pigpio", "gpiod", "gpiod raw"])
def hands(request: pytest.FixtureRequest) -> Iterator[Hands]:
    with none_left_behind(), hands_on(request.param) as hands:
        yield hands


# --- Buttons --------------------------------------------------------------------------------------------------


def test_the_pins_are_connecting_and_then_ready(hands: Hands) -> None:
    async def evening() -> None:
        device = Gpio(BUTTONS, backend=hands.backend, host="127.0.0.1", port=hands.port, patience=QUICK)
        assert device.stations == (PINS,)
        async with running(device) as listener:
            await listener.count(LinkUp)
            assert listener.take() == [("Connecting", PINS), ("LinkUp", PINS)]

    asyncio.run(evening())


def test_the_very_first_press_is_told_and_every_other_one_once(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands) as (_, listener):
            for number, pin in enumerate((GREEN, RED, PAD, GREEN, GREEN), 1):
                hands.press(pin)
                hands.release(pin)
                await listener.count(Pressed, number)
            await asyncio.sleep(0.03)
            stations = [
                ("centre", "green"),
                ("centre", "red"),
                ("pad1", "green"),
                ("centre", "green"),
                ("centre", "green"),
            ]
            assert listener.take() == [("Pressed", *each) for each in stations]

    asyncio.run(evening())


def test_signals_carry_the_time_of_our_clock(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands) as (_, listener):
            loop = asyncio.get_running_loop()
            before_ms = loop.time() * 1000
            hands.press(GREEN)
            hands.release(GREEN)
            await listener.count(Pressed)
            assert before_ms - 100 <= listener.heard[0].at_ms <= loop.time() * 1000

    asyncio.run(evening())


def test_two_buttons_at_once_are_two_presses(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands) as (_, listener):
            hands.press(GREEN)
            hands.press(RED)
            hands.release(RED)
            hands.release(GREEN)
            await listener.count(Pressed, 2)
            assert listener.take() == [("Pressed", "centre", "red"), ("Pressed", "centre", "green")]

    asyncio.run(evening())


def test_a_held_button_is_told_while_it_is_still_down_and_not_as_pressed(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands) as (_, listener):
            hands.press(RED)
            await listener.count(Held)
            hands.release(RED)
            hands.press(GREEN)
            hands.release(GREEN)
            await listener.count(Pressed)
            assert listener.take() == [("Held", "centre", "red"), ("Pressed", "centre", "green")]

    asyncio.run(evening())


def test_a_glitch_is_nothing(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands) as (_, listener):
            hands.glitch(GREEN)
            hands.press(RED)
            hands.release(RED)
            await listener.count(Pressed)
            assert listener.take() == [("Pressed", "centre", "red")]

    asyncio.run(evening())


def test_a_stuck_button_is_a_fault_of_the_pins_and_stops_no_other(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands) as (_, listener):
            hands.press(RED)
            await listener.count(ReaderFault)
            hands.press(PAD)
            hands.release(PAD)
            await listener.count(Pressed)
            hands.release(RED)
            await listener.count(LinkUp)
            stuck = ("ReaderFault", PINS, STUCK["red"])
            assert listener.take() == [
                ("Held", "centre", "red"),
                stuck,
                ("Pressed", "pad1", "green"),
                ("LinkUp", PINS),
            ]

    asyncio.run(evening())


# --- Lamps and buzzer -----------------------------------------------------------------------------------------


def test_a_light_is_shown_and_goes_out_with_the_device(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands, lamps={"centre": LAMP}, buzzer=BUZZER) as (device, _):
            assert (hands.level(LAMP), hands.level(BUZZER)) == (0, 0)
            device.show(Light("centre", "turn"))
            await sees(lambda: hands.level(LAMP))
        assert hands.level(LAMP) == 0

    asyncio.run(evening())


def test_a_sound_is_heard_and_seen_and_over_soon(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands, lamps={"centre": LAMP}, buzzer=BUZZER) as (device, _):
            before = hands.rises(BUZZER), hands.rises(LAMP)
            device.show(Sound("centre", "accepted"))
            await sees(lambda: hands.rises(BUZZER) > before[0] and hands.rises(LAMP) > before[1])
            await sees(lambda: not hands.level(LAMP) and not hands.level(BUZZER))
            assert (hands.rises(BUZZER), hands.rises(LAMP)) == (before[0] + 1, before[1] + 1)

    asyncio.run(evening())


def test_a_station_without_a_lamp_is_heard_and_a_strange_one_is_nothing(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands, lamps={"centre": LAMP}, buzzer=BUZZER) as (device, _):
            for effect in (Light("pad4", "turn"), Light("pad1", "turn"), Sound("pad4", "turn")):
                device.show(effect)
            await asyncio.sleep(0.02)
            assert (hands.level(LAMP), hands.level(BUZZER)) == (0, 0)
            before = hands.rises(BUZZER), hands.rises(LAMP)
            device.show(Sound("pad1", "accepted"))
            await sees(lambda: hands.rises(BUZZER) > before[0])
            await sees(lambda: not hands.level(BUZZER))
            assert hands.rises(LAMP) == before[1]

    asyncio.run(evening())


# --- Which way ------------------------------------------------------------------------------------------------


def test_auto_takes_pigpio_where_a_daemon_runs() -> None:
    async def evening() -> None:
        with Pigpiod() as daemon:
            async with running(Gpio(BUTTONS, host="127.0.0.1", port=daemon.port, patience=QUICK)) as listener:
                await listener.count(LinkUp)
                assert daemon.connections > 0

    asyncio.run(evening())


def test_auto_takes_the_kernel_where_none_runs() -> None:
    async def evening() -> None:
        with hands_on("gpiod") as hands:
            async with running(Gpio(BUTTONS, host="127.0.0.1", port=unused_port(), patience=QUICK)) as listener:
                await listener.count(LinkUp)
                hands.press(GREEN)
                hands.release(GREEN)
                await listener.count(Pressed)

    asyncio.run(evening())


def test_auto_stays_with_the_way_that_worked() -> None:
    """While pigpiod is being restarted, nothing else takes the pins over."""

    async def evening() -> None:
        with hands_on("gpiod"), Pigpiod() as daemon:
            async with running(Gpio(BUTTONS, host="127.0.0.1", port=daemon.port, patience=QUICK)) as listener:
                await listener.count(LinkUp)
                daemon.kill()
                await listener.count(LinkDown)
                await asyncio.sleep(0.1)  # five attempts and more
                connections = daemon.connections
                daemon.start()
                await listener.count(LinkUp, 2)
                assert daemon.connections > connections

    asyncio.run(evening())


def problem_of(device: Gpio) -> str:
    async def evening() -> str:
        async with running(device) as listener:
            await listener.count(LinkDown)
            (signal,) = [signal for signal in listener.heard if isinstance(signal, LinkDown)]
            return signal.problem

    return asyncio.run(evening())


def unused_port() -> int:
    with Pigpiod() as daemon:
        return daemon.port


ONE = {GREEN: ("centre", "green")}


def test_where_no_way_works_a_daemon_that_nothing_runs_is_not_blamed() -> None:
    device = Gpio(ONE, host="127.0.0.1", port=unused_port(), patience=QUICK)
    assert problem_of(device) == PinsTrouble.NO_PINS


def test_a_daemon_that_hangs_is_told_beside_what_the_kernel_lacks() -> None:
    with Pigpiod() as daemon:
        daemon.silence()
        device = Gpio(ONE, host="127.0.0.1", port=daemon.port, patience=QUICK)
        assert problem_of(device) == f"{PinsTrouble.SILENT}; {PinsTrouble.NO_PINS}"


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pigpio", None)
    monkeypatch.setitem(sys.modules, "gpiod", None)
    assert problem_of(Gpio(ONE, patience=QUICK)) == PinsTrouble.NO_GPIOD
    assert problem_of(Gpio(ONE, backend="pigpio", patience=QUICK)) == PinsTrouble.NO_PIGPIO


@pytest.mark.parametrize("pins", [PigpioPins("127.0.0.1", 1), GpiodPins()])
def test_pins_can_be_closed_before_they_are_open_and_twice(pins: Pins) -> None:
    pins.abort()
    pins.close()
    pins.close()


# --- What cannot be meant -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"buttons": {28: ("centre", "green")}}, "there is no pin 28"),
        ({"buttons": {-1: ("centre", "green")}}, "there is no pin -1"),
        ({"buttons": {GREEN: ("centre", "blue")}}, '"blue"; it can be green or red'),
        ({"lamps": {"centre": GREEN}}, "pin 17 is used for two things"),
        ({"lamps": {"centre": LAMP, "pad1": LAMP}}, "pin 24 is used for two things"),
        ({"lamps": {"centre": LAMP}, "buzzer": LAMP}, "pin 24 is used for two things"),
        ({"backend": "RPi.GPIO"}, "say auto, gpiod or pigpio"),
    ],
)
def test_pins_that_cannot_be_meant_so_are_refused_with_what_to_do(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(DeviceError, match=said):
        Gpio(**({"buttons": ONE} | wrong))  # type: ignore[arg-type]

"""The Pi's buttons, lamps and buzzer, on both ways to the pins."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from companion.devices import pins as words
from companion.devices.buttons import STUCK
from companion.devices.gpio import Gpio
from companion.devices.gpiozero_pins import GpiozeroPins
from companion.devices.pigpio_pins import PigpioPins
from companion.devices.pins import BUSY, NO_DAEMON, NO_GPIOZERO, NO_PIGPIO, NO_PINS, NO_PIPE, UNUSABLE, Pins
from companion.errors import DeviceError
from companion.simulation.hardware.pigpiod import Pigpiod
from companion.table.effects import Light, Sound
from companion.table.signals import PINS, Held, LinkDown, LinkUp, Pressed, ReaderFault
from tests.devices.gpio_table import (
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


@pytest.fixture(params=["pigpio", "gpiozero"])
def hands(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hands]:
    before = set(threading.enumerate())
    with hands_on(request.param, monkeypatch) as hands:
        yield hands
    assert set(threading.enumerate()) <= before


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
            device.show(Sound("centre", "accepted"))
            await sees(lambda: hands.level(BUZZER))
            await sees(lambda: hands.level(LAMP))
            await sees(lambda: not hands.level(LAMP) and not hands.level(BUZZER))

    asyncio.run(evening())


def test_a_station_without_a_lamp_is_heard_and_a_strange_one_is_nothing(hands: Hands) -> None:
    async def evening() -> None:
        async with connected(hands, lamps={"centre": LAMP}, buzzer=BUZZER) as (device, _):
            for effect in (Light("pad4", "turn"), Light("pad1", "turn"), Sound("pad4", "turn")):
                device.show(effect)
            await asyncio.sleep(0.02)
            assert (hands.level(LAMP), hands.level(BUZZER)) == (0, 0)
            device.show(Sound("pad1", "accepted"))
            await sees(lambda: hands.level(BUZZER))
            assert hands.level(LAMP) == 0

    asyncio.run(evening())


# --- Which way ------------------------------------------------------------------------------------------------


def test_auto_takes_pigpio_where_a_daemon_runs() -> None:
    async def evening() -> None:
        with Pigpiod() as daemon:
            async with running(Gpio(BUTTONS, host="127.0.0.1", port=daemon.port, patience=QUICK)) as listener:
                await listener.count(LinkUp)
                assert daemon.connections > 0

    asyncio.run(evening())


def test_auto_takes_gpiozero_where_none_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening() -> None:
        with hands_on("gpiozero", monkeypatch) as hands:
            async with running(Gpio(BUTTONS, host="127.0.0.1", port=unused_port(), patience=QUICK)) as listener:
                await listener.count(LinkUp)
                hands.press(GREEN)
                hands.release(GREEN)
                await listener.count(Pressed)

    asyncio.run(evening())


def test_auto_stays_with_the_way_that_worked(monkeypatch: pytest.MonkeyPatch) -> None:
    """While pigpiod is being restarted, nobody else takes the pins over."""

    async def evening() -> None:
        with hands_on("gpiozero", monkeypatch), Pigpiod() as daemon:
            async with running(Gpio(BUTTONS, host="127.0.0.1", port=daemon.port, patience=QUICK)) as listener:
                await listener.count(LinkUp)
                daemon.kill()
                await listener.count(LinkDown)
                await asyncio.sleep(0.1)  # five attempts and more
                daemon.start()
                connections = daemon.connections
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


def test_if_no_way_works_it_is_said_why_for_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # lgpio makes a pipe where it is imported
    device = Gpio(ONE, host="127.0.0.1", port=unused_port(), patience=QUICK)
    assert problem_of(device) == f"{NO_DAEMON}; {NO_PINS}"


LOOKING = f"""
import os
from companion.devices.gpiozero_pins import GpiozeroPins
from companion.devices.pins import PinsError, Wiring
try:
    GpiozeroPins().open(Wiring(({GREEN},), (), 0), print, print)
except PinsError as error:
    print(error)
print(os.getcwd(), os.listdir())
"""


def looking(folder: str | Path, **environment: str) -> list[str]:
    """What another process says that looks for the pins here."""
    inherited = {name: value for name, value in os.environ.items() if name != "LG_WD"}
    environment = inherited | {"PYTHONPATH": str(Path.cwd())} | environment
    command = [sys.executable, "-c", LOOKING]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_lgpio_does_not_take_us_into_another_folder(tmp_path: Path) -> None:
    here, pipes = tmp_path / "here", tmp_path / "pipes"
    here.mkdir()
    pipes.mkdir()
    assert looking(here, LG_WD=str(pipes)) == [NO_PINS, f"{here} []"]


def test_lgpio_leaves_nothing_in_the_working_folder(tmp_path: Path) -> None:
    assert looking(tmp_path) == [NO_PINS, f"{tmp_path} []"]


def test_where_lgpio_can_make_no_pipe_that_is_said() -> None:
    assert looking("/proc", LG_WD="/proc")[0] == NO_PIPE


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pigpio", None)
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    assert problem_of(Gpio(ONE, patience=QUICK)) == f"{NO_PIGPIO}; {NO_GPIOZERO}"
    assert problem_of(Gpio(ONE, backend="pigpio", patience=QUICK)) == NO_PIGPIO


@pytest.mark.parametrize(("said", "problem"), [("'GPIO busy'", BUSY), ("something else", UNUSABLE)])
def test_a_pin_that_the_kernel_does_not_give_is_told(monkeypatch: pytest.MonkeyPatch, said: str, problem: str) -> None:
    class DeniedError(Exception):
        """As lgpio's errors, whose only base is Exception."""

    class Factory(MockFactory):
        def pin(self, name: str) -> None:
            raise DeniedError(said)

    monkeypatch.setattr(gpiozero.Device, "pin_factory", Factory())
    assert problem_of(Gpio(ONE, backend="gpiozero", patience=QUICK)) == problem


@pytest.mark.parametrize("pins", [PigpioPins("127.0.0.1", 1), GpiozeroPins()])
def test_pins_can_be_closed_before_they_are_open_and_twice(pins: Pins) -> None:
    pins.abort()
    pins.close()
    pins.close()


def test_every_problem_is_in_the_vocabulary() -> None:
    named = {value for name, value in vars(words).items() if name.isupper() and isinstance(value, str)}
    assert set(words.PROBLEMS) == named | set(STUCK.values())


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
        ({"backend": "RPi.GPIO"}, "say auto, pigpio or gpiozero"),
    ],
)
def test_pins_that_cannot_be_meant_so_are_refused_with_what_to_do(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(DeviceError, match=said):
        Gpio(**({"buttons": ONE} | wrong))  # type: ignore[arg-type]

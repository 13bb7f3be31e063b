"""What only the kernel's pins do: chips by their label, queues that overflow, drivers that go; and reset pins."""

import asyncio
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.gpio.buttons import Timing
from companion.devices.gpio.driver import Gpio
from companion.devices.gpio.gpiod_pins import LABELS, GpiodPins, header_chip
from companion.devices.gpio.pins import PinsError, PinWiring
from companion.devices.gpio.simulated_header import GpioHeader
from companion.devices.rc522.reset_pin import ResetPins, lent
from companion.devices.rc522.simulated_bus import Board
from companion.devices.rc522.simulated_chip import Chip
from companion.devices.tag_field import ReaderError
from companion.stations import PINS
from companion.table.signals import LinkDown, LinkUp, Pressed
from companion.troubles import PinsTrouble, ReaderTrouble
from tests.devices.gpio.gpio_table import BUTTONS, GREEN, LAMP, PAD, RED, OnGpiod, connected, running

WIRING = PinWiring((GREEN, RED, PAD), (LAMP,), 15_000)
BACK = [("Connecting", PINS), ("LinkUp", PINS)]


def trouble_of_opening(header: GpioHeader) -> tuple[PinsTrouble, ...]:
    with header.installed(), pytest.raises(PinsError) as told:
        GpiodPins().open(WIRING, lambda *_: None, lambda: None)
    return told.value.problems


# --- The chip -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("number", [0, 4, 11])
def test_the_header_is_found_by_its_label_whatever_its_number(label: str, number: int) -> None:
    others = ("raspberrypi-exp-gpio", "gpio-brcmstb@107d508500")
    with GpioHeader(label, f"/dev/gpiochip{number}", others[: min(number, 2)]).installed():
        assert header_chip() == f"/dev/gpiochip{number}"


def test_a_computer_with_other_chips_has_no_header() -> None:
    assert trouble_of_opening(GpioHeader("INTC1056:00")) == (PinsTrouble.NO_PINS,)


def test_chips_that_are_not_for_us_are_told_as_such() -> None:
    header = GpioHeader()
    header.forbidden = True
    assert trouble_of_opening(header) == (PinsTrouble.FORBIDDEN,)


@pytest.mark.parametrize("pin", [GREEN, LAMP])
def test_a_pin_that_another_program_has_is_told_and_nothing_stays_taken(pin: int) -> None:
    header = GpioHeader()
    header.users[pin] = "another program"
    pins = GpiodPins()
    with header.installed():
        with pytest.raises(PinsError) as told:
            pins.open(WIRING, lambda *_: None, lambda: None)
        pins.close()
    assert told.value.problems == (PinsTrouble.BUSY,)
    assert header.users == {pin: "another program"}


def test_pins_that_are_let_go_are_inputs_and_belong_to_no_program() -> None:
    header, pins = GpioHeader(), GpiodPins()
    with header.installed():
        pins.open(WIRING, lambda *_: None, lambda: None)
        assert header.users.keys() == {GREEN, RED, PAD, LAMP}
        pins.close()
    assert (header.users, {header.pins[pin].mode for pin in (GREEN, RED, PAD, LAMP)}) == ({}, {0})


def test_the_kernel_keeps_as_many_edges_as_it_was_asked_to_and_then_the_newest() -> None:
    header = GpioHeader()
    with header.installed():
        import gpiod

        edges = {GREEN: gpiod.LineSettings(edge_detection=gpiod.line.Edge.BOTH)}
        with gpiod.request_lines("/dev/gpiochip0", edges, event_buffer_size=40) as request:
            for number in range(50):
                header.requests[0].edge(GREEN, number % 2, number)
            assert [event.timestamp_ns for event in request.read_edge_events(64)] == [
                number * 1000 for number in range(10, 50)
            ]


def test_bindings_of_libgpiod_1_are_told_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", type(sys)("gpiod"))
    with pytest.raises(PinsError) as told:
        header_chip()
    assert told.value.problems == (PinsTrouble.NO_GPIOD,)


# --- Debouncing -----------------------------------------------------------------------------------------------


def test_a_kernel_that_debounces_is_believed() -> None:
    with GpioHeader().installed():
        pins = GpiodPins()
        assert pins.open(WIRING, lambda *_: None, lambda: None).steady_us == 0
        pins.close()


@pytest.mark.parametrize(("debounces", "claims"), [(False, True), (True, False)])
def test_where_the_kernel_does_not_debounce_that_is_left_to_us(debounces: bool, claims: bool) -> None:
    header = GpioHeader()
    header.debounces, header.claims_to_debounce = debounces, claims
    with header.installed():
        pins = GpiodPins()
        assert pins.open(WIRING, lambda *_: None, lambda: None).steady_us == WIRING.steady_us
        pins.close()


@settings(max_examples=25)
@given(
    gaps_us=st.lists(st.integers(50, 12_000), max_size=12).map(tuple),
    held_ms=st.integers(40, 250),
    debounces=st.booleans(),
)
def test_however_it_bounces_a_press_is_one_press(gaps_us: tuple[int, ...], held_ms: int, debounces: bool) -> None:
    """Bounces are shorter than what has to last, and after an even number of them the button is down."""
    header = GpioHeader()
    header.debounces = debounces
    gaps_us = gaps_us[: len(gaps_us) // 2 * 2]

    async def evening() -> None:
        with header.installed():
            async with connected(OnGpiod(header), timing=Timing()) as (_, listener):
                header.wait(20_000)
                header.press(GREEN, gaps_us)
                header.wait(sum(gaps_us) + held_ms * 1000)
                header.release(GREEN, gaps_us)
                header.wait(sum(gaps_us) + 50_000)
                await listener.count(Pressed)
                header.press(RED)
                header.wait(50_000)
                header.release(RED)
                header.wait(50_000)
                await listener.count(Pressed, 2)
                assert listener.take() == [("Pressed", "centre", "green"), ("Pressed", "centre", "red")]

    asyncio.run(evening())


# --- What the kernel loses ------------------------------------------------------------------------------------


def test_edges_that_were_thrown_away_are_noticed_and_players_are_asked_to_press_again() -> None:
    async def evening() -> None:
        header = GpioHeader()
        with header.installed():
            async with connected(OnGpiod(header)) as (_, listener):
                for _ in range(600):  # while we are away, or a button has gone mad
                    header.press(GREEN)
                    header.wait(20_000)
                    header.release(GREEN)
                    header.wait(20_000)
                await listener.count(LinkUp)
                again = [("Missed", "centre"), ("Missed", "pad1")]
                await listener.until(lambda: len(listener.heard) >= 5)
                assert listener.take() == [("LinkDown", PINS, PinsTrouble.EDGES_LOST), *BACK, *again]
                OnGpiod(header).press(RED)
                OnGpiod(header).release(RED)
                await listener.count(Pressed)
                assert listener.take() == [("Pressed", "centre", "red")]

    asyncio.run(evening())


def test_a_driver_that_goes_is_a_lost_link_and_found_again() -> None:
    async def evening() -> None:
        header = GpioHeader()
        with header.installed():
            async with connected(OnGpiod(header)) as (_, listener):
                header.vanish()
                await listener.count(LinkDown)
                header.gone = False
                await listener.count(LinkUp)
                assert listener.take() == [("LinkDown", PINS, PinsTrouble.NO_PINS), *BACK]

    asyncio.run(evening())


def test_a_driver_that_goes_costs_no_time() -> None:
    async def evening() -> float:
        header = GpioHeader()
        with header.installed():
            device = Gpio(BUTTONS, backend="gpiod")
            async with running(device) as listener:
                await listener.count(LinkUp)
                header.vanish()
                await listener.count(LinkDown)
                before_s = time.process_time()
                await asyncio.sleep(0.2)
                return time.process_time() - before_s

    assert asyncio.run(evening()) < 0.1


# --- A reader's reset pin -------------------------------------------------------------------------------------


def test_mfrc522s_reset_pin_goes_up_and_down_through_the_kernel() -> None:
    header = GpioHeader()
    with header.installed():
        pins = ResetPins()
        pins.setmode(pins.BCM)
        pins.setup(25, pins.OUT)
        pins.setup(25, pins.OUT)  # a second reader on the same pin
        assert header.level(25) == 1
        pins.output(25, 0)
        assert header.level(25) == 0
        pins.output(25, 1)
        assert header.level(25) == 1
        assert header.users == {25: "companion reader"}
        pins.cleanup()
        assert header.users == {}


def test_rpi_gpio_is_lent_for_as_long_as_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RPi", "RPi.GPIO"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with lent():
        from RPi import GPIO

        assert isinstance(GPIO, ResetPins)
    assert "RPi.GPIO" not in sys.modules


def test_an_rpi_gpio_that_was_imported_before_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    real = type(sys)("RPi.GPIO")
    monkeypatch.setitem(sys.modules, "RPi.GPIO", real)
    with lent():
        assert sys.modules["RPi.GPIO"] is real


@pytest.mark.parametrize("trouble", [RuntimeError("Cannot determine SOC peripheral base address"), PinsError()])
def test_a_reset_pin_that_fails_is_never_told_as_a_bus_that_is_off(
    monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    board = Board()
    board.plug(Chip())
    with board.installed():
        from companion.devices.rc522.driver import Rc522

        def refuse(*_: object) -> None:
            raise trouble

        monkeypatch.setattr(type(sys.modules["RPi.GPIO"]), "setup", refuse)
        with pytest.raises(ReaderError) as told:
            Rc522(0, 0, 25)
    assert told.value.problem is ReaderTrouble.NO_RESET
    assert "SPI" not in told.value.problem.remedy

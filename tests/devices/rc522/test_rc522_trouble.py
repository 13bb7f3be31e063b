"""The RC522 driver when something is wrong: with the chip, the bus, the library, or the neighbours."""

import logging
import sys
from contextlib import suppress
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.simulated_bus import Board
from companion.devices.rc522.simulated_chip import NXP_2, OTHER_VALUES, RESERVED, Chip, Reserved
from companion.devices.tag_field import Look, ReaderError
from companion.errors import DeviceError
from tests.devices.pi import ANNA, PLACE, Pi

FAULTS = {
    "gone, low": ("gone", 0x00, "the chip answers 0x00"),
    "gone, high": ("gone", 0xFF, "the chip answers 0xFF"),
    "without power": ("unpowered", True, "the chip answers 0x00"),
    "stuck": ("stuck", 0x5A, "the chip answers nonsense"),
    "hung": ("hung", True, "the chip does not finish"),
    "refused": ("refused", True, "the bus fails"),
}


@pytest.fixture
def pi():
    with Pi() as pi:
        yield pi


# --- Faults while it runs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_by_its_name_and_says_nothing_about_tags(pi: Pi, name: str) -> None:
    fault, value, problem = FAULTS[name]
    reader = pi.open()
    pi.lay(ANNA)
    reader.look(())
    setattr(pi.chip.faults, fault, value)
    with pytest.raises(ReaderError, match="SPI bus 0, device 0") as trouble:
        reader.look((ANNA,))
    assert trouble.value.problem == problem
    assert trouble.value.problem.remedy in str(trouble.value)


@pytest.mark.parametrize("name", FAULTS)
def test_when_the_fault_is_over_a_restart_mends_everything(pi: Pi, name: str) -> None:
    fault, value, _ = FAULTS[name]
    reader = pi.open()
    pi.lay(ANNA)
    setattr(pi.chip.faults, fault, value)
    with pytest.raises(ReaderError):
        reader.look(())
    if name != "hung":
        with pytest.raises(ReaderError):
            reader.restart()
    pi.chip.faults.clear()
    reader.restart()
    assert reader.inventory(()) == Look(seen=(ANNA,))


def test_a_chip_that_was_without_power_for_a_moment_has_lost_its_settings(pi: Pi) -> None:
    reader = pi.open()
    pi.chip.faults.unpowered = True
    pi.chip.faults.unpowered = False
    with pytest.raises(ReaderError) as trouble:
        reader.look(())
    assert trouble.value.problem == "the chip has lost its settings"


@pytest.mark.parametrize("value", range(256))
def test_whatever_a_line_is_stuck_at_it_is_no_chip(pi: Pi, value: int) -> None:
    pi.chip.faults.stuck = value
    with pytest.raises(ReaderError) as trouble:
        pi.open()
    expected = {0x00: "the chip answers 0x00", 0xFF: "the chip answers 0xFF"}
    assert trouble.value.problem == expected.get(value, "the chip does not keep its settings")


class Trap(Chip):
    """A chip with a fault from one transfer to another."""

    def __init__(self) -> None:
        super().__init__()
        self.springs: dict[int, tuple[str, object]] = {}
        self.count = 0

    def select(self, now_us: float) -> None:
        self.count += 1
        if self.count in self.springs:
            name, value = self.springs[self.count]
            setattr(self.faults, name, value)
        super().select(now_us)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([("gone", 0x00), ("gone", 0xFF), ("unpowered", True), ("stuck", 0x92), ("stuck", 0x83)]),
    st.integers(0, 60),
    st.integers(1, 40),
)
def test_a_fault_in_the_middle_of_a_look_is_told_or_harmless(
    fault: tuple[str, object], after: int, length: int
) -> None:
    """Whenever it begins and ends: a tag that lies there is seen, or the fault is. It is never missed."""
    chip = Trap()
    with Pi(chip) as pi:
        reader = pi.open()
        pi.lay(ANNA)
        assert reader.look(()).seen == (ANNA,)
        name, value = fault
        begins, ends = chip.count + after, chip.count + after + length
        chip.springs = {begins: (name, value), ends: (name, False if name == "unpowered" else None)}
        try:
            look = reader.look((ANNA,))
        except ReaderError:
            chip.springs = {}
            chip.faults.clear()
            reader.restart()
            look = reader.inventory((ANNA,))
        assert (look.seen, look.missed) == ((ANNA,), ())


@pytest.mark.parametrize("begins", range(1, 12))
@pytest.mark.parametrize("value", [0x00, 0xFF])
def test_no_chip_passes_off_an_old_silence_as_a_new_one(begins: int, value: int) -> None:
    """It was away while the frame was written, and came back with the flags of the frame before."""
    for length in range(1, 12):
        chip = Trap()
        with Pi(chip) as pi:
            from companion.devices.rc522.transceiver import Transceiver  # which can be imported on a Pi only

            transceiver = Transceiver(0, 0, 25, 1_000_000, pi.clock.sleep)
            pi.clock.sleep(0.01)
            assert transceiver.exchange(b"\x52", last_bits=7).silent
            pi.lay(ANNA)
            chip.springs = {chip.count + begins: ("gone", value), chip.count + begins + length: ("gone", None)}
            with suppress(ReaderError):
                assert not transceiver.exchange(b"\x52", last_bits=7).silent


# --- Opening and closing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["mfrc522", "companion.devices.rc522.transceiver"])
def test_without_the_library_a_reader_says_what_to_install(monkeypatch, missing: str) -> None:
    monkeypatch.delitem(sys.modules, "companion.devices.rc522.transceiver", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(DeviceError, match=r"cannot be loaded .*make "):
        Rc522(*PLACE)


def test_without_spi_a_reader_says_where_to_switch_it_on() -> None:
    with Board().installed(), pytest.raises(ReaderError, match="raspi-config") as trouble:
        Rc522(*PLACE)
    assert trouble.value.problem == "the bus cannot be opened"


@pytest.mark.parametrize(("value", "problem"), [(0x00, "the chip answers 0x00"), (0xFF, "the chip answers 0xFF")])
def test_a_chip_that_is_not_there_is_noticed_at_once(pi: Pi, value: int, problem: str) -> None:
    pi.chip.faults.gone = value
    with pytest.raises(ReaderError) as trouble:
        pi.open()
    assert trouble.value.problem == problem


@pytest.mark.parametrize("version", [0x91, 0x92, 0x88, 0x12])
def test_copies_of_the_chip_are_welcome(version: int) -> None:
    with Pi(Chip(version=version)) as pi:
        assert pi.open().version == version


@pytest.mark.parametrize("other_values", [{}, OTHER_VALUES], ids=["tuned as NXP's", "tuned otherwise"])
@pytest.mark.parametrize("reserved", RESERVED)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_a_copy_does_with_reserved_bits_it_is_not_odd_and_finds_its_tags(
    seed: int, reserved: Reserved, other_values: dict[int, int]
) -> None:
    with Pi(Chip(seed=seed, make=replace(NXP_2, reserved=reserved, after_reset=other_values))) as pi:
        reader = pi.open()
        assert reader.odd == ()
        pi.lay(ANNA)
        assert reader.look(()).seen == (ANNA,)


def test_pins_that_are_counted_another_way_are_not_touched(pi: Pi) -> None:
    pi.board.pin_mode = 10
    with pytest.raises(ReaderError, match="place on the header"):
        pi.open()


def test_a_closed_reader_lets_only_its_reset_pin_go_so_that_the_referee_can_take_it(pi: Pi) -> None:
    reader = pi.open()
    reader.close()
    reader.close()
    assert pi.board.cleanups == [reader._chip._pin]
    with pytest.raises(ReaderError, match="Bad file descriptor"):
        reader.look(())


def test_a_reader_can_be_closed_while_it_fails(pi: Pi) -> None:
    reader = pi.open()
    pi.chip.faults.refused = True
    reader.close()


def test_a_closed_reader_has_switched_its_field_off(pi: Pi) -> None:
    (anna,) = pi.lay(ANNA)
    pi.open().close()
    pi.clock.sleep(0.01)
    again = pi.open()
    assert again.look(()).seen == (ANNA,)
    assert anna in pi.field.tags


def test_readers_do_not_pile_up_log_handlers(pi: Pi) -> None:
    for _ in range(3):
        pi.open().close()
    pi.chip.faults.gone = 0x00
    for _ in range(3):
        with pytest.raises(ReaderError):
            pi.open()
    assert logging.getLogger("mfrc522Logger").handlers == []


# --- Neighbours -----------------------------------------------------------------------------------------------


def test_a_reset_pin_that_is_shared_is_not_pulled_and_one_of_its_own_is() -> None:
    board = Board()
    chips = [board.plug(Chip(), device=0, reset_pin=24), board.plug(Chip(), device=1, reset_pin=24)]
    with board.installed():
        first, second = (Rc522(0, device, 24, sleep=board.clock.sleep) for device in (0, 1))
        chips[0].faults.hung = True
        with pytest.raises(ReaderError):
            first.look(())
        chips[0].faults.clear()
        first.restart()
        assert second.look(()) == Look()
        first.close()
        assert board.cleanups == []  # the other still needs it
        second.close()
        assert board.cleanups == [24]
        alone = Rc522(0, 1, 24, sleep=board.clock.sleep)
        before_us = board.clock.now_us
        alone.restart()
        assert board.clock.now_us - before_us > 9_000  # held low, and given time to start
        alone.close()


def test_readers_can_be_opened_and_restarted_by_many_threads_at_once() -> None:
    """They share a list of who hangs on which reset pin."""
    board = Board()
    for bus in range(8):
        board.plug(Chip(), bus=bus, reset_pin=5)
    problems: list[BaseException] = []

    def work(bus: int) -> None:
        try:
            for _ in range(20):
                reader = Rc522(bus, 0, 5, sleep=lambda seconds: None)
                reader.restart()
                reader.close()
        except BaseException as problem:
            problems.append(problem)

    with board.installed():
        first = Rc522(0, 0, 5)  # while it is there, the pin is in use
        threads = [Thread(target=work, args=(bus,)) for bus in range(1, 8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []
        assert first.look(()) == Look()
        first.close()

"""Readers that are not there, not ours, not wired, or not what they say; the real driver, on simulated chips."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.devices.finding import Hung
from companion.devices.rc522.check import rc522_check
from companion.devices.rc522.settings import Rc522Settings
from companion.devices.rc522.simulated_bus import Board, WallClock
from companion.devices.rc522.simulated_chip import COPIES, Chip, Register
from companion.devices.simulated.tags import Ntag
from tests.devices.computer import PI_4, PI_5, Computer, one

READER = Rc522Settings()


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    computer = Computer(tmp_path)
    computer.write("/dev/spidev0.0")
    computer.write("/dev/gpiochip0")
    return computer


@pytest.fixture
def chip() -> Iterator[Chip]:
    board = Board(WallClock())  # the driver, as it is, waits for a field that is switched on
    with board.installed():
        yield board.plug(Chip())


def test_a_reader_that_answers_is_ok(computer: Computer, chip: Chip) -> None:
    finding = one(rc522_check(READER, computer.system))
    assert (finding.subject, finding.verdict) == ("reader of the centre", "ok")
    assert finding.words == "an RC522, version 2.0, answers"


def test_tags_that_lie_there_are_counted(computer: Computer, chip: Chip) -> None:
    chip.field.place(Ntag(bytes.fromhex("04A1B2C3D4E5F6")))
    assert one(rc522_check(READER, computer.system)).words.endswith("answers; 1 tag on it")


@pytest.mark.parametrize("model", [PI_4, PI_5])
def test_spi_that_is_switched_off_is_told_with_the_command_that_switches_it_on(tmp_path: Path, model: str) -> None:
    finding = one(rc522_check(READER, Computer(tmp_path, model).system))
    assert finding.verdict == "problem"
    assert finding.words == "there is no /dev/spidev0.0: SPI bus 0 is switched off"
    assert "raspi-config" in finding.advice


@pytest.mark.parametrize("line", ["dtparam=spi=on", "[all]\ndtparam=i2c_arm=on,spi=on  "])
@pytest.mark.parametrize("config", ["/boot/firmware/config.txt", "/boot/config.txt"])
def test_spi_that_was_switched_on_since_the_start_needs_another_one(tmp_path: Path, config: str, line: str) -> None:
    computer = Computer(tmp_path)
    computer.write(config, f"# For more options see\n{line}\n")
    finding = one(rc522_check(READER, computer.system))
    assert finding.words == f"there is no /dev/spidev0.0: SPI bus 0 is switched on in {config}, but not yet here"
    assert finding.advice == "start the Pi again"


@pytest.mark.parametrize("line", ["#dtparam=spi=on", "dtparam=spi=off", "dtparam=i2c_arm=on"])
def test_a_line_that_does_not_switch_spi_on_is_not_taken_for_one(tmp_path: Path, line: str) -> None:
    computer = Computer(tmp_path)
    computer.write("/boot/firmware/config.txt", line)
    assert one(rc522_check(READER, computer.system)).words.endswith("SPI bus 0 is switched off")


def test_a_screen_that_has_the_chip_select_is_named(tmp_path: Path) -> None:
    computer = Computer(tmp_path)
    computer.write("/boot/firmware/config.txt", "dtparam=spi=on\ndtoverlay=ads7846,cs=0\n")
    computer.link("/sys/bus/spi/devices/spi0.0/driver", "../../../../bus/spi/drivers/ads7846")
    finding = one(rc522_check(READER, computer.system))
    assert finding.words == "there is no /dev/spidev0.0: the driver ads7846 has it"
    assert finding.advice == "take the dtoverlay that brings ads7846 out of /boot/firmware/config.txt"
    computer.write("/dev/spidev0.1")
    assert "SDA to CE1 (GPIO7, header pin 26), and write device = 1" in one(rc522_check(READER, computer.system)).advice


def test_a_device_without_a_driver_and_a_bus_without_this_select_are_told_apart(tmp_path: Path) -> None:
    computer = Computer(tmp_path)
    computer.write("/sys/bus/spi/devices/spi0.0/modalias", "spi:spidev")
    assert one(rc522_check(READER, computer.system)).words.endswith("no driver has taken it")
    finding = one(rc522_check(replace(READER, device=1), computer.system))
    assert finding.words.endswith("SPI bus 0 is on, but without CE1")


def test_the_second_bus_is_switched_on_elsewhere(tmp_path: Path) -> None:
    finding = one(rc522_check(Rc522Settings(bus=1), Computer(tmp_path).system))
    assert finding.words.startswith("there is no /dev/spidev1.0")
    assert "dtoverlay=spi1-3cs" in finding.advice


def test_a_computer_that_is_no_pi_has_no_readers(tmp_path: Path) -> None:
    finding = one(rc522_check(READER, Computer(tmp_path, "").system))
    assert finding.words == "there is no /dev/spidev0.0: this computer is no Raspberry Pi"
    assert "on the Pi" in finding.advice


@pytest.mark.parametrize("file", ["/dev/spidev0.0", "/dev/gpiochip0"])
def test_files_that_are_not_ours_are_told(computer: Computer, chip: Chip, file: str) -> None:
    computer.write(file, forbidden=True)
    finding = one(rc522_check(READER, computer.system))
    assert (finding.verdict, finding.words) == ("problem", f"no permission on {file}")
    assert "usermod -aG" in finding.advice


@pytest.mark.parametrize(
    ("fault", "words", "advice"),
    [
        ({"gone": 0x00}, "the chip answers 0x00", "check 3.3 V"),
        ({"gone": 0xFF}, "the chip answers 0xFF", "check MISO, SDA"),
        ({"unpowered": True}, "the chip answers 0x00", "check 3.3 V"),
        ({"refused": True}, "the bus cannot be opened (", "SPI"),
        ({"hung": True}, "the chip does not finish", "off and on"),
    ],
)
def test_what_a_chip_does_wrong_is_told_with_what_to_do(
    computer: Computer, chip: Chip, fault: dict[str, object], words: str, advice: str
) -> None:
    for name, value in fault.items():
        setattr(chip.faults, name, value)
    finding = one(rc522_check(READER, computer.system))
    assert finding.verdict == "problem"
    assert finding.words.startswith(words)
    assert advice in finding.advice


def test_a_reader_on_another_device_is_not_mistaken_for_this_one(computer: Computer, chip: Chip) -> None:
    computer.write("/dev/spidev0.1")
    finding = one(rc522_check(Rc522Settings(device=1), computer.system))
    assert finding.words.startswith("the bus cannot be opened")


@pytest.mark.parametrize(
    ("version", "verdict", "words"),
    [
        (0x91, "ok", "an RC522, version 1.0, answers"),
        (0x88, "ok", "a copy of the RC522 (0x88, FM17522) answers"),
        (0x12, "ok", "a copy of the RC522 (0x12) answers"),
        (0x42, "check", "a chip answers that calls itself 0x42"),
    ],
)
def test_copies_are_known_and_strangers_are_to_be_checked(
    computer: Computer, version: int, verdict: str, words: str
) -> None:
    board = Board()
    board.plug(Chip(version=version))
    with board.installed():
        finding = one(rc522_check(READER, computer.system))
    assert finding.verdict == verdict
    assert finding.words.startswith(words)


def test_an_odd_copy_is_named_with_what_it_does_not_keep(computer: Computer) -> None:
    board = Board()
    board.plug(Chip(make=replace(COPIES[1], unreadable=frozenset({Register.TX_ASK}))))
    with board.installed():
        finding = one(rc522_check(READER, computer.system))
    assert finding.verdict == "check"
    assert finding.words.startswith("an odd copy of the RC522 (version 0x12) that does not keep TxAutoReg")
    assert "another module" in finding.advice


def test_a_missing_library_is_told_with_the_command_that_installs_it(
    computer: Computer, chip: Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "companion.devices.rc522.transceiver", None)
    finding = one(rc522_check(READER, computer.system))
    assert finding.words.startswith("the driver cannot be loaded (")
    assert "make pi" in finding.advice


def test_a_bus_that_hangs_does_not_hold_the_doctor_up(computer: Computer, chip: Chip) -> None:
    chip.faults.blocked = threading.Event()
    finding = one(replace(rc522_check(READER, computer.system), limit_s=0.1))
    chip.faults.clear()
    assert isinstance(finding, Hung)

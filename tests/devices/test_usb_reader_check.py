"""What the doctor says of readers on USB: not plugged in, not ours, taken by another program, or well."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config import ReaderSettings
from companion.devices.computer import System
from companion.devices.pcsc.simulated_reader import VirtualReader
from companion.devices.pn532.simulated_reader import SimulatedPn532
from companion.devices.simulated.tags import Ntag
from companion.devices.usb_reader_check import KERNEL_DRIVERS, pcsc_check, pn532_check
from companion.troubles import PcscTrouble
from tests.devices.computer import one
from tests.devices.pi import ANNA
from tests.devices.usb_computer import ARDUINO, CH340, UsbComputer
from tests.pcsc import needs_pcscd

PN532, PCSC = ReaderSettings(kind="pn532"), ReaderSettings(kind="pcsc")


@pytest.fixture
def computer(tmp_path: Path) -> UsbComputer:
    return UsbComputer(tmp_path / "root")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[SimulatedPn532]:
    with SimulatedPn532(tmp_path / "board") as board:
        yield board


# --- PN532 ----------------------------------------------------------------------------------------------------


def test_a_pn532_that_answers_is_ok_wherever_it_is(computer: UsbComputer, board: SimulatedPn532) -> None:
    port = computer.plug("ttyUSB0", CH340, board.path, lasting="usb-1a86-port0", number="A1")
    board.field.place(Ntag(ANNA))
    finding = one(pn532_check(PN532, System(computer.root)))
    assert (finding.subject, finding.verdict) == ("reader of the centre", "ok")
    assert finding.words == f"a PN532, firmware 1.6, answers on {port}; 1 tag on it"


def test_a_port_that_is_named_is_asked(computer: UsbComputer, board: SimulatedPn532) -> None:
    computer.plug("ttyS3", ARDUINO, board.path)
    named = ReaderSettings(kind="pn532", port="/dev/ttyS3", station="pad0")
    assert one(pn532_check(named, System(computer.root))).words == "a PN532, firmware 1.6, answers"


def test_nothing_plugged_in_is_told_with_where_it_is_looked_for(computer: UsbComputer) -> None:
    computer.plug("ttyACM0", ARDUINO)
    finding = one(pn532_check(PN532, System(computer.root)))
    assert (finding.verdict, finding.words) == ("problem", "no possible PN532 is plugged in")
    assert "CH340" in finding.advice
    assert "name its port" in finding.advice


def test_a_port_that_is_not_there_or_not_ours_is_told(computer: UsbComputer) -> None:
    named = ReaderSettings(kind="pn532", port="/dev/ttyUSB7")
    assert one(pn532_check(named, System(computer.root))).words == "there is no /dev/ttyUSB7"
    computer.plug("ttyUSB7", CH340)
    finding = one(pn532_check(named, System(computer.root, may=lambda path: False, group_of=lambda path: "dialout")))
    assert finding.words == "no permission on /dev/ttyUSB7"
    assert "usermod" in finding.advice


def test_what_does_not_answer_is_told_with_what_to_do(computer: UsbComputer, board: SimulatedPn532) -> None:
    computer.plug("ttyUSB0", CH340, board.path)
    board.faults.hung = True
    finding = one(pn532_check(PN532, System(computer.root)))
    assert (finding.verdict, finding.words) == ("problem", "no PN532 answers")
    assert "HSU" in finding.advice


# --- PC/SC ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def behind() -> Iterator[VirtualReader]:
    needs_pcscd()
    with VirtualReader() as reader:
        yield reader
        reader.spoil("")


@pytest.mark.slow
def test_a_pcsc_reader_that_answers_is_ok(behind: VirtualReader, computer: UsbComputer) -> None:
    behind.spoil("")
    finding = one(pcsc_check(PCSC, System(computer.root)))
    assert finding.verdict == "ok"
    assert finding.words == "Virtual PCD PICC 00 00 answers; it shows one tag at a time"


@pytest.mark.slow
def test_without_pcscd_it_is_told_how_to_start_it(behind: VirtualReader, computer: UsbComputer) -> None:
    behind.spoil("killed")
    finding = one(pcsc_check(PCSC, System(computer.root)))
    assert finding.words == "pcscd is not running"
    assert "apt install pcscd" in finding.advice
    assert "systemctl enable --now pcscd.socket" in finding.advice


@pytest.mark.slow
def test_a_reader_that_the_kernel_has_taken_is_told_with_the_line_that_frees_it(
    behind: VirtualReader, computer: UsbComputer
) -> None:
    behind.spoil("unplugged")
    (computer.root / KERNEL_DRIVERS[0].removeprefix("/") / "1-1:1.0").mkdir(parents=True)
    finding = one(pcsc_check(PCSC, System(computer.root)))
    assert finding.words == "the kernel has taken the reader"
    assert "pn533_usb" in finding.advice


@pytest.mark.slow
def test_a_daemon_without_a_driver_for_usb_is_told(behind: VirtualReader, computer: UsbComputer) -> None:
    behind.spoil("unplugged")
    finding = one(pcsc_check(PCSC, System(computer.root)))
    assert finding.words.startswith("pcscd knows no such reader, and its driver for USB readers is not installed")
    assert "libccid" in finding.advice
    (computer.root / "usr/lib/pcsc/drivers/ifd-ccid.bundle").mkdir(parents=True)
    assert one(pcsc_check(PCSC, System(computer.root))).words == "pcscd knows no such reader"


def test_a_rule_that_forbids_it_is_known_by_its_number() -> None:
    scard = pytest.importorskip("smartcard.scard", reason="needs the library pyscard: `make usb`")
    from companion.devices.pcsc.driver import _PROBLEMS

    assert _PROBLEMS[scard.SCARD_W_SECURITY_VIOLATION] is PcscTrouble.FORBIDDEN
    assert "polkit" in PcscTrouble.FORBIDDEN.remedy

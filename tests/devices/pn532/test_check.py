"""What the doctor says of a PN532: not plugged in, not ours, silent, or well."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.computer import System
from companion.devices.pn532.check import pn532_check
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.pn532.simulated_reader import SimulatedPn532
from companion.devices.simulated.tags import Ntag
from tests.devices.computer import one
from tests.devices.pi import ANNA
from tests.devices.usb_computer import ARDUINO, CH340, UsbComputer

PN532 = Pn532Settings()


@pytest.fixture
def computer(tmp_path: Path) -> UsbComputer:
    return UsbComputer(tmp_path / "root")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[SimulatedPn532]:
    with SimulatedPn532(tmp_path / "board") as board:
        yield board


def test_a_pn532_that_answers_is_ok_wherever_it_is(computer: UsbComputer, board: SimulatedPn532) -> None:
    port = computer.plug("ttyUSB0", CH340, board.path, lasting="usb-1a86-port0", number="A1")
    board.field.place(Ntag(ANNA))
    finding = one(pn532_check(PN532, System(computer.root)))
    assert (finding.subject, finding.verdict) == ("reader of the centre", "ok")
    assert finding.words == f"a PN532, firmware 1.6, answers on {port}; 1 tag on it"


def test_a_port_that_is_named_is_asked(computer: UsbComputer, board: SimulatedPn532) -> None:
    computer.plug("ttyS3", ARDUINO, board.path)
    named = Pn532Settings(port="/dev/ttyS3", station="pad0")
    assert one(pn532_check(named, System(computer.root))).words == "a PN532, firmware 1.6, answers"


def test_nothing_plugged_in_is_told_with_where_it_is_looked_for(computer: UsbComputer) -> None:
    computer.plug("ttyACM0", ARDUINO)
    finding = one(pn532_check(PN532, System(computer.root)))
    assert (finding.verdict, finding.words) == ("problem", "no possible PN532 is plugged in")
    assert "CH340" in finding.advice
    assert "name its port" in finding.advice


def test_a_port_that_is_not_there_or_not_ours_is_told(computer: UsbComputer) -> None:
    named = Pn532Settings(port="/dev/ttyUSB7")
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

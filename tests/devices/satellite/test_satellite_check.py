"""A satellite that is not there, not ours, silent, another one, or has a broken reader; on a simulated serial line."""

import os
import sys
from pathlib import Path

import pytest
import serial

from companion.config import SatelliteSettings
from companion.devices.pn532.simulated_reader import SimulatedPn532
from companion.devices.satellite import wire
from companion.devices.satellite.check import LAST_START, _told, satellite_check
from companion.devices.satellite.simulated_satellite import SimulatedSatellite, in_thread
from companion.table.signals import LinkDown
from companion.troubles import CopyRemark, LineTrouble
from tests.devices.computer import Computer, found, one
from tests.devices.usb_computer import CH340, UsbComputer

PORT = "/dev/ttyUSB0"
TWO = ("pad0", "pad1")


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    (tmp_path / "dev").mkdir()
    return Computer(tmp_path)


def test_a_satellite_that_answers_is_ok_and_so_is_each_of_its_pads(computer: Computer) -> None:
    with in_thread(computer.root / "dev/ttyUSB0", serial=12648430, major=1, minor=4, room=20) as satellite:
        satellite.do(lambda it: it.pads[1].lay("04A1B2C3D4E5F6"))
        told = found(satellite_check(SatelliteSettings(PORT, 12648430, TWO), computer.system))
    assert [(finding.subject, finding.verdict, finding.words) for finding in told] == [
        ("satellite", "ok", "answers; its serial number is 12648430; its firmware is 1.4 and keeps 20 events"),
        ("pad0", "ok", "its reader works"),
        ("pad1", "ok", "its reader works; 1 tag on it"),
    ]


@pytest.mark.parametrize(
    ("cause", "verdict", "words", "advice"),
    [
        (wire.BY_BROWN_OUT, "check", "its 5 V supply is weak", "stronger supply"),
        (wire.BY_WATCHDOG, "check", "watchdog", "report it"),
        (wire.BY_POWER, "ok", "when it got power", ""),
    ],
)
def test_why_a_satellite_has_started_is_reported_and_a_brown_out_means_a_weak_supply(
    computer: Computer, cause: int, verdict: str, words: str, advice: str
) -> None:
    with in_thread(computer.root / "dev/ttyUSB0", serial=7) as satellite:
        satellite.do(lambda it: it.reset(cause=cause))
        *_, finding = found(satellite_check(SatelliteSettings(PORT, 7, TWO), computer.system))
    assert (finding.subject, finding.verdict) == (LAST_START, verdict)
    assert words in finding.words
    assert advice in finding.advice


@pytest.mark.parametrize(
    ("version", "odd", "verdict", "words"),
    [
        (0x88, 0, "ok", "its reader is a copy of the RC522 (0x88, FM17522)"),
        (0x42, 0, "ok", "its reader is an unknown copy, version 0x42"),
        (0x12, 2, "check", f"its reader is a copy of the RC522 (0x12); {CopyRemark.ODD_COPY}"),
    ],
)
def test_a_copy_of_the_reader_is_named_at_its_pad_and_an_odd_one_is_to_be_looked_at(
    computer: Computer, version: int, odd: int, verdict: str, words: str
) -> None:
    def use_a_copy(satellite: SimulatedSatellite) -> None:
        satellite.pads[1].copy = version, odd

    with in_thread(computer.root / "dev/ttyUSB0", serial=7) as satellite:
        satellite.do(use_a_copy)
        told = found(satellite_check(SatelliteSettings(PORT, 7, TWO), computer.system))
    copies = [finding for finding in told if "copy" in finding.words]
    assert [(finding.subject, finding.verdict, finding.words) for finding in copies] == [("pad1", verdict, words)]
    assert copies[0].advice == (CopyRemark.ODD_COPY.remedy if odd else "")


def test_a_satellite_without_a_serial_number_or_without_readers_says_so(computer: Computer) -> None:
    with in_thread(computer.root / "dev/ttyUSB0", serial=0):
        itself, *_ = found(satellite_check(SatelliteSettings(PORT, None, TWO), computer.system))
    assert (itself.verdict, "has no serial number" in itself.words) == ("ok", True)
    with in_thread(computer.root / "dev/ttyUSB0", features=wire.HAS_BUTTONS | wire.LAMPS):
        finding = one(satellite_check(SatelliteSettings(PORT, None, TWO), computer.system))
    assert (finding.verdict, finding.words) == ("problem", "no reader")
    assert "flash" in finding.advice


def test_a_satellite_is_found_among_the_lines_that_are_plugged_in(computer: Computer) -> None:
    with in_thread(UsbComputer(computer.root).converter("ttyUSB0", CH340), serial=7):
        told = found(satellite_check(SatelliteSettings(pads=TWO), computer.system))
    assert {finding.verdict for finding in told} == {"ok"}


def test_of_two_converters_that_look_alike_each_is_asked(computer: Computer) -> None:
    """Udev has one name for both in by-id, and it leads to the reader."""
    usb = UsbComputer(computer.root)
    with SimulatedPn532(computer.root / "board") as board, in_thread(usb.converter("ttyUSB0", CH340)):
        usb.plug("ttyUSB1", CH340, board.path, lasting="usb-1a86_USB_Serial-if00-port0")
        told = found(satellite_check(SatelliteSettings(pads=TWO), computer.system))
    assert {finding.verdict for finding in told} == {"ok"}


@pytest.mark.parametrize(
    ("port", "words"),
    [("auto", "no serial device is plugged in"), (PORT, f"there is no {PORT}")],
)
def test_a_satellite_that_is_not_plugged_in_is_reported_at_once(computer: Computer, port: str, words: str) -> None:
    finding = one(satellite_check(SatelliteSettings(port), computer.system))
    assert (finding.verdict, finding.words) == ("problem", words)
    assert "plug" in finding.advice


def test_a_line_that_is_not_ours_is_reported(computer: Computer) -> None:
    computer.write(PORT, forbidden=True)
    finding = one(satellite_check(SatelliteSettings(PORT), computer.system))
    assert (finding.verdict, finding.words) == ("problem", f"no permission on {PORT}")
    assert "usermod -aG" in finding.advice


def test_of_several_lines_one_that_is_ours_is_enough(computer: Computer) -> None:
    usb = UsbComputer(computer.root)
    usb.converter("ttyUSB0", CH340)
    computer.write("/dev/ttyUSB0", forbidden=True)
    with in_thread(usb.converter("ttyUSB1", CH340)):
        told = found(satellite_check(SatelliteSettings(pads=TWO), computer.system))
    assert {finding.verdict for finding in told} == {"ok"}


def test_a_line_that_another_program_has_is_reported(computer: Computer) -> None:
    with (
        in_thread(computer.root / "dev/ttyUSB0"),
        serial.Serial(os.path.realpath(computer.root / "dev/ttyUSB0"), exclusive=True),
    ):
        finding = one(satellite_check(SatelliteSettings(PORT, pads=TWO), computer.system))
    assert finding.words == "in use by another program"
    assert "close the other program" in finding.advice


def test_a_file_that_is_no_serial_line_is_reported(computer: Computer) -> None:
    computer.write(PORT)
    assert one(satellite_check(SatelliteSettings(PORT), computer.system)).words == "not a serial line"


def test_a_satellite_that_hangs_is_reported(computer: Computer) -> None:
    def hang(satellite: SimulatedSatellite) -> None:
        satellite.silent = True

    with in_thread(computer.root / "dev/ttyUSB0") as satellite:
        satellite.do(hang)
        finding = one(satellite_check(SatelliteSettings(PORT), computer.system, answer_s=0.3))
    assert (finding.verdict, finding.words) == ("problem", "does not answer")
    assert "firmware" in finding.advice


@pytest.mark.parametrize(
    ("identity", "words", "advice"),
    [
        ({"serial": 5}, "another satellite", "table.toml"),
        ({"version": 0}, "firmware too old", "flash"),
        ({"version": 99}, "firmware too new", "flash"),
    ],
)
def test_a_satellite_that_does_not_fit_is_reported(
    computer: Computer, identity: dict[str, int], words: str, advice: str
) -> None:
    with in_thread(computer.root / "dev/ttyUSB0", **({"serial": 4} | identity)):
        finding = one(satellite_check(SatelliteSettings(PORT, 4, TWO), computer.system))
    assert (finding.verdict, finding.words) == ("problem", words)
    assert advice in finding.advice


def test_a_broken_reader_is_one_pads_matter(computer: Computer) -> None:
    with in_thread(computer.root / "dev/ttyUSB0") as satellite:
        satellite.do(lambda it: it.pads[0].break_reader())
        told = found(satellite_check(SatelliteSettings(PORT, None, TWO), computer.system))
    assert [(finding.subject, finding.verdict) for finding in told] == [
        ("satellite", "ok"),
        ("pad0", "problem"),
        ("pad1", "ok"),
    ]
    assert told[1].words == "the chip hangs"
    assert "plug it in again" in told[1].advice


def test_a_pad_that_the_satellite_does_not_have_is_reported(computer: Computer) -> None:
    with in_thread(computer.root / "dev/ttyUSB0", pads=1):
        told = found(satellite_check(SatelliteSettings(PORT, None, TWO), computer.system))
    assert [finding.verdict for finding in told] == ["ok", "ok", "problem"]
    assert told[2].words == "no such pad"


def test_a_missing_library_is_reported_with_the_command_that_installs_it(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    computer.write(PORT)
    monkeypatch.setitem(sys.modules, "companion.devices.satellite.driver", None)
    finding = one(satellite_check(SatelliteSettings(PORT), computer.system))
    assert finding.words.startswith("the driver cannot be loaded")
    assert "make pi" in finding.advice


def test_of_several_problems_the_one_that_tells_most_is_reported() -> None:
    said = [LinkDown("pad0", 0, LineTrouble.NO_PERMISSION), LinkDown("pad1", 0, LineTrouble.UNPLUGGED)]
    assert [finding.words for finding in _told(SatelliteSettings(PORT, None, TWO), said, None)] == [
        LineTrouble.NO_PERMISSION
    ]

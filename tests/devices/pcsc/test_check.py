"""What the doctor says of a reader behind pcscd: no daemon, no driver, taken by the kernel, or well."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.computer import System
from companion.devices.pcsc.check import KERNEL_DRIVERS, pcsc_check
from companion.devices.pcsc.settings import PcscSettings
from companion.devices.pcsc.simulated_reader import VirtualReader
from companion.troubles import PcscTrouble
from tests.devices.computer import one
from tests.devices.usb_computer import UsbComputer
from tests.pcsc import needs_pcscd

PCSC = PcscSettings()


@pytest.fixture
def computer(tmp_path: Path) -> UsbComputer:
    return UsbComputer(tmp_path / "root")


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

"""The doctor's check of a reader behind pcscd: does the daemon run, does it have the reader, and if not, why?"""

from collections.abc import Iterator

from companion.devices.computer import System
from companion.devices.finding import Check, Finding
from companion.devices.pcsc.settings import PcscSettings
from companion.devices.reader_settings import working
from companion.devices.tag_field import ReaderError
from companion.troubles import PcscTrouble

KERNEL_DRIVERS = ("/sys/bus/usb/drivers/pn533_usb", "/sys/bus/usb/drivers/pn533")
"""The kernel's own NFC takes readers with a PN53x inside, the ACR122U among them, so that pcscd cannot have them."""
CCID_DRIVER = "/usr/lib/pcsc/drivers/ifd-ccid.bundle"
ONE_AT_A_TIME = "it shows one tag at a time"


def pcsc_check(reader: PcscSettings, system: System) -> Check:
    return Check(reader.name_for_people, lambda: _look(reader, system))


def _look(reader: PcscSettings, system: System) -> Iterator[Finding]:
    subject = reader.name_for_people
    try:
        from companion.devices.pcsc.driver import Pcsc  # noqa: PLC0415 — needs pyscard
    except ImportError:
        yield Finding.problem(subject, PcscTrouble.NO_PYSCARD, PcscTrouble.NO_PYSCARD.remedy)
        return
    try:
        chip = Pcsc(reader.name)
    except ReaderError as trouble:
        yield _in_the_way(subject, trouble, system)
        return
    yield working(subject, chip, f"{chip.name} answers; {ONE_AT_A_TIME}")


def _in_the_way(subject: str, trouble: ReaderError, system: System) -> Finding:
    """Why pcscd has no such reader."""
    if trouble.problem is PcscTrouble.NO_READER:
        if any(system.matching(driver, "*:*") for driver in KERNEL_DRIVERS):
            return Finding.problem(subject, PcscTrouble.TAKEN, PcscTrouble.TAKEN.remedy)
        if not system.there(CCID_DRIVER):
            words = f"{trouble.problem}, and its driver for USB readers is not installed"
            return Finding.problem(subject, words, "`sudo apt install libccid`, then plug the reader in again")
    return Finding.problem(subject, trouble.problem, trouble.problem.remedy)

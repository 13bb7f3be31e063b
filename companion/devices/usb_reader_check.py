"""Readers on USB: is one plugged in, may we use it, does it answer, and if not, what is in the way?"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.config.conflicts import at
from companion.config.settings import AUTO, ReaderSettings
from companion.devices.computer import System, no_permission
from companion.devices.finding import Check, Finding, lying
from companion.devices.tag_field import ReaderError, TagField
from companion.devices.usb_ports import BRIDGES, usb_ports
from companion.troubles import INSTALL, LineTrouble, PcscTrouble, ReaderTrouble

if TYPE_CHECKING:
    from companion.devices.pn532.driver import Pn532

ASKING_S = 2.5
"""For each port that is asked, and for the whole of a PC/SC reader."""
KERNEL_DRIVERS = ("/sys/bus/usb/drivers/pn533_usb", "/sys/bus/usb/drivers/pn533")
"""The kernel's own NFC takes readers with a PN53x inside, the ACR122U among them, so that pcscd cannot have them."""
CCID_DRIVER = "/usr/lib/pcsc/drivers/ifd-ccid.bundle"
ONE_AT_A_TIME = "it shows one tag at a time"


def pn532_check(reader: ReaderSettings, system: System) -> Check:
    subject = f"reader of {at(reader.station)}"
    ports = _ports(reader, system)
    return Check(subject, lambda: [_pn532(subject, reader, ports, system)], ASKING_S * max(2, len(ports)))


def _ports(reader: ReaderSettings, system: System) -> list[str]:
    """Those that would be asked."""
    if reader.port != AUTO:
        return [str(system.path(reader.port))]
    return [port.path for port in usb_ports(system.path("")) if port.bridge]


def _pn532(subject: str, reader: ReaderSettings, ports: list[str], system: System) -> Finding:
    if not ports:
        kinds = ", ".join(sorted(set(BRIDGES.values())))
        return Finding.problem(
            subject,
            "no possible PN532 is plugged in",
            f"plug it in; it is looked for on USB converters of these kinds: {kinds}. On any other, name its port",
        )
    if reader.port != AUTO and not system.there(reader.port):
        return Finding.problem(subject, f"there is no {reader.port}", LineTrouble.UNPLUGGED.remedy)
    denied = no_permission(subject, system, reader.port) if reader.port != AUTO else None
    if denied:
        return denied
    try:
        from companion.devices.pn532.driver import Pn532  # noqa: PLC0415 — needs pyserial
        from companion.devices.pn532.ports import Pn532Finder  # noqa: PLC0415 — as above
    except ImportError as error:
        return Finding.problem(subject, f"{ReaderTrouble.NO_DRIVER} ({error})", INSTALL)
    finder = Pn532Finder(system.path(""), named=None if reader.port == AUTO else ports[0])
    try:
        chip = Pn532(finder)
    except ReaderError as trouble:
        return Finding.problem(subject, trouble.problem, trouble.problem.remedy)
    return _well(subject, chip, _called(chip, finder.port if reader.port == AUTO else ""))


def _called(chip: "Pn532", port: str) -> str:
    where = f" on {port}" if port else ""
    return f"a PN532, firmware {chip.version}, answers{where}"


def pcsc_check(reader: ReaderSettings, system: System) -> Check:
    subject = f"reader of {at(reader.station)}"
    return Check(subject, lambda: _pcsc(subject, reader, system))


def _pcsc(subject: str, reader: ReaderSettings, system: System) -> Iterator[Finding]:
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
    yield _well(subject, chip, f"{chip.name} answers; {ONE_AT_A_TIME}")


def _in_the_way(subject: str, trouble: ReaderError, system: System) -> Finding:
    """Why pcscd has no such reader."""
    if trouble.problem is PcscTrouble.NO_READER:
        if any(system.matching(driver, "*:*") for driver in KERNEL_DRIVERS):
            return Finding.problem(subject, PcscTrouble.TAKEN, PcscTrouble.TAKEN.remedy)
        if not system.there(CCID_DRIVER):
            words = f"{trouble.problem}, and its driver for USB readers is not installed"
            return Finding.problem(subject, words, "`sudo apt install libccid`, then plug the reader in again")
    return Finding.problem(subject, trouble.problem, trouble.problem.remedy)


def _well(subject: str, reader: TagField, words: str) -> Finding:
    """The reader works; count the tags on it."""
    try:
        tags = reader.inventory(()).seen
    except ReaderError as trouble:
        return Finding.problem(subject, trouble.problem, trouble.problem.remedy)
    finally:
        reader.close()
    return Finding.ok(subject, f"{words}{lying(len(tags))}")

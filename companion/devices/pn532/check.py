"""The doctor's check of a PN532: is one plugged in, may we use it, does it answer?"""

from companion.devices.computer import System, no_permission
from companion.devices.finding import Check, Finding
from companion.devices.pn532.settings import Pn532Settings
from companion.devices.reader_settings import working
from companion.devices.tag_field import ReaderError
from companion.devices.usb_ports import BRIDGES, usb_ports
from companion.devices.wired_part import AUTO
from companion.troubles import INSTALL, LineTrouble, ReaderTrouble

ASKING_S = 2.5
"""For each port that is asked."""


def pn532_check(reader: Pn532Settings, system: System) -> Check:
    ports = _ports(reader, system)
    return Check(reader.name_for_people, lambda: [_look(reader, ports, system)], ASKING_S * max(2, len(ports)))


def _ports(reader: Pn532Settings, system: System) -> list[str]:
    """Those that would be asked."""
    if reader.port != AUTO:
        return [str(system.path(reader.port))]
    return [port.path for port in usb_ports(system.path("")) if port.bridge]


def _look(reader: Pn532Settings, ports: list[str], system: System) -> Finding:
    subject = reader.name_for_people
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
    where = f" on {finder.port}" if reader.port == AUTO else ""
    return working(subject, chip, f"a PN532, firmware {chip.version}, answers{where}")

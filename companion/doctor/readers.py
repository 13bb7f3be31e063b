"""Readers on the Pi's SPI bus: is the bus there, may we use it, does a chip answer?"""

from collections.abc import Iterator

from companion.config.checks import at
from companion.config.table import ReaderSettings
from companion.devices.field import ReaderError
from companion.devices.rc522 import Rc522
from companion.doctor.finding import Check, Finding, lying
from companion.doctor.system import NO_PI, System, no_permission

CHIPS = {
    0x91: "an RC522, version 1.0,",
    0x92: "an RC522, version 2.0,",
    0x88: "a copy of the RC522 (0x88, FM17522)",
    0x89: "a copy of the RC522 (0x89, FM17522E)",
    0xB2: "a copy of the RC522 (0xB2, FM17522)",
    0x12: "a copy of the RC522 (0x12)",
}
"""What VersionReg says: those of the data sheet, and copies that are sold under its name."""

SWITCH_ON = {
    0: "switch SPI on: `make install` does, or `sudo raspi-config nonint do_spi 0`; then start the Pi again",
    1: "add the line dtoverlay=spi1-3cs to /boot/firmware/config.txt, then start the Pi again",
}


def reader_check(reader: ReaderSettings, system: System) -> Check:
    subject = reader_name(reader)
    return Check(subject, lambda: _look(subject, reader, system))


def reader_name(reader: ReaderSettings) -> str:
    """What the doctor calls it."""
    return f"reader of {at(reader.station)}"


def _look(subject: str, reader: ReaderSettings, system: System) -> Iterator[Finding]:
    file = f"/dev/spidev{reader.bus}.{reader.device}"
    if system.there(file):
        yield no_permission(subject, system, file, *system.matching("/dev", "gpiochip*")) or _ask(subject, reader)
    elif system.is_pi:
        yield Finding.problem(
            subject, f"there is no {file}: SPI bus {reader.bus} is switched off", SWITCH_ON[reader.bus]
        )
    else:
        yield Finding.problem(subject, f"there is no {file}: this computer is no Raspberry Pi", NO_PI)


def _ask(subject: str, reader: ReaderSettings) -> Finding:
    try:
        chip = Rc522(reader.bus, reader.device, reader.reset)
        try:
            version, tags = chip.version, chip.inventory(()).seen
        finally:
            chip.close()
    except ReaderError as trouble:
        cause = f" ({trouble.__cause__})" if trouble.__cause__ else ""
        return Finding.problem(subject, f"{trouble.problem}{cause}", trouble.problem.remedy)
    return chip_finding(subject, version, len(tags))


def chip_finding(subject: str, version: int, tags: int) -> Finding:
    """What a chip that answers is found to be."""
    if version in CHIPS:
        return Finding.ok(subject, f"{CHIPS[version]} answers{lying(tags)}")
    advice = "if it reads your tags it is fine; if not, try another module"
    return Finding.check(
        subject, f"a chip answers that calls itself 0x{version:02X}, no RC522 that is known{lying(tags)}", advice
    )

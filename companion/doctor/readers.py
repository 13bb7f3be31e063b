"""Readers on the Pi's SPI bus: is the bus there, may we use it, does a chip answer?"""

from collections.abc import Iterator

from companion.config.checks import at
from companion.config.table import Reader
from companion.devices.rc522 import Rc522
from companion.devices.trouble import REMEDIES, ReaderTrouble
from companion.doctor.finding import Check, Finding, doubtful, well, wrong
from companion.doctor.system import System

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
    0: "switch SPI on: `sudo raspi-config nonint do_spi 0`, then start the Pi again",
    1: "add the line dtoverlay=spi1-3cs to /boot/firmware/config.txt, then start the Pi again",
}


def reader_check(reader: Reader, system: System) -> Check:
    subject = f"reader of {at(reader.station)}"
    return Check(subject, lambda: _look(subject, reader, system))


def _look(subject: str, reader: Reader, system: System) -> Iterator[Finding]:
    file = f"/dev/spidev{reader.bus}.{reader.device}"
    if not system.there(file):
        why = "SPI is switched off" if system.is_pi else "this computer is no Raspberry Pi"
        yield wrong(subject, f"there is no {file}: {why}", SWITCH_ON[reader.bus])
    elif not system.usable(file):
        group = system.group(file) or "spi"
        yield wrong(subject, f"no permission on {file}", f"`sudo usermod -aG {group} $USER`, then log in again")
    else:
        yield _ask(subject, reader, system)


def _ask(subject: str, reader: Reader, system: System) -> Finding:
    try:
        chip = Rc522(reader.bus, reader.device, reader.reset)
        try:
            version, tags = chip.version, chip.inventory(()).seen
        finally:
            chip.close()
    except ReaderTrouble as trouble:
        cause = f" ({trouble.__cause__})" if trouble.__cause__ else ""
        return wrong(subject, f"{trouble.problem}{cause}", _remedy(trouble, system))
    lying = f"; {len(tags)} {'tag lies' if len(tags) == 1 else 'tags lie'} there" if tags else ""
    if version in CHIPS:
        return well(subject, f"{CHIPS[version]} answers{lying}")
    advice = "if it reads your tags all is well; if not, try another module"
    return doubtful(subject, f"a chip answers that calls itself 0x{version:02X}, no RC522 that is known{lying}", advice)


def _remedy(trouble: ReaderTrouble, system: System) -> str:
    if trouble.problem == "the driver cannot be loaded" and system.is_pi_5:
        return "`make pi`; on a Pi 5 rpi-lgpio has to stand in for RPi.GPIO"
    return REMEDIES[trouble.problem]

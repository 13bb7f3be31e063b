"""Readers on the Pi's SPI bus: is the bus there, may we use it, does a chip answer?"""

from collections.abc import Iterator

from companion.config.checks import at
from companion.config.table import Reader
from companion.devices.rc522 import Rc522
from companion.devices.trouble import INSTALL, REMEDIES, ReaderError
from companion.doctor.finding import Check, Finding, doubtful, lying, well, wrong
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
    0: "switch SPI on: `sudo raspi-config nonint do_spi 0`, then start the Pi again",
    1: "add the line dtoverlay=spi1-3cs to /boot/firmware/config.txt, then start the Pi again",
}

RESET_FILES = ("/dev/gpiomem", "/dev/gpiochip0")
"""Through one of these the library moves the reset pin: the first up to a Pi 4, the second on a Pi 5."""


def reader_check(reader: Reader, system: System) -> Check:
    subject = f"reader of {at(reader.station)}"
    return Check(subject, lambda: _look(subject, reader, system))


def _look(subject: str, reader: Reader, system: System) -> Iterator[Finding]:
    file = f"/dev/spidev{reader.bus}.{reader.device}"
    if system.there(file):
        yield no_permission(subject, system, file, *RESET_FILES) or _ask(subject, reader, system)
    elif system.is_pi:
        yield wrong(subject, f"there is no {file}: SPI bus {reader.bus} is switched off", SWITCH_ON[reader.bus])
    else:
        yield wrong(subject, f"there is no {file}: this computer is no Raspberry Pi", NO_PI)


def _ask(subject: str, reader: Reader, system: System) -> Finding:
    try:
        chip = Rc522(reader.bus, reader.device, reader.reset)
        try:
            version, tags = chip.version, chip.inventory(()).seen
        finally:
            chip.close()
    except ReaderError as trouble:
        cause = f" ({trouble.__cause__})" if trouble.__cause__ else ""
        return wrong(subject, f"{trouble.problem}{cause}", _remedy(trouble, system))
    if version in CHIPS:
        return well(subject, f"{CHIPS[version]} answers{lying(len(tags))}")
    advice = "if it reads your tags all is well; if not, try another module"
    return doubtful(
        subject, f"a chip answers that calls itself 0x{version:02X}, no RC522 that is known{lying(len(tags))}", advice
    )


def _remedy(trouble: ReaderError, system: System) -> str:
    if trouble.problem == "the driver cannot be loaded":
        return f"{INSTALL}; on a Pi 5 with rpi-lgpio in place of RPi.GPIO" if system.is_pi_5 else INSTALL
    return REMEDIES[trouble.problem]

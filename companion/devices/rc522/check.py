"""The doctor's check of an RC522: is the bus there, may we use it, does a chip answer?"""

import re
from collections.abc import Iterator, Sequence

from companion.devices.computer import NO_PI, System, no_permission
from companion.devices.finding import Check, Finding, lying
from companion.devices.gpio.header_pins import HEADER, SPI, selects
from companion.devices.rc522.driver import Rc522
from companion.devices.rc522.settings import Rc522Settings
from companion.devices.tag_field import ReaderError
from companion.troubles import CopyRemark

CHIPS = {
    0x91: "an RC522, version 1.0,",
    0x92: "an RC522, version 2.0,",
    0x88: "a copy of the RC522 (0x88, FM17522)",
    0x89: "a copy of the RC522 (0x89, FM17522E)",
    0xB2: "a copy of the RC522 (0xB2, FM17522)",
    0x12: "a copy of the RC522 (0x12)",
}
"""What VersionReg says: those of the data sheet, and copies that are sold under its name."""

CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Of Bookworm and Trixie; of those before."""
SWITCHED_ON = {
    0: re.compile(r"^\s*dtparam=(\S*,)?spi=(on|yes|true|1)\b", re.MULTILINE),
    1: re.compile(r"^\s*dtoverlay=spi1-\dcs\b", re.MULTILINE),
}
SWITCH_ON = {
    0: "switch SPI on: `make install` does, or `sudo raspi-config nonint do_spi 0`; then start the Pi again",
    1: "add the line dtoverlay=spi1-3cs to /boot/firmware/config.txt, then start the Pi again",
}
DEVICES = "/sys/bus/spi/devices"
"""What the kernel knows on its SPI buses, under any driver."""


def rc522_check(reader: Rc522Settings, system: System) -> Check:
    subject = reader.name_for_people
    return Check(subject, lambda: _look(subject, reader, system))


def _look(subject: str, reader: Rc522Settings, system: System) -> Iterator[Finding]:
    file = f"/dev/spidev{reader.bus}.{reader.device}"
    if system.there(file):
        yield no_permission(subject, system, file, *system.matching("/dev", "gpiochip*")) or _ask(subject, reader)
    elif system.is_pi:
        words, advice = _why_not(reader, system)
        yield Finding.problem(subject, f"there is no {file}: {words}", advice)
    else:
        yield Finding.problem(subject, f"there is no {file}: this computer is no Raspberry Pi", NO_PI)


def _why_not(reader: Rc522Settings, system: System) -> tuple[str, str]:
    """Why a Pi does not have this device, and what to do."""
    config = next(filter(system.there, CONFIG_FILES), CONFIG_FILES[0])
    device = f"{DEVICES}/spi{reader.bus}.{reader.device}"
    if driver := system.linked(f"{device}/driver"):
        elsewhere = _another_select(reader, system)
        return f"the driver {driver} has it", f"take the dtoverlay that brings {driver} out of {config}{elsewhere}"
    if system.there(device):
        return "no driver has taken it", "`sudo modprobe spidev`; if that does not help, bring the system up to date"
    if system.matching(DEVICES, f"spi{reader.bus}.*"):
        words = f"SPI bus {reader.bus} is on, but without CE{reader.device}"
        return words, f"a dtoverlay in {config} leaves it out (spi{reader.bus}-1cs is one): take it out"
    if SWITCHED_ON[reader.bus].search(system.text(config)):
        return f"SPI bus {reader.bus} is switched on in {config}, but not yet here", "start the Pi again"
    return f"SPI bus {reader.bus} is switched off", SWITCH_ON[reader.bus]


def _another_select(reader: Rc522Settings, system: System) -> str:
    """Advice to use a chip-select that is free."""
    for device in range(selects(reader.bus)):
        if system.there(f"/dev/spidev{reader.bus}.{device}"):
            pin = SPI[reader.bus][f"CE{device}"]
            where = f"CE{device} (GPIO{pin}, header pin {HEADER[pin]})"
            return f"; or wire the reader's SDA to {where}, and write device = {device} in table.toml"
    return ""


def _ask(subject: str, reader: Rc522Settings) -> Finding:
    try:
        chip = Rc522(reader.bus, reader.device, reader.reset)
        try:
            version, odd, tags = chip.version, chip.odd, chip.inventory(()).seen
        finally:
            chip.close()
    except ReaderError as trouble:
        cause = f" ({trouble.__cause__})" if trouble.__cause__ else ""
        return Finding.problem(subject, f"{trouble.problem}{cause}", trouble.problem.remedy)
    return chip_finding(subject, version, len(tags), odd)


def chip_finding(subject: str, version: int, tags: int, odd: Sequence[str] = ()) -> Finding:
    """What a chip that answers is found to be. `odd`: registers that it does not keep as the data sheet promises."""
    if odd:
        words = f"an odd copy of the RC522 (version 0x{version:02X}) that does not keep {', '.join(odd)}{lying(tags)}"
        return Finding.check(subject, words, CopyRemark.ODD_COPY.remedy)
    if version in CHIPS:
        return Finding.ok(subject, f"{CHIPS[version]} answers{lying(tags)}")
    advice = "if it reads your tags, keep it; if not, try another module"
    return Finding.check(
        subject, f"a chip answers that calls itself 0x{version:02X}, no RC522 that is known{lying(tags)}", advice
    )

"""Which hardware is connected to this computer, as far as it can be found. What passes the doctor becomes a table.

Buttons and lamps cannot be detected. With a reader on the Pi's bus they are taken to be wired as in kit one.
"""

from pathlib import Path

from msgspec.structs import replace

from companion.config import NAME, SatelliteSettings, TableSettings, kit_table
from companion.config.sample import table_text
from companion.devices.computer import System
from companion.devices.finding import Check, findings
from companion.devices.reader_kinds import detected
from companion.devices.satellite.check import satellite_check
from companion.errors import DeviceError
from companion.files import PRIVATE, changing, store
from companion.home.paths import home
from companion.troubles import INSTALL


def adopt_reader(root: Path = Path("/")) -> TableSettings:
    """Try the reader that is plugged in, and write a table.toml with it. Raises DeviceError, ConfigError."""
    found = detected(root)
    if found is None:
        raise DeviceError("no reader is plugged in any more")
    try:
        settings = found.settings.tried(root)
    except ImportError as error:
        raise DeviceError(f"the library {error.name} is not installed: {INSTALL}") from None
    table = TableSettings(readers=(settings,))
    try:
        with changing(home()):
            if (home() / NAME).exists():
                raise DeviceError(f"{home() / NAME} was written in the meantime, and stays as it is")
            store(home() / NAME, table_text(table), PRIVATE)
    except OSError as error:
        raise DeviceError(f"{home() / NAME}: cannot write this: {error.strerror}") from None
    return table


def found_table(system: System) -> TableSettings | None:
    """None: nothing answers."""
    kit_one = kit_table("one")
    table = kit_one if _answers(kit_one.readers[0].check(system)) else _on_usb(system)
    if _answers(satellite_check(SatelliteSettings(), system)):
        table = replace(table or TableSettings(), satellite=SatelliteSettings())
    return table


def _on_usb(system: System) -> TableSettings | None:
    found = detected(system.path(""))
    return TableSettings(readers=(found.settings,)) if found and _answers(found.settings.check(system)) else None


def _answers(check: Check) -> bool:
    """The device itself; a pad that is not built yet is no reason to leave out the others."""
    first = next(iter(findings([check])), None)
    return first is not None and first.verdict != "problem"

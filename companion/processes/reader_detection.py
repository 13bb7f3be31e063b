"""What is wired to this computer, as far as it can be found: whatever passes the doctor becomes a table.

Buttons and lamps say nothing of themselves. With a reader on the Pi's bus they are taken to be as kit one is wired.
"""

import os
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.config import NAME
from companion.config.sample import table_text
from companion.config.settings import AUTO, KIT_ONE_TABLE, ReaderSettings, SatelliteSettings, TableSettings
from companion.devices.computer import System
from companion.devices.finding import Check, findings
from companion.devices.rc522.check import reader_check
from companion.devices.satellite.check import satellite_check
from companion.devices.tag_field import ReaderError
from companion.devices.usb_ports import is_open_elsewhere, usb_ports
from companion.devices.usb_reader_check import pcsc_check, pn532_check
from companion.errors import DeviceError
from companion.files import PRIVATE, changing, store
from companion.home.paths import home
from companion.troubles import INSTALL

# --- A reader on USB that table.toml does not know yet: found without touching it, and tried once somebody agrees.

SOCKET = "run/pcscd/pcscd.comm"


class FoundReader(Struct, frozen=True):
    settings: ReaderSettings
    name: str
    is_certain: bool
    """Otherwise it may be anything behind the same kind of converter."""


def find_reader(root: Path = Path("/")) -> FoundReader | None:
    """What seems to be plugged in. Nothing is opened; pcscd is asked for names, and no card."""
    return _behind_pcscd(root) or _on_a_line(root)


def _behind_pcscd(root: Path) -> FoundReader | None:
    socket = os.environ.get("PCSCLITE_CSOCK_NAME") or str(root / SOCKET)
    if not Path(socket).exists():
        return None
    with suppress(ImportError, ReaderError):
        from companion.devices.pcsc.driver import is_contactless, reader_names

        for name in filter(is_contactless, reader_names()):
            return FoundReader(ReaderSettings(kind="pcsc", name=_lasting(name)), name, True)
    return None


def _lasting(name: str) -> str:
    """Without the numbers that pcscd gives to readers in the order of their plugs."""
    words = name.split()
    while len(words) > 1 and len(words[-1]) == 2 and words[-1].isalnum():
        words.pop()
    return " ".join(words)


def _on_a_line(root: Path) -> FoundReader | None:
    for port in usb_ports(root):
        if port.bridge and not is_open_elsewhere(port.path, root):
            return FoundReader(ReaderSettings(kind="pn532"), port.bridge, False)
    return None


def adopt_reader(root: Path = Path("/")) -> TableSettings:
    """Try the reader that was found, and write a table.toml with it. Raises DeviceError, ConfigError."""
    found = find_reader(root)
    if found is None:
        raise DeviceError("no reader is plugged in any more")
    try:
        settings = _tried(found.settings, root)
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


def _tried(settings: ReaderSettings, root: Path) -> ReaderSettings:
    """Whether it answers; and where, if that has to be said. Raises ReaderError, ImportError."""
    if settings.kind == "pcsc":
        from companion.devices.pcsc.driver import Pcsc

        Pcsc(settings.name).close()
        return settings
    from companion.devices.pn532.driver import Pn532
    from companion.devices.pn532.ports import Pn532Finder

    finder = Pn532Finder(root)
    Pn532(finder).close()
    return ReaderSettings(kind="pn532", port=_port_to_name(finder.port, root))


def _port_to_name(path: str, root: Path) -> str:
    """A reader with a number of its own is known by it. One without is looked for, in whichever socket; only where
    something else is plugged in that could be it as well, it is known by its socket."""
    could_be = [port for port in usb_ports(root) if port.bridge]
    found = next((port for port in could_be if port.path == path), None)
    if found is None or found.path == found.device:
        return AUTO
    return found.path if found.is_numbered or len(could_be) > 1 else AUTO


def found_table(system: System) -> TableSettings | None:
    """None: nothing answers."""
    table = KIT_ONE_TABLE if _answers(reader_check(ReaderSettings(), system)) else _on_usb(system)
    if _answers(satellite_check(SatelliteSettings(), system)):
        table = replace(table or TableSettings(), satellite=SatelliteSettings())
    return table


def _on_usb(system: System) -> TableSettings | None:
    found = find_reader(system.path(""))
    if found is None:
        return None
    check = pcsc_check if found.settings.kind == "pcsc" else pn532_check
    return TableSettings(readers=(found.settings,)) if _answers(check(found.settings, system)) else None


def _answers(check: Check) -> bool:
    """The device itself; a pad that is not built yet is no reason to leave out the others."""
    first = next(iter(findings([check])), None)
    return first is not None and first.verdict != "problem"

"""What is wired to this computer, as far as it can be found: whatever passes the doctor becomes a table.

Buttons and lamps say nothing of themselves. With a reader on the Pi's bus they are taken to be as kit one is wired.
"""

from msgspec.structs import replace

from companion.config.table import KIT_ONE_TABLE, ReaderSettings, SatelliteSettings, TableSettings
from companion.doctor.finding import Check, findings
from companion.doctor.readers import reader_check
from companion.doctor.satellite import satellite_check
from companion.doctor.system import System
from companion.doctor.usb_readers import pcsc_check, pn532_check
from companion.services.plugged_in import find_reader


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

"""What is wired to a table: `table.toml`, read into frozen structs.

Imported by: the doctor, the simulation, processes and verbs.
"""

from companion.config.loader import NAME, find_table, parse_table, read_table
from companion.config.table_settings import HallTableSettings, TableSettings, kit_table
from companion.devices.gpio.settings import ButtonSettings, BuzzerSettings, GpioSettings, LampSettings
from companion.devices.reader_settings import ReaderSettings
from companion.devices.satellite.settings import SatelliteSettings

__all__ = [
    "NAME",
    "ButtonSettings",
    "BuzzerSettings",
    "GpioSettings",
    "HallTableSettings",
    "LampSettings",
    "ReaderSettings",
    "SatelliteSettings",
    "TableSettings",
    "find_table",
    "kit_table",
    "parse_table",
    "read_table",
]

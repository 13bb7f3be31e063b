"""What is wired to a table: `table.toml`, read into frozen structs.

Imported by: the doctor, the simulation, processes and verbs.
"""

from companion.config.loader import NAME, find_table, parse_table, read_table
from companion.config.settings import (
    ButtonSettings,
    BuzzerSettings,
    GpioSettings,
    LampSettings,
    ReaderSettings,
    SatelliteSettings,
    TableSettings,
)

__all__ = [
    "NAME",
    "ButtonSettings",
    "BuzzerSettings",
    "GpioSettings",
    "LampSettings",
    "ReaderSettings",
    "SatelliteSettings",
    "TableSettings",
    "find_table",
    "parse_table",
    "read_table",
]

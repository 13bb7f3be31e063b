"""What is wired to a table: `table.toml`, read into frozen structs.

Who may enter: the doctor, the simulation, services and verbs.
"""

from companion.config.reading import NAME, find_table, parse_table, read_table
from companion.config.table import (
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

"""What is wired to this table: `table.toml`, read into frozen structs. Pure but for reading the file."""

from companion.config.reading import NAME, find_table, parse_table, read_table
from companion.config.table import Button, Buzzer, Gpio, Lamp, Reader, Satellite, Table

__all__ = [
    "NAME",
    "Button",
    "Buzzer",
    "Gpio",
    "Lamp",
    "Reader",
    "Satellite",
    "Table",
    "find_table",
    "parse_table",
    "read_table",
]

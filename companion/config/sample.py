"""Writes a table as a commented `table.toml`, which reads back as the same table."""

from companion.config.table_settings import HallTableSettings, TableSettings, WifiSettings
from companion.devices.gpio.settings import GpioSettings

HEAD = """\
# What is wired to this table. Pins are BCM numbers: GPIO17 is pin = 17. hardware/ has the wiring, step by step.
# After each change: `companion doctor` tries everything that stands here, and says what is wrong.
"""


def table_text(table: TableSettings) -> str:
    """A whole file, without the passwords of the Wi-Fi and the broker."""
    needs_gpio = table.buttons or table.lamps or table.buzzer
    blocks = [HEAD]
    for place, part in table.parts():
        if isinstance(part, WifiSettings | HallTableSettings) or (part == GpioSettings() and not needs_gpio):
            continue
        title = f"[{place[0]}]" if len(place) == 1 else f"[[{place[0]}]]"
        blocks.append("\n".join((title, *part.lines(), "")))
    return "\n".join(blocks)

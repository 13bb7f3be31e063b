"""Writes a table as a commented `table.toml`, which reads back as the same table."""

import json
from collections.abc import Iterator

from companion.config.pins import HEADER, SPI
from companion.config.table import Button, Gpio, Lamp, Reader, Satellite, Table

HEAD = """\
# What is wired to this table. Pins are BCM numbers: GPIO17 is pin = 17. hardware/ has the wiring, step by step.
# After each change: `companion doctor` tries everything that stands here, and says what is wrong.
"""


def table_text(table: Table) -> str:
    """A whole file."""
    parts = [HEAD]
    parts += [_block("[[reader]]", _reader(reader)) for reader in table.readers]
    parts += [_block("[[button]]", _button(button)) for button in table.buttons]
    parts += [_block("[[lamp]]", _lamp(lamp)) for lamp in table.lamps]
    if table.buzzer:
        parts.append(_block("[buzzer]", iter([_pin("pin", table.buzzer.pin)])))
    parts.append(_block("[gpio]", _gpio(table.gpio)))
    if table.satellite:
        parts.append(_block("[satellite]", _satellite(table.satellite)))
    return "\n".join(parts)


def _block(title: str, keys: Iterator[str]) -> str:
    return "\n".join((title, *keys, ""))


def _reader(reader: Reader) -> Iterator[str]:
    select = SPI[reader.bus][f"CE{reader.device}"]
    yield f'station = "{reader.station}"'
    yield f"bus = {reader.bus}  # /dev/spidev{reader.bus}.{reader.device}"
    yield f"device = {reader.device}  # chip-select CE{reader.device}: GPIO{select}, header pin {HEADER[select]}"
    yield _pin("reset", reader.reset)


def _button(button: Button) -> Iterator[str]:
    yield f'station = "{button.station}"'
    yield f'colour = "{button.colour}"'
    yield f"{_pin('pin', button.pin)}, to ground when pressed"


def _lamp(lamp: Lamp) -> Iterator[str]:
    yield f'station = "{lamp.station}"'
    yield _pin("pin", lamp.pin)


def _gpio(gpio: Gpio) -> Iterator[str]:
    yield f'backend = "{gpio.backend}"  # auto: pigpiod if it runs, else gpiozero; on a Pi 5 only gpiozero works'
    yield f"host = {_text(gpio.host)}  # where pigpiod listens"
    yield f"port = {gpio.port}"


def _satellite(satellite: Satellite) -> Iterator[str]:
    yield f'port = {_text(satellite.port)}  # or "/dev/serial/by-id/…"; auto: every USB serial line is asked'
    if satellite.serial is None:
        yield "# serial = 1  # the number that it was flashed with; left out: any satellite will do"
    else:
        yield f"serial = {satellite.serial}  # the number that it was flashed with"
    yield f"pads = [{', '.join(map(_text, satellite.pads))}]  # which station its pad 0, 1, 2 … is"


def _pin(key: str, pin: int) -> str:
    return f"{key} = {pin}  # header pin {HEADER[pin]}"


def _text(text: str) -> str:
    """JSON's strings are TOML's, but for one character that TOML wants escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

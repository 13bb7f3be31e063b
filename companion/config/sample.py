"""Writes a table as a commented `table.toml`, which reads back as the same table."""

from collections.abc import Iterator

from companion.config.header_pins import HEADER, SPI
from companion.config.settings import (
    ButtonSettings,
    GpioSettings,
    LampSettings,
    ReaderKind,
    ReaderSettings,
    SatelliteSettings,
    TableSettings,
)
from companion.toml import toml_value

HEAD = """\
# What is wired to this table. Pins are BCM numbers: GPIO17 is pin = 17. hardware/ has the wiring, step by step.
# After each change: `companion doctor` tries everything that stands here, and says what is wrong.
"""

KINDS: dict[ReaderKind, str] = {
    "rc522": "an RC522 on the Pi's SPI bus",
    "pn532": "a PN532 on USB, or on the Pi's UART",
    "pcsc": "a reader that pcscd looks after, such as the ACR122U",
}

PATHS = "or a path in /dev/companion, /dev/serial/by-id or by-path"


def table_text(table: TableSettings) -> str:
    """A whole file."""
    parts = [HEAD]
    parts += [_block("[[reader]]", _reader(reader)) for reader in table.readers]
    parts += [_block("[[button]]", _button(button)) for button in table.buttons]
    parts += [_block("[[lamp]]", _lamp(lamp)) for lamp in table.lamps]
    if table.buzzer:
        parts.append(_block("[buzzer]", iter([_pin("pin", table.buzzer.pin)])))
    if table.buttons or table.lamps or table.buzzer or table.gpio != GpioSettings():
        parts.append(_block("[gpio]", _gpio(table.gpio)))
    if table.satellite:
        parts.append(_block("[satellite]", _satellite(table.satellite)))
    return "\n".join(parts)


def _block(title: str, keys: Iterator[str]) -> str:
    return "\n".join((title, *keys, ""))


def _reader(reader: ReaderSettings) -> Iterator[str]:
    yield f"kind = {toml_value(reader.kind)}  # {KINDS[reader.kind]}"
    yield f"station = {toml_value(reader.station)}"
    if reader.kind == "pn532":
        yield f"port = {toml_value(reader.port)}  # {PATHS}; auto: it is looked for"
    elif reader.kind == "pcsc":
        yield f"name = {toml_value(reader.name)}  # a part of its name is enough; empty: the first without contacts"
    else:
        yield from _on_a_bus(reader)


def _on_a_bus(reader: ReaderSettings) -> Iterator[str]:
    select = SPI[reader.bus][f"CE{reader.device}"]
    yield f"bus = {reader.bus}  # /dev/spidev{reader.bus}.{reader.device}"
    yield f"device = {reader.device}  # chip-select CE{reader.device}: GPIO{select}, header pin {HEADER[select]}"
    yield _pin("reset", reader.reset)


def _button(button: ButtonSettings) -> Iterator[str]:
    yield f"station = {toml_value(button.station)}"
    yield f"colour = {toml_value(button.colour)}"
    yield f"{_pin('pin', button.pin)}, to ground when pressed"


def _lamp(lamp: LampSettings) -> Iterator[str]:
    yield f"station = {toml_value(lamp.station)}"
    yield _pin("pin", lamp.pin)


def _gpio(gpio: GpioSettings) -> Iterator[str]:
    auto = "gpiod: the kernel, on every Pi; auto: pigpiod where it runs, else gpiod"
    yield f"backend = {toml_value(gpio.backend)}  # {auto}"
    yield f"host = {toml_value(gpio.host)}  # where pigpiod listens"
    yield f"port = {gpio.port}"


def _satellite(satellite: SatelliteSettings) -> Iterator[str]:
    yield f"port = {toml_value(satellite.port)}  # {PATHS}; auto: every USB serial line is asked"
    if satellite.serial is None:
        yield "# serial = 1  # the number that it was flashed with; left out: any satellite will do"
    else:
        yield f"serial = {satellite.serial}  # the number that it was flashed with"
    yield f"pads = [{', '.join(map(toml_value, satellite.pads))}]  # which station its pad 0, 1, 2 … is"


def _pin(key: str, pin: int) -> str:
    return f"{key} = {pin}  # header pin {HEADER[pin]}"

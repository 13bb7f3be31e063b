"""The devices of a table, as its table.toml has them."""

from companion.config import ReaderSettings, SatelliteSettings, TableSettings
from companion.devices.device import Device
from companion.devices.gpio.driver import Gpio
from companion.devices.reader import Greet, Reader
from companion.devices.reader_settings import FieldOpener
from companion.devices.wired_part import AUTO
from companion.errors import DeviceError
from companion.troubles import INSTALL


def equipment(table: TableSettings, greet: Greet | None = None) -> list[Device]:
    """Nothing is opened yet: devices look after that when they run. `greet` meets each tag on a reader that can be
    asked for more than its number: all but those of a satellite."""
    devices: list[Device] = [_reader(reader, greet) for reader in table.readers]
    if table.buttons or table.lamps or table.buzzer:
        devices.append(_pins(table))
    if table.satellite:
        devices.append(_satellite(table.satellite))
    return devices


def _reader(wired: ReaderSettings, greet: Greet | None) -> Reader:
    return Reader(wired.station, FieldOpener(wired), pace=wired.pace, greet=greet)


def _satellite(wired: SatelliteSettings) -> Device:
    try:
        from companion.devices.satellite.driver import Satellite
    except ImportError as error:
        raise DeviceError(f"a satellite needs the library {error.name}, which is not installed: {INSTALL}") from None
    return Satellite(dict(enumerate(wired.pads)), None if wired.port == AUTO else wired.port, wired.serial)


def _pins(table: TableSettings) -> Gpio:
    return Gpio(
        {button.pin: (button.station, button.colour) for button in table.buttons},
        {lamp.station: lamp.pin for lamp in table.lamps},
        table.buzzer.pin if table.buzzer else None,
        backend=table.gpio.backend,
        host=table.gpio.host,
        port=table.gpio.port,
    )

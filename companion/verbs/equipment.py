"""The devices of a table, as its table.toml has them."""

from companion.config import Satellite, Table
from companion.config.table import AUTO
from companion.devices.device import Device
from companion.devices.gpio import Gpio
from companion.devices.reader import Greet, Reader
from companion.devices.trouble import INSTALL
from companion.errors import DeviceError


def equipment(table: Table, greet: Greet | None = None) -> list[Device]:
    """Nothing is opened yet: devices look after that when they run. `greet` meets each tag on the Pi's own readers."""
    devices: list[Device] = [
        Reader(reader.station, reader.bus, reader.device, reader.reset, greet=greet) for reader in table.readers
    ]
    if table.buttons or table.lamps or table.buzzer:
        devices.append(_pins(table))
    if table.satellite:
        devices.append(_satellite(table.satellite))
    return devices


def _satellite(wired: Satellite) -> Device:
    try:
        from companion.devices.satellite import Satellite
    except ImportError as error:
        raise DeviceError(f"a satellite needs the library {error.name}, which is not installed: {INSTALL}") from None
    return Satellite(dict(enumerate(wired.pads)), None if wired.port == AUTO else wired.port, wired.serial)


def _pins(table: Table) -> Gpio:
    return Gpio(
        {button.pin: (button.station, button.colour) for button in table.buttons},
        {lamp.station: lamp.pin for lamp in table.lamps},
        table.buzzer.pin if table.buzzer else None,
        backend=table.gpio.backend,
        host=table.gpio.host,
        port=table.gpio.port,
    )

"""The devices of a table, as its table.toml has them."""

from companion.config import Table
from companion.config.table import AUTO
from companion.devices.device import Device
from companion.devices.gpio import Gpio
from companion.devices.reader import Greet, Reader
from companion.devices.satellite import Satellite


def equipment(table: Table, greet: Greet | None = None) -> list[Device]:
    """Nothing is opened yet: devices look after that when they run. `greet` meets each tag on the Pi's own readers."""
    devices: list[Device] = [
        Reader(reader.station, reader.bus, reader.device, reader.reset, greet=greet) for reader in table.readers
    ]
    if table.buttons or table.lamps or table.buzzer:
        devices.append(_pins(table))
    if table.satellite:
        satellite = table.satellite
        port = None if satellite.port == AUTO else satellite.port
        devices.append(Satellite(dict(enumerate(satellite.pads)), port, satellite.serial))
    return devices


def _pins(table: Table) -> Gpio:
    return Gpio(
        {button.pin: (button.station, button.colour) for button in table.buttons},
        {lamp.station: lamp.pin for lamp in table.lamps},
        table.buzzer.pin if table.buzzer else None,
        backend=table.gpio.backend,
        host=table.gpio.host,
        port=table.gpio.port,
    )

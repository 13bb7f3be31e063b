"""The devices of a table, as its table.toml has them."""

from collections.abc import Callable
from functools import partial

from companion.config import ReaderSettings, SatelliteSettings, TableSettings
from companion.config.settings import AUTO
from companion.devices.device import Device
from companion.devices.gpio.driver import Gpio
from companion.devices.rc522.driver import Rc522
from companion.devices.reader import PACES, Greet, Reader
from companion.devices.tag_field import ReaderError, TagField
from companion.errors import DeviceError
from companion.troubles import INSTALL, PcscTrouble, ReaderTrouble


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
    way = partial(Rc522, wired.bus, wired.device, wired.reset) if wired.kind == "rc522" else _OnUsb(wired)
    return Reader(wired.station, way, pace=PACES[wired.kind], greet=greet)


class _OnUsb:
    """The way to a reader on USB. Its library is imported when it is first opened: where it is missing, that is a
    fault of this reader and of nothing else."""

    def __init__(self, wired: ReaderSettings) -> None:
        self._wired = wired
        self._open: Callable[[], TagField] | None = None

    def __call__(self) -> TagField:
        """Raises ReaderError."""
        try:
            self._open = self._open or self._way()
        except ImportError as error:
            missing = PcscTrouble.NO_PYSCARD if self._wired.kind == "pcsc" else ReaderTrouble.NO_DRIVER
            raise ReaderError(missing, f"The reader of the {self._wired.station}", str(error)) from error
        return self._open()

    def _way(self) -> Callable[[], TagField]:
        if self._wired.kind == "pcsc":
            from companion.devices.pcsc.driver import Pcsc

            return partial(Pcsc, self._wired.name)
        from companion.devices.pn532.ports import pn532_on

        return pn532_on(None if self._wired.port == AUTO else self._wired.port)


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

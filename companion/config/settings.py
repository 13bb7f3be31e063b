"""What can stand in `table.toml`: one struct for each of its tables.

Pins are BCM numbers, as on the wiring pages in hardware/. What is left out is as kit one is wired there.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from companion.config.header_pins import KIT_ONE
from companion.stations import CENTRE, PADS, ButtonColour, Kit, Station

Number: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
"""Of a pin, a bus or a device. Which of them there are is checked later, with better words."""

AUTO = "auto"


ReaderKind: TypeAlias = Literal["rc522", "pn532", "pcsc"]


class ReaderSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """An RC522 on the Pi's SPI bus, a PN532 on a serial line, or whatever the daemon pcscd looks after."""

    station: Station = CENTRE
    bus: Number = 0
    device: Number = 0
    """The chip-select: /dev/spidev<bus>.<device>."""
    reset: Number = KIT_ONE["reset"]
    kind: ReaderKind = "rc522"
    port: str = AUTO
    """Of a PN532: its path, as in /dev/companion/…; "auto": it is looked for."""
    name: str = ""
    """Of a PC/SC reader: how pcscd calls it, or a part of that; "": the first that reads without contact."""


READER_KEYS: dict[ReaderKind, tuple[str, ...]] = {
    "rc522": ("kind", "station", "bus", "device", "reset"),
    "pn532": ("kind", "station", "port"),
    "pcsc": ("kind", "station", "name"),
}
"""What can be said of each kind."""


class ButtonSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A button between a pin and ground. The Pi pulls the pin up."""

    colour: ButtonColour
    pin: Number
    station: Station = CENTRE


class LampSettings(Struct, frozen=True, forbid_unknown_fields=True):
    pin: Number
    station: Station = CENTRE


class BuzzerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    pin: Number


class GpioSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Who moves the pins: the kernel, through gpiod, or the daemon pigpiod; "auto" takes pigpiod where it runs."""

    backend: Literal["auto", "gpiod", "pigpio"] = "auto"
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535)] = 8888


class SatelliteSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A microcontroller with pads on a USB serial line."""

    port: str = AUTO
    """Its path, as in /dev/companion/…; "auto": each line is asked."""
    serial: Annotated[int, Meta(ge=1, le=0xFFFF_FFFE)] | None = None
    """The number that it was given when it was flashed; left out: any satellite will do."""
    pads: Annotated[tuple[Station, ...], Meta(min_length=1, max_length=len(PADS))] = PADS
    """Which station its pad 0, 1, 2 … is."""


class WifiSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The network in which phones find this table: a code of it is shown beside theirs."""

    name: Annotated[str, Meta(min_length=1, max_length=32)]
    password: Annotated[str, Meta(max_length=63)] = ""
    """Left out: an open network."""


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is wired to one table."""

    readers: tuple[ReaderSettings, ...] = field(default=(), name="reader")
    buttons: tuple[ButtonSettings, ...] = field(default=(), name="button")
    lamps: tuple[LampSettings, ...] = field(default=(), name="lamp")
    buzzer: BuzzerSettings | None = None
    gpio: GpioSettings = GpioSettings()
    satellite: SatelliteSettings | None = None
    wifi: WifiSettings | None = None

    @property
    def stations(self) -> tuple[Station, ...]:
        """Every station that something is wired to: the centre first, then the pads."""
        wired = {reader.station for reader in self.readers} | {lamp.station for lamp in self.lamps}
        wired |= {button.station for button in self.buttons} | set(self.satellite.pads if self.satellite else ())
        return tuple(station for station in (CENTRE, *PADS) if station in wired)

    @property
    def kit(self) -> Kit:
        """Whether people have pads of their own, or share the centre, or have only the screen."""
        if self.satellite or set(self.stations) & set(PADS):
            return "full"
        return "one" if self.readers or self.buttons else "none"


KIT_ONE_TABLE = TableSettings(
    readers=(ReaderSettings(),),
    buttons=(ButtonSettings("green", KIT_ONE["green"]), ButtonSettings("red", KIT_ONE["red"])),
    lamps=(LampSettings(KIT_ONE["lamp"]),),
    buzzer=BuzzerSettings(KIT_ONE["buzzer"]),
)
"""As built by docs/build-it.md."""

PN532_TABLE = TableSettings(readers=(ReaderSettings(kind="pn532"),))
PCSC_TABLE = TableSettings(readers=(ReaderSettings(kind="pcsc"),))
"""A laptop with one reader that is plugged in: everything else is said on the screen."""

FULL_TABLE = TableSettings(
    readers=KIT_ONE_TABLE.readers,
    buttons=KIT_ONE_TABLE.buttons,
    lamps=KIT_ONE_TABLE.lamps,
    buzzer=KIT_ONE_TABLE.buzzer,
    satellite=SatelliteSettings(),
)
"""Kit one as the centre, and a satellite with five pads."""

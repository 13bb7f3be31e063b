"""What can stand in `table.toml`: one struct for each of its tables.

Pins are BCM numbers, as on the wiring pages in hardware/. What is left out is as kit one is wired there.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from companion.config.pins import KIT_ONE

Station: TypeAlias = Literal["centre", "pad0", "pad1", "pad2", "pad3", "pad4"]
Colour: TypeAlias = Literal["green", "red"]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
"""Of a pin, a bus or a device. Which of them there are is checked later, with better words."""
Kit: TypeAlias = Literal["none", "one", "full"]

PADS: tuple[Station, ...] = ("pad0", "pad1", "pad2", "pad3", "pad4")
AUTO = "auto"


class Reader(Struct, frozen=True, forbid_unknown_fields=True):
    """An RC522 on the Pi's SPI bus."""

    station: Station = "centre"
    bus: Number = 0
    device: Number = 0
    """The chip-select: /dev/spidev<bus>.<device>."""
    reset: Number = KIT_ONE["reset"]


class Button(Struct, frozen=True, forbid_unknown_fields=True):
    """A button between a pin and ground. The Pi pulls the pin up."""

    colour: Colour
    pin: Number
    station: Station = "centre"


class Lamp(Struct, frozen=True, forbid_unknown_fields=True):
    pin: Number
    station: Station = "centre"


class Buzzer(Struct, frozen=True, forbid_unknown_fields=True):
    pin: Number


class Gpio(Struct, frozen=True, forbid_unknown_fields=True):
    """Who moves the pins: the daemon pigpiod, or gpiozero with lgpio (on a Pi 5); "auto" takes what works."""

    backend: Literal["auto", "pigpio", "gpiozero"] = "auto"
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535)] = 8888


class Satellite(Struct, frozen=True, forbid_unknown_fields=True):
    """A microcontroller with pads on a USB serial line."""

    port: str = AUTO
    """Its path, as in /dev/serial/by-id/…; "auto": each line is asked."""
    serial: Annotated[int, Meta(ge=1, le=0xFFFF_FFFE)] | None = None
    """The number that it was given when it was flashed; left out: any satellite will do."""
    pads: Annotated[tuple[Station, ...], Meta(min_length=1, max_length=len(PADS))] = PADS
    """Which station its pad 0, 1, 2 … is."""


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is wired to one table."""

    readers: tuple[Reader, ...] = field(default=(), name="reader")
    buttons: tuple[Button, ...] = field(default=(), name="button")
    lamps: tuple[Lamp, ...] = field(default=(), name="lamp")
    buzzer: Buzzer | None = None
    gpio: Gpio = Gpio()
    satellite: Satellite | None = None

    @property
    def stations(self) -> tuple[Station, ...]:
        """Every station that something is wired to: the centre first, then the pads."""
        wired = {reader.station for reader in self.readers} | {lamp.station for lamp in self.lamps}
        wired |= {button.station for button in self.buttons} | set(self.satellite.pads if self.satellite else ())
        return tuple(station for station in ("centre", *PADS) if station in wired)

    @property
    def kit(self) -> Kit:
        """Whether people have pads of their own, or share the centre, or have only the screen."""
        if self.satellite or set(self.stations) & set(PADS):
            return "full"
        return "one" if self.readers or self.buttons else "none"


KIT_ONE_TABLE = Table(
    readers=(Reader(),),
    buttons=(Button("green", KIT_ONE["green"]), Button("red", KIT_ONE["red"])),
    lamps=(Lamp(KIT_ONE["lamp"]),),
    buzzer=Buzzer(KIT_ONE["buzzer"]),
)
"""As built by docs/build-it.md."""

FULL_TABLE = Table(
    readers=KIT_ONE_TABLE.readers,
    buttons=KIT_ONE_TABLE.buttons,
    lamps=KIT_ONE_TABLE.lamps,
    buzzer=KIT_ONE_TABLE.buzzer,
    satellite=Satellite(),
)
"""Kit one as the centre, and a satellite with five pads."""

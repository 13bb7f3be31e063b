"""A whole table.toml: the tables that devices have in their own `settings.py`, put together.

The kinds of readers are found by their entry points (`companion.devices.reader_kinds`).
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from companion.devices.gpio.header_pins import KIT_ONE
from companion.devices.gpio.settings import ButtonSettings, BuzzerSettings, GpioSettings, LampSettings
from companion.devices.reader_kinds import usual_reader
from companion.devices.reader_settings import ReaderSettings
from companion.devices.satellite.settings import SatelliteSettings
from companion.devices.wired_part import KeyPath, Mistake, WiredPart
from companion.stations import CENTRE, PADS, Kit, ReaderKit, Station


class WifiSettings(WiredPart, frozen=True):
    """The network in which phones find this table: a code of it is shown beside theirs."""

    name: Annotated[
        str,
        Meta(min_length=1, max_length=32),
        Meta(description='the name of a network in quotes, at most 32 letters, as in "Game night"'),
    ]
    password: Annotated[
        str, Meta(max_length=63), Meta(description="the password of the network in quotes, at most 63 letters")
    ] = ""
    """Left out: an open network."""


def _is_broker(address: str) -> bool:
    """mqtts://broker.example:8883, without a user and a password."""
    if not re.fullmatch(r"mqtts?://(\[[0-9a-fA-F:]+\]|[^/:@?#\s]+)(:\d{1,5})?/?", address):
        return False
    try:
        return urlsplit(address).port != 0
    except ValueError:  # no such port, or no IPv6 address
        return False


class HallTableSettings(WiredPart, frozen=True):
    """Where this table is published live, and what others may do with it (docs/hall.md)."""

    broker: Annotated[
        str,
        Meta(
            description='the address of an MQTT broker in quotes, as in "mqtts://broker.example", or "" for the hall\'s'
        ),
    ] = ""
    """Left out: the broker of the hall that this table has joined."""
    name: Annotated[str, Meta(min_length=1, max_length=40), Meta(description="the name of the hall in quotes")] = "home"
    table: Annotated[str, Meta(min_length=1, max_length=40), Meta(description="the name of this table in quotes")] = (
        "table"
    )
    user: Annotated[str, Meta(description="the user name at the broker in quotes")] = ""
    password: Annotated[str, Meta(description="the password at the broker in quotes")] = ""
    certificate: Annotated[
        str, Meta(description='the path of a certificate in quotes, as in "/etc/companion/broker.pem"')
    ] = ""
    """Left out: the broker's certificate has to be one that this computer trusts."""
    home_assistant: Annotated[bool, Meta(description="true or false")] = False
    """Whether Home Assistant finds this table."""
    pause: Annotated[bool, Meta(description="true or false")] = False
    """Whether Home Assistant may pause the game."""

    def mistakes(self) -> Iterator[Mistake]:
        if self.broker and not _is_broker(self.broker):
            words = 'broker: expected mqtts:// and an address, as in "mqtts://broker.example:8883"; user and password '
            yield Mistake(("broker",), f"{words}are keys of their own")
        if self.certificate and not self.certificate.startswith("/"):
            yield Mistake(("certificate",), "certificate: expected a path that begins with /")


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is wired to one table."""

    readers: tuple[ReaderSettings, ...] = field(default=(), name="reader")
    buttons: tuple[ButtonSettings, ...] = field(default=(), name="button")
    lamps: tuple[LampSettings, ...] = field(default=(), name="lamp")
    buzzer: BuzzerSettings | None = None
    gpio: GpioSettings = GpioSettings()
    satellite: SatelliteSettings | None = None
    wifi: WifiSettings | None = None
    hall: HallTableSettings | None = None

    def parts(self) -> Iterator[tuple[KeyPath, WiredPart]]:
        """Each part, and its place in table.toml: ("reader", 0), ("buzzer",)."""
        for key, name in zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True):
            value = getattr(self, name)
            if isinstance(value, WiredPart):
                yield (key,), value
            else:
                yield from (((key, number), part) for number, part in enumerate(value or ()))

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


@cache
def kit_table(kit: ReaderKit) -> TableSettings:
    """As built by docs/build-it.md: kit one; or kit one as the centre, and a satellite with five pads."""
    one = TableSettings(
        readers=(usual_reader(),),
        buttons=(ButtonSettings("green", KIT_ONE["green"]), ButtonSettings("red", KIT_ONE["red"])),
        lamps=(LampSettings(KIT_ONE["lamp"]),),
        buzzer=BuzzerSettings(KIT_ONE["buzzer"]),
    )
    return one if kit == "one" else replace(one, satellite=SatelliteSettings())

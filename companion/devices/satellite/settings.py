"""[satellite] in table.toml: a microcontroller with pads on a USB serial line."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from companion.devices.wired_part import (
    AUTO,
    PATHS,
    Claim,
    Mistake,
    PortKey,
    WiredPart,
    port_claim,
    port_mistakes,
    station_claim,
    toml_line,
)
from companion.stations import PADS, Station

PARTS = ("reader", "green button", "red button", "lamp")
"""What every pad has."""


class SatelliteSettings(WiredPart, frozen=True):
    port: PortKey = AUTO
    """Its path, as in /dev/companion/…; "auto": each line is asked."""
    serial: Annotated[
        Annotated[int, Meta(ge=1, le=0xFFFF_FFFE)] | None, Meta(description="a number from 1 to 4294967294")
    ] = None
    """The number that it was given when it was flashed; left out: any satellite will do."""
    pads: Annotated[
        tuple[Station, ...],
        Meta(min_length=1, max_length=len(PADS)),
        Meta(description=f'a list of one to {len(PADS)} stations, as in ["{PADS[0]}", "{PADS[1]}"]'),
    ] = PADS
    """Which station its pad 0, 1, 2 … is."""

    def mistakes(self) -> Iterator[Mistake]:
        return port_mistakes(self.port)

    def claims(self) -> Iterator[Claim]:
        for number, station in enumerate(self.pads):
            yield from (station_claim(part, station, ("pads", number)) for part in PARTS)
        if self.port != AUTO:
            yield port_claim(self.port, "the satellite")

    def comments(self) -> Mapping[str, str]:
        return {
            "port": f"{PATHS}; auto: every USB serial line is asked",
            "serial": "the number that it was flashed with",
            "pads": "which station its pad 0, 1, 2 … is",
        }

    def lines(self) -> Iterator[str]:
        comments = self.comments()
        yield toml_line("port", self.port, comments["port"])
        if self.serial is None:
            yield f"# serial = 1  # {comments['serial']}; left out: any satellite will do"
        else:
            yield toml_line("serial", self.serial, comments["serial"])
        yield toml_line("pads", self.pads, comments["pads"])

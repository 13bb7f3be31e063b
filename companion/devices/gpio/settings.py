"""[[button]], [[lamp]], [buzzer] and [gpio] in table.toml: what is wired to the Pi's own pins.

Pins are BCM numbers, as on the wiring pages in hardware/.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, Protocol, TypeAlias

from msgspec import Meta

from companion.devices.gpio.header_pins import HEADER, TAKEN
from companion.devices.wired_part import Claim, StationKey, WiredPart, station_claim
from companion.stations import CENTRE, ButtonColour, at

PIN = "pin"
NUMBER = Meta(ge=0, le=255)
"""Of a pin, a bus or a device. Which of them there are is checked later, with better words."""
PinKey: TypeAlias = Annotated[int, NUMBER, Meta(description="the BCM number of a pin, as in pin = 17")]


class ButtonSettings(WiredPart, frozen=True):
    """A button between a pin and ground. The Pi pulls the pin up."""

    colour: Annotated[ButtonColour, Meta(description='"green" or "red"')]
    pin: PinKey
    station: StationKey = CENTRE

    def claims(self) -> Iterator[Claim]:
        yield station_claim(f"{self.colour} button", self.station)
        yield pin_claim("pin", self.pin, f"the {self.colour} button of {at(self.station)}")

    def comments(self) -> Mapping[str, str]:
        return {"pin": f"{pin_comment(self.pin)}, to ground when pressed"}


class LampSettings(WiredPart, frozen=True):
    pin: PinKey
    station: StationKey = CENTRE

    def claims(self) -> Iterator[Claim]:
        yield station_claim("lamp", self.station)
        yield pin_claim("pin", self.pin, f"the lamp of {at(self.station)}")

    def comments(self) -> Mapping[str, str]:
        return {"pin": pin_comment(self.pin)}


class BuzzerSettings(WiredPart, frozen=True):
    pin: PinKey

    def claims(self) -> Iterator[Claim]:
        yield pin_claim("pin", self.pin, "the buzzer")

    def comments(self) -> Mapping[str, str]:
        return {"pin": pin_comment(self.pin)}


class GpioSettings(WiredPart, frozen=True):
    """The way to the pins: the kernel, through gpiod, or the daemon pigpiod; "auto" takes pigpiod where it runs."""

    backend: Annotated[Literal["auto", "gpiod", "pigpio"], Meta(description='"auto", "gpiod" or "pigpio"')] = "auto"
    host: Annotated[str, Meta(description='an address in quotes, as in "127.0.0.1"')] = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535, description="a number from 1 to 65535")] = 8888

    def comments(self) -> Mapping[str, str]:
        auto = "gpiod: the kernel, on every Pi; auto: pigpiod where it runs, else gpiod"
        return {"backend": auto, "host": "where pigpiod listens"}


class PinTable(Protocol):
    """The part of a table that is on the Pi's pins."""

    @property
    def buttons(self) -> tuple[ButtonSettings, ...]: ...

    @property
    def lamps(self) -> tuple[LampSettings, ...]: ...

    @property
    def buzzer(self) -> BuzzerSettings | None: ...

    @property
    def gpio(self) -> GpioSettings: ...


# --- What can be wrong with pins ------------------------------------------------------------------------------


def pin_claim(key: str, pin: int, user: str) -> Claim:
    return Claim(PIN, pin, (key,), user, f"GPIO{pin} has {{user}} (line {{line}}) already; {{free}}")


def pin_comment(pin: int) -> str:
    return f"header pin {HEADER[pin]}"


def pin_words(pin: int, shared: Mapping[int, str]) -> str:
    """Why nothing can be wired to this pin; "" if it can. `shared`: the pins of buses that are in use."""
    if pin not in HEADER:
        return f"a Pi has no pin GPIO{pin}"
    taken = {**TAKEN, **shared}
    return f"GPIO{pin} belongs to {taken[pin]}" if pin in taken else ""


def free_pins(used: Iterable[int], shared: Mapping[int, str]) -> str:
    free = sorted(HEADER.keys() - TAKEN.keys() - shared.keys() - set(used))
    return f"free are {', '.join(map(str, free))}"

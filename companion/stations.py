"""The places of a table, and the kits: what devices, rules of the table, screens and table.toml call them."""

from typing import Literal, TypeAlias, get_args

Pad: TypeAlias = Literal["pad0", "pad1", "pad2", "pad3", "pad4"]
Station: TypeAlias = Literal["centre", Pad]
"""A place with a reader or buttons."""

CENTRE: Literal["centre"] = "centre"
PADS: tuple[Pad, ...] = get_args(Pad)
PINS = "pins"
"""The Pi's own buttons and lamps, which have one state together: a reader at the centre may work without them."""

Kit: TypeAlias = Literal["none", "one", "full"]
"""What is on the table: only the screen, one reader in the middle, or a pad for each player."""
KITS: tuple[Kit, ...] = get_args(Kit)
ReaderKit: TypeAlias = Literal["one", "full"]
"""The kits with readers: what simulated hands can play on."""

ButtonColour: TypeAlias = Literal["green", "red"]
BUTTON_COLOURS: tuple[ButtonColour, ...] = get_args(ButtonColour)


def pad(seat: int) -> str:
    """The station in front of this seat."""
    return f"pad{seat}"


def seat_at(station: str) -> int | None:
    """The seat that has this station in front of it; None for a shared one."""
    number = station.removeprefix("pad")
    return int(number) if number != station and number.isdecimal() else None


def at(station: str) -> str:
    """A station in a sentence: "the centre", "pad0"."""
    return f"the {CENTRE}" if station == CENTRE else station

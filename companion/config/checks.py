"""What can be wrong with a table though each value alone is fine: used twice, not there, or belonging to another."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.config.lines import Path
from companion.config.pins import HEADER, SPI, TAKEN, selects
from companion.config.table import AUTO, Reader, Table


class Problem(NamedTuple):
    place: Path
    words: str
    """{line} stands for the line of the other."""
    other: Path = ()
    """What it collides with."""


class Use(NamedTuple):
    """Something that can be used once: a pin, a chip-select, a station's reader."""

    place: Path
    what: object
    user: str


def problems(table: Table) -> Iterator[Problem]:
    """All that is wrong with a table."""
    for again, first in _again(_parts(table)):
        yield Problem(again.place, f"{again.user} is in line {{line}} already; name another station", first.place)
    yield from _on_buses(table.readers)
    yield from _on_pins(table)
    if table.satellite and table.satellite.port != AUTO and not table.satellite.port.startswith("/"):
        words = 'port: expected "auto" or a path that begins with /, as in "/dev/ttyUSB0"'
        yield Problem(("satellite", "port"), words)


def _again(uses: Iterable[Use]) -> Iterator[tuple[Use, Use]]:
    """Each use of something that is in use, and its first use."""
    firsts: dict[object, Use] = {}
    for use in uses:
        first = firsts.setdefault(use.what, use)
        if first is not use:
            yield use, first


# --- Stations -------------------------------------------------------------------------------------------------


def _parts(table: Table) -> Iterator[Use]:
    """What each station has. A satellite's pad has everything."""
    for number, reader in enumerate(table.readers):
        yield _part(("reader", number, "station"), "reader", reader.station)
    for number, button in enumerate(table.buttons):
        yield _part(("button", number, "station"), f"{button.colour} button", button.station)
    for number, lamp in enumerate(table.lamps):
        yield _part(("lamp", number, "station"), "lamp", lamp.station)
    for number, station in enumerate(table.satellite.pads if table.satellite else ()):
        for kind in ("reader", "green button", "red button", "lamp"):
            yield _part(("satellite", "pads", number), kind, station)


def _part(place: Path, kind: str, station: str) -> Use:
    return Use(place, (kind, station), f"the {kind} of {at(station)}")


def at(station: str) -> str:
    """ "the centre", but "pad0" """
    return "the centre" if station == "centre" else station


# --- Buses ----------------------------------------------------------------------------------------------------


def _on_buses(readers: tuple[Reader, ...]) -> Iterator[Problem]:
    uses = []
    for number, reader in enumerate(readers):
        if reader.bus not in SPI:
            words = f"there is no SPI bus {reader.bus} for readers; take {' or '.join(map(str, SPI))}"
            yield Problem(("reader", number, "bus"), words)
        elif reader.device >= selects(reader.bus):
            words = f"SPI bus {reader.bus} has no device {reader.device}; take one from 0 to {selects(reader.bus) - 1}"
            yield Problem(("reader", number, "device"), words)
        else:
            user = f"the reader of {at(reader.station)}"
            uses.append(Use(("reader", number, "device"), (reader.bus, reader.device), user))
    for again, first in _again(uses):
        words = f"{first.user} (line {{line}}) has this bus and device already; each reader needs a device of its own"
        yield Problem(again.place, words, first.place)


# --- Pins -----------------------------------------------------------------------------------------------------


def _on_pins(table: Table) -> Iterator[Problem]:
    uses = list(_pins(table))
    taken = TAKEN | {
        pin: f"SPI bus {reader.bus} ({signal}), where the reader of {at(reader.station)} is"
        for reader in table.readers
        for signal, pin in SPI.get(reader.bus, {}).items()
    }
    free = sorted(HEADER.keys() - taken.keys() - {use.what for use in uses})
    advice = f"free are {', '.join(map(str, free))}"
    for use in uses:
        if use.what not in HEADER:
            yield Problem(use.place, f"a Pi has no pin GPIO{use.what}; {advice}")
        elif use.what in taken:
            yield Problem(use.place, f"GPIO{use.what} belongs to {taken[use.what]}; {advice}")
    for again, first in _again(uses):
        yield Problem(again.place, f"GPIO{again.what} has {first.user} (line {{line}}) already; {advice}", first.place)


def _pins(table: Table) -> Iterator[Use]:
    """Every pin that something is wired to, besides the buses."""
    for number, reader in enumerate(table.readers):
        yield Use(("reader", number, "reset"), reader.reset, f"the reset of the reader of {at(reader.station)}")
    for number, button in enumerate(table.buttons):
        yield Use(("button", number, "pin"), button.pin, f"the {button.colour} button of {at(button.station)}")
    for number, lamp in enumerate(table.lamps):
        yield Use(("lamp", number, "pin"), lamp.pin, f"the lamp of {at(lamp.station)}")
    if table.buzzer:
        yield Use(("buzzer", "pin"), table.buzzer.pin, "the buzzer")

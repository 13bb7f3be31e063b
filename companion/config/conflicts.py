"""What can be wrong with a table though each value alone is fine: used twice, not there, or belonging to another."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.config.header_pins import HEADER, SPI, TAKEN, selects
from companion.config.settings import AUTO, ReaderSettings, TableSettings
from companion.config.toml_lines import Path
from companion.stations import CENTRE


class Mistake(NamedTuple):
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


def problems(table: TableSettings) -> Iterator[Mistake]:
    """All that is wrong with a table."""
    for again, first in _again(_parts(table)):
        yield Mistake(again.place, f"{again.user} is in line {{line}} already; name another station", first.place)
    yield from _on_buses(table.readers)
    yield from _on_pins(table)
    yield from _on_ports(table)
    yield from _by_name(table.readers)


def _again(uses: Iterable[Use]) -> Iterator[tuple[Use, Use]]:
    """Each use of something that is in use, and its first use."""
    firsts: dict[object, Use] = {}
    for use in uses:
        first = firsts.setdefault(use.what, use)
        if first is not use:
            yield use, first


# --- Stations -------------------------------------------------------------------------------------------------


def _parts(table: TableSettings) -> Iterator[Use]:
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
    """The centre has an article, a pad has a number."""
    return f"the {CENTRE}" if station == CENTRE else station


# --- Buses ----------------------------------------------------------------------------------------------------


def _on_buses(readers: tuple[ReaderSettings, ...]) -> Iterator[Mistake]:
    uses = []
    for number, reader in enumerate(readers):
        if reader.kind != "rc522":
            continue
        if reader.bus not in SPI:
            words = f"there is no SPI bus {reader.bus} for readers; take {' or '.join(map(str, SPI))}"
            yield Mistake(("reader", number, "bus"), words)
        elif reader.device >= selects(reader.bus):
            words = f"SPI bus {reader.bus} has no device {reader.device}; take one from 0 to {selects(reader.bus) - 1}"
            yield Mistake(("reader", number, "device"), words)
        else:
            user = f"the reader of {at(reader.station)}"
            uses.append(Use(("reader", number, "device"), (reader.bus, reader.device), user))
    for again, first in _again(uses):
        words = f"{first.user} (line {{line}}) has this bus and device already; each reader needs a device of its own"
        yield Mistake(again.place, words, first.place)


# --- Ports and names ------------------------------------------------------------------------------------------


def _on_ports(table: TableSettings) -> Iterator[Mistake]:
    uses = []
    ports: dict[tuple[Path, str], str] = {
        (("reader", number, "port"), f"the reader of {at(reader.station)}"): reader.port
        for number, reader in enumerate(table.readers)
        if reader.kind == "pn532"
    }
    if table.satellite:
        ports[("satellite", "port"), "the satellite"] = table.satellite.port
    for (place, user), port in ports.items():
        if port != AUTO and not port.startswith("/"):
            yield Mistake(place, 'port: expected "auto" or a path that begins with /, as in "/dev/ttyUSB0"')
        elif port != AUTO or user != "the satellite":
            uses.append(Use(place, port, user))
    for again, first in _again(uses):
        advice = "name the port of each to tell them apart" if again.what == AUTO else "name another"
        yield Mistake(again.place, f"{first.user} (line {{line}}) has this port already; {advice}", first.place)


def _by_name(readers: tuple[ReaderSettings, ...]) -> Iterator[Mistake]:
    """Two readers behind pcscd are told apart by their names, and by nothing else."""
    named = [
        Use(("reader", number, "name"), reader.name, f"the reader of {at(reader.station)}")
        for number, reader in enumerate(readers)
        if reader.kind == "pcsc"
    ]
    for again in named:
        first = next((use for use in named if use is not again and str(use.what) in str(again.what)), None)
        if first is not None:
            words = f"{first.user} (line {{line}}) may be meant by this name, too; give each the whole name of its own"
            yield Mistake(again.place, words, first.place)


# --- Pins -----------------------------------------------------------------------------------------------------


def _on_pins(table: TableSettings) -> Iterator[Mistake]:
    uses = list(_pins(table))
    taken = TAKEN | {
        pin: f"SPI bus {reader.bus} ({signal}), where the reader of {at(reader.station)} is"
        for reader in table.readers
        if reader.kind == "rc522"
        for signal, pin in SPI.get(reader.bus, {}).items()
    }
    free = sorted(HEADER.keys() - taken.keys() - {use.what for use in uses})
    advice = f"free are {', '.join(map(str, free))}"
    for use in uses:
        if use.what not in HEADER:
            yield Mistake(use.place, f"a Pi has no pin GPIO{use.what}; {advice}")
        elif use.what in taken:
            yield Mistake(use.place, f"GPIO{use.what} belongs to {taken[use.what]}; {advice}")
    for again, first in _again(uses):
        yield Mistake(again.place, f"GPIO{again.what} has {first.user} (line {{line}}) already; {advice}", first.place)


def _pins(table: TableSettings) -> Iterator[Use]:
    """Every pin that something is wired to, besides the buses."""
    for number, reader in enumerate(table.readers):
        if reader.kind == "rc522":
            yield Use(("reader", number, "reset"), reader.reset, f"the reset of the reader of {at(reader.station)}")
    for number, button in enumerate(table.buttons):
        yield Use(("button", number, "pin"), button.pin, f"the {button.colour} button of {at(button.station)}")
    for number, lamp in enumerate(table.lamps):
        yield Use(("lamp", number, "pin"), lamp.pin, f"the lamp of {at(lamp.station)}")
    if table.buzzer:
        yield Use(("buzzer", "pin"), table.buzzer.pin, "the buzzer")

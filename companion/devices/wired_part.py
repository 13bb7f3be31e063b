"""What the tables of table.toml have in common: keys, what can be wrong with them, and how they are written down.

Each device has its own tables in `settings.py` of its folder. `companion.config` puts them together.
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args, get_type_hints

from msgspec import Meta, Struct

from companion.stations import Station, at
from companion.toml import toml_value

KeyPath: TypeAlias = tuple[str | int, ...]
"""The way to a value: ("reader", 0, "pin") is `pin` in the first [[reader]]."""

StationKey: TypeAlias = Annotated[
    Station, Meta(description="one of " + ", ".join(f'"{station}"' for station in get_args(Station)))
]
AUTO = "auto"
PortKey: TypeAlias = Annotated[str, Meta(description='"auto" or a path in quotes, as in "/dev/ttyUSB0"')]
PATHS = "or a path in /dev/companion, /dev/serial/by-id or by-path"
"""The comment behind a port in table.toml."""


class Mistake(NamedTuple):
    """A value that cannot stay, and what to do about it."""

    place: KeyPath
    words: str
    """{line} stands for the line of the other."""
    other: KeyPath = ()
    """What it collides with."""


class Claim(NamedTuple):
    """Something that a part needs for itself: a pin, a port, a chip-select, a place at a station."""

    resource: str
    """Claims to different resources never collide: "pin", "port"."""
    thing: Any
    place: KeyPath
    """The key of the part that says so."""
    user: str
    """What has it: "the lamp of pad0"."""
    refusal: str
    """Said when it is taken already. {user} and {line} are those of the earlier claim, {free} lists free pins."""
    is_same: Callable[[Any, Any], bool] = operator.eq
    """Whether two things of this resource are one."""


class WiredPart(Struct, frozen=True, forbid_unknown_fields=True):
    """One table of table.toml. Each key is annotated with `msgspec.Meta(description=…)`: what belongs there, for the
    person who wrote something else."""

    def mistakes(self) -> Iterator[Mistake]:
        """What is wrong with this table alone."""
        return iter(())

    def claims(self) -> Iterator[Claim]:
        """What no other part may use."""
        return iter(())

    def shared_pins(self) -> Mapping[int, str]:
        """Pins that it shares with its like, and what they are: those of a bus. Nothing else may use them."""
        return {}

    def comments(self) -> Mapping[str, str]:
        """Key → what is written behind it in table.toml."""
        return {}

    def lines(self) -> Iterator[str]:
        """The table as it is written, without its title. It reads back as the same."""
        comments = self.comments()
        for key in sorted(self.__struct_fields__, key=lambda key: key != "station"):
            yield toml_line(key, getattr(self, key), comments.get(key, ""))


def toml_line(key: str, value: Any, comment: str = "") -> str:
    written = f"[{', '.join(map(toml_value, value))}]" if isinstance(value, tuple) else toml_value(value)
    return f"{key} = {written}  # {comment}" if comment else f"{key} = {written}"


def meaning(part: type[WiredPart], key: str) -> str:
    """What belongs to a key, as its description says."""
    annotations = getattr(get_type_hints(part, include_extras=True)[key], "__metadata__", ())
    return next((each.description for each in annotations if each.description), "another value")


# --- Claims that several devices make -------------------------------------------------------------------------


def station_claim(part: str, station: str, place: KeyPath = ("station",)) -> Claim:
    """A station has one of each part: one reader, one lamp."""
    user = f"the {part} of {at(station)}"
    refusal = "{user} is in line {line} already; name another station"
    return Claim("station", (part, station), place, user, refusal)


def port_claim(port: str, user: str) -> Claim:
    advice = "name the port of each to tell them apart" if port == AUTO else "name another"
    return Claim("port", port, ("port",), user, f"{{user}} (line {{line}}) has this port already; {advice}")


def port_mistakes(port: str) -> Iterator[Mistake]:
    if port != AUTO and not port.startswith("/"):
        yield Mistake(("port",), 'port: expected "auto" or a path that begins with /, as in "/dev/ttyUSB0"')

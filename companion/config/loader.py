"""Reads `table.toml`. Whatever is wrong with it is a ConfigError with file, line, and what to do."""

import errno
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec

from companion.config.conflicts import Mistake, problems
from companion.config.settings import (
    READER_KEYS,
    ButtonSettings,
    BuzzerSettings,
    GpioSettings,
    LampSettings,
    ReaderSettings,
    SatelliteSettings,
    TableSettings,
    WifiSettings,
)
from companion.config.toml_lines import Path as Place
from companion.config.toml_lines import line_of, lines
from companion.errors import ConfigError
from companion.files import TooLongError, load
from companion.stations import PADS, Station
from companion.toml import TooIntricateError, read_toml

NAME = "table.toml"

SIZE_LIMIT = 64 * 1024
"""Fifty times as much as the largest real one needs."""

QUOTE = 60
"""How much of a wrong value is quoted."""


def find_table(home: Path, named: Path | None = None) -> TableSettings:
    """The table that was named, else the one of this home, else an empty one. Raises ConfigError."""
    own = home / NAME
    return read_table(named or own) if named or own.exists() else TableSettings()


def read_table(path: Path) -> TableSettings:
    """Raises ConfigError."""
    try:
        return parse_table(load(path, SIZE_LIMIT).decode(), str(path))
    except TooLongError:
        limit = f"one has at most {SIZE_LIMIT // 1024} KiB"
        raise ConfigError(f"{path}: this is too long for a {NAME}; {limit}") from None
    except OSError as error:
        advice = "`companion config` writes one"
        if error.errno in (errno.EISDIR, errno.EINVAL):  # a folder, or a pipe
            advice = f"move it away, then {advice}"
        raise ConfigError(f"{path}: cannot read this: {error.strerror}; {advice}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}, line {line}: this is not UTF-8 text; save it as such") from None
    except ValueError:  # a zero in the name
        raise ConfigError(f"there is no file {str(path)!r}") from None


def parse_table(text: str, origin: str) -> TableSettings:
    """The table in this text. Raises ConfigError, which names the origin and the line."""
    try:
        data = read_toml(text)
    except TooIntricateError as error:
        raise ConfigError(f"{origin}: this is no {NAME}: {error}") from None
    except ValueError as error:
        raise ConfigError(_not_toml(str(error), text, origin)) from None
    found = lines(text.removeprefix("\ufeff"))
    table = _converted(data, found, origin)
    found_wrong = sorted(problems(table), key=lambda each: line_of(each.place, found))
    if found_wrong:
        raise ConfigError(_first(found_wrong, found, origin))
    return table


def _first(wrong: list[Mistake], found: Mapping[Place, int], origin: str) -> str:
    """One at a time: the rest may follow from it."""
    place, words, other = wrong[0]
    return f"{origin}, line {line_of(place, found)}: {words.replace('{line}', str(line_of(other, found)))}"


def _not_toml(message: str, text: str, origin: str) -> str:
    """tomllib says "Invalid value (at line 3, column 7)", or "(at end of document)", or of a huge number nothing."""
    if at := re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL):
        return f"{origin}, line {at[2]}: this is not valid TOML: {at[1]}, at column {at[3]}"
    if message.endswith(" (at end of document)"):
        return f"{origin}, line {text.rstrip().count(chr(10)) + 1}: this is not valid TOML: {message}"
    return f"{origin}: this is not valid TOML: {message}"


# --- What has the wrong shape, in plain words ---------------------------------------------------------------------

KINDS: Mapping[str, type[msgspec.Struct]] = {
    "reader": ReaderSettings,
    "button": ButtonSettings,
    "lamp": LampSettings,
    "buzzer": BuzzerSettings,
    "gpio": GpioSettings,
    "satellite": SatelliteSettings,
    "wifi": WifiSettings,
}
SEVERAL = ("reader", "button", "lamp")
"""Tables of which there may be more than one."""

MEANT: dict[str | tuple[str, str], str] = {
    "kind": '"rc522", "pn532" or "pcsc"',
    "station": "one of " + ", ".join(f'"{station}"' for station in get_args(Station)),
    "colour": '"green" or "red"',
    "bus": "the number of an SPI bus: 0 or 1",
    "device": "the number of a chip-select: 0, 1 or 2",
    "reset": "the BCM number of a pin, as in reset = 25",
    "pin": "the BCM number of a pin, as in pin = 17",
    "backend": '"auto", "gpiod" or "pigpio"',
    "host": 'an address in quotes, as in "127.0.0.1"',
    ("gpio", "port"): "a number from 1 to 65535",
    ("reader", "port"): '"auto" or a path in quotes, as in "/dev/ttyUSB0"',
    ("reader", "name"): 'the name of a reader in quotes, as in "ACR122"',
    ("wifi", "name"): 'the name of a network in quotes, at most 32 letters, as in "Game night"',
    "password": "the password of the network in quotes, at most 63 letters",
    ("satellite", "port"): '"auto" or a path in quotes, as in "/dev/ttyUSB0"',
    "serial": "a number from 1 to 4294967294",
    "pads": f'a list of one to {len(PADS)} stations, as in ["{PADS[0]}", "{PADS[1]}"]',
}
"""What belongs to each key; where two tables have a key of the same name, by the table and the key."""


def _converted(data: Any, found: Mapping[Place, int], origin: str) -> TableSettings:
    place, words = min(_unknown(data), key=lambda each: line_of(each[0], found), default=(None, ""))
    if place is None:
        try:
            return msgspec.convert(data, TableSettings)
        except msgspec.ValidationError as error:
            place, words = _explained(str(error), data)
    raise ConfigError(f"{origin}, line {line_of(place, found)}: {words}")


def _unknown(data: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Each key that means nothing. Found by ourselves: in msgspec's message a hostile key could look like a place."""
    for name, value in data.items():
        if name not in KINDS:
            yield (name,), f"unknown key {name!r}; a {NAME} has only {', '.join(map(_bracketed, KINDS))}"
            continue
        keys = KINDS[name].__struct_encode_fields__
        for number, table in enumerate(value if isinstance(value, list) else [value]):
            place: Place = (name, number) if isinstance(value, list) else (name,)
            for key in table.keys() - set(keys) if isinstance(table, dict) else ():
                yield (*place, key), f"unknown key {key!r}; {_bracketed(name)} has only {', '.join(keys)}"
            if name == "reader" and isinstance(table, dict):
                yield from _out_of_place(place, table)


def _out_of_place(place: Place, table: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """What is known of readers, but not of this kind."""
    kind = table.get("kind", ReaderSettings().kind)
    own = next((keys for name, keys in READER_KEYS.items() if name == kind), ())
    for key in table.keys() & set(ReaderSettings.__struct_encode_fields__) - set(own) if own else ():
        yield (*place, key), f"a reader of kind {kind!r} has no {key!r}, only {', '.join(own)}"


def _explained(message: str, data: Any) -> tuple[Place, str]:
    """Where msgspec's problem is ("Expected `int`, got `str` - at `$.reader[0].bus`"), and what it is in our words."""
    way = message.rpartition("`$")[2]
    place: Place = tuple(name or int(number) for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", way))
    if missing := re.match(r"Object missing required field `(\w+)`", message):
        return place, f"{missing[1]!r} is missing in {_bracketed(place[0])}: {_meant(place[0], missing[1])}"
    name = next(step for step in reversed(place) if isinstance(step, str))
    if name == place[0]:
        return place, f"{name!r} is a table of its own: write {_bracketed(name)}, and its keys on the lines below"
    for step in place:
        data = data[step]
    meant = _meant(place[0], name)
    return place, f"{name}: expected {meant}, found {_quoted(data)}"


def _meant(table: str | int, key: str) -> str:
    return MEANT.get(key) or MEANT[str(table), key]


def _bracketed(table: str | int) -> str:
    return f"[[{table}]]" if table in SEVERAL else f"[{table}]"


def _quoted(value: object) -> str:
    """As it stands in TOML, more or less, and never endless."""
    try:
        text = str(value).lower() if isinstance(value, bool) else repr(value)
    except ValueError:  # 0xFFF… can be longer than Python is ready to write
        return "an endless number"
    return text if len(text) <= QUOTE else f"{text[: QUOTE - 1]}…"

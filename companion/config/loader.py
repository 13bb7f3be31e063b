"""Reads `table.toml`. Every mistake in it is a ConfigError with file, line, and what to do."""

import errno
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.config.table_settings import HallTableSettings, TableSettings, WifiSettings
from companion.config.toml_lines import line_of, lines
from companion.devices import reader_kinds
from companion.devices.gpio.settings import (
    PIN,
    ButtonSettings,
    BuzzerSettings,
    GpioSettings,
    LampSettings,
    free_pins,
    pin_words,
)
from companion.devices.reader_kinds import USUAL, UnusableReader
from companion.devices.reader_settings import ReaderSettings
from companion.devices.satellite.settings import SatelliteSettings
from companion.devices.wired_part import Claim, KeyPath, Mistake, WiredPart, meaning
from companion.errors import ConfigError
from companion.files import TooLongError, load
from companion.toml import TooIntricateError, read_toml

# --- Conflicts: parts that are fine alone, but use the same thing ---------------------------------------------


def problems(table: TableSettings) -> Iterator[Mistake]:
    """All that is wrong with a table."""
    parts = list(table.parts())
    for place, part in parts:
        yield from (Mistake((*place, *mistake.place), mistake.words) for mistake in part.mistakes())
    claims = [((*place, *claim.place), claim) for place, part in parts for claim in part.claims()]
    shared = {pin: words for _, part in parts for pin, words in part.shared_pins().items()}
    pins = [(place, claim) for place, claim in claims if claim.resource == PIN]
    free = free_pins((claim.thing for _, claim in pins), shared)
    for place, claim in pins:
        if words := pin_words(claim.thing, shared):
            yield Mistake(place, f"{words}; {free}")
    for place, claim, first_place, first in _collisions(claims):
        words = claim.refusal.replace("{user}", first.user).replace("{free}", free)
        yield Mistake(place, words, first_place)


def _collisions(claims: list[tuple[KeyPath, Claim]]) -> Iterator[tuple[KeyPath, Claim, KeyPath, Claim]]:
    """Each claim to something that is claimed already, and the first claim to it."""
    for number, (place, claim) in enumerate(claims):
        for first_place, first in claims[:number]:
            if first.resource == claim.resource and claim.is_same(claim.thing, first.thing):
                yield place, claim, first_place, first
                break


NAME = "table.toml"

_Part = TypeVar("_Part", bound=WiredPart)

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
    except FileNotFoundError:
        raise ConfigError(f"{path}: this {NAME} is missing; `companion config` writes one") from None
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
    if wrong := list(problems(table)):
        raise ConfigError(_first(wrong, found, origin))
    return table


def _first(wrong: list[Mistake], found: Mapping[KeyPath, int], origin: str) -> str:
    """One at a time: the rest may follow from it."""
    place, words, other = min(wrong, key=lambda each: line_of(each.place, found))
    return f"{origin}, line {line_of(place, found)}: {words.replace('{line}', str(line_of(other, found)))}"


def _not_toml(message: str, text: str, origin: str) -> str:
    """tomllib says "Invalid value (at line 3, column 7)", or "(at end of document)", or of a huge number nothing."""
    if at := re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL):
        return f"{origin}, line {at[2]}: this is not valid TOML: {at[1]}, at column {at[3]}"
    if message.endswith(" (at end of document)"):
        return f"{origin}, line {text.rstrip().count(chr(10)) + 1}: this is not valid TOML: {message}"
    return f"{origin}: this is not valid TOML: {message}"


# --- From TOML to settings ------------------------------------------------------------------------------------

READER = "reader"
PARTS: Mapping[str, type[WiredPart]] = {
    READER: ReaderSettings,
    "button": ButtonSettings,
    "lamp": LampSettings,
    "buzzer": BuzzerSettings,
    "gpio": GpioSettings,
    "satellite": SatelliteSettings,
    "wifi": WifiSettings,
    "hall": HallTableSettings,
}
"""The tables of a table.toml. The keys of a [[reader]] depend on its kind."""
SEVERAL = (READER, "button", "lamp")
"""Tables of which there may be more than one."""


def _converted(data: Mapping[str, Any], found: Mapping[KeyPath, int], origin: str) -> TableSettings:
    wrong: list[Mistake] = []
    parts: dict[str, Any] = {}
    names = dict(zip(TableSettings.__struct_encode_fields__, TableSettings.__struct_fields__, strict=True))
    for key, value in data.items():
        if key not in PARTS:
            wrong.append(Mistake((key,), f"unknown key {key!r}; a {NAME} has only {', '.join(map(_bracketed, PARTS))}"))
        elif key in SEVERAL and isinstance(value, list):
            parts[names[key]] = tuple(_part((key, number), table, wrong) for number, table in enumerate(value))
        else:
            parts[names[key]] = _part((key,), value, wrong)
    if wrong:
        raise ConfigError(_first(wrong, found, origin))
    return TableSettings(**parts)


def _part(place: KeyPath, table: Any, wrong: list[Mistake]) -> WiredPart | None:
    """What one table says. None: it is wrong, and why is in the list."""
    name = str(place[0])
    if not isinstance(table, dict) or (name in SEVERAL and len(place) == 1):
        words = f"{name!r} is a table of its own: write {_bracketed(name)}, and its keys on the lines below"
        wrong.append(Mistake(place, words))
        return None
    return _reader(place, table, wrong) if name == READER else _struct(place, table, PARTS[name], wrong)


def _reader(place: KeyPath, table: Mapping[str, Any], wrong: list[Mistake]) -> WiredPart | None:
    said = table.get("kind", USUAL)
    kind = reader_kinds.find(said) if isinstance(said, str) else None
    keys = {key: value for key, value in table.items() if key != "kind"}
    if isinstance(kind, type):
        return _struct(place, keys, kind, wrong)
    if kind:  # its package is broken, so only its station can be checked
        where = _struct(place, {key: keys[key] for key in keys if key == "station"}, ReaderSettings, wrong)
        return UnusableReader(where.station, why=kind, said=dict(table)) if where else None
    installed = " or ".join(", ".join(f'"{name}"' for name in reader_kinds.names()).rsplit(", ", 1)) or "none"
    words = f"kind: expected {installed} (the kinds installed here), found {_quoted(said)}"
    wrong.append(Mistake((*place, "kind"), words))
    return None


def _struct(place: KeyPath, table: Mapping[str, Any], kind: type[_Part], wrong: list[Mistake]) -> _Part | None:
    if unknown := table.keys() - set(kind.__struct_fields__):
        wrong += [Mistake((*place, key), _unknown(place[0], kind, key)) for key in unknown]
        return None
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        wrong.append(_explained(str(error), place, table, kind))
        return None


# --- In plain words -------------------------------------------------------------------------------------------


def _unknown(table: str | int, kind: type[WiredPart], key: str) -> str:
    own = ", ".join(kind.__struct_fields__)
    if issubclass(kind, ReaderSettings):
        if any(key in other.__struct_fields__ for other in reader_kinds.usable()):
            return f"a reader of kind {kind.kind!r} has no {key!r}, only kind, {own}"
        own += ", kind"
    return f"unknown key {key!r}; {_bracketed(table)} has only {own}"


def _explained(message: str, place: KeyPath, table: Mapping[str, Any], kind: type[WiredPart]) -> Mistake:
    """msgspec's message ("Expected `int`, got `str` - at `$.bus`") in our words."""
    if missing := re.match(r"Object missing required field `(\w+)`", message):
        words = f"{missing[1]!r} is missing in {_bracketed(place[0])}: {meaning(kind, missing[1])}"
        return Mistake(place, words)
    way = message.rpartition("`$")[2]
    steps = [name or int(number) for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", way)]
    found: Any = table
    for step in steps:
        found = found[step]
    key = str(steps[0])
    return Mistake((*place, *steps), f"{key}: expected {meaning(kind, key)}, found {_quoted(found)}")


def _bracketed(table: str | int) -> str:
    return f"[[{table}]]" if table in SEVERAL else f"[{table}]"


def _quoted(value: object) -> str:
    """As it stands in TOML, more or less, and never endless."""
    try:
        text = str(value).lower() if isinstance(value, bool) else repr(value)
    except ValueError:  # 0xFFF… can be longer than Python is ready to write
        return "an endless number"
    return text if len(text) <= QUOTE else f"{text[: QUOTE - 1]}…"

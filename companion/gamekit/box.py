"""Box files: what is printed on the components of a game, as TOML."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol, TypeVar

import msgspec

from companion.errors import BoxError
from companion.toml import TooIntricateError, read_toml

B = TypeVar("B")


class Printed(Protocol):
    """A component with an id of its own."""

    @property
    def id(self) -> str: ...


P = TypeVar("P", bound=Printed)


def read_box(text: str, origin: str, kind: type[B], problems: Callable[[B], Iterable[str]]) -> B:
    """Read a box of one kind in which no problems are found. Raises BoxError with the first one.

    The same text is the same box, because it takes milliseconds to read: so `kind` must be frozen, its
    mappings must not be changed (the contract checks both), and `problems` must always be the same function."""
    try:
        box: B = _read_box(text, kind, problems)  # type: ignore[arg-type]  # types are hashable, whatever mypy says
    except BoxError as error:
        raise BoxError(f"{origin}: {error}") from None
    return box


@lru_cache(maxsize=32)
def _read_box(text: str, kind: type[Any], problems: Callable[[Any], Iterable[str]]) -> Any:
    """Wherever the text comes from: each game of an evening has it again."""
    box = _parse_toml(text, kind)
    for problem in problems(box):
        raise BoxError(problem)
    return box


def problems_with_each(place: str, things: Sequence[P], problems: Callable[[P], Iterable[str]]) -> Iterator[str]:
    """What is wrong with the entries of a list: each id is a name and is there once; then what the game says of it."""
    seen: dict[str, int] = {}
    for number, thing in enumerate(things, 1):
        where = entry(place, number, thing.id)
        if not is_name(thing.id):
            yield f"{where}: id: expected a name without control characters"
        if thing.id in seen:
            yield f"{where}: entry {seen[thing.id]} has the same id, expected every id once"
        seen[thing.id] = number
        yield from (f"{where}: {problem}" for problem in problems(thing))


def is_name(text: str) -> bool:
    return bool(text.strip()) and not any(unicodedata.category(char) == "Cc" for char in text)


def _parse_toml(text: str, kind: type[B]) -> B:
    """Read a box of one kind from TOML. Raises BoxError, which names the entry and what was expected."""
    try:
        data = read_toml(text)
    except TooIntricateError as error:
        raise BoxError(f"this is not a box: {error}") from None
    except ValueError as error:
        raise BoxError(f"this is not valid TOML: {error}") from None
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise BoxError(explained(str(error), data, kind)) from None


# --- Plain data → typed values, and msgspec's messages in plain words ---------------------------------------------


def converted(data: Any, kind: type[B]) -> B:
    """Plain data as a value of this kind. Raises msgspec.ValidationError, whatever it is.

    JSON can say half a character ("\\ud800"). msgspec takes it where text belongs, and fails where it would have to
    read it, as a number or as one of several words: it is none of those."""
    try:
        try:
            return msgspec.convert(data, kind)
        except UnicodeEncodeError:
            return msgspec.convert(_escaped_values(data), kind)
    except RecursionError:
        raise msgspec.ValidationError("this is nested too deeply, expected plain values") from None


def _escaped_values(value: Any) -> Any:
    if isinstance(value, dict):
        return {escaped(key): _escaped_values(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_escaped_values(each) for each in value]
    return escaped(value) if isinstance(value, str) else value


def escaped(text: str) -> str:
    """With \\ud800 written out for half a character: this can be printed."""
    return text.encode("utf-8", "backslashreplace").decode()


def entry(place: str, number: int, id_: object = None) -> str:
    """How errors name an entry of a list: its number, counted from 1, and its id where it has one."""
    return f"{place}, entry {number} ({id_!r})" if isinstance(id_, str) else f"{place}, entry {number}"


def explained(message: str, data: Any, kind: type) -> str:
    """What is wrong with data that should be of a kind, in plain words.

    Expected `str`, got `int` - at `$.cards[3].animal` → cards, entry 4 ('deer-1'): animal: expected text, found …
    """
    problem, path = re.findall(r"^(.*?)(?: - at `(\$[^`]*)`)?$", message, re.DOTALL)[0]
    steps = [key or int(index) for key, index in re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path)]
    place, found = _walk(steps, data)
    return ": ".join([*place, _in_plain_words(problem, found, _expected(steps, kind))])


def _walk(steps: list[str | int], data: Any) -> tuple[list[str], Any]:
    """The words for a place in the data, and the value there."""
    place: list[str] = []
    for step in steps:
        data = data[step]
        if isinstance(step, str):
            place.append(step)
        elif isinstance(data, dict):
            place[-1] = entry(place[-1], step + 1, data.get("id"))
        else:
            place[-1] = f"{place[-1]}, number {step + 1}"
    return place, data


_type_info = cache(msgspec.inspect.type_info)


def _expected(steps: list[str | int], kind: type) -> Any:
    """What msgspec knows of the type that belongs at a place."""
    expected: Any = _type_info(kind)
    for step in steps:
        if isinstance(step, str):
            expected = next(field.type for field in expected.fields if field.encode_name == step)
        elif isinstance(expected, msgspec.inspect.TupleType):
            expected = expected.item_types[step]
        else:
            expected = expected.item_type
    return expected


WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number with a point",
    "array": "a list",
    "object": "keys with values",
    "bool": "true or false",
    "null": "nothing",
}


def _in_plain_words(problem: str, found: Any, expected: Any) -> str:
    named = re.findall(r"`([^`]*)`", problem)
    if problem.startswith("Object contains unknown field"):
        return f"unknown key {named[0]!r}, expected only {', '.join(field.encode_name for field in expected.fields)}"
    if problem.startswith("Object missing required field"):
        return f"{named[0]!r} is missing, expected {', '.join(_required(expected))}"
    if isinstance(expected, msgspec.inspect.LiteralType):
        return f"expected {' or '.join(map(shown, expected.values))}, found {shown(found)}"
    if counted := re.fullmatch(r"Expected `array` of length (\d+), got (\d+)", problem):
        return f"expected exactly {counted[1]}, found {counted[2]}"
    if problem.startswith("Expected") and len(named) == 2:
        return f"expected {_in_words(named[0])}, found {_in_words(named[1])}"
    return problem


def _in_words(types: str) -> str:
    """int | null → a whole number or nothing"""
    return " or ".join(WORDS.get(name, name) for name in types.split(" | "))


def shown(value: object) -> str:
    """A value from a file, as TOML and JSON write it."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list | dict):
        return WORDS["array"] if isinstance(value, list) else WORDS["object"]
    return repr(value)


def _required(struct: Any) -> list[str]:
    return [field.encode_name for field in struct.fields if field.required]

"""Box files: what is printed on the components of a game, as TOML."""

import tomllib
from typing import TypeVar

import msgspec

from companion.errors import BoxError

B = TypeVar("B")


def parse_box(text: str, origin: str, kind: type[B]) -> B:
    """Read a box of one kind from TOML. Raises BoxError, which names the origin, the entry and what was expected."""
    try:
        return msgspec.convert(tomllib.loads(text), kind)
    except tomllib.TOMLDecodeError as error:
        raise BoxError(f"{origin}: this is not valid TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise BoxError(f"{origin}: {error}") from None

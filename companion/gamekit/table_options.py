"""Table options: what players agree on before a game. A game declares them once, values and words together.

class Options(Struct, frozen=True, forbid_unknown_fields=True):
    tie: Annotated[
        Literal["carry", "discard"],
        option(N_("A tie for the highest bid (G6)"), carry=N_("the prize stays"), discard=N_("the prize is out")),
    ] = "carry"
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from companion.errors import UsageError
from companion.gamekit.box import shown

SMALL_NUMBERS = (1, 2, 3)
"""The values that a screen offers for an option that is a number."""


def option(about: str, words: Mapping[Any, str] | None = None, /, **more: str) -> Meta:
    """The words of an option, marked with `N_`: what it is about, and what each value means. A value that is no name
    (True, 1) goes into the mapping."""
    return Meta(extra={"about": about, "words": {**(words or {}), **more}})


class TableOption(Struct, frozen=True):
    name: str
    type: Any
    """As annotated."""
    default: Any
    about: str
    """In English; "" where the game has no words for it."""
    words: Mapping[Any, str]
    """What each value means, in English."""

    @property
    def kind(self) -> Any:
        """bool, int or a Literal."""
        return get_args(self.type)[0] if get_origin(self.type) is Annotated else self.type

    @property
    def values(self) -> tuple[Any, ...]:
        """As declared; of a number, some."""
        if self.kind is bool:
            return (True, False)
        return get_args(self.kind) or tuple(dict.fromkeys((self.default, *SMALL_NUMBERS)))

    @property
    def expected(self) -> str:
        """What a value has to be, for an error message."""
        if self.kind is bool:
            return "true or false"
        if get_origin(self.kind) is Literal:
            return "one of " + ", ".join(map(shown, get_args(self.kind)))
        return "a whole number, 1 or more"


def typed_option(text: str) -> tuple[str, str | bool | int]:
    """An option as people type it: last_card=at_once. Raises UsageError."""
    name, sign, value = text.partition("=")
    if not sign:
        raise UsageError(f"expected NAME=VALUE, got {text!r}")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isdecimal() else value


def typed_value(value: object) -> str:
    """As people type it: at_once, true, 3."""
    return value if isinstance(value, str) else shown(value)


@cache
def table_options(kind: type) -> Mapping[str, TableOption]:
    """The options that a game's struct declares, by their names."""
    return {field.name: _read(field) for field in msgspec.structs.fields(kind)}


def _read(field: msgspec.structs.FieldInfo) -> TableOption:
    words: dict[str, Any] = {}
    for meta in getattr(field.type, "__metadata__", ()):
        words |= meta.extra or {} if isinstance(meta, Meta) else {}
    return TableOption(field.name, field.type, field.default, words.get("about", ""), words.get("words", {}))

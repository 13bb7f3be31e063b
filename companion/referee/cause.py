"""What made the referee answer."""

from typing import Any

from msgspec import Struct


class Cause(Struct, frozen=True):
    """By what something was said, the id of that very signal or intention, and when."""

    how: str
    id: str
    at: float
    entry: int = 0
    """The journal's entry that it became; 0 if it changed nothing."""


def do(action: Any) -> str:
    """What an action is called."""
    return str(action.__struct_config__.tag)

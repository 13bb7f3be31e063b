"""Finds the box file that a game is played with: the one that was named, the owner's own, or the stand-in."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.errors import BoxError
from companion.files import changing, load_text, store
from companion.gamekit.game import Game
from companion.home.paths import box_path

SIZE_LIMIT = 1024 * 1024
"""Bytes: ten times the largest real box."""


class FoundBox(Struct, frozen=True):
    """A box, and the text that a journal stores."""

    text: str
    origin: str
    box: Any


def find_box(game: Game[Any, Any], named: Path | None = None) -> FoundBox:
    """The named box, else the owner's enrolled one, else the stand-in that ships. Raises BoxError."""
    path = named or box_path(game.name)
    try:
        text, origin = load_text(path, SIZE_LIMIT, "box", BoxError), str(path)
    except FileNotFoundError:
        if named:
            raise BoxError(f"{path}: this box is missing: there is no such file") from None
        text, origin = game.standin(), f"the stand-in box of {game.name}"
    return FoundBox(text, origin, game.parse_box(text, origin))


def keep_changed(game: str, before: str, after: str) -> None:
    """A piece has joined the box during a game: store it in the owner's own box, too. A box that was changed meanwhile
    or cannot be written stays as it is; the evening has its own copy."""
    path = box_path(game)
    with suppress(OSError, BoxError), changing(path.parent):
        try:
            ours = load_text(path, SIZE_LIMIT, "box", BoxError)
        except FileNotFoundError:
            ours = before
        if ours == before:
            store(path, after)

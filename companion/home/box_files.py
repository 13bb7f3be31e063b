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
"""Ten times as much as the largest real box needs."""


class FoundBox(Struct, frozen=True):
    """A box with its text, which a journal keeps, so that it reproduces the evening alone."""

    text: str
    origin: str
    box: Any


def find_box(game: Game[Any, Any], named: Path | None = None) -> FoundBox:
    """The named box, else the owner's enrolled one, else the stand-in that ships. Raises BoxError."""
    path = named or box_path(game.name)
    try:
        text, origin = load_text(path, SIZE_LIMIT, "box", BoxError), str(path)
    except FileNotFoundError as error:
        if named:
            raise BoxError(f"{path}: cannot read this box: {error.strerror}") from None
        text, origin = game.standin(), f"the stand-in box of {game.name}"
    return FoundBox(text, origin, game.parse_box(text, origin))


def keep_changed(game: str, before: str, after: str) -> None:
    """A piece has joined the box in the course of a game: the owner's own has it from now on. A box that was changed
    meanwhile stays as it is; so does one that cannot be written: the evening itself knows better."""
    path = box_path(game)
    with suppress(OSError, BoxError), changing(path.parent):
        try:
            ours = load_text(path, SIZE_LIMIT, "box", BoxError)
        except FileNotFoundError:
            ours = before
        if ours == before:
            store(path, after)

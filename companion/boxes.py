"""Finds the box file that a game is played with: the one that was named, the owner's own, or the stand-in."""

import os
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.errors import BoxError
from companion.games.game import Game


class FoundBox(Struct, frozen=True):
    """A box with its text, which a journal keeps, so that it reproduces the evening alone."""

    text: str
    origin: str
    box: Any


def home() -> Path:
    """Where Companion keeps what belongs to this table: evenings, boxes, tags. COMPANION_HOME overrides it."""
    named = os.environ.get("COMPANION_HOME")
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "companion"


def find_box(game: Game[Any, Any], named: Path | None = None) -> FoundBox:
    """The named box, else the owner's enrolled one, else the stand-in that ships. Raises BoxError."""
    enrolled = home() / "boxes" / f"{game.name}.toml"
    path = named or (enrolled if enrolled.exists() else None)
    if path is None:
        text, origin = game.standin(), f"the stand-in box of {game.name}"
    else:
        text, origin = _read(path), str(path)
    return FoundBox(text, origin, game.parse_box(text, origin))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BoxError(f"{path}: cannot read this box: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BoxError(f"{path}: this box is not UTF-8 text") from None

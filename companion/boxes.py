"""Finds the box file that a game is played with: the one that was named, the owner's own, or the stand-in."""

import os
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.errors import BoxError
from companion.games.game import Game
from companion.storage import load

SIZE_LIMIT = 1024 * 1024
"""The largest real box needs a tenth of it."""


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
        data = load(path, SIZE_LIMIT)
        if len(data) > SIZE_LIMIT:
            raise BoxError(f"{path}: this is too long for a box; one has at most {SIZE_LIMIT // 1024} KiB")
        return data.decode()
    except OSError as error:
        raise BoxError(f"{path}: cannot read this box: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BoxError(f"{path}: this box is not UTF-8 text") from None
    except ValueError:
        raise BoxError(f"there is no file {str(path)!r}") from None

"""An index of games that can be installed: a JSON file that you wrote or downloaded. It is read; nothing is fetched.

docs/game-recipes.md describes the file.
"""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from companion.errors import UsageError
from companion.files import load_text
from companion.gamekit import discovery
from companion.gamekit.manifest import API

MOST_BYTES = 4 * 1024 * 1024
_Line = Annotated[str, Meta(max_length=200)]


class IndexedGame(Struct, frozen=True):
    """A game of an index. Unknown fields are ignored, so that an index may say more than this version knows."""

    name: _Line
    """What commands call it."""
    package: _Line
    """What pip installs."""
    version: _Line
    api: int
    """The version of the kit that it was written for."""
    title: _Line = ""
    players: tuple[int, int] | None = None
    """The fewest and the most."""
    summary: _Line = ""


class GameIndex(Struct, frozen=True):
    schema: Literal[1]
    games: tuple[IndexedGame, ...]


def read_index(path: Path) -> GameIndex:
    """Raises UsageError, which names the file and what was expected."""
    try:
        text = load_text(path, MOST_BYTES, "index of games", UsageError)
        return msgspec.json.decode(text, type=GameIndex)
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file") from None
    except ValueError as error:  # msgspec's errors are ValueErrors
        raise UsageError(f"{path}: this is no index of games: {error}") from None


def available(index: GameIndex) -> Iterator[tuple[str, str]]:
    """Each game by its name, and what to do to play it."""
    for game in sorted(index.games, key=lambda game: game.name):
        players = f", {game.players[0]} to {game.players[1]} players" if game.players else ""
        summary = f": {game.summary}" if game.summary else ""
        yield f"{game.name}  {game.title or discovery.title_of(game.name)}{players}{summary}", _advice(game)


def _advice(game: IndexedGame) -> str:
    installed = _installed(game.package)
    if game.api != API:
        newer = "needs a newer Companion" if game.api > API else "was written for an older Companion"
        return f"{newer} (kit {game.api}; this one has kit {API})"
    if installed == game.version:
        return f"installed ({installed})"
    if installed:
        return f"installed ({installed}); pip install --upgrade {game.package} brings {game.version}"
    return f"pip install {game.package}  ({game.version})"


def _installed(package: str) -> str:
    """Its version; "" if it is not installed."""
    try:
        return version(package)
    except (PackageNotFoundError, ValueError):
        return ""

"""The games that Companion knows. A game is imported when it is first asked for."""

from importlib import import_module
from typing import Any

from companion.errors import UsageError
from companion.games.game import Game

NAMES = ("lascaux", "sioux", "darwinci", "carnuta")


def find(name: str) -> Game[Any, Any]:
    """The game of this name. Raises UsageError for a name that nobody knows."""
    if name not in NAMES:
        raise UsageError(f"there is no game {name!r}; Companion knows {', '.join(NAMES)}")
    game: Game[Any, Any] = import_module(f"companion.games.{name}.game").GAME
    return game

"""The start of a game and the reading of an action: plain data in, checked and typed values out. The same for every
game.

A game starts in three shapes. People agree on a `GamePlan` (companion.messages.lobby). What is stored is a `Header`:
the first line of a transcript, or with more in it the first entry of a game in a journal. The rules get a `Setup`.
"""

from functools import lru_cache
from typing import Any, Union

import msgspec
from msgspec import Struct

from companion.errors import UsageError, or_rather
from companion.gamekit import discovery
from companion.gamekit.box import converted, explained, shown
from companion.gamekit.game import Game, Refusal, Setup
from companion.gamekit.table_options import table_options

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana")


def usual_names(count: int) -> tuple[str, ...]:
    """Names for players who were given none."""
    return NAMES[:count] + tuple(f"Player {number}" for number in range(len(NAMES) + 1, count + 1))


class Header(Struct, frozen=True):
    """Who plays what, as plain data: the first line of a transcript."""

    game: str
    players: tuple[str, ...]
    first: int = 0
    options: dict[str, Any] = {}
    box: str | None = None
    """The path of the box file, relative to the transcript. None: the owner's own box, or the stand-in."""


def begin(header: Header, box: Any) -> tuple[Setup, Any]:
    """The checked start of this game, and its first state. Raises UsageError for a header that does not fit."""
    game = check(header)
    setup = Setup(len(header.players), header.first, read_options(game, header.options), box)
    return setup, game.setup(setup)


def check(header: Header) -> Game[Any, Any]:
    """The game of this header. Raises UsageError for an unknown game, a wrong number of players, or a `first` that is
    no seat."""
    game = discovery.find(header.game)
    count = len(header.players)
    if count not in game.players:
        raise UsageError(f"{game.name} is for {game.players[0]} to {game.players[-1]} players, you named {count}")
    if header.first not in range(count):
        raise UsageError(f"first: there is no seat {header.first}; the seats are 0 to {count - 1}")
    return game


def read_options(game: Game[Any, Any], options: dict[str, Any]) -> Any:
    """The table options of this game. Raises UsageError for an unknown one or a value that it does not have."""
    known = table_options(game.options)
    for name, value in options.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise UsageError(f"{game.name} has no option {name!r}; it has {names}{or_rather(name, known)}")
        try:
            converted(value, known[name].type)
        except msgspec.ValidationError:
            raise UsageError(f"option {name}: {shown(value)} is not {known[name].expected}") from None
    return converted(options, game.options)


def action_names(game: Game[Any, Any]) -> tuple[str, ...]:
    """What a line of this game may `do`."""
    return tuple(str(kind.__struct_config__.tag) for kind in game.actions)


def read_action(game: Game[Any, Any], data: dict[str, Any]) -> Any | Refusal:
    """An action from plain data; one that lacks a field or has one of the wrong type is refused."""
    do = data.get("do")
    kind = _kinds(tuple(game.actions)).get(do) if isinstance(do, str) else None
    if kind is None:
        return Refusal(game.form, "unknown action", {"do": str(do)})
    try:
        return converted(data, kind)
    except msgspec.ValidationError as error:
        return Refusal(game.form, "malformed", {"problem": explained(str(error), data, kind)})


def decoded_action(game: Game[Any, Any], body: bytes) -> Any | None:
    """An action straight from JSON, which takes a sixth of the time. None: `read_action` says what is wrong with it."""
    try:
        return _decoder(game.actions).decode(body)
    except (ValueError, TypeError, RecursionError):  # msgspec's errors are ValueErrors
        return None


@lru_cache
def _decoder(actions: tuple[type[Any], ...]) -> msgspec.json.Decoder[Any]:
    """Raises TypeError if these cannot be told apart."""
    return msgspec.json.Decoder(Union[actions])  # noqa: UP007  the members are known at run time only


@lru_cache
def _kinds(actions: tuple[type[Any], ...]) -> dict[Any, type[Any]]:
    """What a line may `do` → the action."""
    return {kind.__struct_config__.tag: kind for kind in actions}

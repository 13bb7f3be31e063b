"""Looking at values of any game: options, actions, states."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from companion.gamekit.game import Game, Whereabouts


def options_of(kind: type) -> Mapping[str, tuple[Any, ...]]:
    """Every table option with the values that it may have; of a number, some."""
    return {field.name: _values(field.type, field.default) for field in fields(kind)}


def _values(kind: Any, default: Any) -> tuple[Any, ...]:
    if kind is bool:
        return (True, False)
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(dict.fromkeys((default, 1, 2, 3)))


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def counted(lying: Whereabouts) -> Counter[str]:
    """How many pieces of each kind there are, wherever they lie."""
    kinds: Counter[str] = Counter()
    for (thing, _), count in lying.items():
        kinds[thing.kind] += count
    return +kinds


_HARD = frozenset({str, int, float, bool, bytes, type(None)})
"""What nearly all of a state is made of in the end."""


def soft_spots(value: Any, path: str = "state") -> Iterator[str]:
    """Where a state could be changed in place: a struct that is not frozen, a list, a set. Mappings are left alone."""
    return (path + spot for spot in _soft_spots(value))


def _soft_spots(value: Any) -> Iterator[str]:
    """The way to each from here, and what is wrong with it."""
    if type(value) in _HARD:
        return
    if isinstance(value, Struct):
        if not value.__struct_config__.frozen:
            yield f" is a {type(value).__name__}, which is not frozen"
        for name in value.__struct_fields__:
            yield from (f".{name}{spot}" for spot in _soft_spots(getattr(value, name)))
    elif isinstance(value, list | set | bytearray):
        yield f" is a {type(value).__name__}"
    elif isinstance(value, tuple | frozenset):
        for number, each in enumerate(value):
            yield from (f"[{number}]{spot}" for spot in _soft_spots(each))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from (f"[{key!r}]{spot}" for spot in _soft_spots(each))
    elif not isinstance(value, Hashable):
        yield f" is a {type(value).__name__}, which cannot be hashed"


def told(game: Game[Any, Any], state: Any) -> tuple[str, Whereabouts]:
    """All that leaves the rules: the table, what screens see, who is awaited, what is offered, what lies where."""
    awaiting, offered = game.awaiting(state), list(game.offered(state))
    shown = (game.table(state), game.view(state), awaiting, offered, game.settled(state) if game.settled else ())
    where = {key: count for key, count in game.whereabouts(state).items() if count}
    return msgspec.json.encode(shown).decode(), where

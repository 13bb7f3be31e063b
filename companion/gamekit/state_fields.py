"""What the fields of a state, a table or an action are: a mark says it, and the kit derives the rest.

A field without a mark is public. `Counted`: all see how many there are. `Private`: its player sees it, all others see
only how many, or whether there is one. `Unshown`: no player sees it. `PerSeat`: a value for each player; a mark inside
or around it holds for each of them. `Sealed` is what all players choose in secret at the same time, None until it is
made: all see who has chosen, and players see their own choice. A field whose type is `Seat` names a player. `Derived`
shows what a property of the state returns. In an action, `Private` makes the action its player's secret.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, defstruct
from msgspec.structs import fields, replace

from companion.gamekit.game import SEAT, FaceDown, FieldMark, Game, Place, Seat, Thing, Whereabouts
from companion.gamekit.seat_values import chosen_seats, with_item

T = TypeVar("T")
K = TypeVar("K", bound=Struct)

_PER_SEAT, _PRIVATE, _COUNTED = FieldMark("per seat"), FieldMark("private"), FieldMark("counted")
_UNSHOWN, _DERIVED, _SEALED = FieldMark("unshown"), FieldMark("derived"), FieldMark("sealed")

PerSeat: TypeAlias = Annotated[tuple[T, ...], _PER_SEAT]
Sealed: TypeAlias = Annotated[tuple[T | None, ...], _SEALED]
Private: TypeAlias = Annotated[T, _PRIVATE]
Counted: TypeAlias = Annotated[T, _COUNTED]
Unshown: TypeAlias = Annotated[T, _UNSHOWN]
Derived: TypeAlias = Annotated[T, _DERIVED]

_COLLECTIONS = (tuple, frozenset, Mapping)


class Declared(Struct, frozen=True):
    """What a field is."""

    name: str
    is_per_seat: bool
    is_sealed: bool
    names_seats: bool
    mark: FieldMark | None
    """Of the value, or of each player's."""

    @property
    def is_private(self) -> bool:
        return self.mark is _PRIVATE

    @property
    def is_counted(self) -> bool:
        return self.mark is _COUNTED


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The types that a function declares; none: it declares none that can be read."""
    try:
        return get_type_hints(function)
    except (NameError, TypeError):  # names for a type checker alone; no function but an object that can be called
        return {}


@lru_cache(64)
def declared(kind: type) -> tuple[Declared, ...]:
    """What the fields of a struct are, then what its properties with a mark are. `Unshown` ones are left out."""
    hints = get_type_hints(kind, include_extras=True)
    of_fields = [_declared(field.name, hints[field.name]) for field in fields(kind)]
    derived = [_declared(name, hint) for name, hint in _properties(kind) if _DERIVED in _marks(hint)]
    return tuple(each for each in (*of_fields, *derived) if each.mark is not _UNSHOWN)


def _properties(kind: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(kind).items():
        if isinstance(member, property):
            yield name, get_type_hints(member.fget, include_extras=True).get("return")


def _declared(name: str, hint: Any) -> Declared:
    marks = _marks(hint)
    if _SEALED in marks:
        return Declared(name, True, True, False, _PRIVATE)
    is_per_seat = _PER_SEAT in marks
    each = get_args(_bare(hint))[0] if is_per_seat else hint
    mark = next((mark for mark in (*marks, *_marks(each)) if mark not in (SEAT, _DERIVED, _PER_SEAT)), None)
    return Declared(name, is_per_seat, False, _is_seat(each), mark)


def _marks(hint: Any) -> tuple[FieldMark, ...]:
    return tuple(each for each in getattr(hint, "__metadata__", ()) if isinstance(each, FieldMark))


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _is_seat(hint: Any) -> bool:
    """Seat, Seat | None, or tuple[Seat, ...]"""
    if SEAT in _marks(hint):
        return True
    bare = _bare(hint)
    return get_origin(bare) in (Union, UnionType, tuple) and any(_is_seat(each) for each in get_args(bare))


def called(name: str) -> str:
    """A name or an id as a person would write it: won_prizes → won prizes; hearts-5 → hearts 5"""
    return re.sub(r"(?<=\w)[_-]+(?=\w)", " ", name)


def values_of(kind: type) -> Iterator[str]:
    """The words that its fields may have, where their types list them: `Literal["bid", "over"]`."""
    hints = get_type_hints(kind, include_extras=True)
    shown = {each.name for each in declared(kind)}
    for hint in (*(hints[name] for name in hints if name in shown), *(hint for _, hint in _properties(kind))):
        yield from (value for value in _listed(hint) if isinstance(value, str))


def _listed(hint: Any) -> Iterator[Any]:
    for each in get_args(hint):
        yield from [each] if get_origin(hint) is Literal else _listed(each)


def per_player(kind: type) -> tuple[str, ...]:
    """The fields that have a value for each player."""
    return tuple(each.name for each in declared(kind) if each.is_per_seat)


def seats(kind: type) -> tuple[str, ...]:
    """The fields that name players by their seats."""
    return tuple(each.name for each in declared(kind) if each.names_seats)


def is_secret(action: type) -> bool:
    """Whether an action is its player's secret: it has a private field."""
    return any(each.is_private for each in declared(action))


# --- What is seen ---------------------------------------------------------------------------------------------


def _outline(value: Any) -> int | bool:
    """What others see of a value: how many there are, or whether there is one."""
    return len(value) if isinstance(value, _COLLECTIONS) else value is not None


def _seen(field: Declared, state: Any) -> Any:
    value = getattr(state, field.name)
    if field.mark is None:
        return value
    return tuple(map(_outline, value)) if field.is_per_seat else _outline(value)


def table_of(kind: type) -> Callable[[Any], Struct]:
    """The function that shows all that is public in a state of this kind."""
    shown = declared(kind)
    types = {field.name: _seen_type(field, _type_of(kind, field.name)) for field in shown}
    table: Any = defstruct("DerivedTable", list(types.items()), frozen=True)
    return lambda state: table(*[_seen(field, state) for field in shown])


def _type_of(kind: type, name: str) -> Any:
    return get_type_hints(kind, include_extras=True).get(name) or dict(_properties(kind))[name]


def _seen_type(field: Declared, hint: Any) -> Any:
    """So that what has travelled to another process is the same again there: its lists are tuples."""
    if field.mark is None:
        return hint
    return tuple[int | bool, ...] if field.is_per_seat else int | bool


def shown_as(kind: type[K], source: Any, **others: Any) -> K:
    """A struct of this kind: what `source` has under the same names, and the `others`. For a `table` or a `view` in a
    shape of the game's own."""
    names: tuple[str, ...] = kind.__struct_fields__
    return kind(**{name: others[name] if name in others else getattr(source, name) for name in names})


def own_view_of(kind: type) -> Callable[[Any, Seat], Struct] | None:
    """The function that shows players what is private and theirs; None: nothing is."""
    own = [field for field in declared(kind) if field.is_per_seat and field.is_private]
    if not own:
        return None
    types = [(field.name, get_args(_bare(_type_of(kind, field.name)))[0]) for field in own]
    view: Any = defstruct("DerivedOwnView", types, frozen=True)
    return lambda state, seat: view(*[getattr(state, field.name)[seat] for field in own])


def players_of(kind: type) -> Callable[[Any], int] | None:
    """The function that counts the players at a state of this kind; None: no field has a value for each."""
    name = next(iter(per_player(kind)), None)
    return None if name is None else lambda state: len(getattr(state, name))


def sealed_choices(kind: type) -> list[str]:
    """The fields that hold what all players choose in secret at the same time."""
    return [field.name for field in declared(kind) if field.is_sealed]


def unchosen(state: Any) -> Any:
    """The state as it would be if no player had made a sealed choice yet: the same one, if that is so."""
    names = [name for name in sealed_choices(type(state)) if chosen_seats(getattr(state, name))]
    return replace(state, **{name: (None,) * len(getattr(state, name)) for name in names}) if names else state


def made_choices(kind: type) -> Callable[[Any], tuple[Seat, ...]] | None:
    """The function that names those who have made a sealed choice; None: there are none to make."""
    names = sealed_choices(kind)
    if not names:
        return None
    return lambda state: tuple(sorted({seat for name in names for seat in chosen_seats(getattr(state, name))}))


# --- Where pieces are: a place for each field that lists some, and for each player's part of it ------------------


def whereabouts_of(
    kind: type, pieces: Callable[[Any], Sequence[Thing]], face_down: Callable[[Any], FaceDown] | None = None
) -> Callable[[Any], Whereabouts] | None:
    """The function that counts pieces by their kind and owner, and names none; None: the state has no box. What is
    `face_down` is in "hands" and in the "stock"."""
    names = {field.name for field in fields(kind)}
    if "box" not in names:
        return None
    shown = [field for field in declared(kind) if field.name in names]

    def whereabouts(state: Any) -> Whereabouts:
        known = _nameless(pieces, state.box)
        lying: Counter[tuple[Thing, Place]] = Counter()
        if face_down is not None:
            hidden = face_down(state)
            back = known[hidden.unseen[0]] if hidden.unseen else Thing("")
            known = {piece: thing for piece, thing in known.items() if piece not in hidden.unseen}
            lying.update({(back, Place("hands", seat)): count for seat, count in enumerate(hidden.held)})
            lying[back, Place("stock")] = len(hidden.unseen) - sum(hidden.held)
        for field in shown:
            value = getattr(state, field.name)
            for seat, part in enumerate(value) if field.is_per_seat else [(None, value)]:
                lying.update((known[piece], Place(field.name, seat)) for piece in _ids(part) if piece in known)
        return +lying

    return whereabouts


def _nameless(pieces: Callable[[Any], Sequence[Thing]], box: Any) -> dict[str, Thing]:
    """What each piece looks like from outside."""
    return {piece.id: replace(piece, id="") for piece in pieces(box)}


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, _COLLECTIONS):
        for each in value:
            yield from _ids(each)


# --- Other worlds ---------------------------------------------------------------------------------------------


def dealt_again(game: Game[Any, Any], state: Any, seat: Seat, luck: Random) -> Any | None:
    """A state that this player cannot tell from this one: what the others hide and what is only counted was shuffled
    and dealt once more, pieces that look alike from outside among themselves. All such states are equally likely. None:
    nothing is dealt face down.

    A game whose players can tell more, such as who has no card of a suit, overrides `Judgement.resampled`."""
    kind: Any = game.state
    if kind is None:
        return None
    hidden = [each for each in declared(kind) if each.is_private == each.is_per_seat and each.mark]
    hands = [getattr(state, field.name) for field in hidden if field.is_private and not field.is_sealed]
    if not hands or not all(isinstance(part, tuple | frozenset) for parts in hands for part in parts):
        return None
    slots = [slot for field in hidden for slot in _slots(field, state, seat)]
    looks = _nameless(game.pieces, state.box) if hasattr(state, "box") else {}
    cards = _shuffled([card for _, _, held in slots for card in held], looks, luck)
    changed: dict[str, Any] = {}
    for field, other, held in slots:
        dealt, cards = cards[: len(held)], cards[len(held) :]
        before = changed.get(field.name, getattr(state, field.name))
        changed[field.name] = _refilled(field, before, other, dealt)
    return replace(state, **changed)


def _slots(field: Declared, state: Any, seat: Seat) -> Iterator[tuple[Declared, Seat | None, tuple[Any, ...]]]:
    """Where hidden things are: the field, whose part of it, and what is there."""
    value = getattr(state, field.name)
    if not field.is_per_seat:
        yield field, None, tuple(value)
        return
    for other, part in enumerate(value):
        if other != seat and part is not None:
            yield field, other, (part,) if field.is_sealed else tuple(part)


def _shuffled(cards: list[Any], looks: Mapping[str, Thing], luck: Random) -> list[Any]:
    """In another order, but things that look alike only change places among themselves."""
    sorts: dict[Any, list[Any]] = {}
    for card in cards:
        sorts.setdefault(looks.get(card, type(card)), []).append(card)
    for several in sorts.values():
        luck.shuffle(several)
    return [sorts[looks.get(card, type(card))].pop() for card in cards]


def _refilled(field: Declared, value: Any, seat: Seat | None, dealt: list[Any]) -> Any:
    if seat is None:
        return _alike(value, dealt)
    return with_item(value, seat, dealt[0] if field.is_sealed else _alike(value[seat], dealt))


def _alike(before: Any, dealt: list[Any]) -> Any:
    """In the same kind of collection, sorted if it was."""
    in_order = sorted(dealt) if isinstance(before, tuple) and list(before) == sorted(before) else dealt
    return type(before)(in_order)

"""How an owner goes through the box of a game: step by step, what is asked, in which words, and what is likely.

Every text is written in English and marked with `N_`, so that the catalogues collect it; a screen translates it when it
is shown. Facts stand in braces, as in the sentences of the rules: `{colour}`, `{cards:card|cards}`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from companion.gamekit.game import Thing
from companion.language.facts import N_, Fact
from companion.language.wording import Naming, as_it_is

Value: TypeAlias = str | tuple[str, ...]
"""What was chosen: one of the options, or several."""
Values: TypeAlias = Mapping[str, Value]
"""By the key of the field."""
Answers: TypeAlias = Mapping[str, Values]
"""By the key of the step."""
Data: TypeAlias = dict[str, Any]
"""A box file, as TOML has it."""

NONE = ""
"""The option that says: nothing is printed there."""
MOST_FIELDS = 6
"""How many fields a step may ask for: the screen has no room for more."""
BIG = "big"
"""The context of titles: their translations have to be short, for the big letters."""


class OneOf(Struct, frozen=True):
    """One of these."""

    key: str
    label: str
    """What is asked, in a word or two."""
    options: tuple[str, ...]
    facts: Mapping[str, Fact] = {}
    """The facts in the label."""

    def allows(self, value: Value) -> bool:
        return isinstance(value, str) and value in self.options


class Several(Struct, frozen=True):
    """Some of these, in any order; each as often as you like, unless they are `distinct`."""

    key: str
    label: str
    options: tuple[str, ...]
    least: int
    most: int
    distinct: bool = False
    facts: Mapping[str, Fact] = {}

    def allows(self, value: Value) -> bool:
        if isinstance(value, str) or not self.least <= len(value) <= self.most:
            return False
        return set(value) <= set(self.options) and not (self.distinct and len(set(value)) < len(value))


Field: TypeAlias = OneOf | Several


class Complaint(Struct, frozen=True):
    """Something that cannot be: nothing has changed."""

    what: str
    """Which one it is."""
    facts: Mapping[str, Fact] = {}
    sentence: str = ""
    """What a game says about its own pieces. Complaints that every game shares have theirs on the screen."""


class EnrolmentStep(Struct, frozen=True):
    """One piece, or a sheet of what is printed on several."""

    key: str
    """Unlike all others of the plan. It is kept on the disk, so that an owner who has stopped can go on."""
    title: str
    """Short, for the big letters and to name the piece elsewhere: `N_("Hunter", "big")`."""
    sentence: str
    """What to do: about 60 letters fit on the small screen."""
    facts: Mapping[str, Fact] = {}
    fields: tuple[Field, ...] = ()
    """At most `MOST_FIELDS`."""
    values: Values = {}
    """What is likely: from the box that was there before."""
    tagged: bool = True
    """A piece, which may carry a tag; else a sheet, which comes first and cannot be left for later."""

    @property
    def sort(self) -> dict[str, Fact]:
        """The values printed on the piece, without its number."""
        return {name: fact for name, fact in self.facts.items() if name not in ("number", "of")}


def agreed(values: Values) -> Complaint | None:
    """Nothing to object to."""
    return None


class EnrolmentPlan(Struct, frozen=True):
    """How an owner goes through the box of a game. The pieces come in the order of the game's `pieces`."""

    steps: Callable[[Data, Answers], list[EnrolmentStep]]
    """Given the box that was there before and what has been answered."""
    box: Callable[[Data, Answers], Data]
    """The box file that follows from the answers."""
    objections: Mapping[str, Callable[[Values], Complaint | None]] = {}
    """By the key of a step: what its fields cannot see one by one."""
    word: Naming = as_it_is
    """The word for a fact of a step, and for an option of a field, by the field's key; None: shown as it is."""


# --- What plans are made of -----------------------------------------------------------------------------------


def piece_steps(pieces: Sequence[Thing]) -> list[EnrolmentStep]:
    """A step for each piece of a box: it asks for the tag, and for nothing else.

    The facts are the piece's `kind`, its `id` and, counted from 1, the `set` it belongs to: `EnrolmentPlan.word` may
    have words for them."""
    keys = unique(_key(piece) for piece in pieces)
    return [
        _piece_step(key, piece, number, len(pieces))
        for number, (key, piece) in enumerate(zip(keys, pieces, strict=True), 1)
    ]


def _key(piece: Thing) -> str:
    return " ".join(filter(None, (piece.kind, piece.id, "" if piece.owner is None else str(piece.owner + 1))))


def _piece_step(key: str, piece: Thing, number: int, of: int) -> EnrolmentStep:
    facts: dict[str, Fact] = {"kind": piece.kind, "id": piece.id, "number": number, "of": of}
    if piece.owner is None:
        return EnrolmentStep(key, N_("{kind} {id}", "big"), N_("Tap piece {number} of {of}: {kind} {id}"), facts)
    sentence = N_("Tap piece {number} of {of}, from set {set}: {kind} {id}")
    return EnrolmentStep(key, N_("{set}: {kind} {id}", "big"), sentence, {**facts, "set": piece.owner + 1})


def numbers(first: int, last: int, *others: object) -> tuple[str, ...]:
    """Options from first to last, and what else was there before."""
    more = {int(each) for each in others if isinstance(each, int)}
    return tuple(str(number) for number in sorted({*range(first, last + 1), *more}))


def chosen(step: EnrolmentStep, answers: Answers) -> Values:
    """What was answered to a step, else what is likely."""
    return answers.get(step.key, step.values)


def one(values: Values, key: str) -> str:
    value = values[key]
    assert isinstance(value, str)
    return value


def several(values: Values, key: str) -> tuple[str, ...]:
    value = values[key]
    assert isinstance(value, tuple)
    return value


def unique(names: Iterable[str]) -> list[str]:
    """Ids of things that may look alike: the second one is called deer-2."""
    seen: set[str] = set()
    ids: list[str] = []
    for name in names:
        number = 1
        while (id_ := name if number == 1 else f"{name}-{number}") in seen:
            number += 1
        seen.add(id_)
        ids.append(id_)
    return ids

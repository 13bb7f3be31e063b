"""A step of enrolling: one piece, or a sheet of what is printed on several. What is asked, and what is likely."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

Value: TypeAlias = str | tuple[str, ...]
"""What was chosen: one of the options, or several."""
Values: TypeAlias = Mapping[str, Value]
"""By the key of the field."""
Answers: TypeAlias = Mapping[str, Values]
"""By the key of the step."""
Data: TypeAlias = dict[str, Any]
"""A box file, as TOML has it."""
Facts: TypeAlias = Mapping[str, str | int]

NONE = ""
"""The option that says: nothing is printed there."""


class Choice(Struct, frozen=True):
    """One of these."""

    key: str
    options: tuple[str, ...]
    about: str = ""
    """What it is asked of, where a step asks the same several times."""

    def allows(self, value: Value) -> bool:
        return isinstance(value, str) and value in self.options


class Several(Struct, frozen=True):
    """Some of these, in any order; each as often as you like, unless they are `distinct`."""

    key: str
    options: tuple[str, ...]
    least: int
    most: int
    distinct: bool = False
    about: str = ""

    def allows(self, value: Value) -> bool:
        if isinstance(value, str) or not self.least <= len(value) <= self.most:
            return False
        return set(value) <= set(self.options) and not (self.distinct and len(set(value)) < len(value))


Field: TypeAlias = Choice | Several


class Complaint(Struct, frozen=True):
    """Something that cannot be: nothing has changed. Which sentence it is, and the facts in it."""

    what: str
    facts: Facts = {}


class Step(Struct, frozen=True):
    key: str
    what: str
    """Which sentence asks for it."""
    facts: Facts = {}
    fields: tuple[Field, ...] = ()
    values: Values = {}
    """What is likely: from the box that was there before."""
    tagged: bool = True
    """A piece, which may carry a tag; else a sheet, which comes first and cannot be left for later."""


def agreed(values: Values) -> Complaint | None:
    """Nothing to object to."""
    return None


class Plan(Struct, frozen=True):
    """How the box of a game is gone through. The pieces come in the order of the game's `pieces`."""

    steps: Callable[[Data, Answers], list[Step]]
    """Given the box that was there before and what has been answered."""
    box: Callable[[Data, Answers], Data]
    """The box file that follows from the answers."""
    objections: Mapping[str, Callable[[Values], Complaint | None]] = {}
    """By the key of a step: what its fields cannot see one by one."""


def numbers(first: int, last: int, *others: object) -> tuple[str, ...]:
    """Options from first to last, and what else was there before."""
    more = {int(each) for each in others if isinstance(each, int)}
    return tuple(str(number) for number in sorted({*range(first, last + 1), *more}))


def chosen(step: Step, answers: Answers) -> Values:
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

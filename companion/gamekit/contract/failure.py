"""What a game's author reads when the game breaks its contract: what was expected, what was found, where, and how to
see that position again."""

import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.gamekit.game import Refusal, Setup, Step

LONGEST = 600
"""Characters of something that was found."""


class Spot(Struct, frozen=True):
    """A position in a game that chance has played."""

    seed: int
    setup: Setup
    action: int
    """How many actions were done, this one included; 0: the game has just been set up."""
    done: Any = None
    """The action of this number."""

    def __str__(self) -> str:
        """game 3: 4 players, seat 1 begins, tie=carry; action 12: {"do":"bid","seat":0,"card":"clubs-7"}"""
        options = [f"{name}={value}" for name, value in msgspec.to_builtins(self.setup.options).items()]
        begun = ", ".join([f"{self.setup.players} players", f"seat {self.setup.first} begins", *options])
        done = "set up" if self.action == 0 else f"action {self.action}: {shown(self.done)}"
        return f"game {self.seed}: {begun}; {done}"


class BrokenContractError(AssertionError):
    """One property that the game does not keep. `key` is the same for the same mistake."""

    def __init__(self, expected: str, found: str, key: str = "") -> None:
        super().__init__(expected, found)
        self.expected, self.found, self.key = expected, found, key
        self.rule = self.where = self.replay = ""

    def __str__(self) -> str:
        lines = [("expected", self.expected), ("found", self.found), ("where", self.where), ("replay", self.replay)]
        told = [f"  {label + ':':10}{_indented(text)}" for label, text in lines if text]
        return "\n".join([self.rule or "the contract of all games", *told])


def _indented(text: str) -> str:
    return text.replace("\n", "\n" + " " * 12)


def shown(value: Any) -> str:
    """A state, an action or an answer, short enough to read: an action as a transcript has it."""
    if isinstance(value, Refusal):
        text = f"a Refusal {value.rule}, {value.what!r}, {value.facts}"
    elif isinstance(value, Step):
        text = f"a Step with the rulings {[ruling.what for ruling in value.rulings]}"
    elif isinstance(value, Struct) and value.__struct_config__.tag_field == "do":
        text = msgspec.json.encode(value).decode()
    else:
        text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def difference(one: Any, other: Any, path: str = "") -> str:
    """Where two values differ first, and how: `.hands[0]: (…) and (…)`. JSON is compared part by part."""
    if type(one) is type(other):
        if isinstance(one, str | bytes) and (parts := _decoded(one, other)):
            return difference(*parts, path)
        if isinstance(one, Struct):
            pairs = [(f".{name}", getattr(one, name), getattr(other, name)) for name in one.__struct_fields__]
        elif isinstance(one, list | tuple) and len(one) == len(other):
            pairs = [(f"[{place}]", *pair) for place, pair in enumerate(zip(one, other, strict=True))]
        elif isinstance(one, list | tuple):
            missing = [[each for each in some if each not in others] for some, others in ((one, other), (other, one))]
            return f"{path or 'they are'}: {shown(missing[0][:1])} is only in one, {shown(missing[1][:1])} in the other"
        elif isinstance(one, dict) and one.keys() == other.keys():
            pairs = [(f"[{key!r}]", value, other[key]) for key, value in one.items()]
        else:
            pairs = []
        for step, first, second in pairs:
            if first != second:
                return difference(first, second, path + step)
    return f"{path or 'they are'}: {shown(one)} and {shown(other)}"


def _decoded(one: str | bytes, other: str | bytes) -> tuple[Any, Any] | None:
    try:
        parts = msgspec.json.decode(one), msgspec.json.decode(other)
    except msgspec.DecodeError:
        return None
    return parts if isinstance(parts[0], list | dict) else None


def raised(error: Exception, rules: str) -> BrokenContractError | None:
    """The failure for an error in the code of the game with these rules; None if none of its code was at work."""
    home = _home(rules)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(home)]
    if not frames:
        return None
    called, last = frames[0].name, frames[-1]
    file = Path(last.filename).relative_to(home.parent)
    place = f"{file}, line {last.lineno}"
    text = f"{type(error).__name__}: {error}".removesuffix(": ")
    notes = [*getattr(error, "__notes__", ())]
    found = "\n".join([text, f"in {place}, in {last.name}: {last.line}", *notes])
    key = f"{type(error).__name__} {place}"
    return BrokenContractError(f"`{called}` raises nothing: an exception is a bug, a refusal is a value", found, key)


def _home(rules: str) -> Path:
    """The folder of a game, or its only file."""
    names = rules.partition(":")[0].split(".")
    top = ".".join(names[:3] if names[:2] == ["companion", "games"] else names[:1])
    file = Path(str(sys.modules[top].__file__)) if top in sys.modules else Path(top)
    return file.parent if file.stem == "__init__" else file


def rule_of(test: Callable[..., Any]) -> str:
    """test_states_are_frozen → states are frozen"""
    return test.__name__.removeprefix("test_").replace("_", " ")


def file_of(kind: type) -> str:
    """The file that a class is in, as a person at this terminal would name it; "" if there is none."""
    try:
        path = Path(inspect.getfile(kind))
    except (OSError, TypeError):
        return ""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)

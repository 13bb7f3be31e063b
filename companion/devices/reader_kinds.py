"""Finds kinds of readers: every installed package that names one in the entry-point group `companion.readers`.

Ours are found in the same way. Asking for names imports nothing. A kind is imported when it is first asked for; if
that fails, the reason is kept, and only readers of this kind are lost. A stranger's is first tried in another process
(`companion.import_trials`), so whatever its import does harms nothing else.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from companion.devices.reader_settings import FoundReader, ReaderSettings
from companion.devices.tag_field import ReaderError, TagField
from companion.devices.wired_part import toml_line
from companion.errors import ConfigError
from companion.troubles import ReaderTrouble

if TYPE_CHECKING:
    from companion.devices.computer import System
    from companion.devices.finding import Check, Finding

GROUP = "companion.readers"
USUAL = "rc522"
"""What a [[reader]] is that does not say its kind."""
OWN = "companion-table"
"""Our own distribution: its names are taken first."""

ReaderKind: TypeAlias = type[ReaderSettings]

_log = logging.getLogger(__name__)


class UnusableKind(Struct, frozen=True):
    """A package that offers a kind of reader which cannot be used, and why."""

    package: str
    name: str
    reason: str

    @property
    def advice(self) -> str:
        return f"all other readers work; install {self.package} again, or `pip uninstall {self.package}`"


@cache
def _entries() -> Mapping[str, tuple[EntryPoint, ...]]:
    """By name, ours first. A name should have one."""
    every = sorted(entry_points(group=GROUP), key=lambda entry: (_package(entry) != OWN, _package(entry)))
    return {name: tuple(each for each in every if each.name == name) for name in sorted(each.name for each in every)}


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "an unknown package"


def look_again() -> None:
    """Forget what was found: packages have come or gone."""
    _entries.cache_clear()
    find.cache_clear()


def names() -> tuple[str, ...]:
    """Every kind that a package offers."""
    return tuple(_entries())


@cache
def find(name: str) -> ReaderKind | UnusableKind | None:
    """The kind of this name; None: no package offers it."""
    if name not in _entries():
        return None
    entry = _entries()[name][0]
    if _package(entry) != OWN:
        from companion.import_trials import AGAIN, outcomes

        (outcome,) = outcomes([entry], f"{__name__}:rehearse")
        if outcome.problem:
            return UnusableKind(_package(entry), name, outcome.problem.removesuffix(f": {AGAIN}"))
    try:
        kind = entry.load()
    except (Exception, SystemExit) as error:  # half an installation; or another import than in its trial
        return UnusableKind(_package(entry), name, _not_imported(entry.value, error))
    if not (isinstance(kind, type) and issubclass(kind, ReaderSettings) and kind.kind == name):
        reason = f"{entry.value} is not a subclass of ReaderSettings with the kind {name!r}"
        return UnusableKind(_package(entry), name, reason)
    return kind


def _not_imported(value: str, error: BaseException) -> str:
    words = " ".join(str(error).split())
    return f"{value} cannot be imported ({type(error).__name__}{f': {words}' if words else ''})"


def rehearse(value: str, say: Callable[..., None]) -> None:
    """In a process of its own: import the kind at this place."""
    say(at=value)
    try:
        EntryPoint("", value, GROUP).load()
    except BaseException as error:
        say(problem=_not_imported(value, error))
    else:
        say(problem="")


def usable() -> Iterator[ReaderKind]:
    """Every kind that can be used."""
    for name in names():
        if isinstance(kind := find(name), type):
            yield kind


def unusable() -> Iterator[UnusableKind]:
    for name, (first, *others) in _entries().items():
        if isinstance(kind := find(name), UnusableKind):
            yield kind
        for other in others:
            yield UnusableKind(_package(other), name, f"the kind {name!r} is taken by {_package(first)}")


def kinds_check() -> "Check":
    """For the doctor: packages whose readers cannot be used. They disturb no other reader, so that is no problem of
    the table."""
    from companion.devices.finding import Check, Finding

    def look() -> "Iterator[Finding]":
        for kind in unusable():
            yield Finding.check(f"reader kind {kind.name}", f"{kind.package}: {kind.reason}", kind.advice)

    return Check("reader kinds", look)


def reader_check(reader: ReaderSettings, system: "System") -> "Check":
    """The doctor's check of one reader. A stranger's mistake in it becomes a finding."""
    from companion.devices.finding import Check, Finding

    try:
        return reader.check(system)
    except Exception as error:
        words = f"its check failed: {type(error).__name__}: {error}"
        finding = Finding.problem(reader.name_for_people, words, f"report this to the author of {reader.kind!r}")
        return Check(reader.name_for_people, lambda: [finding])


def usual_reader() -> ReaderSettings:
    """As kit one is wired. Raises ConfigError where Companion is only half installed."""
    kind = find(USUAL)
    if not isinstance(kind, type):
        raise ConfigError(f"readers of kind {USUAL!r} cannot be used ({kind}); install Companion again")
    return kind()


def detected(root: Path = Path("/")) -> FoundReader | None:
    """The reader that seems to be plugged in; one without doubt first. Nothing is opened."""
    found = []
    for kind in usable():
        try:
            found += [each] if (each := kind.detect(root)) else []
        except Exception:  # a stranger's mistake hides that reader, and no other
            _log.exception("%s: cannot be detected", kind.kind)
    return min(found, key=lambda each: bool(each.may_be), default=None)


class UnusableReader(ReaderSettings, frozen=True, kw_only=True):
    """A [[reader]] whose kind cannot be used. Its station has a fault, and the rest of the table works."""

    why: UnusableKind
    said: dict[str, Any]
    """All that table.toml says of it."""

    def lines(self) -> Iterator[str]:
        for key, value in self.said.items():
            yield toml_line(key, tuple(value) if isinstance(value, list) else value)

    def opener(self) -> Callable[[], TagField]:
        where = f"The {self.name_for_people}, of kind {self.why.name}"
        raise ReaderError(ReaderTrouble.NO_DRIVER, where, f"{self.why.package}: {self.why.reason}")

    def check(self, system: "System") -> "Check":
        from companion.devices.finding import Check, Finding

        words = f"its kind {self.why.name!r} cannot be used: {self.why.package}: {self.why.reason}"
        finding = Finding.problem(self.name_for_people, words, self.why.advice)
        return Check(self.name_for_people, lambda: [finding])

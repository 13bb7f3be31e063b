"""What a trial is, and what comes of it."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from msgspec import Struct

from tests.campaign import trials

SHOWN = 10
"""Failures that are told; the rest is counted."""


class Measured(Struct, frozen=True):
    """How often something was tried, and the sum of what was measured."""

    tried: int
    total: float

    def __add__(self, other: "Measured") -> "Measured":
        return Measured(self.tried + other.tried, self.total + other.total)


class Outcome(Struct, frozen=True):
    """What was tried, what was seen on the way, and what broke. Each failure names what would bring it about again."""

    tried: int
    seen: Mapping[str, int] = {}
    """Counts that show that the trial went where it was meant to go: kinds of faults, refusals, what was set aside."""
    failures: tuple[str, ...] = ()
    measured: Mapping[str, Measured] = {}
    """What was measured, kind by kind; shown as a table of its own."""
    unit: str = ""
    """What is measured."""

    def __add__(self, other: "Outcome") -> "Outcome":
        """Both, as if they had been one."""
        kinds = sorted({*self.measured, *other.measured})
        nothing = Measured(0, 0.0)
        return Outcome(
            self.tried + other.tried,
            {what: self.seen.get(what, 0) + other.seen.get(what, 0) for what in {**self.seen, **other.seen}},
            (*self.failures, *other.failures),
            {kind: self.measured.get(kind, nothing) + other.measured.get(kind, nothing) for kind in kinds},
            self.unit or other.unit,
        )

    def table(self) -> list[str]:
        """What was measured, as a page shows it."""
        rows = [f"| {kind} | {each.tried:,} | {each.total:,.2f} |" for kind, each in self.measured.items()]
        return [f"| kind | how often | {self.unit} |", "|---|---|---|", *rows] if rows else []

    def __str__(self) -> str:
        seen = ", ".join(f"{count:,} {what}" for what, count in self.seen.items())
        broke = [f"  {failure}" for failure in self.failures[:SHOWN]]
        return "\n".join(
            [
                f"{self.tried:,} tried, {len(self.failures):,} failed" + (f": {seen}" if seen else ""),
                *broke,
                *self.table(),
            ]
        )


def names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in iter_modules(trials.__path__)))


def trial(name: str) -> ModuleType:
    return import_module(f"{trials.__name__}.{name}")

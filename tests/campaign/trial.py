"""What a trial is, and what comes of it."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from msgspec import Struct

from tests.campaign import trials

SHOWN = 10
"""Failures that are told; the rest is counted."""


class Outcome(Struct, frozen=True):
    """What was tried, what was seen on the way, and what broke. Each failure names what would bring it about again."""

    tried: int
    seen: Mapping[str, int] = {}
    """Counts that show that the trial went where it was meant to go: kinds of faults, refusals, what was set aside."""
    failures: tuple[str, ...] = ()

    def __str__(self) -> str:
        seen = ", ".join(f"{count:,} {what}" for what, count in self.seen.items())
        broke = [f"  {failure}" for failure in self.failures[:SHOWN]]
        return "\n".join(
            [f"{self.tried:,} tried, {len(self.failures):,} failed" + (f": {seen}" if seen else ""), *broke]
        )


def names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in iter_modules(trials.__path__)))


def trial(name: str) -> ModuleType:
    return import_module(f"{trials.__name__}.{name}")

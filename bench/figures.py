"""Figures as ratios: both sides are measured in turn, round by round, in one run, because machines are noisy."""

import math
import statistics
from collections.abc import Callable
from importlib.util import find_spec

from msgspec import Struct


class Figure(Struct, frozen=True):
    """A measured ratio and the bound that it has to keep."""

    name: str
    ratio: float
    bound: float
    at_least: bool
    detail: str

    @property
    def is_measured(self) -> bool:
        """Not where the other side is not installed."""
        return not math.isnan(self.ratio)

    @property
    def kept(self) -> bool:
        return self.ratio >= self.bound if self.at_least else self.ratio <= self.bound

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        mark = "kept  " if self.kept else "MISSED" if self.is_measured else "absent"
        return f"{mark}  {self.ratio:7.2f}  {sign} {self.bound:<5g} {self.name}\n{'':24}{self.detail}"


class Effort(Struct, frozen=True):
    """How much is measured: all of it, or a small part of it, which tells nothing but that it still runs."""

    part: float = 1.0
    warm_up: int = 1
    """How many rounds are thrown away first, where a round is long."""

    def of(self, amount: float) -> int:
        return max(1, round(amount * self.part))


WHOLE = Effort()


def of_others(library: str, measure: Callable[[], float]) -> Callable[[], float]:
    """A third-party engine. If it is not installed, ours is measured all the same, and the ratio is nan."""
    return measure if find_spec(library) else lambda: math.nan


def medians(rounds: int, *measures: Callable[[], float], warm_up: int = 1) -> list[list[float]]:
    """Each measure once a round, so that all of them meet the same disturbances. Warm-up rounds are thrown away."""
    results = [[measure() for measure in measures] for _ in range(warm_up + rounds)]
    return results[warm_up:]


def ratio(results: list[list[float]], over: int, under: int) -> float:
    """The median of the ratios of the rounds."""
    return statistics.median(row[over] / row[under] for row in results)


def median(results: list[list[float]], which: int) -> float:
    return statistics.median(row[which] for row in results)

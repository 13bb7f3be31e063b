"""ngspice, as far as the proofs need it: an operating point, or waveforms over time."""

import itertools
import re
import subprocess
import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hardware.circuits.netlist import Netlist

Wave = Sequence[float]


class Corner(dict[str, float]):
    """One combination of supply, temperature and tolerances."""

    def __str__(self) -> str:
        return ", ".join(f"{name} {value:g}" for name, value in self.items())


def corners(**ranges: Sequence[float]) -> Iterator[Corner]:
    """Every combination of the ends of these ranges."""
    for values in itertools.product(*ranges.values()):
        yield Corner(zip(ranges, values, strict=True))


class WorstCase(NamedTuple):
    """The worst of something over all corners, and the limit that it has to keep."""

    what: str
    worst: float
    limit: float
    at_least: bool
    unit: str
    where: str

    @property
    def margin(self) -> float:
        return self.worst - self.limit if self.at_least else self.limit - self.worst

    @property
    def holds(self) -> bool:
        return self.margin >= 0

    def __str__(self) -> str:
        relation = "≥" if self.at_least else "≤"
        return f"{self.what}: {self.worst:.3g} {self.unit} ({relation} {self.limit:g} {self.unit}), at {self.where}"


class Worst:
    """Collects values and keeps the worst of each."""

    def __init__(self) -> None:
        self._kept: dict[str, WorstCase] = {}

    def at_least(self, what: str, value: float, limit: float, unit: str, where: object) -> None:
        self._keep(WorstCase(what, value, limit, True, unit, str(where)))

    def at_most(self, what: str, value: float, limit: float, unit: str, where: object) -> None:
        self._keep(WorstCase(what, value, limit, False, unit, str(where)))

    def _keep(self, finding: WorstCase) -> None:
        before = self._kept.get(finding.what)
        if before is None or finding.margin < before.margin:
            self._kept[finding.what] = finding

    def findings(self) -> list[WorstCase]:
        return list(self._kept.values())


_FACTORS = {"Ω": 1.0, "kΩ": 1e3}


def ohms(netlist: Netlist, one: str, other: str) -> float:
    """The resistor between two nets; a wire (10 mΩ) where there is none, as on a board on which it was forgotten."""
    for part in netlist.between(one, other):
        if part.kind.prefix == "R":
            number, unit = part.value.split()
            return float(number) * _FACTORS[unit]
    return 0.01


def operating_point(deck: Sequence[str], *nodes: str) -> Mapping[str, float]:
    """Voltages and currents at rest: v(x), i(v)."""
    found = _simulated(tuple(deck), "op")
    return {node: found[node][0] for node in nodes}


def waves(deck: Sequence[str], step: float, end: float, *nodes: str) -> tuple[Wave, Mapping[str, Wave]]:
    """Times, and for each node its values."""
    found = _simulated(tuple(deck), f"tran {step:g} {end:g} 0 {step:g}", *nodes)
    return found["time"], {node: found[node] for node in nodes}


@cache  # lines that have the same parts are the same circuit
def _simulated(deck: Sequence[str], analysis: str, *nodes: str) -> Mapping[str, Wave]:
    """What ngspice writes of these nodes, or of all (to find many by their names takes it longer than to simulate)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "waves.raw"
        control = [".control", analysis, f"write {path} {' '.join(nodes)}", ".endc"]
        said = _run(["a circuit", *deck, *control, ".end"])
        if not path.exists():
            raise RuntimeError(f"ngspice wrote nothing:\n{said[-2000:]}")
        return _columns(path.read_bytes())


def _columns(raw: bytes) -> Mapping[str, Wave]:
    """Of a raw file: lines with the names, then the numbers, those of one moment after the other."""
    head, _, body = raw.partition(b"\nBinary:\n")
    names = re.findall(r"^\t\d+\t(\S+)", head.decode(), re.MULTILINE)
    numbers = array("d", body)
    return {name: numbers[column :: len(names)] for column, name in enumerate(names)}


SECONDS = 60.0
"""No circuit here takes more than a few: one that takes longer does not converge."""


def _run(lines: Sequence[str]) -> str:
    """What ngspice says. Raises RuntimeError after `SECONDS`: a circuit that does not converge would hang for ever."""
    text = "\n".join(lines) + "\n"
    try:
        done = subprocess.run(
            ["ngspice", "-b"], input=text, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"ngspice did not finish within {SECONDS:g} s:\n{text[:2000]}") from None
    return done.stdout + done.stderr


def settled(times: Sequence[float], values: Sequence[float], level: float, rising: bool) -> float:
    """When a wave has passed a level for the last time; infinite if it never stays there."""
    beyond = [value >= level if rising else value <= level for value in values]
    if not beyond[-1]:
        return float("inf")
    wrong = [index for index, good in enumerate(beyond) if not good]
    return times[wrong[-1] + 1] if wrong else times[0]


def crossings(values: Sequence[float], low: float, high: float) -> int:
    """How often a wave goes from below `low` to above `high`, or back: what an input with these thresholds sees."""
    count, state = 0, values[0] > (low + high) / 2
    for value in values:
        if (state and value < low) or (not state and value > high):
            state = not state
            count += 1
    return count

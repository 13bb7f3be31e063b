"""Which faults of the hardware would no check notice? `python -m hardware.mutants [--count 200 --seed 1]`

Takes what the hardware is made of (circuits, bills, boards, cables, perfboards, label, boxes), changes one thing as
people do it wrong, and asks the checks that the tests ask. Each change is made to what comes out of the sources, as if
everything had been made again from a source with that fault: that a file is older than its source is no help here.
Without `--count` every change is tried, which takes some minutes.

A change that makes no difference is none: the two legs of a resistor, or a part that is moved to a free place and has
no opening, no plug and no neighbour to stay beside.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from hardware.circuits.netlist import Netlist, from_json
from hardware.mutants import electrical, mechanical
from hardware.mutants.trials import Mutant, sample, summary, trials
from hardware.perfboard.holes import SHEETS

CIRCUITS = Path(__file__).parents[1] / "circuits" / "made"
GOAL = 0.95


def netlist(name: str) -> Netlist:
    return from_json(CIRCUITS / f"{name}.json")


def _circuits() -> Iterator[Mutant]:
    for name in ("satellite", "pad", "kit-one"):
        yield from electrical.circuit(netlist(name))


def _layouts() -> Iterator[Mutant]:
    for name in ("satellite", "pad"):
        yield from mechanical.layout(netlist(name))


def _perfboards() -> Iterator[Mutant]:
    for name, sheet in SHEETS.items():
        yield from mechanical.perfboard(netlist(name), sheet)
    yield from mechanical.kit_one_strip(netlist("kit-one"))


def _bills() -> Iterator[Mutant]:
    for name in ("satellite", "pad", "kit-one"):
        yield from electrical.billed(netlist(name))


FAMILIES: dict[str, Callable[[], Iterator[Mutant]]] = {
    "circuit": _circuits,
    "bill": _bills,
    "layout": _layouts,
    "harness": electrical.harness,
    "perfboard": _perfboards,
    "label": mechanical.label,
    "box": mechanical.box,
}


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.mutants", description="Faults that no check notices.")
    parser.add_argument("--count", type=int, help="how many faults (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default 1)")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="only these; may be given several times")
    said = parser.parse_args(words)
    mutants = [mutant for family in said.family or FAMILIES for mutant in FAMILIES[family]()]
    chosen = sample(mutants, Random(said.seed), said.count) if said.count else mutants
    done = list(trials(chosen))
    for line in summary(done):
        print(line)
    return 0 if sum(bool(trial.noticed) for trial in done) >= GOAL * len(done) else 1


if __name__ == "__main__":
    sys.exit(main())

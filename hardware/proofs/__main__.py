"""`python -m hardware.proofs`: every proof over its corners, as a table in hardware/proofs/figures.md."""

import sys
from pathlib import Path

from hardware.circuits.netlist import from_json
from hardware.proofs.every import PROOFS, Kit
from hardware.proofs.spice import WorstCase

MADE = Path(__file__).parents[1] / "circuits" / "made"
PAGE = Path(__file__).parent / "figures.md"
HEAD = """\
# What the simulation says

The worst value of each over all corners of supply, temperature, tolerance and cables, and the limit it has to keep.
Made by `python -m hardware.proofs` with ngspice; what is modelled, and from which data sheet, is in
[models.py](models.py). **No board has been measured yet**: [docs/acceptance.md](../../docs/acceptance.md) has what to
measure.

| what | worst | limit | at |
|---|---|---|---|
"""
LEAST = 1e-4
"""Smaller differences cannot be measured."""


def row(name: str, finding: WorstCase) -> str:
    relation = "at least" if finding.at_least else "at most"
    shown = 0 if abs(finding.worst) < LEAST else finding.worst
    return (
        f"| {name}: {finding.what} | {shown:.4g} {finding.unit} | {relation} {finding.limit:g} {finding.unit} "
        f"| {finding.where} |"
    )


def main() -> int:
    kit = Kit(*(from_json(MADE / f"{name}.json") for name in ("satellite", "pad", "kit-one")))
    rows, wrong = [], 0
    for name, proof in PROOFS.items():
        for finding in proof(kit):
            rows.append(row(name, finding))
            wrong += not finding.holds
            print(f"{'ok   ' if finding.holds else 'WRONG'} {name}: {finding}")
    PAGE.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""`make bench`: all figures, or those of the modules that are named: python -m bench lascaux journal.

With `--tiny` next to nothing is measured: whether a benchmark still runs, not what it says.
"""

import argparse
import sys
from collections.abc import Iterable
from importlib import import_module

from bench.figures import WHOLE, Effort, Figure

MODULES = (
    "lascaux",
    "sioux",
    "darwinci",
    "carnuta",
    "playouts",
    "gops",
    "journal",
    "evening",
    "adjudicating",
    "startup",
    "gamekit",
    "screen",
    "beside",
    "readers",
    "usb",
    "buttons",
    "firmware",
    "phones",
    "people",
    "hall",
)
TINY = Effort(0.002, warm_up=0)


def figures(name: str, effort: Effort) -> Iterable[Figure]:
    found: Iterable[Figure] = import_module(f"bench.{name}").figures(effort)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Figures, each with the bound it has to keep.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=", ".join(MODULES))
    parser.add_argument("--tiny", action="store_true", help="next to nothing: only to see that it runs")
    wanted = parser.parse_args()
    if unknown := sorted(set(wanted.modules) - set(MODULES)):
        parser.error(f"there is no benchmark {unknown[0]}")
    missed = 0
    for name in wanted.modules or MODULES:
        for figure in figures(name, TINY if wanted.tiny else WHOLE):
            print(figure, flush=True)
            missed += not figure.kept
    print(f"{missed} missed" if missed else "all kept")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

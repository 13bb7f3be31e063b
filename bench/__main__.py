"""`make bench`: all figures, or those of the modules that are named: python -m bench lascaux journal."""

import sys
from importlib import import_module

MODULES = ("lascaux", "sioux", "darwinci", "carnuta", "journal", "startup", "screen", "readers", "buttons", "firmware")


def main() -> int:
    missed = 0
    for name in sys.argv[1:] or MODULES:
        for figure in import_module(f"bench.{name}").figures():
            print(figure, flush=True)
            missed += not figure.kept
    print(f"{missed} missed" if missed else "all kept")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

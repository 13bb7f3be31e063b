"""Reports how much of each package the tests run: python -m tools.package_coverage, after `make coverage`.

A package is a folder of companion/; each game counts as its own package. A package below the bound is reported with the
files that lower it most, and the exit status is 1.
"""

import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from coverage import Coverage
from msgspec import Struct

CHECKOUT = Path(__file__).parents[1]
BOUND = 0.90
BLAMED = 3


class Covered(Struct, frozen=True):
    """How many lines there are, and how many of them the tests ran."""

    lines: int = 0
    seen: int = 0

    def __add__(self, other: "Covered") -> "Covered":
        return Covered(self.lines + other.lines, self.seen + other.seen)

    @property
    def share(self) -> float:
        return self.seen / self.lines if self.lines else 1.0


def package_of(path: str) -> str:
    """companion/games/sioux/rules/hunt.py → companion/games/sioux; a top-level file is its own package."""
    parts = PurePosixPath(path).parts
    depth = 3 if parts[1] == "games" and len(parts) > 3 else 2
    return "/".join(parts[:depth])


def packages(files: Mapping[str, Covered]) -> dict[str, Covered]:
    found: dict[str, Covered] = {}
    for path, covered in files.items():
        found[package_of(path)] = found.get(package_of(path), Covered()) + covered
    return found


def report(files: Mapping[str, Covered], bound: float = BOUND) -> tuple[list[str], bool]:
    """One line for each package, the least covered first, and whether all of them reach the bound."""
    lines, kept = [], True
    for package, covered in sorted(packages(files).items(), key=lambda item: item[1].share):
        is_low = covered.share < bound
        kept = kept and not is_low
        lines.append(
            f"{covered.share:7.1%}  {covered.lines:6}  {package}{'  BELOW ' + format(bound, '.0%') if is_low else ''}"
        )
        if is_low:
            least = sorted(
                (path for path in files if package_of(path) == package),
                key=lambda path: files[path].seen - files[path].lines,
            )
            lines += [f"{'':17}{files[path].share:.1%} of {path}" for path in least[:BLAMED]]
    whole = sum(files.values(), Covered())
    return [*lines, f"{whole.share:7.1%}  {whole.lines:6}  in total"], kept


def measured() -> dict[str, Covered]:
    """What `make coverage` recorded."""
    coverage = Coverage()
    coverage.load()
    found = {}
    for path in coverage.get_data().measured_files():
        _, lines, _, missing, _ = coverage.analysis2(path)
        if (name := within(path)) is not None:
            found[name] = Covered(len(lines), len(lines) - len(missing))
    return found


def within(path: str, checkout: Path = CHECKOUT) -> str | None:
    """companion/cli.py, whatever the checkout is called; None for a file outside the package."""
    file = Path(path)
    if not file.is_relative_to(checkout / "companion"):
        return None
    return file.relative_to(checkout).as_posix()


def main() -> int:
    lines, kept = report(measured())
    print("\n".join(lines))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())

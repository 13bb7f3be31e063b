"""How much of each room the tests have walked through: python -m tools.rooms, after `make coverage`.

A room is a folder of companion/ (a game is one of its own). Those below the bound are named, with the files that are to
blame for it, and the exit status is 1.
"""

import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from coverage import Coverage
from msgspec import Struct

CHECKOUT = Path(__file__).parents[1]
BOUND = 0.90
BLAMED = 3


class Walked(Struct, frozen=True):
    """Lines that can be walked through, and those that were."""

    lines: int = 0
    seen: int = 0

    def __add__(self, other: "Walked") -> "Walked":
        return Walked(self.lines + other.lines, self.seen + other.seen)

    @property
    def share(self) -> float:
        return self.seen / self.lines if self.lines else 1.0


def room_of(path: str) -> str:
    """companion/games/sioux/rules/hunt.py → companion/games/sioux; a file of the hall is a room of its own."""
    parts = PurePosixPath(path).parts
    depth = 3 if parts[1] == "games" and len(parts) > 3 else 2
    return "/".join(parts[:depth])


def rooms(files: Mapping[str, Walked]) -> dict[str, Walked]:
    found: dict[str, Walked] = {}
    for path, walked in files.items():
        found[room_of(path)] = found.get(room_of(path), Walked()) + walked
    return found


def told(files: Mapping[str, Walked], bound: float = BOUND) -> tuple[list[str], bool]:
    """One line for each room, the emptiest first; and whether all of them keep the bound."""
    lines, kept = [], True
    for room, walked in sorted(rooms(files).items(), key=lambda item: item[1].share):
        is_low = walked.share < bound
        kept = kept and not is_low
        lines.append(
            f"{walked.share:7.1%}  {walked.lines:6}  {room}{'  BELOW ' + format(bound, '.0%') if is_low else ''}"
        )
        if is_low:
            least = sorted(
                (path for path in files if room_of(path) == room), key=lambda path: files[path].seen - files[path].lines
            )
            lines += [f"{'':17}{files[path].share:.1%} of {path}" for path in least[:BLAMED]]
    whole = sum(files.values(), Walked())
    return [*lines, f"{whole.share:7.1%}  {whole.lines:6}  all of it"], kept


def measured() -> dict[str, Walked]:
    """What `make coverage` has written down."""
    coverage = Coverage()
    coverage.load()
    found = {}
    for path in coverage.get_data().measured_files():
        _, lines, _, missing, _ = coverage.analysis2(path)
        if (name := within(path)) is not None:
            found[name] = Walked(len(lines), len(lines) - len(missing))
    return found


def within(path: str, checkout: Path = CHECKOUT) -> str | None:
    """companion/cli.py, whatever the checkout is called; None for a file that is not of the house."""
    file = Path(path)
    if not file.is_relative_to(checkout / "companion"):
        return None
    return file.relative_to(checkout).as_posix()


def main() -> int:
    lines, kept = told(measured())
    print("\n".join(lines))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())

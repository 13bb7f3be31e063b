"""Writes the stand-in box of Darwinci: python -m tests.games.darwinci.make_standin > companion/games/darwinci/box.toml

70 tiles of all shapes, with so many end pieces that creatures get finished about as often as not. Values and jewellery
are dealt out evenly over the shapes: what costs something or is worth little shows more jewellery than what is dear.
"""

from collections.abc import Iterator
from itertools import cycle

JEWELS = ("tooth", "shell", "amber", "feather", "stone")

SHAPES = (
    *[("end", ("N",))] * 16,
    *[("straight", ("NS",))] * 14,
    *[("curve", ("NE",))] * 18,
    *[("branch", ("NES",))] * 12,
    ("cross", ("NESW",)),
    *[("double-curve", ("NE", "SW"))] * 3,
    *[("double-end", ("N", "S"))] * 3,
    *[("straight-and-end", ("NS", "E"))] * 3,
)
VALUES = (
    *[None] * 12, *[-3] * 4, *[-2] * 6, *[-1] * 8,
    *[1] * 12, *[2] * 11, *[3] * 8, *[4] * 5, *[5] * 4,
)  # fmt: skip
STRIDE = 27
"""Has no divisor in common with 70: going round in such steps deals every value, well mixed over the shapes."""

HEAD = """\
# A stand-in for the tiles of Darwinci. These are NOT the printed tiles.
#
# Known, and where from:
# - Bone tiles in two stacks; end pieces, joints where bones branch, straight and bent pieces (review on
#   reich-der-spiele.de).
# - Most tiles have a value, which may be negative; jewellery of up to five kinds (review on angespielt.de).
# - A frame for 12 tiles, 3 by 4 or 4 by 3; 9 small stones each, 12 Darwin, 4 tiles to begin with (review on
#   spieletest.at).
#
# Invented:
# - How many tiles there are: here 70, 16 end pieces, 14 straights, 18 curves, 12 branches, a cross, and 9 with two
#   bones, so that creatures get finished about as often as not.
# - The values, from -3 to 5, twelve tiles without; which jewellery is on which tile, and what its kinds are called.
#
# Enrol your own box to play with what is really printed. Made by tests/games/darwinci/make_standin.py.

game = "darwinci"
provenance = "stand-in"
"""


def jewels(value: int | None, number: int) -> tuple[str, ...]:
    """Two for what costs something (alike on every other tile), two or one without a value, then fewer and fewer."""
    first, second = JEWELS[number % 5], JEWELS[(number + 1 + number // 5 % 4) % 5]
    if value is None or value < 0:
        return (first, first) if number % 2 else (first, second)
    if value <= 2 or (value == 3 and number % 2):
        return (first,)
    return ()


def box() -> str:
    return "\n".join((f"{HEAD}jewels = {listed(JEWELS)}\n", *tiles()))


def tiles() -> Iterator[str]:
    numbers: dict[str, Iterator[int]] = {}
    kinds = cycle(range(20))
    for index, (shape, bones) in enumerate(SHAPES):
        value = VALUES[index * STRIDE % len(VALUES)]
        number = next(numbers.setdefault(shape, iter(range(1, 100))))
        symbols = jewels(value, next(kinds))
        lines = [f'id = "{shape}-{number}"', f"bones = {listed(bones)}"]
        lines += [] if value is None else [f"value = {value}"]
        lines += [f"jewels = {listed(symbols)}"] if symbols else []
        yield "[[tiles]]\n" + "\n".join(lines) + "\n"


def listed(words: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


if __name__ == "__main__":
    print(box(), end="")

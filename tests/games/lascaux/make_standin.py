"""Writes the stand-in box of Lascaux: python -m tests.games.lascaux.make_standin > companion/games/lascaux/box.toml

The six colours can be paired off completely in five ways that share no pair. Three of these ways make the nine cards
of an animal: then every colour is on three of them, and no two are alike. Six different threes out of five use three
of the ways four times and two of them three times, so each pair of colours is on 3 or 4 cards: as even as it gets.
"""

from collections.abc import Iterator

from companion.games.lascaux.components import ANIMALS

COLOURS = ("brown", "yellow", "green", "pink", "white", "blue")
THREES = ((0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 0), (4, 0, 1), (0, 1, 3))

HEAD = """\
# A stand-in for the cards of Lascaux. These are NOT the printed cards.
#
# Known, and where from:
# - 54 cards, 9 of each of six animals; two handprints of different colours on each (the rule book).
# - Six colours; their names (a review by asaboardgamer).
#
# Invented:
# - Which two colours are on which card. They are spread fairly: every colour is on 18 cards and on 3 of each animal,
#   every pair of colours on 3 or 4 cards.
#
# Enrol your own box to play with what is really printed. Made by tests/games/lascaux/make_standin.py.

game = "lascaux"
provenance = "stand-in"
"""


def pairing(way: int) -> Iterator[tuple[str, str]]:
    """One of five ways to pair six colours off: the last sits in the middle of a ring of the others."""
    for left, right in ((way, 5), ((way + 1) % 5, (way - 1) % 5), ((way + 2) % 5, (way - 2) % 5)):
        yield COLOURS[min(left, right)], COLOURS[max(left, right)]


def box() -> str:
    cards = (
        f'[[cards]]\nid = "{animal}-{"-".join(pair)}"\nanimal = "{animal}"\ncolours = {listed(pair)}\n'
        for animal, ways in zip(ANIMALS, THREES, strict=True)
        for way in ways
        for pair in pairing(way)
    )
    return "\n".join((f"{HEAD}colours = {listed(COLOURS)}\n", *cards))


def listed(words: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


if __name__ == "__main__":
    print(box(), end="")

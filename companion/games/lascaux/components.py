"""What is in a box of Lascaux: 54 animal cards with two handprint colours each, stones, and sets of markers."""

from collections import Counter
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.games.box import BoxError, read_toml

ANIMALS = ("aurochs", "deer", "horse", "goat", "mammoth", "rhinoceros")
CARDS_PER_ANIMAL = 9
COLOURS = 6
MARKER_SETS = 5
"""Five players at most, each with a set of one marker per colour."""


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    animal: str
    colours: tuple[str, str]


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["lascaux"]
    provenance: Literal["stand-in", "enrolled"]
    colours: tuple[str, ...]
    cards: tuple[Card, ...]


def read_box(path: Path) -> Box:
    """Read a box file. Raises BoxError, which names the file, the entry and what was expected."""
    box = read_toml(path, Box)
    problem = _problem(box)
    if problem:
        raise BoxError(f"{path}: {problem}")
    return box


def _problem(box: Box) -> str | None:
    if len(box.colours) != COLOURS:
        return f"colours: expected exactly {COLOURS}, found {len(box.colours)}"
    for colour, count in Counter(box.colours).items():
        if count > 1:
            return f"colours: {colour!r} stands there {count} times, expected {COLOURS} different ones"
        if not colour.strip():
            return "colours: a colour needs a name"
    seen: set[str] = set()
    for number, card in enumerate(box.cards, 1):
        entry = f"cards, entry {number} ({card.id!r})"
        if not card.id.strip():
            return f"{entry}: id: a card needs one"
        if card.id in seen:
            return f"{entry}: this id is used twice; ids must be unique"
        seen.add(card.id)
        if card.animal not in ANIMALS:
            return f"{entry}: animal: expected one of {', '.join(ANIMALS)}, found {card.animal!r}"
        for colour in card.colours:
            if colour not in box.colours:
                return f"{entry}: colours: {colour!r} is not among the box's colours ({', '.join(box.colours)})"
        if card.colours[0] == card.colours[1]:
            return f"{entry}: colours: expected two different ones, found {card.colours[0]!r} twice"
    by_animal = Counter(card.animal for card in box.cards)
    for animal in ANIMALS:
        if by_animal[animal] != CARDS_PER_ANIMAL:
            return f"cards: expected {CARDS_PER_ANIMAL} of {animal}, found {by_animal[animal]}"
    return None

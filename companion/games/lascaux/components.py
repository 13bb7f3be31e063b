"""What is in a box of Lascaux: 54 animal cards with two handprint colours each, stones, and sets of markers."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.gamekit import is_name, problems_with_each, read_box

ANIMALS = ("aurochs", "deer", "horse", "goat", "mammoth", "rhinoceros")
CARDS = 54
CARDS_PER_ANIMAL = 9
COLOURS = 6
STONES = 50
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


def standin() -> str:
    """The text of the box that ships: fair, but not the printed cards."""
    return Path(__file__).with_name("box.toml").read_text(encoding="utf-8")


def parse_box(text: str, origin: str) -> Box:
    """Read a box file's text. Raises BoxError, which names the origin, the entry and what was expected."""
    return read_box(text, origin, Box, _problems)


def _problems(box: Box) -> Iterator[str]:
    yield from _problems_with_colours(box.colours)
    yield from problems_with_each("cards", box.cards, lambda card: _problems_with_card(card, box.colours))
    if len(box.cards) != CARDS:
        yield f"cards: expected exactly {CARDS}, found {len(box.cards)}"
    count = Counter(card.animal for card in box.cards)
    for animal in ANIMALS:
        if count[animal] != CARDS_PER_ANIMAL:
            yield f"cards: expected {CARDS_PER_ANIMAL} with animal = {animal!r}, found {count[animal]}"


def _problems_with_colours(colours: tuple[str, ...]) -> Iterator[str]:
    if len(colours) != COLOURS:
        yield f"colours: expected exactly {COLOURS}, found {len(colours)}"
    for number, colour in enumerate(colours, 1):
        if not is_name(colour):
            yield f"colours, number {number}: expected a name without control characters, found {colour!r}"
        if colour in colours[: number - 1]:
            yield f"colours, number {number}: expected {COLOURS} different ones, found {colour!r} twice"


def _problems_with_card(card: Card, colours: tuple[str, ...]) -> Iterator[str]:
    if card.animal not in ANIMALS:
        yield f"animal: expected one of {', '.join(ANIMALS)}, found {card.animal!r}"
    for colour in card.colours:
        if colour not in colours:
            yield f"colours: expected two of the box's colours ({', '.join(colours)}), found {colour!r}"
    if card.colours[0] == card.colours[1]:
        yield f"colours: expected two different ones, found {card.colours[0]!r} twice"

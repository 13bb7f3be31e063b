"""What is in a box of Carnuta: 72 ingredient cards in two decks, runes, padlocks, sickles and bonus ingredients."""

from collections.abc import Iterator
from pathlib import Path
from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from companion.gamekit import problems_with_each, read_box

INGREDIENTS = ("honey", "clover", "flower", "egg", "mushroom", "skull", "berry", "moth")
SALT = "salt"
"""The joker."""
CARDS = 72
RUNES = 22
BOARDS = 4
SLOTS = 6
"""On each board."""
TRACK = 11
"""C4 The fields of a board: the marker moves one with every card. C14 As many cards bring the end."""
PADLOCK_FIELDS = (4, 8)
BONUS_FIELDS = (6, 10)
"""C8 What the fields bring."""
PADLOCKS_EACH = 2
SICKLES_EACH = 2

Side: TypeAlias = Literal["sun", "moon"]
FACES: tuple[Side, Side] = ("sun", "moon")
"""The two sides of a rune, and the two decks with their rows. Sun comes first."""

T = TypeVar("T")


class Pair(Struct, Generic[T], frozen=True, gc=False):
    """Something for the sun and the same for the moon."""

    sun: T
    moon: T

    def of(self, face: Side) -> T:
        return self.sun if face == "sun" else self.moon

    def with_(self, face: Side, value: T) -> "Pair[T]":
        return Pair(value, self.moon) if face == "sun" else Pair(self.sun, value)


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    deck: Side
    ingredient: str
    symbols: tuple[str, ...]
    """The small ones, which sets are made of."""
    cost: tuple[Literal["flip sun", "flip moon", "remove sun", "remove moon"], ...]
    points: int
    """Flat, or for each set."""
    per: tuple[str, ...] | None = None
    """The symbols of a set. C19 The "Y" in the summary's picture stands for any of them; it is none itself."""


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["carnuta"]
    provenance: Literal["stand-in", "enrolled"]
    cards: tuple[Card, ...]


class Price(Struct, frozen=True, gc=False):
    """What a card costs, counted."""

    flip: Pair[int]
    remove: Pair[int]
    suns: int
    """Runes that have to show a sun: to flip or to remove."""
    moons: int


def price(card: Card) -> Price:
    """C5 Each symbol of the cost asks for one rune of a face, to flip or to remove."""
    count = card.cost.count
    flip = Pair(count("flip sun"), count("flip moon"))
    remove = Pair(count("remove sun"), count("remove moon"))
    return Price(flip, remove, flip.sun + remove.sun, flip.moon + remove.moon)


# --- Box files ------------------------------------------------------------------------------------------------


def standin() -> str:
    """The text of the box that ships: playable, but not the printed cards."""
    return Path(__file__).with_name("box.toml").read_text(encoding="utf-8")


def parse_box(text: str, origin: str) -> Box:
    """Read a box file's text. Raises BoxError, which names the origin, the entry and what was expected."""
    return read_box(text, origin, Box, _problems)


def _problems(box: Box) -> Iterator[str]:
    yield from problems_with_each("cards", box.cards, _problems_with_card)
    if len(box.cards) != CARDS:
        yield f"cards: expected exactly {CARDS}, found {len(box.cards)}"


def _problems_with_card(card: Card) -> Iterator[str]:
    if card.ingredient not in (*INGREDIENTS, SALT):
        yield f"ingredient: expected one of {', '.join(INGREDIENTS)} or {SALT}, found {card.ingredient!r}"
    possible = (SALT,) if card.ingredient == SALT else INGREDIENTS
    yield from _problems_with_kinds("symbols", card.symbols, possible)
    if card.per is not None:
        yield from _problems_with_kinds("per", card.per, INGREDIENTS)


def _problems_with_kinds(key: str, kinds: tuple[str, ...], possible: tuple[str, ...]) -> Iterator[str]:
    if not kinds:
        yield f"{key}: expected at least one of {', '.join(possible)}, found none"
    for number, kind in enumerate(kinds, 1):
        if kind not in possible:
            yield f"{key}, number {number}: expected one of {', '.join(possible)}, found {kind!r}"

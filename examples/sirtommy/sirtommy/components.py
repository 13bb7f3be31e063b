"""An ordinary pack of cards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.gamekit import Thing, problems_with_each, read_box

SUITS = ("clubs", "diamonds", "spades", "hearts")


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    suit: Literal["clubs", "diamonds", "spades", "hearts"]
    value: int


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["sirtommy"]
    cards: tuple[Card, ...]

    def value(self, card_id: str) -> int:
        return next((card.value for card in self.cards if card.id == card_id), 0)


def standin() -> str:
    """The text of the box that ships. There is nothing to guess: a pack of cards is a pack of cards."""
    return Path(__file__).with_name("box.toml").read_text(encoding="utf-8")


def parse_box(text: str, origin: str) -> Box:
    """Raises BoxError, which names the origin, the entry and what was expected."""
    return read_box(text, origin, Box, _problems)


def pieces(box: Box) -> tuple[Thing, ...]:
    """Every card may carry a tag. A card belongs to no player: it was played by the one whose turn it is."""
    return tuple(Thing("card", card.id) for card in box.cards)


def _problems(box: Box) -> Iterator[str]:
    yield from problems_with_each("cards", box.cards, _problems_with_card)
    values = [sorted(card.value for card in box.cards if card.suit == suit) for suit in SUITS]
    if not box.cards or any(each != list(range(1, len(each) + 1)) or each != values[0] for each in values):
        yield "cards: expected the values 1, 2, 3 and so on in each suit, and as many in each"


def _problems_with_card(card: Card) -> Iterator[str]:
    if card.value < 1:
        yield f"value: expected 1 or more, found {card.value}"

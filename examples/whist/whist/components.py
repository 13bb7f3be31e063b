"""An ordinary pack of cards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.gamekit import Thing, problems_with_each, read_box

SUITS = ("clubs", "diamonds", "spades", "hearts")
PLAYERS = 4


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    suit: Literal["clubs", "diamonds", "spades", "hearts"]
    value: int


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["whist"]
    cards: tuple[Card, ...]

    @property
    def hand(self) -> int:
        """As many cards as each player is dealt, and as many tricks as a deal has."""
        return len(self.cards) // PLAYERS

    @property
    def book(self) -> int:
        """W7 As many tricks count nothing: six of thirteen."""
        return self.hand // 2


def standin() -> str:
    """The text of the box that ships. There is nothing to guess: a pack of cards is a pack of cards."""
    return Path(__file__).with_name("box.toml").read_text(encoding="utf-8")


def parse_box(text: str, origin: str) -> Box:
    """Raises BoxError, which names the origin, the entry and what was expected."""
    return read_box(text, origin, Box, _problems)


def pieces(box: Box) -> tuple[Thing, ...]:
    """Every card may carry a tag. A card belongs to no player: whoever's turn it is has played it."""
    return tuple(Thing("card", card.id) for card in box.cards)


def _problems(box: Box) -> Iterator[str]:
    yield from problems_with_each("cards", box.cards, _problems_with_card)
    if not box.cards or len(box.cards) % PLAYERS:
        yield f"cards: expected as many for each of {PLAYERS} players, found {len(box.cards)}"
    if len({(card.suit, card.value) for card in box.cards}) != len(box.cards):
        yield "cards: expected each value once in a suit"


def _problems_with_card(card: Card) -> Iterator[str]:
    if card.value < 1:
        yield f"value: expected 1 or more, found {card.value}"

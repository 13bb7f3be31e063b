"""An ordinary pack of cards: three suits are hands, the fourth is the prizes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.gamekit import Seat, Thing, is_name, problems_with_each, read_box

HANDS = 3
"""As many suits as people can play."""


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    suit: str
    value: int


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["gops"]
    hands: tuple[str, ...]
    """The suit of each seat."""
    prizes: str
    """The suit that all players bid for."""
    cards: tuple[Card, ...]

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        return self.suit(self.hands[seat])

    def suit(self, name: str) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.suit == name)

    def value(self, card_id: str) -> int:
        return next(card.value for card in self.cards if card.id == card_id)


def standin() -> str:
    """The text of the box that ships. There is nothing to guess: a pack of cards is a pack of cards."""
    return Path(__file__).with_name("box.toml").read_text(encoding="utf-8")


def parse_box(text: str, origin: str) -> Box:
    """Raises BoxError, which names the origin, the entry and what was expected."""
    return read_box(text, origin, Box, _problems)


def _problems(box: Box) -> Iterator[str]:
    suits = (*box.hands, box.prizes)
    if len(box.hands) != HANDS or len(set(suits)) != len(suits):
        yield f"hands, prizes: expected {HANDS} suits for hands and another one for the prizes"
    yield from problems_with_each("cards", box.cards, lambda card: _problems_with_card(card, suits))
    sizes = {suit: len(box.suit(suit)) for suit in suits}
    if len(set(sizes.values())) != 1:
        yield f"cards: expected every suit to have as many cards as the others, found {sizes}"


def _problems_with_card(card: Card, suits: tuple[str, ...]) -> Iterator[str]:
    if not is_name(card.suit) or card.suit not in suits:
        yield f"suit: expected one of {', '.join(suits)}, found {card.suit!r}"
    if card.value < 1:
        yield f"value: expected 1 or more, found {card.value}"


def pieces(box: Box) -> tuple[Thing, ...]:
    """Every card may carry a tag. A hand's cards belong to its seat, so a card says who bids it."""
    hands = [Thing("card", card.id, seat) for seat in range(HANDS) for card in box.hand(seat)]
    return (*hands, *(Thing("prize", card.id) for card in box.suit(box.prizes)))

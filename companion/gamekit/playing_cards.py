"""An ordinary pack of cards as the box of a game: its file, its tags, its words in every language, and its signs.

    PACK = CardPack("whist")
    GAME = Game(…, standin=PACK.standin, parse_box=PACK.parse_box, pieces=PACK.pieces, word=PACK.word)

The id of a card is its suit and its rank: `hearts-Q`. Facts that name a card or a suit may have any name.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from companion.errors import BoxError
from companion.gamekit.box import problems_with_each, read_box
from companion.gamekit.game import Thing
from companion.language.facts import Translate
from companion.toml import toml_text

SUITS = ("clubs", "diamonds", "spades", "hearts")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SIGNS = {"clubs": "♣", "diamonds": "♦", "spades": "♠", "hearts": "♥"}


class PlayingCard(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    suit: str
    value: int


class CardBox(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    cards: tuple[PlayingCard, ...]


class CardPack:
    """The 52 cards of a game. The ace counts 14; `ace=1` makes it the lowest card."""

    def __init__(self, game: str, ace: int = 14) -> None:
        self._game, self._ace = game, ace

    def standin(self) -> str:
        """The text of the box. There is nothing to guess: a pack of cards is a pack of cards."""
        values = {"A": self._ace, **{rank: value for value, rank in enumerate(RANKS, 2)}}
        cards = [
            {"id": f"{suit}-{rank}", "suit": suit, "value": value} for suit in SUITS for rank, value in values.items()
        ]
        return toml_text({"game": self._game, "cards": cards})

    def parse_box(self, text: str, origin: str) -> CardBox:
        """Raises BoxError, which names the origin, the entry and what was expected."""
        box = read_box(text, origin, CardBox, _problems)
        if box.game != self._game:
            raise BoxError(f"{origin}: game: expected {self._game!r}, found {box.game!r}")
        return box

    def pieces(self, box: CardBox) -> tuple[Thing, ...]:
        """Every card may carry a tag. It belongs to no player: the one who may play it now has played it."""
        return tuple(Thing("card", card.id) for card in box.cards)

    def word(self, box: CardBox, fact: str, value: int | str, _: Translate) -> str | None:
        """hearts-Q → queen of hearts"""
        suit, dash, _rank = str(value).partition("-")
        if suit not in SUITS:
            return None
        return card_word(str(value), _) if dash else suit_word(suit, _)


def _problems(box: CardBox) -> Iterator[str]:
    yield from problems_with_each("cards", box.cards, _problems_with_card)
    if len({(card.suit, card.value) for card in box.cards}) != len(box.cards) or not box.cards:
        yield "cards: expected some, each value once in a suit"


def _problems_with_card(card: PlayingCard) -> Iterator[str]:
    if card.suit not in SUITS:
        yield f"suit: expected one of {', '.join(SUITS)}, found {card.suit!r}"
    if not card.id.startswith(f"{card.suit}-"):
        yield f"id: expected the suit and the rank, {card.suit}-…, found {card.id!r}"
    if card.value < 1:
        yield f"value: expected 1 or more, found {card.value}"


# --- Words and signs ------------------------------------------------------------------------------------------


def card_word(card_id: str, _: Translate) -> str:
    """queen of hearts"""
    suit, _dash, rank = card_id.partition("-")
    words = {"A": _("ace", "card"), "J": _("jack", "card"), "Q": _("queen", "card"), "K": _("king", "card")}
    return _("{rank} of {suit}", rank=words.get(rank, rank), suit=suit_word(suit, _))


def cards_in_words(text: str, _: Translate) -> str:
    """The ♥Q → the queen of hearts: every such sign in a text, for players who listen."""
    ranks = {_letter(rank, _): rank for rank in ("A", *RANKS)}
    suits = {sign: suit for suit, sign in SIGNS.items()}
    signs = rf"([{''.join(suits)}]) ?({'|'.join(sorted(ranks, key=len, reverse=True))})(?!\w)"
    return re.sub(signs, lambda found: card_word(f"{suits[found[1]]}-{ranks[found[2]]}", _), text)


def suit_word(suit: str, _: Translate) -> str:
    words = {"clubs": _("clubs"), "hearts": _("hearts"), "spades": _("spades"), "diamonds": _("diamonds")}
    return words.get(suit, suit)


def hand_signs(pieces: Iterable[Thing], _: Translate) -> str:
    """♣5 ♣K  ♥Q: the cards that a player was dealt, a gap between suits."""
    suits = groupby([piece.id for piece in pieces], key=lambda card_id: card_id.partition("-")[0])
    return "   ".join(" ".join(card_sign(card_id, _) for card_id in cards) for _suit, cards in suits)


def card_sign(card_id: str, _: Translate) -> str:
    """♥Q, with the letter on the card."""
    suit, _dash, rank = card_id.partition("-")
    return SIGNS.get(suit, "") + _letter(rank, _)


def _letter(rank: str, _: Translate) -> str:
    letters = {"A": _("A", "card"), "J": _("J", "card"), "Q": _("Q", "card"), "K": _("K", "card")}
    return letters.get(rank, rank)

"""What the rules of Sir Tommy say, in English, and the words for its cards."""

from companion.gamekit import Translate
from sirtommy.components import Box

SENTENCES = {
    "lays": "{seat} lays {card} on heap {heap}",
    "builds": "{seat} builds {card} on a foundation",
    "goes up": "{card} moves from heap {heap} to a foundation",
    "won": "All {count} cards are on the foundations. You have won together",
    "lost": "The hands are empty, and {count:card is|cards are} on the foundations. You have lost together",
    "together": "{count:card|cards} on the foundations",
    "no such heap": "There is no heap {number}",
    "not in any hand": "{card} is on the table already",
    "must be built": "{card} fits on a foundation, so it goes there",
    "does not fit": "{card} does not fit on any foundation. Lay it on a heap",
}


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """hearts-Q → Q of hearts"""
    if fact != "card" or not isinstance(value, str):
        return None
    return card_word(value, _) if any(each.id == value for each in box.cards) else None


def card_word(card_id: str, _: Translate) -> str:
    suit, _dash, rank = card_id.rpartition("-")
    return _("{rank} of {suit}", rank=rank_word(rank, _), suit=suit_word(suit, _)) if suit else card_id


def rank_word(name: str, _: Translate) -> str:
    """The letter on the card. "card" is a context: it tells a translator what these letters are."""
    words = {"A": _("A", "card"), "J": _("J", "card"), "Q": _("Q", "card"), "K": _("K", "card")}
    return words.get(name, name)


def suit_word(name: str, _: Translate) -> str:
    words = {"clubs": _("clubs"), "hearts": _("hearts"), "spades": _("spades"), "diamonds": _("diamonds")}
    return words.get(name, name)

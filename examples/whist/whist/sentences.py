"""What the rules of Whist say, in English, and the words for its cards."""

from companion.gamekit import Translate
from whist.components import SUITS, Box

SENTENCES = {
    "deals now": "{seat} shuffles, deals all cards and turns up the last one",
    "is trump": "{seat} turns up {card}: {suit} are trumps",
    "trump is known": "A card was turned up already: {suit} are trumps",
    "no trump yet": "No card has been turned up yet. {seat} deals and shows the last card",
    "out of turn": "It is {seat}'s turn",
    "no such card": "There is no card {card} in this pack",
    "played already": "{card} has been played in this deal",
    "belongs to the dealer": "{card} was turned up, so {seat} holds it",
    "a revoke": "{seat} did not follow {suit} earlier: a revoke. Undo back to that trick",
    "a player revoked": "If {card} can be played now, a player revoked earlier. Undo back to that trick",
    "plays": "{seat} plays {card}",
    "takes the trick": "{seat} takes the trick with {card}: trick {tricks} for this side",
    "scores": "{seats} made {tricks} tricks and score {points:point|points}",
    "no odd trick": "Both sides made {tricks} tricks, so neither scores",
    "deals next": "{seat} deals next",
    "win the game": "{seats} have {points:point|points} and win the game",
    "deal": "Deal {number}: {seats} made {tricks} tricks",
}


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """hearts-Q → Q of hearts"""
    if fact == "suit" and value in SUITS:
        return suit_word(str(value), _)
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

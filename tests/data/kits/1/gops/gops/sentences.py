"""What the rules of GOPS say, in English, and the words for its cards."""

from companion.gamekit import N_, Translate
from gops.components import Box

SENTENCES = {
    "is turned up": "{card} is turned up",
    "is added": "{card} is turned up beside {prizes}, which no player has won",
    "bid first": "Bids come first. Still to lay a card: {seats}",
    "not in the deck": "{card} is not in the prize deck: tap the card that was turned up",
    "no such player": "There is no player {number}",
    "no prize yet": "There is no prize yet: turn one up first",
    "has bid": "{seat} has bid",
    "has bid already": "{seat} has bid already, and a bid stays",
    "not in hand": "{seat} does not hold {card}",
    "reveals": "{seat} reveals {card}",
    "wins": "{seat} has the single highest bid and takes {prizes}",
    "stays": "{seats} bid the same; left for the next round: {prizes}",
    "goes to no player": "{seats} bid the same. No player gets {prizes}",
    "all prizes are gone": "All cards have been bid: the game is over",
    "the game is over": "The game is over",
    "prize": "{seat} won {card}",
}

PIECES = {"prize": N_("{count:prize|prizes}"), "card": N_("{count:card|cards} of {name}")}
PLACES = {
    "deck": N_("prize deck"),
    "table": N_("middle of the table"),
    "out": N_("out of the game"),
    "hand": N_("hand"),
    "bid": N_("face down before its player"),
    "spent": N_("spent cards"),
    "won": N_("prizes won by {name}"),
}


def word(box: Box, fact: str, value: int | str, _: Translate) -> str | None:
    """hearts-Q → Q of hearts"""
    if fact not in ("card", "cards", "prizes") or not isinstance(value, str):
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

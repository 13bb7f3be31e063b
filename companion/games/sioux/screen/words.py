"""Words for the cards, pieces and places of Sioux, and its rules in own words."""

from pathlib import Path

from companion.gamekit import Place, Thing, plain
from companion.gamekit.screen import Sight
from companion.games.sioux import sentences
from companion.games.sioux.components import HUNTER, Box
from companion.games.sioux.screen.texts import _, language, plural


def animal(name: str) -> str:
    return plain(sentences.animal(name, _))


def short_animal(name: str) -> str:
    """At most four letters, for a narrow column."""
    short = {
        "rabbit": _("rabb", "narrow"),
        "turkey": _("turk", "narrow"),
        "deer": _("deer", "narrow"),
        "bear": _("bear", "narrow"),
        "bison": _("bis.", "narrow"),
    }
    return short.get(name) or plain(name, 4)


def card(card_id: str, box: Box) -> str:
    """A plain card is called what it is worth."""
    return plain(sentences.card(box, card_id, _) or card_id)


def special(card_id: str, box: Box) -> str:
    """The word of a card that is more than its value; "" for a plain one."""
    plain_ones = [known.id for known in box.tribe if known.kind is None]
    return "" if card_id in plain_ones else card(card_id, box)


def thing(piece: Thing, count: int, sight: Sight) -> str:
    if piece.kind == "prey":
        return f"{count} × {animal(piece.id)}"
    if piece.kind == "supply":
        winter, _dash, value = piece.id.partition("-")
        return _("supply card {value} of winter {winter}").format(value=plain(value), winter=plain(winter))
    if piece.kind == "card" and piece.id == HUNTER:
        return _("the hunter card")
    if piece.kind == "card" and piece.owner is not None:
        name = sight.name(piece.owner)
        if not piece.id:
            return _("a card of {name}").format(name=name)
        return _("{name}'s card {card}").format(name=name, card=card(piece.id, sight.box))
    return plural("{count} piece", "{count} pieces", count)


def place(where: Place, sight: Sight) -> str:
    places = {
        "bank": _("bank"),
        "laid out": _("laid out"),
        "stack": _("supply stack"),
        "aside": _("beside the table"),
        "gone": _("out of the game"),
        "prey": _("{name}'s prey"),
        "supply": _("{name}'s supply"),
        "hand": _("{name}'s hand"),
        "played": _("{name}'s played cards"),
        "laid": _("in front of {name}"),
    }
    return places.get(where.kind, plain(where.kind)).replace("{name}", sight.name(where.seat))


def rules() -> str:
    """The whole game in own words, from a file for each language."""
    return Path(__file__).with_name(f"rules.{language().code}.txt").read_text(encoding="utf-8").strip()

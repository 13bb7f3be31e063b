"""Words for the pieces and places of Carnuta, and its rules in own words."""

from pathlib import Path

from companion.gamekit import Place, Thing, plain
from companion.gamekit.screen import Sight
from companion.games.carnuta import sentences
from companion.games.carnuta.components import FACES
from companion.games.carnuta.screen.texts import _, language, plural

FOLDER = Path(__file__).parent


def thing(piece: Thing, count: int, sight: Sight) -> str:
    match piece.kind:
        case "card":
            return plain(sentences.card(sight.box, piece.id, _) or piece.id, 60)
        case "rune":
            return plural("{count} rune", "{count} runes", count)
        case "sickle":
            return plural("{count} sickle", "{count} sickles", count)
        case "padlock":
            return plural("{count} padlock", "{count} padlocks", count)
        case "bonus":
            return _("{ingredient} (bonus)").format(ingredient=sentences.ingredient(piece.id, _))
        case "marker":
            return _("{name}'s marker").format(name=sight.name(piece.owner))
        case "start card":
            return _("{name}'s start card").format(name=sight.name(piece.owner))
    return plural("{count} piece", "{count} pieces", count)


def place(where: Place, sight: Sight) -> str:
    first, _space, second = where.kind.partition(" ")
    if first in FACES and second:
        return _of_face(second).format(face=sentences.face(first, _))
    if second == "column":
        text = _("{name}'s {ingredient} column").replace("{ingredient}", sentences.ingredient(first, _))
    elif first == "field":
        text = _("field {number} of {name}'s board").replace("{number}", plain(second, 4))
    else:
        text = _own(where.kind)
    return text.replace("{name}", sight.name(where.seat))


def _of_face(kind: str) -> str:
    places = {
        "deck": _("deck ({face})"),
        "row": _("row ({face})"),
        "discards": _("discards ({face})"),
        "reserve": _("reserve ({face})"),
    }
    return places.get(kind, "{face}")


def _own(kind: str) -> str:
    places = {
        "suns": _("suns of {name}"),
        "moons": _("moons of {name}"),
        "hand": _("{name}'s hand"),
        "board": _("{name}'s board"),
        "sickles": _("{name}'s sickles"),
        "supply": _("bonus ingredients"),
        "box": _("box"),
        "its deck": _("its deck"),
    }
    return places.get(kind) or plain(kind)


def rules() -> str:
    """The whole game in own words, from a file for each language."""
    return (FOLDER / f"rules.{language().code}.txt").read_text(encoding="utf-8").strip()

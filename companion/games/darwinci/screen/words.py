"""Words for the pieces and places of Darwinci, and its rules in own words."""

from pathlib import Path

from companion.gamekit import Place, Thing, plain
from companion.gamekit.screen import Sight
from companion.games.darwinci import sentences
from companion.games.darwinci.screen.colours import jewel_word
from companion.games.darwinci.screen.people import tiles
from companion.games.darwinci.screen.texts import _, language, plural


def tile(sight: Sight, tile_id: str) -> str:
    known = tiles(sight).get(tile_id)
    return plain(sentences.tile(known, _) if known else tile_id, 30)


def thing(piece: Thing, count: int, sight: Sight) -> str:
    owner = sight.name(piece.owner)
    match piece.kind:
        case "tile" if piece.id:
            return tile(sight, piece.id)
        case "tile":
            return plural("{count} face-down tile", "{count} face-down tiles", count)
        case "stone":
            stones = plural("{count} stone", "{count} stones", count)
            return _("{stones} of {name}'s colour").format(stones=stones, name=owner)
        case "jewel":
            return _("{name}'s marker: {kind}").format(name=owner, kind=jewel_word(piece.id))
        case "darwin":
            return plural("{count} Darwin", "{count} Darwin", count)
        case "debt":
            return plural("{count} Darwin of debt", "{count} Darwin of debt", count)
        case "counter":
            return _("round counter")
        case "Darwin card":
            return _("Darwin card")
    return plural("{count} piece", "{count} pieces", count)


def place(where: Place, sight: Sight) -> str:
    places = {
        "bank": _("bank"),
        "out": _("out of the game"),
        "face down": _("face down"),
        "stack": _("stacks"),
        "hand": _("{name}'s hand"),
        "offer": _("offered by {name}"),
        "supply": _("in front of {name}"),
        "money": _("{name}'s money"),
        "scored": _("scored by {name}"),
        "built": _("{name}'s display"),
        "won": _("won by {name}"),
    }
    return places.get(where.kind, plain(where.kind)).replace("{name}", sight.name(where.seat))


def rules() -> str:
    """The whole game in own words, from a file for each language."""
    return Path(__file__).with_name(f"rules.{language().code}.txt").read_text(encoding="utf-8").strip()

"""Words for the pieces and places of Lascaux, and its rules in own words."""

from pathlib import Path

from companion.gamekit import Place, Thing, plain
from companion.gamekit.screen import Sight
from companion.games.lascaux import sentences
from companion.games.lascaux.screen.texts import _, language, plural


def animal(name: str) -> str:
    return plain(sentences.animal(name, _))


def short_animal(name: str) -> str:
    """At most four letters, for a narrow column."""
    short = {
        "aurochs": _("aur.", "narrow"),
        "deer": _("deer", "narrow"),
        "horse": _("hors", "narrow"),
        "goat": _("goat", "narrow"),
        "mammoth": _("mam.", "narrow"),
        "rhinoceros": _("rhin", "narrow"),
    }
    return short.get(name) or plain(name, 4)


def thing(piece: Thing, count: int, sight: Sight) -> str:
    if piece.kind == "stone":
        return plural("{count} stone", "{count} stones", count)
    if piece.kind == "card" and piece.id:
        return plain(sentences.card(sight.box, piece.id, _) or piece.id, 40)
    if piece.kind == "marker" and piece.owner is not None:
        return _("{name}'s marker").format(name=sight.name(piece.owner))
    return plural("{count} piece", "{count} pieces", count)


def place(where: Place, sight: Sight) -> str:
    places = {
        "deck": _("deck"),
        "row": _("row"),
        "pot": _("pot"),
        "pile": _("pile"),
        "supply": _("{name}'s stones"),
        "won": _("{name}'s cards"),
        "hand": _("{name}'s hand"),
        "chosen": _("in front of {name}"),
    }
    return places.get(where.kind, plain(where.kind)).replace("{name}", sight.name(where.seat))


def passed(rank: int) -> str:
    """The n-th to pass, counted from 1."""
    ranks = (_("passed 1st"), _("passed 2nd"), _("passed 3rd"), _("passed 4th"), _("passed 5th"))
    return ranks[rank - 1] if 0 < rank <= len(ranks) else _("passed")


def rules() -> str:
    """The whole game in own words, from a file for each language."""
    return Path(__file__).with_name(f"rules.{language().code}.txt").read_text(encoding="utf-8").strip()

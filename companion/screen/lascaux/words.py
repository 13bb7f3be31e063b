"""Words for the pieces and places of Lascaux, and its rules in short."""

from companion.screen.face import Sight
from companion.screen.text import _, plural
from companion.snapshot import Place, Thing
from companion.wording import plain


def animal(name: str) -> str:
    words = {
        "aurochs": _("aurochs"),
        "deer": _("deer"),
        "horse": _("horse"),
        "goat": _("goat"),
        "mammoth": _("mammoth"),
        "rhinoceros": _("rhino"),
    }
    return words.get(name) or plain(name)


def short_animal(name: str) -> str:
    """At most four letters, for a narrow column."""
    words = {
        "aurochs": _("aur."),
        "deer": _("deer"),
        "horse": _("hors"),
        "goat": _("goat"),
        "mammoth": _("mam."),
        "rhinoceros": _("rhin"),
    }
    return words.get(name) or plain(name, 4)


def card(card_id: str, sight: Sight) -> str:
    for known in sight.box.cards:
        if known.id == card_id:
            facts = {"animal": animal(known.animal), "one": plain(known.colours[0]), "other": plain(known.colours[1])}
            return _("{animal} {one}/{other}").format(**facts)
    return plain(card_id, 40)


def thing(piece: Thing, count: int, sight: Sight) -> str:
    if piece.kind == "stone":
        return plural("{count} stone", "{count} stones", count)
    if piece.kind == "card" and piece.id:
        return card(piece.id, sight)
    if piece.kind == "marker" and piece.owner is not None:
        return _("{name}'s marker").format(name=sight.name(piece.owner))
    return plural("{count} piece", "{count} pieces", count)


def place(where: Place, sight: Sight) -> str:
    words = {
        "deck": _("deck"),
        "row": _("row"),
        "pot": _("pot"),
        "pile": _("pile"),
        "supply": _("{name}'s stones"),
        "won": _("{name}'s cards"),
        "hand": _("{name}'s hand"),
        "chosen": _("in front of {name}"),
    }
    return words.get(where.kind, plain(where.kind)).replace("{name}", sight.name(where.seat))


def passed(rank: int) -> str:
    """The n-th to pass, counted from 1."""
    words = (_("passed 1st"), _("passed 2nd"), _("passed 3rd"), _("passed 4th"), _("passed 5th"))
    return words[rank - 1] if 0 < rank <= len(words) else _("passed")


def rules() -> str:
    return _(
        "Lascaux in short\n"
        "The start player lays out cards until all six colours or seven cards lie there. Everybody secretly chooses "
        "one of six coloured markers. Then, in turn, everybody lays a stone into the pot or passes. Who passes takes "
        "the pot and puts the marker face down on the pile. Who is left at the end reveals first and takes all "
        "cards that show his colour, then the pile follows from top to bottom. The first one who "
        "passed starts the next round.\n"
        "For each animal, whoever has the most cards scores a point for each of them; six stones are a point, too."
    )

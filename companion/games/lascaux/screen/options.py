"""Words for what people may agree on before a game of Lascaux."""

from typing import Any

from companion.games.lascaux.screen.texts import _


def option(name: str) -> str:
    return {
        "stones": _("Stones of the others (L20)"),
        "tie": _("Two with the most points (L19)"),
        "direction": _("Direction of play (L21)"),
        "first_stone": _("The start player of a round (L7)"),
        "match": _("In the next game of a match (L21)"),
    }.get(name, "")


def value(name: str, chosen: Any) -> str:
    return {
        ("stones", "open"): _("are seen by all"),
        ("stones", "secret"): _("are secret until the end"),
        ("tie", "shared"): _("share the victory"),
        ("tie", "stones"): _("the one with more stones wins"),
        ("direction", "clockwise"): _("clockwise"),
        ("direction", "anticlockwise"): _("anticlockwise"),
        ("first_stone", "may"): _("may pass at once"),
        ("first_stone", "must"): _("has to lay the first stone"),
        ("match", "alternate"): _("play goes the other way round"),
        ("match", "keep"): _("play goes the same way round"),
    }.get((name, chosen), "")

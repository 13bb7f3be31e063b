"""Words for what people may agree on before a game of Darwinci."""

from typing import Any

from companion.games.darwinci.screen.texts import _


def option(name: str) -> str:
    return {
        "minus": _("Who cannot pay (D13)"),
        "run": _("Scoring a line with jewellery (D15)"),
        "tie": _("A tie in the auction (D7)"),
        "larger": _("The larger creature in a final tie (D20)"),
    }.get(name, "")


def value(name: str, chosen: Any) -> str:
    return {
        ("minus", "owe"): _("owes the rest"),
        ("minus", "floor"): _("pays what there is"),
        ("run", "whole"): _("the whole line counts"),
        ("run", "part"): _("any part of it may count"),
        ("tie", "clockwise"): _("first one clockwise"),
        ("tie", "nearest"): _("the player nearest"),
        ("larger", "tiles"): _("has more tiles"),
        ("larger", "darwin"): _("paid more Darwin"),
    }.get((name, chosen), "")

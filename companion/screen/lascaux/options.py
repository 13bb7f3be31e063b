"""Words for what people may agree on before a game of Lascaux."""

from typing import Any

from companion.screen.text import _


def option(name: str) -> str:
    return {
        "stones": _("Stones of the others (L20)"),
        "tie": _("Two with the most points (L19)"),
        "direction": _("Direction of play (L21)"),
    }.get(name, "")


def value(name: str, chosen: Any) -> str:
    return {
        ("stones", "open"): _("are seen by everybody"),
        ("stones", "secret"): _("are secret until the end"),
        ("tie", "shared"): _("share the victory"),
        ("tie", "stones"): _("the one with more stones wins"),
        ("direction", "clockwise"): _("clockwise"),
        ("direction", "anticlockwise"): _("anticlockwise"),
    }.get((name, chosen), "")

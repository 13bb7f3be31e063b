"""Words for what people may agree on before a game of Darwinci."""

from typing import Any

from companion.screen.text import _


def option(name: str) -> str:
    return {
        "minus": _("Who cannot pay (D13)"),
        "run": _("Scoring a line with jewellery (D15)"),
    }.get(name, "")


def value(name: str, chosen: Any) -> str:
    return {
        ("minus", "owe"): _("owes the rest"),
        ("minus", "floor"): _("pays what he has"),
        ("run", "whole"): _("the whole line counts"),
        ("run", "part"): _("any part of it may count"),
    }.get((name, chosen), "")

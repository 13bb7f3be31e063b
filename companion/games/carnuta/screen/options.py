"""Words for what people may agree on before a game of Carnuta."""

from typing import Any

from companion.games.carnuta.screen.texts import _


def option(name: str) -> str:
    return {
        "start_card": _("The first card (C1)"),
        "partial_runes": _("Fewer runes than possible (C9)"),
        "sickles_per_turn": _("Sickles in one turn (C11)"),
        "last_round": _("After eleven cards (C14)"),
        "flipped_pays": _("A rune turned by the same payment (C5)"),
        "flip": _("Flipping runes of one face (C10)"),
        "salt": _("Salt symbols at the scoring (C7, C15)"),
    }.get(name, "")


def value(name: str, chosen: Any) -> str:
    return {
        ("start_card", "hand"): _("is kept in hand"),
        ("start_card", "played"): _("is played at once"),
        ("partial_runes", True): _("may be taken"),
        ("partial_runes", False): _("may not be taken"),
        ("sickles_per_turn", 1): _("one"),
        ("sickles_per_turn", 2): _("two"),
        ("sickles_per_turn", 3): _("three"),
        ("last_round", True): _("one more round is played"),
        ("last_round", False): _("the game ends with the round"),
        ("flipped_pays", False): _("pays nothing more"),
        ("flipped_pays", True): _("may pay again"),
        ("flip", "all"): _("all of them"),
        ("flip", "any"): _("as many as you like"),
        ("salt", "column"): _("count as their column's ingredient"),
        ("salt", "joker"): _("count as whatever is missing"),
    }.get((name, chosen), "")

"""Words for what people may agree on before a game of Sioux."""

from typing import Any

from companion.games.sioux.screen.texts import _


def option(name: str) -> str:
    return {
        "hunter_blocks_swap": _("Two highest cards beside the hunter (S10)"),
        "gift_after_swap": _("Gifts after a swap (S18)"),
        "last_card": _("After a player's last card (S22)"),
        "no_deer": _("The hunter, if no deer is left (S10)"),
        "gift_ends": _("A gift that brings a player to 20 (S19)"),
    }.get(name, "")


def value(name: str, chosen: Any) -> str:
    return {
        ("hunter_blocks_swap", True): _("do not swap"),
        ("hunter_blocks_swap", False): _("swap all the same"),
        ("gift_after_swap", "both"): _("both may claim"),
        ("gift_after_swap", "riser"): _("only the player who gained"),
        ("last_card", "after_round"): _("all take up after the round"),
        ("last_card", "at_once"): _("all take up at once"),
        ("no_deer", "nothing"): _("takes nothing"),
        ("no_deer", "other_prey"): _("takes other prey worth 3"),
        ("gift_ends", "after_gifts"): _("all gifts come first"),
        ("gift_ends", "at_once"): _("ends the hunting at once"),
    }.get((name, chosen), "")

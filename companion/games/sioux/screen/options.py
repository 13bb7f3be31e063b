"""Words for what people may agree on before a game of Sioux."""

from typing import Any

from companion.games.sioux.screen.texts import _


def option(name: str) -> str:
    return {
        "hunter_blocks_swap": _("Two highest cards beside the hunter (S10)"),
        "gift_after_swap": _("Gifts after a swap (S18)"),
        "last_card": _("After somebody's last card (S22)"),
    }.get(name, "")


def value(name: str, chosen: Any) -> str:
    return {
        ("hunter_blocks_swap", True): _("do not swap"),
        ("hunter_blocks_swap", False): _("swap all the same"),
        ("gift_after_swap", "both"): _("both may claim"),
        ("gift_after_swap", "riser"): _("only who has more than before"),
        ("last_card", "after_round"): _("all take back after the round"),
        ("last_card", "at_once"): _("all take back at once"),
    }.get((name, chosen), "")

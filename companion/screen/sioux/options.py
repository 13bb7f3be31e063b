"""Words for what people may agree on before a game of Sioux."""

from typing import Any

from companion.screen.text import _


def option(name: str) -> str:
    return {
        "hunter_blocks_swap": _("Two highest cards beside the hunter (S10)"),
        "gift_after_swap": _("Gifts after a swap (S18)"),
    }.get(name, "")


def value(name: str, chosen: Any) -> str:
    return {
        ("hunter_blocks_swap", True): _("do not swap"),
        ("hunter_blocks_swap", False): _("swap all the same"),
        ("gift_after_swap", "both"): _("both may claim"),
        ("gift_after_swap", "riser"): _("only who has more than before"),
    }.get((name, chosen), "")

"""What KiCad's design rule check may say of a board, and what it may not."""

from typing import Any

from hardware.boards.layout import Layout

TRIMMED = "lib_footprint_mismatch"
"""A plug that stands out over the edge has lost those lines of its print that would lie beside the board
(hardware/boards/kicad.py): its footprint is not that of KiCad's library any more, and the check says so. Left as they
are, those lines would be a warning each, too, and a board house would ask about them. Holes and copper stay."""


def complaints(report: dict[str, Any], layout: Layout) -> list[str]:
    """Everything that was found, but for one warning for each part that is meant to stand over the edge."""
    meant = {f"Footprint {ref}" for ref in layout.over_the_edge}
    found = []
    for each in [*report["violations"], *report["unconnected_items"]]:
        items = [item["description"] for item in each["items"]]
        if each["type"] == TRIMMED and each["severity"] == "warning" and len(items) == 1 and items[0] in meant:
            meant.discard(items[0])
        else:
            found.append(f"{each['description']}: {', '.join(items)}")
    return found + [f"{item} lost nothing of its print, and should stand over the edge" for item in sorted(meant)]

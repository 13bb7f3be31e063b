"""The bar keeps its labels whole: what has no room for its button is behind "More"."""

import asyncio

import pytest

from companion.screen.widgets.button_bar import Bar, Slot
from tests.screen.table import evening, snapshot

EVENING = ("undo", "history", "help", "peek", "app.language", "quit", "more")


@pytest.mark.parametrize(
    ("label", "width", "lacks"),
    [
        ("Heap 1", 66, False),
        ("Heap 1", 100, False),
        ("Stapel 1", 66, True),
        ("Stapel 1", 100, True),
        ("Stapel 1", 160, False),
    ],
)
def test_undo_gives_way_to_five_long_labels_on_a_small_screen(label: str, width: int, lacks: bool) -> None:
    async def story() -> None:
        async with evening(snapshot(), (width, 30)) as tonight:
            bar = tonight.app.screen.query_one(Bar)
            bar.show([Slot("lay", label, "1")] * 5, [Slot(name, name, "x") for name in EVENING], 5)
            await tonight.pilot.pause()
            assert bar.lacks_undo is lacks
            assert bool(bar.query_one(".undo").region) is not lacks
            assert tonight.text().count(label) == 5

    asyncio.run(story())

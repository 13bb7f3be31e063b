"""The lines of the evening: a player who reads earlier ones stays there when they are worded anew."""

import asyncio

from textual.app import App, ComposeResult

from companion.drawing.event_lines import HistoryLine
from companion.screen.widgets.history_list import History

NUMBERS = range(1, 61)


def lines(language: str) -> list[HistoryLine]:
    return [HistoryLine(number, f"{language} {number}", "", "accepted") for number in NUMBERS]


class Lines(App[None]):
    def compose(self) -> ComposeResult:
        yield History()


def test_lines_begin_at_the_top_and_stand_where_they_stood_in_another_language() -> None:
    async def story() -> None:
        async with Lines().run_test(size=(40, 12)) as pilot:
            shown = pilot.app.query_one(History)
            shown.show(lines("line"))
            await pilot.pause()
            assert shown.scroll_offset.y == 0
            shown.scroll_to(y=7, animate=False)
            await pilot.pause()
            shown.show(lines("Zeile"))
            await pilot.pause()
            assert shown.scroll_offset.y == 7
            shown.show([*lines("Zeile"), HistoryLine(61, "Zeile 61", "", "accepted")])
            await pilot.pause()
            assert (shown.scroll_offset.y, len(shown.lines)) == (7, 61)
            shown.show(lines("other game")[:40])
            await pilot.pause()
            assert (shown.scroll_offset.y, len(shown.lines)) == (0, 40)

    asyncio.run(story())


def test_lines_are_wrapped_to_the_width_that_there_is_however_it_changes() -> None:
    words = "Cleo scored amber in a column: end piece, curve and branch, three tiles with two jewels of a kind"

    async def story() -> None:
        async with Lines().run_test(size=(70, 12)) as pilot:
            shown = pilot.app.query_one(History)
            shown.show([HistoryLine(1, words, "D15", "accepted")])
            for width in (70, 40, 120):
                await pilot.resize_terminal(width, 12)
                await pilot.pause()
                rows = ["".join(segment.text for segment in strip).rstrip() for strip in shown.lines]
                assert " ".join(" ".join(rows).split()) == f"{words} D15"
                assert max(map(len, rows)) <= shown.scrollable_content_region.width
                assert (len(rows) == 1) == (width == 120)

    asyncio.run(story())

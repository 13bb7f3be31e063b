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


def test_lines_in_another_language_stand_where_they_stood_and_new_ones_are_scrolled_to() -> None:
    async def story() -> None:
        async with Lines().run_test(size=(40, 12)) as pilot:
            shown = pilot.app.query_one(History)
            shown.show(lines("line"))
            await pilot.pause()
            assert shown.is_vertical_scroll_end
            shown.scroll_to(y=7, animate=False)
            await pilot.pause()
            shown.show(lines("Zeile"))
            await pilot.pause()
            assert shown.scroll_offset.y == 7
            shown.scroll_end(animate=False)
            await pilot.pause()
            shown.show([*lines("Zeile"), HistoryLine(61, "Zeile 61", "", "accepted")])
            await pilot.pause()
            assert shown.is_vertical_scroll_end

    asyncio.run(story())

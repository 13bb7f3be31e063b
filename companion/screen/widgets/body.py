"""The table itself: a few panels, one under the other, filled by the game's looks."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from companion.gamekit.screen.panel import Panel

PANELS = 4
NOTHING = Content("")


class Body(Vertical):
    def compose(self) -> ComposeResult:
        self.panels = [Panel() for _number in range(PANELS)]
        yield from self.panels

    def show(self, contents: Sequence[Content]) -> int:
        """How many rows that takes."""
        for number, panel in enumerate(self.panels):
            content = contents[number] if number < len(contents) else NOTHING
            panel.show(content, _rows(content))
        return sum(map(_rows, contents))


def _rows(content: Content) -> int:
    return content.plain.count("\n") + 1 if content.plain else 0

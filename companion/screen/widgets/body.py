"""The table itself: a few panels, one under the other, filled by the game's looks."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from companion.screen.widgets.panel import Panel

PANELS = 4


class Body(Vertical):
    def compose(self) -> ComposeResult:
        for _number in range(PANELS):
            yield Panel()

    def show(self, contents: Sequence[Content]) -> None:
        for panel, content in zip(
            self.query(Panel), [*contents, *[Content("")] * (PANELS - len(contents))], strict=True
        ):
            panel.show(content, content.plain.count("\n") + 1 if content.plain else 0)

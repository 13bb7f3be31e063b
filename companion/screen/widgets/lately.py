"""What happened just now: as many of the newest lines as fit, the newest at the bottom.

It does not scroll, so a new line is drawn without a new layout of the screen; the whole past is behind "Why".
"""

from collections.abc import Callable, Sequence

from textual import events
from textual.content import Content
from textual.widgets import Static

from companion.drawing.lines import COMPLAINTS, HistoryLine
from companion.language.speech import _
from companion.screen.widgets.history import History

NewestLines = Callable[[int], Sequence[HistoryLine]]
"""How many at most → the newest lines, oldest first."""


class Lately(Static):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("", markup=False, id=id)
        self._lines: NewestLines = lambda most: ()
        self._drawn: list[HistoryLine] = []

    def show(self, lines: NewestLines) -> None:
        self._lines = lines
        width, height = self.content_size
        newest = list(lines(height)) if width and height else []
        if newest != self._drawn:
            self._drawn = newest
            self.update(self._fitting(newest, width, height), layout=False)

    def on_resize(self, event: events.Resize) -> None:
        self._drawn = []
        self.show(self._lines)

    def on_click(self, event: events.Click) -> None:
        """Why this line? The newest is at the bottom."""
        place = event.get_content_offset(self)
        width, height = self.content_size
        row = height - 1 - place.y if place else -1
        for line in reversed(self._drawn if row >= 0 else []):
            row -= _worded(line).get_height({}, width)
            if row < 0:
                self.post_message(History.Asked(line))
                return

    def _fitting(self, lines: Sequence[HistoryLine], width: int, height: int) -> Content:
        """Long lines take several rows; then fewer fit."""
        shown: list[Content] = []
        for line in reversed(lines):
            content = _worded(line)
            height -= 1 if content.cell_length <= width else content.get_height({}, width)
            if height < 0 and shown:
                break
            shown.append(content)
        return Content("\n").join(reversed(shown))


def _worded(line: HistoryLine) -> Content:
    return Content.assemble(
        ("× " if line.kind in COMPLAINTS else "", "bold"),
        (line.sentence, "italic" if line.kind in ("undone", "noted") else ""),
        (f"  {line.rule}" if line.rule else "", "dim"),
        (f"  {_('on screen')}" if line.by_hand else "", "dim"),
    )

"""What happened, line by line, each with its ruling: the newest lines during a game (`Lately`), or a list that scrolls
(`History`)."""

from collections.abc import Callable, Sequence

from rich.style import Style
from rich.text import Text
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import RichLog, Static

from companion.drawing.event_lines import COMPLAINTS, HistoryLine
from companion.gamekit.sign_table import WRONG
from companion.language.screen_language import _


class History(RichLog, can_focus=False):
    """Scrolls, and begins at its top: it is read after a game. New lines are added below; everything is rewritten only
    when earlier lines or the width change."""

    class Asked(Message):
        """A player asks why about this line."""

        def __init__(self, line: HistoryLine) -> None:
            super().__init__()
            self.line = line

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(wrap=True, min_width=10, max_lines=1000, id=id)
        self._lines: list[HistoryLine] = []
        self._width = 0

    def show(self, lines: Sequence[HistoryLine]) -> None:
        lines, width = list(lines), self.scrollable_content_region.width
        if width != self._width:
            self._clear()
        known = self._overlap(lines)
        place = self.scroll_offset.y if _numbers(lines) == _numbers(self._lines) else 0
        if known < 0:
            self.clear()
        for line in lines[max(0, known) :]:
            self.write(_worded(line), width=width or None, scroll_end=False)
        if known < 0:
            self.scroll_to(y=place, animate=False)
        self._lines, self._width = lines, width

    def _clear(self) -> None:
        self._lines = []
        self.clear()

    def on_resize(self, event: events.Resize) -> None:
        """Lines that were written while it was hidden are too narrow as well."""
        if self._lines:
            self.show(self._lines)

    def on_click(self, event: events.Click) -> None:
        """Every row carries the number of its line as metadata."""
        place = event.get_content_offset(self)
        row = self.scroll_offset.y + place.y if place else len(self.lines)
        numbers = [
            segment.style.meta["line"]
            for segment in (self.lines[row] if row < len(self.lines) else ())
            if segment.style and "line" in segment.style.meta
        ]
        for line in self._lines:
            if line.number in numbers[:1]:
                self.post_message(self.Asked(line))

    def _overlap(self, lines: list[HistoryLine]) -> int:
        """How many of these lines are shown already; -1 if they do not continue what is shown."""
        if not self._lines:
            return 0
        for known in range(len(lines), 0, -1):
            if lines[:known] == self._lines[-known:]:
                return known
        return -1


def _numbers(lines: Sequence[HistoryLine]) -> list[int]:
    return [line.number for line in lines]


def _worded(line: HistoryLine) -> Text:
    text = Text(style=Style(meta={"line": line.number}))
    if line.kind in COMPLAINTS:
        text.append(f"{WRONG} ", "bold")
    text.append(line.sentence, "italic" if line.kind in ("undone", "noted") else "")
    if line.rule:
        text.append(f"  {line.rule}", "dim")
    if line.by_hand:
        text.append("  " + _("on screen"), "dim")
    return text


NewestLines = Callable[[int], Sequence[HistoryLine]]
"""The largest number of lines → the newest lines, oldest first."""


class Lately(Static):
    """As many of the newest lines as fit, the newest at the bottom. It does not scroll, so a new line needs no layout.
    The whole history is behind "Why"."""

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
        """Ask why about a line. The newest is at the bottom."""
        place = event.get_content_offset(self)
        width, height = self.content_size
        row = height - 1 - place.y if place else -1
        for line in reversed(self._drawn if row >= 0 else []):
            row -= _content(line).get_height({}, width)
            if row < 0:
                self.post_message(History.Asked(line))
                return

    def _fitting(self, lines: Sequence[HistoryLine], width: int, height: int) -> Content:
        """Long lines take several rows, so fewer fit. If not even the newest does, it loses its ornaments, then its
        end: all of it is behind "Why"."""
        shown: list[Content] = []
        for line in reversed(lines):
            content = _content(line)
            if not shown and content.get_height({}, width) > height:
                content = _content(line, ornaments=False)
                while content.get_height({}, width) > height:
                    content = content.truncate(content.cell_length - 1, ellipsis=True)
            height -= 1 if content.cell_length <= width else content.get_height({}, width)
            if height < 0 and shown:
                break
            shown.append(content)
        return Content("\n").join(reversed(shown))


def _content(line: HistoryLine, *, ornaments: bool = True) -> Content:
    return Content.assemble(
        (f"{WRONG} " if line.kind in COMPLAINTS else "", "bold"),
        (line.sentence, "italic" if line.kind in ("undone", "noted") else ""),
        (f"  {line.rule}" if line.rule and ornaments else "", "dim"),
        (f"  {_('on screen')}" if line.by_hand and ornaments else "", "dim"),
    )

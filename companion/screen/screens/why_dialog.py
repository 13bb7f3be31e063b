"""Why? Each line with its ruling in words, and with what led to it."""

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Button, OptionList, Static

from companion.drawing.event_lines import COMPLAINTS, HistoryLine, explained, last_reveal, reasons, told_lines
from companion.gamekit.screen.controls import KeyButton
from companion.gamekit.screen.dialog import Dialog, last_row
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import WRONG
from companion.language.screen_language import _

WIDE = 90
"""From this width on, the explanation is beside the lines."""


class Lines(OptionList, inherit_bindings=False):
    """The lines to choose from. Page keys scroll the text beside them."""

    BINDINGS = [("up", "cursor_up", ""), ("down", "cursor_down", ""), ("home", "first", ""), ("end", "last", "")]


class Why(Dialog):
    """All lines of the evening, with an explanation of the chosen one. Points are lines, too."""

    BINDINGS = [("h", "leave", ""), ("a", "again", "")]
    AUTO_FOCUS = "Lines"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]

    def __init__(self, sight: Sight, number: int | None = None) -> None:
        """Starts with the line of this number, or with the newest."""
        super().__init__(lambda: _("What happened, and why"))
        self._sight = sight
        self._number = number
        self._lines: list[HistoryLine] = []
        self.add_class("large")

    def content(self) -> ComposeResult:
        with Container(classes="why"):
            yield Lines(markup=False)
            with VerticalScroll(can_focus=False, classes="reading"):
                yield Static(markup=False, classes="reason")
        again = KeyButton(lambda: "a", lambda: _("The last reveal"), name="a")
        again.display = bool(last_reveal(self._sight))
        yield from last_row(again, KeyButton(lambda: "Esc", lambda: _("Close"), variant="primary", classes="leave"))

    def action_again(self) -> None:
        """A key of the game closes this and counts at the table."""
        if last_reveal(self._sight):
            self.leave("a")

    def on_mount(self) -> None:
        self._draw()

    def show(self, sight: Sight) -> None:
        self._sight = sight
        self._draw()

    def redraw(self) -> None:
        super().redraw()
        self._draw()

    def _draw(self) -> None:
        """An older line stays chosen. If the newest line was chosen, the next new one is."""
        lines = told_lines(self._sight, self._sight.history) + reasons(self._sight)
        options = self.query_one(Lines)
        if lines != self._lines:
            chosen = self._number if not self._lines or not self._at_end(options) else None
            self._lines = lines
            options.clear_options()
            options.add_options([_worded(line) for line in lines])
            numbers = [line.number for line in lines]
            options.highlighted = numbers.index(chosen) if chosen in numbers else len(lines) - 1 if lines else None
            self.call_after_refresh(options.scroll_to_highlight)  # how many rows a line takes is known then
        self._explain(options.highlighted)

    def _at_end(self, options: OptionList) -> bool:
        return options.highlighted == len(self._lines) - 1

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._explain(event.option_index)

    def _explain(self, index: int | None) -> None:
        line = self._lines[index] if index is not None and index < len(self._lines) else None
        if line is not None:
            if line.number != self._number:
                self.query_one(".reading").scroll_home(animate=False)
            self._number = line.number
            self.query_one(".reason", Static).update(explained(self._sight, line))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.leave(event.button.name)


def _worded(line: HistoryLine) -> Content:
    mark = f"{WRONG} " if line.kind in COMPLAINTS else ""
    hand = f"  {_('on screen')}" if line.by_hand else ""
    style = "italic" if line.kind in ("undone", "noted") else ""
    return Content.assemble(
        mark, (line.sentence, style), (f"  {line.rule}{hand}" if line.rule or hand else "", "$quiet")
    )

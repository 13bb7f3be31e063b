"""Why? Every line of the game under the heading of its round, with its ruling in words and with what led to it."""

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.drawing.dialog_texts import may_ask_why, thought_words
from companion.drawing.event_lines import (
    COMPLAINTS,
    HistoryLine,
    explained,
    last_reveal,
    reasons,
    round_starts,
    told_lines,
)
from companion.gamekit.screen.controls import KeyButton
from companion.gamekit.screen.dialog import Dialog, LastRow, Reading, last_row
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import WRONG
from companion.gamekit.snapshot import EarlierLines, Thoughts, Told
from companion.language.screen_language import _, listed

WIDE = 90
"""From this width on, the explanation is beside the lines."""

ReadsBack = Callable[[int, Callable[[EarlierLines], None]], None]
"""Asks for the lines before the one of this number."""
AsksWhy = Callable[[int, Callable[[Thoughts], None]], None]
"""Asks what bots expected of the action with this entry, or of the choices that it revealed."""


class Lines(OptionList, inherit_bindings=False):
    """The lines to choose from."""

    BINDINGS = [
        ("up", "cursor_up", ""),
        ("down", "cursor_down", ""),
        ("pageup", "page_up", ""),
        ("pagedown", "page_down", ""),
        ("home", "first", ""),
        ("end", "last", ""),
    ]

    def scroll_to_highlight(self, top: bool = False) -> None:
        """The heading above the first line belongs to it."""
        super().scroll_to_highlight(top)
        if self.highlighted == 1:
            self.scroll_home(animate=False)

    def turn(self, direction: int) -> None:
        """A page up or down."""
        turn: Callable[[], None] = self.action_page_up if direction < 0 else self.action_page_down
        turn()


class Why(Dialog):
    """All lines of this game, with an explanation of the chosen one. Points are lines, too. Page keys go through the
    lines wherever the focus is; space reads on in the explanation."""

    BINDINGS = [
        ("h", "leave", ""),
        ("a", "again", ""),
        ("b", "ask", ""),
        ("slash,ctrl+f", "search", ""),
        ("pageup", "page(-1)", ""),
        ("pagedown", "page(1)", ""),
        ("space", "read(1)", ""),
        ("backspace", "read(-1)", ""),
    ]
    AUTO_FOCUS = "Lines"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]

    def __init__(
        self,
        sight: Sight,
        number: int | None = None,
        read_back: ReadsBack | None = None,
        *,
        pages: int = 0,
        ask_why: AsksWhy | None = None,
    ) -> None:
        """Starts with the line of this number, or with the newest, or so many pages from there. `read_back` asks for
        the lines that are older than the snapshot's, `ask_why` for the thoughts of a bot."""
        super().__init__(lambda: _("What happened, and why"))
        self._ask_why = ask_why
        self._sight, self._read_back, self._pages = sight, read_back, pages
        self._number = number
        self._earlier: tuple[Told, ...] = ()
        self._lines: list[HistoryLine] = []
        """Those that are listed."""
        self._rows: list[HistoryLine | None] = []
        """For each row of the list its line; None for a heading."""
        self.add_class("large")

    def content(self) -> ComposeResult:
        yield Input(placeholder=_("Search …"), compact=True, classes="search")
        with Container(classes="why"):
            yield Lines(markup=False)
            with VerticalScroll(can_focus=False, classes="reading"):
                yield Static(markup=False, classes="reason")
        again = KeyButton(lambda: "a", lambda: _("Last reveal"), name="a")
        again.display = bool(last_reveal(self._sight))
        ask = KeyButton(lambda: "b", lambda: _("Ask the bot"), self.action_ask, name="ask", classes="ask")
        ask.display = False
        yield from last_row(
            ask,
            KeyButton(lambda: "/", lambda: _("Search"), self.action_search, name="search"),
            again,
            KeyButton(lambda: "Esc", lambda: _("Close"), variant="primary", classes="leave"),
        )

    # --- Lines ---

    def on_mount(self) -> None:
        self.query_one(Input).display = False
        self._draw()
        if self._pages:
            self.call_after_refresh(self.action_page, self._pages)
        self._read_on()

    def _read_on(self) -> None:
        """Ask for earlier lines, page by page, until the first one is there."""
        history = (*self._earlier, *self._sight.snapshot.history)
        if self._read_back is not None and history:
            self._read_back(history[0].number, self._found)

    def _found(self, found: EarlierLines) -> None:
        if not self.is_mounted:
            return
        self._earlier = (*found.lines, *self._earlier)
        self._draw()
        if found.lines and not found.is_first:
            self._read_on()

    def show(self, sight: Sight) -> None:
        before, newest = self._sight.snapshot, sight.snapshot
        if before.begun != newest.begun:
            self._earlier = ()
        elif newest.history:
            kept = newest.history[0].number
            known = [told.number for told in self._earlier]
            lost = [told for told in before.history if told.number < kept and told.number not in known]
            self._earlier = (*self._earlier, *lost)
        self._sight = sight
        self._draw()

    def redraw(self) -> None:
        super().redraw()
        self.query_one(Input).placeholder = _("Search …")
        self._draw()

    def _whole(self) -> Sight:
        """The same table with all lines that are known."""
        first = self._sight.snapshot.history[:1]
        earlier = [told for told in self._earlier if not first or told.number < first[0].number]
        return self._sight.with_history((*earlier, *self._sight.snapshot.history))

    def _draw(self) -> None:
        """An older line stays chosen. If the newest line was chosen, the next new one is."""
        whole = self._whole()
        wanted = self.query_one(Input).value.casefold().split()
        lines = [
            line
            for line in told_lines(whole, whole.history) + reasons(whole)
            if all(word in f"{line.sentence} {line.rule}".casefold() for word in wanted)
        ]
        if lines != self._lines:
            options = self.query_one(Lines)
            chosen = self._number if not self._lines or not self._at_end(options) else None
            self._lines = lines
            starts = round_starts(whole)
            self._rows = []
            shown: list[Option] = []
            for line in lines:
                if line.number in starts:
                    self._rows.append(None)
                    heading = Content.styled(_("Round {number}", number=starts[line.number]), "bold $text-primary")
                    shown.append(Option(heading, disabled=True))
                self._rows.append(line)
                shown.append(Option(_worded(line)))
            options.clear_options()
            options.add_options(shown)
            numbers = [line.number if line else None for line in self._rows]
            last = len(self._rows) - 1 if self._rows else None
            options.highlighted = numbers.index(chosen) if chosen in numbers and chosen is not None else last
            self.call_after_refresh(options.scroll_to_highlight)  # how many rows a line takes is known then
        self._explain(self.query_one(Lines).highlighted)

    def _at_end(self, options: OptionList) -> bool:
        return options.highlighted == len(self._rows) - 1

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._explain(event.option_index)

    def _explain(self, index: int | None) -> None:
        line = self._rows[index] if index is not None and index < len(self._rows) else None
        if line is not None:
            if line.number != self._number:
                self.query_one(".reading").scroll_home(animate=False)
            self._number = line.number
            self.query_one(".ask").display = self._asked_about(line) is not None
            self.query_one(LastRow).share()
            self.query_one(".reason", Static).update(explained(self._whole(), line))
        elif not self._rows:
            self.query_one(".reason", Static).update(_("No line has these words."))

    # --- Actions ---

    def action_page(self, direction: int) -> None:
        self.query_one(Lines).turn(direction)

    def action_read(self, direction: int) -> None:
        """Scroll the explanation."""
        text = self.query_one(".reading")
        text.scroll_relative(y=direction * max(1, text.size.height - 1), animate=False)

    def _asked_about(self, line: HistoryLine | None) -> Told | None:
        """The line, if a bot may say why it did that."""
        told = line.of if line is not None else None
        return told if self._ask_why and isinstance(told, Told) and may_ask_why(self._sight, told) else None

    def action_ask(self) -> None:
        """Why did Ben do that?"""
        index = self.query_one(Lines).highlighted
        line = self._rows[index] if index is not None and index < len(self._rows) else None
        told = self._asked_about(line)
        if told is not None and self._ask_why is not None:
            self._ask_why(told.entry, self._show_thoughts)

    def _show_thoughts(self, thoughts: Thoughts) -> None:
        if self.is_current:
            self.app.push_screen(Reading(lambda: self._asked(thoughts), lambda: self._thoughts(thoughts)))

    def _asked(self, thoughts: Thoughts) -> str:
        if not thoughts.of:
            return _("Why")
        names = listed([self._sight.name(thought.seat) for thought in thoughts.of])
        return _("Why did {name} do that?", name=names)

    def _thoughts(self, thoughts: Thoughts) -> str:
        none = _("No bot has thought about this: it followed from the rules, or a player did it on instinct.")
        return "\n\n".join(thought_words(self._sight, thoughts)) or none

    def action_search(self) -> None:
        """Only lines with all of these words. Esc shows all again."""
        field = self.query_one(Input)
        field.display = True
        field.focus()

    def on_input_changed(self) -> None:
        self._draw()

    def on_input_submitted(self) -> None:
        self.query_one(Lines).focus()

    def action_leave(self) -> None:
        field = self.query_one(Input)
        if field.display:
            field.value = ""
            field.display = False
            self.query_one(Lines).focus()
        else:
            self.leave()

    def action_again(self) -> None:
        """A key of the game closes this and counts at the table."""
        if last_reveal(self._sight):
            self.leave("a")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.name != "ask":
            self.leave(event.button.name)


def _worded(line: HistoryLine) -> Content:
    mark = f"{WRONG} " if line.kind in COMPLAINTS else ""
    hand = f"  {_('on screen')}" if line.by_hand else ""
    style = "italic" if line.kind in ("undone", "noted") else ""
    return Content.assemble(
        mark, (line.sentence, style), (f"  {line.rule}{hand}" if line.rule or hand else "", "$quiet")
    )

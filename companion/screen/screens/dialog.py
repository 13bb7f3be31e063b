"""Questions in a box over the table. Esc leaves every one of them with nothing changed."""

from collections.abc import Callable, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import ItemGrid, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from companion.screen.face import Menu, Sight
from companion.screen.text import _
from companion.screen.widgets.history import History, Line


class Dialog(ModalScreen[Any]):
    """A box with a title. It closes itself when what it asks makes no sense any more."""

    BINDINGS = [
        ("escape", "leave", ""),
        ("left", "app.focus_previous", ""),
        ("right", "app.focus_next", ""),
        ("up,pageup", "step(-1)", ""),
        ("down,pagedown", "step(1)", ""),
    ]
    AUTO_FOCUS = ""

    def __init__(self, title: str, *, valid: Callable[[Sight], bool] = lambda sight: True) -> None:
        super().__init__()
        self._title, self._valid = title, valid

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(self._title, markup=False, classes="title")
            yield from self.content()

    def content(self) -> ComposeResult:
        """What stands below the title."""
        yield from ()

    def show(self, sight: Sight) -> None:
        if not self._valid(sight):
            self.leave()

    def leave(self, result: object = None) -> None:
        """Close, if it is not closed already: a press and a snapshot may come together."""
        if self.app.screen is self:
            self.dismiss(result)

    def action_leave(self) -> None:
        self.leave()

    def action_step(self, direction: int) -> None:
        """Scroll a text that is too long; where there is none, go to the next button."""
        for text in self.query(".reading"):
            if text.max_scroll_y:
                text.scroll_relative(y=4 * direction, animate=False)
                return
        self.focus_next() if direction > 0 else self.focus_previous()


class Choices(Dialog):
    """Several things to pick from: by mouse, by touch, or with the keys 1 to 9. The result is the choice's value."""

    def __init__(
        self,
        menu: Menu,
        *,
        text: str = "",
        leave: str = "",
        valid: Callable[[Sight], bool] = lambda sight: True,
    ) -> None:
        super().__init__(menu.title, valid=valid)
        self._choices, self._text, self._columns = tuple(menu.choices), text, menu.columns
        self._leave_label = leave or _("Cancel")

    def content(self) -> ComposeResult:
        if self._text:
            yield Static(self._text, markup=False, classes="text")
        with ItemGrid(classes=f"choices columns-{self._columns}"):
            for number, choice in enumerate(self._choices, 1):
                button = Button(Content.assemble((str(number), "dim"), " ", choice.label), name=str(number))
                if choice.paper:
                    button.add_class("card" if "\n" in str(choice.label) else "swatch")
                    button.styles.background, button.styles.color = choice.paper, choice.ink
                yield button
        yield Button(Content.assemble(("Esc", "dim"), " ", self._leave_label), name="leave", classes="leave")

    def on_key(self, event: events.Key) -> None:
        if event.key.isdecimal() and 0 < int(event.key) <= len(self._choices):
            event.stop()
            self.picked(self._choices[int(event.key) - 1].value)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.name == "leave":
            self.leave()
        else:
            self.picked(self._choices[int(event.button.name or 0) - 1].value)

    def picked(self, value: object) -> None:
        self.leave(value)


class Confirm(Dialog):
    """Yes or no. The result is True for yes."""

    BINDINGS = [("y", "agree", ""), ("n", "leave", "")]
    AUTO_FOCUS = ".leave"

    def __init__(
        self,
        title: str,
        *,
        yes: str,
        text: Callable[[Sight], str],
        sight: Sight,
        valid: Callable[[Sight], bool] = lambda sight: True,
    ) -> None:
        super().__init__(title, valid=valid)
        self._yes, self._text, self._sight = yes, text, sight

    def content(self) -> ComposeResult:
        yield Static(self._text(self._sight), markup=False, classes="text")
        with ItemGrid(classes="choices columns-2"):
            yield Button(Content.assemble(("y", "dim"), " ", self._yes), "warning", name="yes")
            yield Button(Content.assemble(("n", "dim"), " ", _("No")), name="no", classes="leave")

    def show(self, sight: Sight) -> None:
        super().show(sight)
        for text in self.query(".text").results(Static):
            text.update(self._text(sight))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.leave(event.button.name == "yes" or None)

    def action_agree(self) -> None:
        self.leave(True)


class Reading(Dialog):
    """Something to read, with one button that closes it: the help, or pieces to put back."""

    BINDINGS = [("f1", "leave", "")]
    AUTO_FOCUS = ".leave"

    def __init__(self, title: str, text: Content | str, *, done: str = "") -> None:
        super().__init__(title)
        self._text, self._done = text, done or _("Close")

    def content(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="reading"):
            yield Static(self._text, markup=False)
        yield Button(Content.assemble(("Esc", "dim"), " ", self._done), "primary", classes="leave")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.leave()


class Past(Dialog):
    """The whole history, or why everybody has his points."""

    BINDINGS = [
        ("h", "leave", ""),
        ("up", "scroll('scroll_up')", ""),
        ("down", "scroll('scroll_down')", ""),
        ("pageup", "scroll('scroll_page_up')", ""),
        ("pagedown", "scroll('scroll_page_down')", ""),
        ("home", "scroll('scroll_home')", ""),
        ("end", "scroll('scroll_end')", ""),
    ]
    AUTO_FOCUS = ".leave"

    def __init__(self, title: str, lines: Callable[[Sight], Sequence[Line]], sight: Sight) -> None:
        super().__init__(title)
        self._lines, self._sight = lines, sight
        self.add_class("large")

    def content(self) -> ComposeResult:
        yield History()
        yield Button(Content.assemble(("Esc", "dim"), " ", _("Close")), "primary", classes="leave")

    def on_mount(self) -> None:
        self.query_one(History).show(self._lines(self._sight))

    def show(self, sight: Sight) -> None:
        for history in self.query(History):
            history.show(self._lines(sight))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.leave()

    def action_scroll(self, how: str) -> None:
        getattr(self.query_one(History), how)(animate=False)

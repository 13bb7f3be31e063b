"""Dialogs: boxes over the table. Esc closes each of them and changes nothing."""

from collections.abc import Callable, Container
from typing import Any, Protocol, runtime_checkable

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Button

from companion.gamekit.screen.controls import KeyButton, LanguageButton, Worded, Words
from companion.gamekit.screen.face import HUGE, Sight
from companion.gamekit.screen.press_guard import Calm
from companion.language.screen_language import _

TALL = 26
"""From this many rows on there is room between things."""
LANGUAGE = 8
"""Cells of the language button."""


@runtime_checkable
class Quits(Protocol):
    """A screen from which you can leave the table."""

    def action_quit(self) -> None: ...


@runtime_checkable
class Helps(Protocol):
    """A screen with a help of its own."""

    def action_help(self) -> None: ...


def your_move_rows(width: int, height: int) -> int:
    """The rows of the headline: what a player decides with never covers it."""
    return 10 if width >= HUGE[0] and height >= HUGE[1] else 6 if height >= TALL else 4


MOVES = frozenset({"left", "right", "up", "down", "tab", "shift+tab", "pageup", "pagedown"})
"""Keys that decide nothing, so that they may be held."""


class Dialog(ModalScreen[Any]):
    """A box with a title. It closes itself when its question no longer makes sense.

    Its texts are made when they are drawn, so the language may change while it is open.
    """

    BINDINGS = [
        ("escape", "leave", ""),
        ("l", "app.language", ""),
        ("t", "app.theme", ""),
        ("q", "quit", ""),
        ("f1", "help", ""),
        ("left", "app.focus_previous", ""),
        ("right", "app.focus_next", ""),
        ("up", "step(-1)", ""),
        ("down", "step(1)", ""),
        ("pageup", "step(-3)", ""),
        ("pagedown", "step(3)", ""),
    ]
    AUTO_FOCUS = ""
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]

    def __init__(self, title: Words, *, valid: Callable[[Sight], bool] = lambda sight: True) -> None:
        super().__init__()
        self._title, self._valid = title, valid
        self._makes_sense = True
        self.calm: Calm | None = None
        """Filters accidental presses, where they could act for another player."""
        self._complaint: Words | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Worded(self._title, classes="title")
            yield Worded(lambda: self._complaint() if self._complaint else "", classes="complaint")
            yield from self.content()

    def content(self) -> ComposeResult:
        """What is below the title."""
        yield from ()

    def show(self, sight: Sight) -> None:
        self._makes_sense = self._valid(sight)
        if not self._makes_sense:
            self.leave()

    def on_screen_resume(self) -> None:
        """The dialog above it has closed, and the table may have changed in the meantime."""
        if not self._makes_sense:
            self.leave()

    def complain(self, words: Words) -> None:
        """The referee has refused something while this covers the table: say so here, until it closes."""
        self._complaint = words
        for band in self.query(".complaint").results(Worded):
            band.display = True
            band.redraw()

    def redraw(self) -> None:
        """The same in another language. Typed text, focus and scroll position stay."""
        for words in self.query(Worded):
            words.redraw()
        for button in self.query(KeyButton):
            button.redraw()
        for row in self.query(LastRow):
            row.share()

    def hold_while(self, valid: Callable[[Sight], bool]) -> None:
        """Stay open as long as this holds, instead of the usual condition: the question is about an earlier table."""
        self._valid = valid

    def leave(self, result: object = None) -> None:
        """Close, unless it is closed already: a press and a snapshot may arrive together."""
        if self.app.screen is self:
            self.dismiss(result)

    def action_leave(self) -> None:
        self.leave()

    async def action_quit(self) -> None:
        """You can leave the table from every dialog."""
        below = next((screen for screen in self._below() if isinstance(screen, Quits)), None)
        if below is not None:
            below.action_quit()

    async def action_help(self) -> None:
        """You can open the help from every dialog; the dialog stays below it."""
        below = next((screen for screen in self._below() if isinstance(screen, Helps)), None)
        if below is not None:
            below.action_help()

    def _below(self) -> list[Screen[Any]]:
        """The screens below all dialogs, the nearest first."""
        return [screen for screen in reversed(self.app.screen_stack) if not isinstance(screen, Dialog)]

    async def on_event(self, event: events.Event) -> None:
        """An accidental key stops here."""
        if (
            self.calm
            and isinstance(event, events.Key)
            and event.key not in MOVES
            and not self.calm.takes(event.key, again=self.may_repeat(event.key))
        ):
            event.stop()
        else:
            await super().on_event(event)

    def may_repeat(self, key: str) -> bool:
        """Whether the same key may be pressed twice at once, and mean it."""
        return False

    def _forward_event(self, event: events.Event) -> None:
        """Textual's path to the widget under the finger. An accidental touch stops here."""
        if self.calm is None or not isinstance(event, events.Click) or self.calm.takes():
            super()._forward_event(event)

    def action_step(self, direction: int) -> None:
        """Scroll a text that is too long. Without such a text, go to the next button."""
        for text in self.query(".reading"):
            if text.max_scroll_y:
                most = max(1, text.scrollable_content_region.height - 1)  # one row stays in view
                text.scroll_relative(y=max(-most, min(most, 4 * direction)), animate=False)
                return
        self.focus_next() if direction > 0 else self.focus_previous()


class LastRow(Horizontal):
    """Buttons of one width; where a label would be cut off, each as wide as its label wants."""

    def on_resize(self) -> None:
        self.share()

    def share(self) -> None:
        """Also after a label has changed, or a button has come."""
        shown = [
            button for button in self.query(KeyButton) if button.display and not isinstance(button, LanguageButton)
        ]
        wanted = [cell_len(str(button.label)) + 2 for button in shown]
        room = self.size.width - LANGUAGE - len(shown)
        equal = not shown or max(wanted) <= room // len(shown)
        for button, cells in zip(shown, wanted, strict=True):
            button.styles.width = "1fr" if equal else f"{cells}fr"


def last_row(*buttons: KeyButton) -> ComposeResult:
    """The last row of every dialog, with the language button in it."""
    with LastRow(classes="last"):
        yield from buttons
        yield LanguageButton()


def choice_grid(columns: int) -> ItemGrid:
    """Buttons side by side."""
    grid = ItemGrid(classes="choices")
    grid.styles.grid_size_columns = columns
    return grid


class Confirm(Dialog):
    """Yes or no. The result is True for yes."""

    BINDINGS = [("y,j", "agree", ""), ("n", "leave", "")]
    AUTO_FOCUS = ".leave"

    def __init__(
        self,
        title: Words,
        *,
        yes: Words,
        text: Callable[[Sight], str],
        sight: Sight,
        valid: Callable[[Sight], bool] = lambda sight: True,
    ) -> None:
        super().__init__(title, valid=valid)
        self._yes, self._text, self._sight = yes, text, sight

    def content(self) -> ComposeResult:
        yield Worded(lambda: self._text(self._sight), classes="text")
        yield from self.others()
        yield from last_row(
            KeyButton(lambda: _("y", "key"), self._yes, variant="warning", name="yes"),
            KeyButton(lambda: _("n", "key"), lambda: _("No"), name="no", classes="leave"),
        )

    def others(self) -> ComposeResult:
        """Buttons besides yes and no."""
        yield from ()

    def show(self, sight: Sight) -> None:
        super().show(sight)
        self._sight = sight
        for text in self.query(".text").results(Worded):
            text.redraw()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.leave(event.button.name == "yes" or None)

    def action_agree(self) -> None:
        self.leave(True)


class Reading(Dialog):
    """A text with one button that closes it: the help, or pieces to put back."""

    BINDINGS = [("f1", "leave", "")]
    AUTO_FOCUS = ".leave"

    def __init__(
        self,
        title: Words,
        text: Callable[[], Content | str],
        *,
        done: Words = lambda: _("Close"),
        large: bool = False,
        valid: Callable[[Sight], bool] = lambda sight: True,
    ) -> None:
        super().__init__(title, valid=valid)
        self._text, self._done = text, done
        self.set_class(large, "large")

    def content(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="reading"):
            yield Worded(self._text)
        yield from last_row(KeyButton(lambda: "Esc", self._done, variant="primary", classes="leave"))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.leave()


class PutBack(Reading):
    """Pieces that players have to put back. A key of the game closes it and counts at the table."""

    def __init__(self, text: Words, keys: Container[str], valid: Callable[[Sight], bool]) -> None:
        super().__init__(lambda: _("Put these pieces back"), text, done=lambda: _("Done"), valid=valid)
        self._keys = keys

    def on_key(self, event: events.Key) -> None:
        if event.key in self._keys:
            event.stop()
            self.leave(event.key)

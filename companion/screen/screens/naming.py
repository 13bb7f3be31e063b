"""Somebody's name: one that is known, or any other, by keyboard or letter by letter on the screen."""

from functools import partial

from textual.app import ComposeResult
from textual.containers import ItemGrid
from textual.widgets import Button, Input

from companion.gamekit.screen.dialog import Dialog, last_row
from companion.gamekit.screen.worded import KeyButton
from companion.language.speech import _
from companion.language.wording import NAME_LENGTH, plain

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ-"
"""Three rows of ten."""


class NameInput(Input):
    """Holds only what can be shown, whatever is typed or pasted."""

    def validate_value(self, value: str) -> str:
        return plain(f"|{value[:NAME_LENGTH]}|", NAME_LENGTH + 2)[1:-1]


class NameDialog(Dialog):
    """The result is the name."""

    BINDINGS = [("up", "app.focus_previous", ""), ("down", "app.focus_next", "")]
    AUTO_FOCUS = "Input"

    def __init__(self, name: str) -> None:
        super().__init__(lambda: _("A name"))
        self._before = plain(name)
        self._fresh = True

    def content(self) -> ComposeResult:
        yield NameInput(self._before, max_length=NAME_LENGTH, select_on_focus=True)
        with ItemGrid(classes="letters"):
            for letter in LETTERS:
                yield KeyButton(str, partial(str, letter), name=letter)
        yield from last_row(
            KeyButton(str, lambda: _("OK"), variant="success", name="take"),
            KeyButton(str, lambda: _("Space"), name=" "),
            KeyButton(str, lambda: _("Delete"), name="delete"),
            KeyButton(lambda: "Esc", lambda: _("Cancel"), name="leave", classes="leave"),
        )

    def on_mount(self) -> None:
        for button in self.query(".letters Button").results(Button):
            button.styles.line_pad = 0

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._take()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        pressed = event.button.name or ""
        if pressed == "take":
            self._take()
        elif pressed == "leave":
            self.leave()
        else:
            self._type(pressed)

    def _type(self, pressed: str) -> None:
        """A letter on the screen: the first one takes the place of the name that was there."""
        field = self.query_one(NameInput)
        so_far = "" if self._fresh and field.value == self._before else field.value
        self._fresh = False
        if pressed == "delete":
            field.value = so_far[:-1]
        else:
            begins = not so_far or so_far[-1] in " -"
            field.value = so_far + (pressed if begins else pressed.lower())

    def _take(self) -> None:
        """An empty name is none: the field waits for one."""
        name = plain(self.query_one(NameInput).value)
        if name:
            self.leave(name)

"""Chooses what is printed on a piece from a grid: by touch, with arrow keys and Enter, or by typing a number."""

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.content import Content

from companion.gamekit.enrolment import Field, Several, Value
from companion.gamekit.screen.controls import ButtonList, KeyButton, Worded
from companion.gamekit.screen.dialog import Dialog, choice_grid, last_row
from companion.gamekit.sign_table import LEFT
from companion.language.screen_language import _
from companion.screen.enrolment.enrolment_words import Wording, how_many

WIDE = 12
"""Longer labels get wider buttons."""


class Picker(Dialog):
    """The result is what was chosen: one option, or several, which are collected until "Done"."""

    BINDINGS = [("up", "row(-1)", ""), ("down", "row(1)", ""), ("backspace", "remove", ""), ("d", "take", "")]

    def __init__(self, words: Wording, field: Field, value: Value) -> None:
        super().__init__(lambda: words.label(field))
        self._words, self._field, self._before = words, field, value
        self._chosen: tuple[str, ...] = () if isinstance(value, str) else value
        self._typed = ""
        self.add_class("large")

    @property
    def _columns(self) -> int:
        longest = max((len(self._words.option(self._field, each)) for each in self._field.options), default=1)
        return 8 if longest <= 3 else 4 if longest <= WIDE else 3

    @property
    def _has_numbers(self) -> bool:
        """The options are numbers: a typed number means itself, not its place."""
        return any(value.lstrip("-").isdecimal() for value in self._field.options)

    def content(self) -> ComposeResult:
        if isinstance(self._field, Several):
            yield Worded(self._collected, classes="text collected")
        with ButtonList(classes="options"), choice_grid(self._columns):
            for number, value in enumerate(self._field.options):
                key = partial(str, "" if self._has_numbers else number + 1)
                label = partial(self._words.option, self._field, value)
                yield KeyButton(key, label, partial(self._pick, value), classes="option")
        buttons = [KeyButton(lambda: "Esc", lambda: _("Cancel"), self.action_leave, classes="leave")]
        if isinstance(self._field, Several):
            buttons = [
                KeyButton(lambda: "d", lambda: _("Done"), self.action_take, variant="success"),
                KeyButton(lambda: LEFT, lambda: _("Remove last"), self.action_remove),
                *buttons,
            ]
        yield from last_row(*buttons)

    def _collected(self) -> Content:
        assert isinstance(self._field, Several)
        count = how_many(self._field, self._chosen)
        return Content.assemble((self._words.told(self._field, self._chosen), "bold"), f"  ({count})")

    # --- Handlers ---

    def on_mount(self) -> None:
        likely = self._before if isinstance(self._before, str) else (*self._before, "")[0]
        options = self._field.options
        if options:
            self._focus(options.index(likely) if likely in options else 0)
        if isinstance(self._field, Several):
            self._dim()

    def on_key(self, event: events.Key) -> None:
        """A typed number: the option that starts with it gets the focus. If the options are words, the number is a
        place."""
        if not event.character or event.character not in "0123456789-":
            self._typed = ""
            return
        event.stop()
        if self._has_numbers:
            if not self._find(self._typed + event.character):
                self._find(event.character)
        elif not self._find_place(self._typed + event.character):
            self._find_place(event.character)

    def _find_place(self, typed: str) -> bool:
        """Choose at once, unless another digit could follow: then it has the focus, and Enter chooses it."""
        number, last = int(typed) if typed.isdecimal() else 0, len(self._field.options)
        if not 1 <= number <= last:
            return False
        self._typed = typed
        self._focus(number - 1)
        if number * 10 > last:
            self._pick(self._field.options[number - 1])
        return True

    def _find(self, typed: str) -> bool:
        fitting = [number for number, value in enumerate(self._field.options) if value.startswith(typed)]
        if fitting:
            self._typed = typed
            exact = [number for number in fitting if self._field.options[number] == typed]
            self._focus((exact or fitting)[0])
        return bool(fitting)

    def _focus(self, number: int) -> None:
        self._options()[number].focus()

    def _options(self) -> list[KeyButton]:
        return list(self.query(".option").results(KeyButton))

    def _pick(self, value: str) -> None:
        self._typed = ""
        if not isinstance(self._field, Several):
            self.leave(value)
        elif self._field.distinct and value in self._chosen:
            self._collect(tuple(each for each in self._chosen if each != value))
        elif len(self._chosen) < self._field.most:
            self._collect((*self._chosen, value))

    def _collect(self, chosen: tuple[str, ...]) -> None:
        self._chosen = chosen
        self.redraw()
        self._dim()

    def _dim(self) -> None:
        """What can't be added any more."""
        assert isinstance(self._field, Several)
        full = len(chosen := self._chosen) >= self._field.most
        for button, value in zip(self._options(), self._field.options, strict=True):
            button.disabled = full and not (self._field.distinct and value in chosen)

    # --- Actions ---

    def action_row(self, direction: int) -> None:
        """Move up and down in the grid, and out of it at its ends."""
        options = self._options()
        if self.focused not in options:
            self.focus_next() if direction > 0 else self.focus_previous()
            return
        target = options.index(self.focused) + direction * self._columns
        if 0 <= target < len(options):
            options[target].focus()
        elif direction > 0:
            self.query(".last KeyButton").first().focus()

    def action_remove(self) -> None:
        self._collect(self._chosen[:-1])

    def action_take(self) -> None:
        if isinstance(self._field, Several):
            if self._field.allows(self._chosen):
                self.leave(self._chosen)
            else:
                self.app.bell()

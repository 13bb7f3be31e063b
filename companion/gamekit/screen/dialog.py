"""Questions in a box over the table. Esc leaves every one of them with nothing changed."""

from collections.abc import Callable, Container
from functools import partial
from typing import Any, Protocol, runtime_checkable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, ItemGrid, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Button

from companion.gamekit.screen.face import Menu, Sight, next_menu
from companion.gamekit.screen.press_guard import Calm
from companion.gamekit.screen.translated_widgets import KeyButton, LanguageButton, Worded, Words
from companion.language.screen_language import _

NONE_OF_THESE = "none of these"
"""What people pick when they cannot find what they look for."""
TYPING_S = 1.0
"""How long a digit waits for the next one, where both together are another choice."""


@runtime_checkable
class Quits(Protocol):
    """A screen that people can leave the table from."""

    def action_quit(self) -> None: ...


@runtime_checkable
class Helps(Protocol):
    """A screen with a help of its own."""

    def action_help(self) -> None: ...


class Dialog(ModalScreen[Any]):
    """A box with a title. It closes itself when what it asks no longer makes sense.

    Its texts are asked for whenever they are drawn, so that the language may change while it is open.
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

    def __init__(self, title: Words, *, valid: Callable[[Sight], bool] = lambda sight: True) -> None:
        super().__init__()
        self._title, self._valid = title, valid
        self._makes_sense = True
        self.calm: Calm | None = None
        """Where a press that nobody meant could speak for somebody else: what tells it from one that was meant."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Worded(self._title, classes="title")
            yield from self.content()

    def content(self) -> ComposeResult:
        """What stands below the title."""
        yield from ()

    def show(self, sight: Sight) -> None:
        self._makes_sense = self._valid(sight)
        if not self._makes_sense:
            self.leave()

    def on_screen_resume(self) -> None:
        """What lay above it has gone; the table may have changed meanwhile."""
        if not self._makes_sense:
            self.leave()

    def redraw(self) -> None:
        """The same in another language: what is typed, focused or scrolled stays."""
        for words in self.query(Worded):
            words.redraw()
        for button in self.query(KeyButton):
            button.redraw()

    def hold_while(self, valid: Callable[[Sight], bool]) -> None:
        """Make sense for as long as this is so, whatever it usually depends on: it asks about what was before."""
        self._valid = valid

    def leave(self, result: object = None) -> None:
        """Close, if it is not closed already: a press and a snapshot may come together."""
        if self.app.screen is self:
            self.dismiss(result)

    def action_leave(self) -> None:
        self.leave()

    async def action_quit(self) -> None:
        """Leaving the table is possible everywhere."""
        below = next((screen for screen in self._below() if isinstance(screen, Quits)), None)
        if below is not None:
            below.action_quit()

    async def action_help(self) -> None:
        """So is asking for help: the keys and the rules lie over the question, which stays."""
        below = next((screen for screen in self._below() if isinstance(screen, Helps)), None)
        if below is not None:
            below.action_help()

    def _below(self) -> list[Screen[Any]]:
        """The screens below all dialogs, the nearest first."""
        return [screen for screen in reversed(self.app.screen_stack) if not isinstance(screen, Dialog)]

    async def on_event(self, event: events.Event) -> None:
        """A key that nobody meant stops here, before anybody acts on it."""
        if self.calm and isinstance(event, events.Key) and not self.calm.takes(event.key):
            event.stop()
        else:
            await super().on_event(event)

    def _forward_event(self, event: events.Event) -> None:
        """Textual's way to the widget under the finger: a touch that nobody meant goes no further."""
        if self.calm is None or not isinstance(event, events.Click) or self.calm.takes():
            super()._forward_event(event)

    def action_step(self, direction: int) -> None:
        """Scroll a text that is too long; where there is none, go to the next button."""
        for text in self.query(".reading"):
            if text.max_scroll_y:
                most = max(1, text.scrollable_content_region.height - 1)  # nobody misses a row
                text.scroll_relative(y=max(-most, min(most, 4 * direction)), animate=False)
                return
        self.focus_next() if direction > 0 else self.focus_previous()


def last_row(*buttons: KeyButton) -> ComposeResult:
    """At the bottom of every dialog, with the language beside it."""
    with Horizontal(classes="last"):
        yield from buttons
        yield LanguageButton()


def choice_grid(columns: int) -> ItemGrid:
    """Buttons side by side."""
    grid = ItemGrid(classes="choices")
    grid.styles.grid_size_columns = columns
    return grid


class Choices(Dialog):
    """Several things to pick from: by mouse, by touch, or with a key, which may be a number of several digits. The
    result is the choice's value.

    A choice that is a menu itself is the next step: its choices take the place of these.
    """

    def __init__(
        self,
        menu: Callable[[], Menu],
        *,
        text: Callable[[], Content | str] | None = None,
        leave: Words = lambda: _("Cancel"),
        none_of_these: Words | None = None,
        valid: Callable[[Sight], bool] = lambda sight: True,
    ) -> None:
        """`none_of_these`: a way out for whoever does not find what they look for; the result is then NONE_OF_THESE."""
        super().__init__(lambda: self._menu.title, valid=valid)
        self._make_menu, self._text, self._leave, self._none = menu, text, leave, none_of_these
        self._steps: list[int] = []
        """The numbers of the choices that led here."""
        self._menu = menu()
        self._typed = ""
        """Digits that may be the beginning of a longer number."""

    def content(self) -> ComposeResult:
        if self._text:
            yield Worded(self._text, classes="text")
        if self._menu.picture.plain:
            yield Worded(lambda: self._menu.picture, classes="text")
        with choice_grid(self._menu.columns):
            for number, choice in enumerate(self._menu.choices, 1):
                key, label = partial(self._key, number), partial(self._label, number)
                button = KeyButton(key, label, partial(self._pick, number), name=str(number))
                if choice.paper:
                    button.add_class("card" if "\n" in str(choice.label) else "swatch")
                    button.styles.background, button.styles.color = choice.paper, choice.ink
                    button.styles.line_pad = 0  # every cell is needed
                yield button
        nothing = partial(self.leave, NONE_OF_THESE)
        none = [KeyButton(lambda: "0", self._none, nothing)] if self._none else []
        yield from last_row(*none, KeyButton(lambda: "Esc", self._leave, self.leave, classes="leave"))

    def redraw(self) -> None:
        self._menu = self._make_menu()
        for number in self._steps:
            self._menu = next_menu(self._menu.choices[number - 1].value) or self._menu
        super().redraw()

    def on_key(self, event: events.Key) -> None:
        if event.key == "0" and not self._typed and self._none:
            event.stop()
            self.leave(NONE_OF_THESE)
            return
        if event.key == "enter" and self._typed:
            event.stop()
            self._typed_all(self._typed)
            return
        keys = {self._key(number).lower(): number for number in range(1, len(self._menu.choices) + 1)}
        typed = self._typed + event.key if event.key.isdigit() else event.key
        if not any(key.startswith(typed) for key in keys):
            typed = event.key
        longer = typed.isdigit() and any(key != typed and key.startswith(typed) for key in keys)
        self._typed = typed if longer else ""
        if longer:
            event.stop()
            self.set_timer(TYPING_S, partial(self._typed_all, typed))
        elif typed in keys:
            event.stop()
            self._pick(keys[typed])

    def _typed_all(self, typed: str) -> None:
        """No more digits have come: a 1 is a 1, and not the beginning of a 12."""
        if self._typed == typed:
            self._typed = ""
            for number in range(1, len(self._menu.choices) + 1):
                if self._key(number) == typed:
                    self._pick(number)
                    return

    def _pick(self, number: int) -> None:
        value = self._menu.choices[number - 1].value
        menu = next_menu(value)
        if menu is not None:
            self._steps.append(number)
            self._menu = menu
            self.refresh(recompose=True)
        else:
            self.picked(value)

    def picked(self, value: object) -> None:
        self.leave(value)

    def _key(self, number: int) -> str:
        """Its own, else its number and after nine a letter; `l` and `t` have a meaning everywhere."""
        return self._menu.choices[number - 1].key or "123456789abcdefghijkmnopqrsuvwxyz"[number - 1 : number]

    def _label(self, number: int) -> Content | str:
        return self._menu.choices[number - 1].label


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
        """What else somebody might want than yes or no."""
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
    """Something to read, with one button that closes it: the help, or pieces to put back."""

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
    """Pieces that hands have to put back. A key that means something on the table closes it and is heard there."""

    def __init__(self, text: Words, keys: Container[str], valid: Callable[[Sight], bool]) -> None:
        super().__init__(lambda: _("Put these pieces back"), text, done=lambda: _("Done"), valid=valid)
        self._keys = keys

    def on_key(self, event: events.Key) -> None:
        if event.key in self._keys:
            event.stop()
            self.leave(event.key)

"""Panels and buttons that every screen and every dialog is made of.

Their words are functions, called again when the language changes: focus and scroll position stay as they are.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from textual import events
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Static

from companion.gamekit.screen.themes import next_theme, theme_label
from companion.language.screen_language import _, language_name, other_language

Words: TypeAlias = Callable[[], str]
"""Makes a text in the language that is spoken when it is drawn."""


# --- Panels ---------------------------------------------------------------------------------------------------


class Panel(Static):
    """Repaints only when its content changes."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("", markup=False, id=id, classes=classes)
        self._drawn = Content("")

    @property
    def text(self) -> str:
        return self._drawn.plain

    def show(self, content: Content) -> None:
        if not content.is_same(self._drawn):
            self._drawn = content
            self.update(content, layout=False)

    def fit(self, content: Content) -> int:
        """Show this in as many rows as it has, and return how many. Nothing else moves unless that number changes."""
        height = rows(content)
        if self.styles.height is None or self.styles.height.cells != height:
            self.styles.height = height
        self.show(content)
        return height


def rows(content: Content) -> int:
    return content.plain.count("\n") + 1 if content.plain else 0


class Picture(Panel):
    """A panel that reports where it was touched."""

    class Touched(Message):
        """At this column and row of the drawing."""

        def __init__(self, picture: "Picture", x: int, y: int) -> None:
            super().__init__()
            self.picture, self.x, self.y = picture, x, y

        @property
        def control(self) -> "Picture":
            return self.picture

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None:
            event.stop()
            self.post_message(self.Touched(self, offset.x, offset.y))


class Worded(Static):
    """A text that can be drawn again in another language."""

    def __init__(self, words: Callable[[], Content | str], *, classes: str | None = None) -> None:
        super().__init__(words(), markup=False, classes=classes)
        self._words = words

    def redraw(self) -> None:
        self.update(self._words())


# --- Buttons --------------------------------------------------------------------------------------------------


class _Keyboard:
    """Whether this process's screen has a keyboard: without one, buttons show no keys."""

    there = True


def show_keys(shown: bool) -> None:
    _Keyboard.there = shown


def hinted(key: str, label: Content | str) -> Content:
    """A button's label with its key before it: thin, not dim, because it must be readable on every button colour."""
    return Content.assemble((key, "not bold"), " ", label) if _Keyboard.there and key else Content.assemble(label)


def dressed(classes: str = "", variant: str = "default", **how: Any) -> dict[str, Any]:
    """The arguments that a button is made with. They contain the classes that Textual would add one by one after
    mounting: each of those would search the whole stylesheet again."""
    own = "-style-default" if variant == "default" else f"-style-default -{variant}"
    return {"classes": f"{classes} {own}", "variant": variant, **how}


class KeyButton(Button):
    """A button with its key before its label. `then` is what a press does; without it, the screen around it decides."""

    def __init__(
        self, key: Words, label: Callable[[], Content | str], then: Callable[[], object] | None = None, **how: Any
    ) -> None:
        self._key, self._words, self._then = key, label, then
        super().__init__(self._labelled(), **dressed(**how))
        self.styles.line_pad = 0  # every cell is needed; a stylesheet cannot say 0
        self.active_effect_duration = 0  # Textual's buttons ignore presses while they look pressed

    def redraw(self) -> None:
        label = self._labelled()
        if label == self.label:  # the same letters, perhaps in another style: no change to Textual
            self.set_reactive(Button.label, label)
            self.refresh()
        else:
            self.label = label

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if self._then is not None:
            event.stop()
            self._then()

    def _labelled(self) -> Content:
        return hinted(self._key(), self._words())


class ButtonList(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Scrolls to the button that has the focus. Arrow keys move the focus, and not the list."""


class LanguageButton(KeyButton):
    """Switches to the next language. It takes the focus only where it is one of the settings."""

    def __init__(self, *, can_focus: bool = False) -> None:
        super().__init__(lambda: "l", language_label, action="app.language", classes="language")
        self.can_focus = can_focus


class ThemeButton(KeyButton):
    """Switches to the next theme, and is labelled with it."""

    def __init__(self) -> None:
        super().__init__(lambda: "t", self._next, action="app.theme", classes="theme")

    def _next(self) -> str:
        return theme_label(next_theme(self.app.theme))


def language_label() -> str:
    """The code of the next language."""
    return other_language().upper()


def language_help() -> str:
    return _("the next language: {language}", language=language_name(other_language()))

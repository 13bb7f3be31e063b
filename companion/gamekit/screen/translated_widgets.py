"""Widgets whose words are asked for again when the language changes; focus and scrolling stay as they are."""

from collections.abc import Callable
from typing import Any, TypeAlias

from textual.content import Content
from textual.widgets import Button, Static

from companion.gamekit.screen.themes import next_theme, theme_label
from companion.language.screen_language import _, language_name, other_language

# --- Key hints stand only where there is a keyboard: a table with a touch screen or two buttons needs none.


class _Screen:
    """The one thing that is remembered: whether keys are told."""

    keys = True


def tell_keys(told: bool) -> None:
    _Screen.keys = told


def hinted(key: str, label: Content | str) -> Content:
    """A button's label, with its key before it: thin, not dim, since a label is read on many papers."""
    return Content.assemble((key, "not bold"), " ", label) if _Screen.keys and key else Content.assemble(label)


Words: TypeAlias = Callable[[], str]
"""A text that is put into words when it is drawn."""


class Worded(Static):
    def __init__(self, words: Callable[[], Content | str], *, classes: str | None = None) -> None:
        super().__init__(words(), markup=False, classes=classes)
        self._words = words

    def redraw(self) -> None:
        self.update(self._words())


def dressed(classes: str = "", variant: str = "default", **how: Any) -> dict[str, Any]:
    """What a button is made with. The classes that Textual gives it when it is there already, one by one, are among
    them: each would mean looking through the whole stylesheet again."""
    own = "-style-default" if variant == "default" else f"-style-default -{variant}"
    return {"classes": f"{classes} {own}", "variant": variant, **how}


class KeyButton(Button):
    """A button with its key before its label. `then` is what a press does; without it, the screen around decides."""

    def __init__(
        self, key: Words, label: Callable[[], Content | str], then: Callable[[], object] | None = None, **how: Any
    ) -> None:
        self._key, self._words, self._then = key, label, then
        super().__init__(self._labelled(), **dressed(**how))
        self.active_effect_duration = 0  # while it is shown, Textual's buttons are deaf: a second press would be lost

    def redraw(self) -> None:
        self.label = self._labelled()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if self._then is not None:
            event.stop()
            self._then()

    def _labelled(self) -> Content:
        return hinted(self._key(), self._words())


class LanguageButton(KeyButton):
    """Switches the language, and takes the focus from nothing, unless it is one of the things to be set."""

    def __init__(self, *, can_focus: bool = False) -> None:
        super().__init__(lambda: "l", language_label, action="app.language", classes="language")
        self.can_focus = can_focus


class ThemeButton(KeyButton):
    """Switches the theme; it is called what comes next."""

    def __init__(self) -> None:
        super().__init__(lambda: "t", self._next, action="app.theme", classes="theme")

    def _next(self) -> str:
        return theme_label(next_theme(self.app.theme))


def language_label() -> str:
    """The language that comes next, by its code."""
    return other_language().upper()


def language_help() -> str:
    return _("the next language: {language}", language=language_name(other_language()))

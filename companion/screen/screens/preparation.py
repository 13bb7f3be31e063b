"""Before the first action: how the table is set up, step by step, and how it lies then."""

from collections.abc import Callable, Container

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button

from companion.drawing.asking import preparation_next, preparation_title, preparation_words
from companion.gamekit.screen.dialog import Dialog
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.worded import KeyButton, LanguageButton, Worded
from companion.gamekit.snapshot import Preparation
from companion.language.speech import _


class PreparationDialog(Dialog):
    """Every screen of the table shows the same page; a button at the table turns the page, too. A key that means
    something on the table skips the rest and is heard there."""

    BINDINGS = [("b", "back", ""), ("x", "leave", "")]
    AUTO_FOCUS = ".next"

    def __init__(self, sight: Sight, turn: Callable[[int], None], keys: Container[str]) -> None:
        super().__init__(self._heading, valid=lambda now: now.snapshot.preparation is not None)
        self._sight, self._turn, self._keys = sight, turn, keys

    @property
    def preparation(self) -> Preparation:
        found = self._sight.snapshot.preparation
        assert found is not None  # else this is not shown
        return found

    def content(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="reading"):
            yield Worded(self._words)
        with Horizontal(classes="last"):
            yield KeyButton(lambda: "Enter", self._next, variant="primary", classes="next", name="next")
            yield KeyButton(lambda: "b", lambda: _("Back"), name="back")
            yield KeyButton(lambda: "x", lambda: _("Skip"), name="skip", classes="leave")
            yield LanguageButton()

    def show(self, sight: Sight) -> None:
        if sight.snapshot.preparation is not None:
            self._sight = sight
            self.query_one(".reading").scroll_home(animate=False)
            self.redraw()
        super().show(sight)

    def on_key(self, event: events.Key) -> None:
        if event.key in self._keys:
            event.stop()
            self._turn(self.preparation.pages)
            self.leave(event.key)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        page, pages = self.preparation.page, self.preparation.pages
        self._turn({"next": page + 1, "back": page - 1}.get(event.button.name or "", pages))

    def action_back(self) -> None:
        self._turn(self.preparation.page - 1)

    def action_leave(self) -> None:
        """The referee is told, who closes this on every screen."""
        self._turn(self.preparation.pages)

    def _heading(self) -> str:
        return preparation_title(self.preparation)

    def _words(self) -> Content:
        return preparation_words(self._sight, self.preparation)

    def _next(self) -> str:
        return preparation_next(self.preparation)

"""Where the pieces belong: the set-up before the first action, and a check of the table after a restart."""

from collections.abc import Callable, Container

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button

from companion.drawing.dialog_texts import pages, place_lines, preparation_next, preparation_title, preparation_words
from companion.gamekit.screen.controls import KeyButton, LanguageButton, Worded
from companion.gamekit.screen.dialog import Dialog, Reading, last_row
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Preparation
from companion.language.screen_language import _

# --- The set-up -----------------------------------------------------------------------------------------------


class PreparationDialog(Dialog):
    """All screens show the same page, and the table's buttons turn it, too. A key of the game skips the rest and counts
    at the table."""

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
        """Tell the referee, which closes this on every screen."""
        self._turn(self.preparation.pages)

    def _heading(self) -> str:
        return preparation_title(self.preparation)

    def _words(self) -> Content:
        return preparation_words(self._sight, self.preparation)

    def _next(self) -> str:
        return preparation_next(self.preparation)


class RestartDialog(Dialog):
    """After a restart: the middle of the table first, then seat by seat. It closes when a player has confirmed it on
    another screen."""

    BINDINGS = [("n", "differs", "")]
    AUTO_FOCUS = ".leave"

    def __init__(self, sight: Sight, looked_over: Callable[[], None]) -> None:
        super().__init__(self._heading, valid=lambda now: bool(now.snapshot.layout))
        self._sight, self._looked_over = sight, looked_over
        self._pages = pages(sight.snapshot.layout)
        self._page = 0

    def content(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="reading"):
            yield Worded(lambda: "\n".join(place_lines(self._pages[self._page], self._sight)))
        yield from last_row(
            KeyButton(lambda: "Enter", self._next, variant="primary", classes="leave"),
            KeyButton(lambda: _("n", "key"), lambda: _("Not right"), name="differs"),
        )

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_differs() if event.button.name == "differs" else self.action_leave()

    def action_differs(self) -> None:
        """The instruction below it."""
        self.app.push_screen(Reading(lambda: _("That is not right"), what_to_do))

    def action_leave(self) -> None:
        """Go to the next page. After the last one, tell the referee: it lets the game go on and closes this."""
        if self._page + 1 < len(self._pages):
            self._page += 1
            self.query_one(".reading").scroll_home(animate=False)
            self.redraw()
        else:
            self._looked_over()

    def _heading(self) -> str:
        seat = self._pages[self._page][0].place.seat
        where = _("The middle of the table") if seat is None else self._sight.name(seat)
        return _("{where}: is this right? ({page}/{pages})", where=where, page=self._page + 1, pages=len(self._pages))

    def _next(self) -> str:
        return _("Yes, go on") if self._page + 1 == len(self._pages) else _("Yes, next")


def what_to_do() -> str:
    lines = [
        _("The saved game counts. Lay the pieces as shown here, and go on."),
        _("If an action is missing here, it was not saved. Go on, and repeat it."),
        _("If an action counts that no player made, go on, and undo it."),
    ]
    return "\n\n".join(lines)

"""After a restart: what should lie where, place by place, before the game goes on."""

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Button

from companion.drawing.layout import pages, place_lines
from companion.gamekit.screen.dialog import Dialog, Reading, last_row
from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.worded import KeyButton, Worded
from companion.language.speech import _


class RestartDialog(Dialog):
    """The middle of the table first, then seat by seat. It closes itself when somebody has looked on another screen."""

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
        """What to do then."""
        self.app.push_screen(Reading(lambda: _("That is not right"), what_to_do))

    def action_leave(self) -> None:
        """To the next page; after the last one the referee is told, who lets the game go on and closes this."""
        if self._page + 1 < len(self._pages):
            self._page += 1
            self.query_one(".reading").scroll_home(animate=False)
            self.redraw()
        else:
            self._looked_over()

    def _heading(self) -> str:
        seat = self._pages[self._page][0].place.seat
        where = _("The middle of the table") if seat is None else self._sight.name(seat)
        return _("{where}: is this right? ({page}/{pages})").format(
            where=where, page=self._page + 1, pages=len(self._pages)
        )

    def _next(self) -> str:
        return _("Yes, go on") if self._page + 1 == len(self._pages) else _("Yes, next")


def what_to_do() -> str:
    lines = [
        _("The saved game counts. Lay the pieces as shown here, and go on."),
        _("If an action is missing here, it was not saved. Go on, and repeat it."),
        _("If an action counts that no player made, go on, and undo it."),
    ]
    return "\n\n".join(lines)

"""A notice: the referee's newest answer, in a place that cannot be missed."""

from textual.timer import Timer
from textual.widgets import Static

from companion.gamekit.screen.controls import Words

SECONDS = 6.0
LOW_SECONDS = 4.0
"""On a low screen, where a notice covers the newest lines."""
LOW = 26
"""A screen with fewer rows is low."""


class Notice(Static):
    """A complaint disappears by itself. A lasting notice stays until it is cleared, and comes back after a
    complaint."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("", markup=False, id=id)
        self._timer: Timer | None = None
        self._words: Words | None = None
        self._lasting: Words | None = None
        self.display = False

    def complain(self, words: Words, *, quiet: bool = False) -> None:
        self._draw(words, "quiet" if quiet else "complaint")
        self._stop()
        self._timer = self.set_timer(LOW_SECONDS if self.app.size.height < LOW else SECONDS, self.settle)

    def last(self, words: Words | None) -> None:
        """Show this until the next call; None clears it."""
        self._lasting = words
        if self._timer is None:
            self.settle()

    def settle(self) -> None:
        """Remove the complaint; a lasting notice comes back."""
        self._stop()
        if self._words is not self._lasting:
            self._draw(self._lasting, "lasting")

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def redraw(self) -> None:
        """The same in another language. It disappears at the same time as before."""
        self.update(self._words() if self._words else "", layout=self.styles.auto_dimensions)

    def _draw(self, words: Words | None, kind: str) -> None:
        for name in ("complaint", "quiet", "lasting"):
            self.set_class(name == kind, f"-{name}")
        self._words = words
        self.redraw()
        self.display = words is not None

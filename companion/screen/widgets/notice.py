"""The newest answer, where nobody can miss it."""

from textual.timer import Timer
from textual.widgets import Static

from companion.gamekit.screen.translated_widgets import Words

SECONDS = 6.0
LOW_SECONDS = 4.0
"""Where a notice covers what happened."""
LOW = 26
"""On a screen of fewer rows it does."""


class Notice(Static):
    """A complaint goes away by itself; a lasting notice stays until it is cleared, and comes back after a complaint."""

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
        """Show this until told otherwise; None clears it."""
        self._lasting = words
        if self._timer is None:
            self.settle()

    def settle(self) -> None:
        """Nobody needs the complaint any longer."""
        self._stop()
        if self._words is not self._lasting:
            self._draw(self._lasting, "lasting")

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def redraw(self) -> None:
        """The same in another language; how long it stays does not change."""
        self.update(self._words() if self._words else "", layout=self.styles.auto_dimensions)

    def _draw(self, words: Words | None, kind: str) -> None:
        for name in ("complaint", "quiet", "lasting"):
            self.set_class(name == kind, f"-{name}")
        self._words = words
        self.redraw()
        self.display = words is not None

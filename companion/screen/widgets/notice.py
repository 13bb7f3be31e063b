"""The newest answer, where nobody can miss it."""

from textual.timer import Timer
from textual.widgets import Static

SECONDS = 6.0


class Notice(Static):
    """A complaint goes away by itself; a lasting notice stays until it is cleared, and comes back after a complaint."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("", markup=False, id=id)
        self._timer: Timer | None = None
        self._lasting = ""
        self.display = False

    def complain(self, text: str, *, quiet: bool = False) -> None:
        self._draw(text, "quiet" if quiet else "complaint")
        self._stop()
        self._timer = self.set_timer(SECONDS, self._settle)

    def last(self, text: str) -> None:
        """Show this until told otherwise; an empty text clears it."""
        self._lasting = text
        if self._timer is None:
            self._settle()

    def _settle(self) -> None:
        self._stop()
        self._draw(self._lasting, "lasting")

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _draw(self, text: str, kind: str) -> None:
        for name in ("complaint", "quiet", "lasting"):
            self.set_class(name == kind, f"-{name}")
        self.update(text, layout=False)
        self.display = bool(text)

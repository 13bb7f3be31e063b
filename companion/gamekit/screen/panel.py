"""A box with something drawn in it."""

from textual.content import Content
from textual.widgets import Static


class Panel(Static):
    """Draws only when there is something new; its height follows the number of lines, so that nothing else moves."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("", markup=False, id=id, classes=classes)
        self._drawn = Content("")

    def show(self, content: Content, height: int | None = None) -> None:
        if height is not None and (self.styles.height is None or self.styles.height.cells != height):
            self.styles.height = height
        if not content.is_same(self._drawn):
            self._drawn = content
            self.update(content, layout=False)

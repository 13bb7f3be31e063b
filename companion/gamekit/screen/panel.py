"""A drawing that can be touched: it says where."""

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

# --- A box with something drawn in it.


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


class Picture(Panel):
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

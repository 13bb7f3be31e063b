"""A drawing that can be touched: it says where."""

from textual import events
from textual.message import Message

from companion.gamekit.screen.panel import Panel


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

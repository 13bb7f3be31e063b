"""What the dialogs of Darwinci have in common: pictures of tiles, and buttons that leave the keys alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.gamekit.screen import Action, Dialog, KeyButton, LanguageButton, Panel, Sight, Words, your_move_rows
from companion.games.darwinci.screen.tiles import LARGE, MEDIUM, WALL, Block, Size

SIZES = (WALL, Size(10, 5), LARGE, MEDIUM)
"""Of the tiles of a whole display. Between WALL and LARGE it has one of its own: HUGE is too wide for most screens."""
DECIDING = ("enter", "d")
Post = Callable[[Action], None]
LINE = Content("\n")


class Key(KeyButton):
    """A button that stands for a key, and never has the focus: Enter always means the same."""

    def __init__(self, key: Words, label: Callable[[], Content | str], then: Callable[[], object], **how: Any) -> None:
        super().__init__(key, label, then, **how)
        self.can_focus = False
        self.styles.line_pad = 0


class TileDialog(Dialog):
    """Fills the screen below your move. A button does what its key does."""

    CSS_PATH = Path(__file__).with_name("dialogs.tcss")

    def __init__(self, title: Words, sight: Sight, post: Post, *, valid: Callable[[Sight], bool]) -> None:
        super().__init__(title, valid=valid)
        self.sight, self.post = sight, post

    def paint(self) -> None:
        """Draw the pictures and what stands beside them again, where they have changed."""

    def draw(self, selector: str, content: Content | str) -> None:
        for panel in self.query(selector).results(Panel):
            panel.show(Content(content) if isinstance(content, str) else content)

    def redraw(self) -> None:
        super().redraw()
        self.paint()

    @property
    def rows(self) -> int:
        """The rows below your move."""
        return self.size.height - your_move_rows(*self.size)

    def on_mount(self) -> None:
        self._arrange()

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        for box in self.query(".box"):
            box.styles.height = self.rows
        self.paint()

    async def on_event(self, event: events.Event) -> None:
        """Arrows and filters may be pressed as fast as one likes: only what decides must be meant."""
        if isinstance(event, events.Key) and event.key not in DECIDING:
            await super(Dialog, self).on_event(event)
        else:
            await super().on_event(event)

    def say(self, action: Action) -> None:
        """Post it and close, once: a press and a snapshot may come together."""
        if self.app.screen is self:
            self.post(action)
            self.leave(True)


def band(*keys: KeyButton) -> ComposeResult:
    """A row of buttons, with the language at its end."""
    with Horizontal(classes="band"):
        yield from keys
        yield LanguageButton()


def largest(columns: int, rows: int, width: int, height: int) -> Size:
    """The largest size in which so many tiles have room."""
    for size in SIZES:
        if columns * size.width <= width and rows * size.height <= height:
            return size
    return SIZES[-1]


def joined(block: Block) -> Content:
    return LINE.join(block)

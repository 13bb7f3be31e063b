"""The screen's app. It draws what the referee shows and posts what persons want; it decides nothing."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App, ComposeResult
from textual.widgets import Static

from companion.screen.text import _, other_language, preferred, speak

if TYPE_CHECKING:
    from companion.screen.conversation import Conversation


class CompanionApp(App[None]):
    """`watch` shows everything and posts nothing; `exit_with_referee` ends the screen when the referee goes."""

    CSS = "#waiting { width: 100%; height: 100%; content-align: center middle; text-style: bold; }"
    BINDINGS = [("l", "language", "")]
    TITLE = "Companion"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, socket_path: Path, *, exit_with_referee: bool = False, watch: bool = False, language: str = "en"
    ) -> None:
        super().__init__()
        speak(language)
        self._socket_path, self._exit_with_referee, self._watch = socket_path, exit_with_referee, watch
        self.conversation: Conversation | None = None

    def compose(self) -> ComposeResult:
        yield Static(_("Waiting for the referee …"), markup=False, id="waiting")

    def action_language(self) -> None:
        """All that can be seen is drawn anew in the next language; nothing else changes."""
        speak(other_language())
        self.screen_stack[0].query_one("#waiting", Static).update(_("Waiting for the referee …"))
        if self.conversation is not None:
            self.conversation.redraw()

    def on_ready(self) -> None:
        self.call_after_refresh(self._begin)

    async def _begin(self) -> None:
        """Everything else is imported after the first frame: it must not wait."""
        from companion.screen.conversation import Conversation  # noqa: PLC0415

        talk = Conversation(self, self._socket_path, exit_with_referee=self._exit_with_referee, watch=self._watch)
        await self.push_screen(talk.screen)
        self.conversation = talk
        talk.screen.show_link(False)
        self.run_worker(talk.link.run(), exclusive=True)


def run(
    socket_path: Path, *, exit_with_referee: bool = False, watch: bool = False, language: str | None = None
) -> None:
    """Show the referee's table until the person quits; in the system's language, unless one is named."""
    spoken = language or preferred(os.environ)
    CompanionApp(socket_path, exit_with_referee=exit_with_referee, watch=watch, language=spoken).run()

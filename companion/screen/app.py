"""The screen's app. It draws what the referee shows and posts what persons want; it decides nothing."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.app import App, ComposeResult
from textual.widgets import Static

from companion.screen.hints import tell_keys
from companion.screen.text import _, other_language, preferred, speak
from companion.screen.themes import DARK, THEMES, next_theme

if TYPE_CHECKING:
    from companion.screen.conversation import Conversation


class CompanionApp(App[None]):
    """`watch` shows everything and posts nothing; `exit_with_referee` ends the screen when the referee goes; a `kiosk`
    has no keyboard, and nobody may end it."""

    CSS = "#waiting { width: 100%; height: 100%; content-align: center middle; text-style: bold; }"
    BINDINGS = [("l", "language", ""), ("t", "theme", "")]
    TITLE = "Companion"
    ENABLE_COMMAND_PALETTE = False

    def __init__(  # noqa: PLR0913 - what a screen may be, each by its name
        self,
        socket_path: Path,
        *,
        exit_with_referee: bool = False,
        watch: bool = False,
        language: str = "en",
        theme: str = DARK.name,
        kiosk: bool = False,
    ) -> None:
        super().__init__()
        speak(language)
        tell_keys(not kiosk)
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = theme
        self._socket_path, self._exit_with_referee, self._watch = socket_path, exit_with_referee, watch
        self._kiosk = kiosk
        self.conversation: Conversation | None = None

    def compose(self) -> ComposeResult:
        yield Static(_("Waiting for the referee …"), markup=False, id="waiting")

    def action_language(self) -> None:
        """All that can be seen is drawn anew in the next language; nothing else changes."""
        speak(other_language())
        self._redraw()

    def action_theme(self) -> None:
        self.theme = next_theme(self.theme)
        self._redraw()

    def _redraw(self) -> None:
        first, *others = self.screen_stack
        first.query_one("#waiting", Static).update(_("Waiting for the referee …"))
        for screen in others:
            cast("Any", screen).redraw()  # all of ours can

    def on_ready(self) -> None:
        self.call_after_refresh(self._begin)

    async def _begin(self) -> None:
        """Everything else is imported after the first frame: it must not wait."""
        from companion.screen.conversation import Conversation, WayOut  # noqa: PLC0415

        talk = Conversation(
            self,
            self._socket_path,
            exit_with_referee=self._exit_with_referee,
            watch=self._watch,
            way_out=None if self._kiosk else WayOut(lambda: _("Quit"), self.exit),
        )
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

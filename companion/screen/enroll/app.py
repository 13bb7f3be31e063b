"""The app that takes owners through their box: the screen's looks and languages, without a table."""

import os
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.widgets import Static

from companion.enrolment.clerk import Clerk
from companion.gamekit.screen.themes import DARK
from companion.language.speech import preferred
from companion.screen.app import CompanionApp
from companion.screen.enroll.screen import EnrollScreen

if TYPE_CHECKING:
    from companion.messages.looks import LooksMemory


class EnrollApp(CompanionApp):
    def __init__(self, clerk: Clerk, **how: Any) -> None:
        super().__init__(None, **how)
        self._clerk = clerk

    def compose(self) -> ComposeResult:
        yield Static("", id="waiting")

    async def _begin(self) -> None:
        await self.push_screen(EnrollScreen(self._clerk))
        await super()._begin()


def run(
    clerk: Clerk,
    *,
    language: str | None = None,
    theme: str | None = None,
    memory: "LooksMemory | None" = None,
    **how: Any,
) -> None:
    """Until the owner stops, or has done everything."""
    chosen = memory.recall() if memory else None
    EnrollApp(
        clerk,
        language=language or (chosen and chosen.language) or preferred(os.environ),
        theme=theme or (chosen and chosen.theme) or DARK.name,
        memory=memory,
        **how,
    ).show()

"""The app of `companion enroll`: the screen's themes and languages, without a table."""

import os
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.widgets import Static

from companion.enrolment.course import EnrolmentStore
from companion.gamekit.screen.themes import DARK
from companion.language.screen_language import preferred
from companion.screen.app import CompanionApp
from companion.screen.enrolment.enrolment_screen import EnrollScreen

if TYPE_CHECKING:
    from companion.messages.looks import LooksMemory


class EnrollApp(CompanionApp):
    def __init__(self, store: EnrolmentStore, *, phone_first: bool = False, **how: Any) -> None:
        """`phone_first`: show the code for a phone at once."""
        super().__init__(None, **how)
        self._store, self._phone_first = store, phone_first

    def compose(self) -> ComposeResult:
        yield Static("", id="waiting")

    async def _begin(self) -> None:
        screen = EnrollScreen(self._store)
        await self.push_screen(screen)
        await super()._begin()
        if self._phone_first:
            await screen.action_phone()


def run(
    store: EnrolmentStore,
    *,
    language: str | None = None,
    theme: str | None = None,
    memory: "LooksMemory | None" = None,
    **how: Any,
) -> None:
    """Run until the owner stops or has finished."""
    chosen = memory.recall() if memory else None
    EnrollApp(
        store,
        language=language or (chosen and chosen.language) or preferred(os.environ),
        theme=theme or (chosen and chosen.theme) or DARK.name,
        memory=memory,
        **how,
    ).show()

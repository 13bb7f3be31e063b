"""How a screen is to look, as somebody chose it: what a screen is told, and what it wants to be kept."""

from typing import Protocol

from msgspec import Struct

THEMES = ("dark", "light", "contrast")
"""What themes are called."""


class Chosen(Struct, frozen=True):
    """None: nobody has chosen."""

    language: str | None = None
    theme: str | None = None


class LooksMemory(Protocol):
    """Keeps what somebody chose for the next time."""

    @property
    def problem(self) -> str:
        """Why what was chosen is not known; "" if it is."""

    def recall(self) -> Chosen: ...

    def keep(self, *, language: str | None = None, theme: str | None = None) -> None:
        """What is None stays as it was. Raises OSError."""

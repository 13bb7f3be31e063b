"""How a screen is to look, as somebody chose it: what a screen is told, and what it wants to be kept."""

from typing import Protocol

from msgspec import Struct

THEMES = ("dark", "light", "contrast")
"""What themes are called."""


SPEECH = ("off", "brief", "full")
"""How much is said aloud: nothing; turns and results; reveals and refusals, too."""
TIMES = ("off", "shown", "1", "2", "5")
"""Whether it is shown how long everybody has thought, and after how many minutes somebody is reminded."""


class Chosen(Struct, frozen=True):
    """None: nobody has chosen."""

    language: str | None = None
    theme: str | None = None
    speech: str | None = None
    times: str | None = None


class LooksMemory(Protocol):
    """Keeps what somebody chose for the next time."""

    @property
    def problem(self) -> str:
        """Why what was chosen is not known; "" if it is."""

    def recall(self) -> Chosen: ...

    def keep(self, **chosen: str) -> None:
        """Fields of `Chosen`; what is left out stays as it was. Raises OSError."""

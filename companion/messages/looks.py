"""How a screen looks and speaks: what the players have chosen, and who remembers it."""

from typing import Protocol

from msgspec import Struct

THEMES = ("dark", "light", "contrast")
"""The names of the themes."""


SPEECH = ("off", "brief", "full")
"""How much is spoken: nothing; turns and results; also reveals and refusals."""
TIMES = ("off", "shown", "1", "2", "5")
"""Whether the screen shows thinking times, and after how many minutes it reminds a player."""


MOTION = ("on", "off")
"""Whether bars grow before the viewer's eyes, or are there at once."""


class Chosen(Struct, frozen=True):
    """None: not chosen yet."""

    language: str | None = None
    theme: str | None = None
    speech: str | None = None
    times: str | None = None
    motion: str | None = None
    speech_language: str | None = None
    """The language that is spoken; None: the screen's."""


class Preference(Struct, frozen=True):
    """What a person wants at every table; "" where they have not said."""

    language: str = ""
    """Of their phone, of the screen while it is handed to them, and of the announcement of their turn."""
    announcements: str = ""
    """One of `SPEECH`: the screen speaks at least this much while they play. With "full", their phone begins with the
    table in words."""


class LooksMemory(Protocol):
    """Remembers the choices for the next time."""

    @property
    def problem(self) -> str:
        """Why the choices are not known; "" if they are."""

    def recall(self) -> Chosen: ...

    def keep(self, **chosen: str) -> None:
        """Fields of `Chosen`; the others stay as they were. Raises OSError."""

"""Whose time counts, and how fast simulated hands play."""

from msgspec import Struct

from companion.journal.entry import EntryKind
from companion.journal.evening import Evening, clock_body
from companion.journal.store import Journal
from companion.messages.intentions import Drive

SLOWEST, FASTEST = 1 / 16, 64.0
"""How much slower or faster simulated hands may be made than they began."""


class Tempo(Struct, frozen=True):
    """How simulated hands play. It is in no journal: a new referee begins as it was started."""

    speed: float = 1.0
    steps: int = 0

    def after(self, drive: Drive) -> "Tempo":
        speed = drive.speed if SLOWEST <= drive.speed <= FASTEST else self.speed
        return Tempo(speed, self.steps + drive.step)


class Restart:
    """After one, the time that people were away does not count as thinking: an entry says so before whatever they do
    first."""

    def __init__(self, resumed: bool) -> None:
        self.open = resumed
        """Nothing has been written down since."""
        self.back_at: float | None = None
        """When they were back at the table, if they have said so."""

    def write_down(self, journal: Journal, evening: Evening, kind: EntryKind, at: float) -> None:
        """Raises JournalError."""
        if self.open and kind in ("action", "undo", "back", "corrected"):
            since = at if self.back_at is None else self.back_at
            evening.take(journal.append("clock", clock_body(runs=True, away=True), "", "", since))
        self.open = False

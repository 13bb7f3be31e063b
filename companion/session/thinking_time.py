"""How long everybody has thought: the time between two entries, while the table waited for them. Pure: the times are
those of the entries, so that a journal tells the same whenever it is read."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.gamekit.game import Game, Seat
from companion.gamekit.snapshot import AWAY_S
from companion.session.entry import Entry


class Thinking(Struct, frozen=True):
    """The clocks of one game."""

    seconds: tuple[float, ...]
    """For each seat."""
    since: float | None = None
    """When what is thought about now began, in Unix time; None: nobody's time counts."""
    paused: bool = False

    def spent(self, seats: Sequence[Seat], at: float) -> "Thinking":
        """These seats have thought up to now."""
        passed = at - self.since if self.since is not None else 0.0
        if not 0.0 < passed <= AWAY_S:
            return self
        longer = (each + passed if seat in seats else each for seat, each in enumerate(self.seconds))
        return replace(self, seconds=tuple(longer))

    def after(self, entry: Entry, runs: bool) -> "Thinking":
        """Once an entry has been taken: the next thought begins, or the clocks stand still. Setting up does not count
        as thinking, and neither does what comes after the end."""
        return Thinking(self.seconds, entry.at if runs else None, entry.kind == "clock" and not runs)


def thinkers(game: Game[Any, Any], state: Any) -> tuple[Seat, ...]:
    """Whom the table waits for. Those who may only change their minds have done their thinking."""
    awaiting = game.awaiting(state)
    if awaiting is None:
        return ()
    settled = game.settled(state) if game.settled else ()
    return tuple(seat for seat in awaiting.seats if seat not in settled)

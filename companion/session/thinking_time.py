"""How long each player has thought: the time between two entries while the table waited for them. The times come from
the entries, so a journal gives the same result whenever it is read."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from companion.gamekit.game import Game, Seat
from companion.gamekit.snapshot import AWAY_S
from companion.session.entry import Entry


class Thinking(Struct, frozen=True):
    """The clocks of one game."""

    seconds: tuple[float, ...]
    """For each seat."""
    since: float | None = None
    """When the current thought began, in Unix time; None: the clocks stand still."""
    paused: bool = False

    def spent(self, seats: Sequence[Seat], at: float) -> tuple[float, ...]:
        """The seconds of each seat, with the time up to now for these."""
        passed = at - self.since if self.since is not None else 0.0
        if not 0.0 < passed <= AWAY_S:
            return self.seconds
        seconds = [*self.seconds]
        for seat in seats:
            seconds[seat] += passed
        return tuple(seconds)


def thinking_after(seconds: tuple[float, ...], entry: Entry, runs: bool) -> Thinking:
    """After an entry the next thought begins, or the clocks stand still. Setting up does not count as thinking, nor
    does the time after the end."""
    return Thinking(seconds, entry.at if runs else None, entry.kind == "clock" and not runs)


def thinkers(game: Game[Any, Any], state: Any) -> tuple[Seat, ...]:
    """The seats the table waits for, without those that have chosen and may only change their minds."""
    awaiting = game.awaiting(state)
    if awaiting is None:
        return ()
    settled = game.settled(state) if game.settled else ()
    return tuple([seat for seat in awaiting.seats if seat not in settled]) if settled else awaiting.seats

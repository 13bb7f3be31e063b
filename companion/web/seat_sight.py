"""The table as one phone may see it: as its own seat, or as a spectator."""

from functools import cached_property

from companion.gamekit.game import Seat
from companion.gamekit.screen.face import Action, Face, Sight
from companion.gamekit.sign_table import SIMULATED
from companion.gamekit.snapshot import OwnView, Snapshot
from companion.language.screen_language import _


class SeatSight(Sight):
    """What one player sees on their own phone: the table, and what is theirs."""

    def __init__(self, snapshot: Snapshot, face: Face, own_view: OwnView) -> None:
        super().__init__(snapshot, face, False, own_view)
        self.seat: Seat = own_view.seat
        self.persons = frozenset({own_view.seat}) & self.persons

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What is offered to this player alone, and what names no seat while the table waits for this player; but
        nothing that simulated hands do for all players."""
        if self._own_view is None or not self.persons:
            return ()
        awaiting = self.snapshot.awaiting
        waited_for = awaiting is not None and self.seat in awaiting.seats
        shared = [action for action in self.snapshot.offered if waited_for and "seat" not in action]
        by_table = self.snapshot.by_table
        return tuple(action for action in (*self._own_view.offered, *shared) if action["do"] not in by_table)

    def mark(self, seat: Seat) -> str:
        return " " + _("(you)") if seat == self.seat else f" {SIMULATED}" if seat in self._simulated else ""

    @property
    def is_asked(self) -> bool:
        """Whether the table waits for this player."""
        awaiting = self.snapshot.awaiting
        return awaiting is not None and self.seat in awaiting.seats and self.seat not in self.snapshot.settled

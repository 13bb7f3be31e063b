"""What everybody is being asked, and who has not answered yet."""

from typing import Any

from msgspec import Struct

from companion.gamekit.game import Move, Seat
from companion.gamekit.snapshot import Question


class Pending(Struct, frozen=True):
    """Something that everybody is being asked: an action, or an undo (no action)."""

    number: int
    kind: str
    moves: tuple[Move, ...]
    agreed: frozenset[Seat]
    action: Any

    def missing(self, players: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(players) if seat not in self.agreed)

    def question(self, players: int) -> Question:
        """As everybody may see it."""
        return Question(self.number, self.kind, tuple(sorted(self.agreed)), self.missing(players), self.moves)

"""What everybody is being asked, and who has not answered yet."""

from msgspec import Struct

from companion.gamekit.game import Move, Seat
from companion.gamekit.snapshot import Question
from companion.session.entry import EntryKind


class Wanted(Struct, frozen=True):
    """An entry to be written down."""

    kind: EntryKind
    body: bytes

    def __repr__(self) -> str:
        """Without the body, which may hold a secret: a repr ends up in logs."""
        return f"Wanted({self.kind!r})"


class Pending(Struct, frozen=True):
    """Something that everybody is being asked: an action, an undo or a correction."""

    number: int
    kind: str
    moves: tuple[Move, ...]
    agreed: frozenset[Seat]
    wanted: Wanted

    def missing(self, players: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(players) if seat not in self.agreed)

    def question(self, players: int) -> Question:
        """As everybody may see it."""
        return Question(self.number, self.kind, tuple(sorted(self.agreed)), self.missing(players), self.moves)

"""What is new since the last snapshot, and what it asks for."""

from collections.abc import Sequence

from companion.screen.face import Sight
from companion.snapshot import Told

MOVES_ON = ("accepted", "undone")
"""Lines after which nobody needs the complaint before them."""


class News:
    """Finds the lines that came since it was last asked."""

    def __init__(self) -> None:
        self._seen: int | None = None

    def heard(self, told: Told) -> None:
        """This line was dealt with when it came as a reply."""
        self._seen = max(self._seen or 0, told.number)

    def since(self, history: Sequence[Told]) -> list[Told]:
        """Nothing is news to a screen that has just come, or when the referee has, but an undo right before."""
        latest = history[-1].number if history else 0
        if self._seen is None or latest < self._seen:
            fresh = [told for told in history[-1:] if told.kind == "undone"]
        else:
            fresh = [told for told in history if told.number > (self._seen or 0)]
        self._seen = latest
        return fresh


def put_back(sight: Sight, fresh: Sequence[Told]) -> Told | None:
    """The newest undo, if hands have to put pieces back and have not played on since."""
    for told in reversed(fresh):
        if told.kind == "undone" and told.moves and sight.persons and not played_since(sight, told):
            return told
    return None


def played_since(sight: Sight, told: Told) -> bool:
    """Whether an action was accepted after this line."""
    return any(line.kind == "accepted" and line.number > told.number for line in sight.snapshot.history)

"""What is new since the last snapshot, and what it asks for."""

from collections.abc import Sequence

from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Told

MOVES_ON = ("accepted", "undone", "corrected")
"""Lines after which nobody needs the complaint before them."""


TAKES_BACK = ("undone", "corrected")
"""Lines that say what no longer counts."""


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
            fresh = [told for told in history[-1:] if told.kind in TAKES_BACK]
        else:
            fresh = [told for told in history if told.number > (self._seen or 0)]
        self._seen = latest
        return fresh


def put_back(sight: Sight, fresh: Sequence[Told]) -> Told | None:
    """The newest undo or correction, if hands have to put pieces back and have not played on since."""
    for told in reversed(fresh):
        if told.kind in TAKES_BACK and told.moves and sight.persons and not played_since(sight, told):
            return told
    return None


def revealed(sight: Sight, fresh: Sequence[Told]) -> tuple[Told, ...]:
    """What the newest action that brought something to light said, from there on."""
    bright = sight.face.reveals
    entries = [told.entry for told in fresh if told.entry and told.kind == "accepted" and told.what in bright]
    lines = [told for told in fresh if entries and told.entry == entries[-1] and told.kind == "accepted"]
    first = next((number for number, told in enumerate(lines) if told.what in bright), 0)
    return tuple(lines[first:])


def last_reveal(sight: Sight) -> tuple[Told, ...]:
    """What came to light last, as far as it still counts and may still be read."""
    lines = counting(sight.history)
    bright = [told.entry for told in lines if told.what in sight.face.reveals]
    newest = [told for told in lines if bright and told.entry == bright[-1]]
    first = next((number for number, told in enumerate(newest) if told.what in sight.face.reveals), 0)
    return tuple(newest[first:])


def counting(history: Sequence[Told]) -> list[Told]:
    """The lines of actions that still count: each undo and each correction says which do not."""
    void: set[int] = set()
    for told in history:
        void = (void | set(told.voids)) - set(told.revives)
    return [told for told in history if told.kind == "accepted" and told.entry not in void]


def led_to(sight: Sight, told: Told) -> list[Told]:
    """What happened before this line in the same round, as far as the history goes."""
    before = [line for line in sight.history if line.number < told.number]
    starts = [n for n, line in enumerate(before) if line.what in sight.face.rounds or line.what == "a new game"]
    return counting(before[starts[-1] + 1 if starts else 0 :])


def behind(sight: Sight, told: Told) -> int:
    """How many actions were accepted after this line."""
    return len({line.entry for line in counting(sight.snapshot.history) if line.number > told.number})


def played_since(sight: Sight, told: Told) -> bool:
    """Whether an action was accepted after this line and what belongs to it."""
    return any(
        line.kind == "accepted" and line.number > told.number and (line.entry != told.entry or not line.entry)
        for line in sight.snapshot.history
    )

"""The table in words, for players who listen: what is new, what lies where, and what is in the own hand."""

from collections import deque
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.drawing.dialog_texts import place_lines
from companion.drawing.event_lines import reasons
from companion.drawing.result_sheet import outcome, totals_in_words
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import NOTHING
from companion.gamekit.snapshot import Lying, Snapshot, Told
from companion.web.styled_text import in_words

KEPT = 5000
"""Lines that a phone may catch up with: as many as a referee remembers."""
CELLS = 60
"""The width for which panels are drawn, where only they tell what is on the table."""


class LineMark(Struct, frozen=True):
    """Up to where a page has got the lines of an evening. The page keeps it, so that it goes on there after a break,
    whatever has been started again meanwhile: the page, this server or the referee."""

    evening: str
    number: int
    """Of the newest line, as its referee counts them."""
    entry: int
    """The newest entry of the journal that a line up to this one tells of."""


class UnreadLines:
    """Every line of the evening, from the moment when it could first be read: each page gets each line once, in order.

    A game may hide lines of earlier rounds (Sioux). A page that was away gets them all the same, but never twice; one
    that is new begins with the next line."""

    def __init__(self) -> None:
        self._lines: deque[tuple[LineMark, Told]] = deque(maxlen=KEPT)
        self._end = LineMark("", 0, 0)
        """Of the newest line; without a line, the beginning of the evening."""
        self._snapshot = 0
        self._number = 0
        """Of the newest line, as the referee of the newest snapshot counts them."""

    def add(self, sight: Sight) -> None:
        snapshot, known, entry = sight.snapshot, self._end.entry, 0
        another = self._is_another_referee(snapshot)
        for told in sight.history:
            entry = max(entry, told.entry)
            # Another referee counts from the start. The lines that it has from the journal were said before.
            is_new = not told.entry or entry > known if another else told.number > self._number
            if is_new:
                self._end = LineMark(snapshot.evening, told.number, max(entry, self._end.entry))
                self._lines.append((self._end, told))
        self._end = replace(self._end, evening=snapshot.evening)
        newest = sight.history[-1].number if sight.history else 0
        self._number = newest if another else max(self._number, newest)
        self._snapshot = snapshot.number

    def _is_another_referee(self, snapshot: Snapshot) -> bool:
        """It may have made more snapshots until we saw one than the referee before it, but its lines are fewer."""
        lines = {told.number: told.entry for told in snapshot.history}
        fewer = max(lines, default=0) < self._number
        return snapshot.number < self._snapshot or fewer or lines.get(self._number, 0) > self._end.entry

    def since(self, mark: LineMark | None) -> tuple[list[Told], LineMark]:
        """What a page has not got yet that has the lines up to `mark`, and its next mark. None: a page that is new."""
        if mark is None or mark.evening != self._end.evening:
            return [], self._end
        fresh: deque[tuple[LineMark, Told]] = deque()
        for line in reversed(self._lines):
            if line[0] == mark:
                break
            fresh.appendleft(line)
        else:  # the page got its lines from another referee, or long ago
            return [told for here, told in fresh if here.entry > mark.entry or not mark.number], self._end
        return [told for _here, told in fresh], self._end


# --- The table, and the own hand --------------------------------------------------------------------------------


class WordedGrid(Struct, frozen=True):
    title: str
    rows: Sequence[Sequence[str]]


class InWords(Struct, frozen=True, tag_field="is", tag="words"):
    """What is on the table and in the hand, sentence by sentence."""

    entry: int
    table: Sequence[str]
    hand: Sequence[str]
    grids: Sequence[WordedGrid]


def table_in_words(sight: Sight, layout: Sequence[Lying]) -> InWords:
    face = sight.face
    result = [outcome(sight).sentence, *totals_in_words(sight)] if sight.over else []
    why = [each.sentence for each in reasons(sight)] if sight.over else []
    said = [*result, *why, *face.in_words(sight), *place_lines(layout, sight)]
    if not layout and not sight.over:
        said += [line for panel in face.phone_panels(sight, CELLS) for line in panel.plain.splitlines()]
    hand = face.hand_in_words(sight) if sight.has_hand else ()
    grids = [WordedGrid(grid.title, grid.rows) for grid in face.grids(sight)]
    return InWords(sight.snapshot.entry, _spoken(said), _spoken(hand), grids)


def _spoken(lines: Sequence[str]) -> list[str]:
    return [words for line in lines if (words := in_words(line.removeprefix(f"{NOTHING} ")))]

"""The table in words, for players who listen: what is new, what lies where, and what is in the own hand."""

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from companion.drawing.dialog_texts import place_lines
from companion.drawing.event_lines import reasons
from companion.drawing.result_sheet import outcome, totals_in_words
from companion.gamekit.screen.face import Sight
from companion.gamekit.sign_table import NOTHING
from companion.gamekit.snapshot import Lying, Told
from companion.web.styled_text import in_words

Listener: TypeAlias = tuple[int, str]
"""A player, and the id of one page of theirs."""

KEPT = 120
"""Lines that a phone may catch up with: twice as many as a snapshot carries."""
LISTENERS = 200
"""How many pages are remembered. The one that has read nothing for the longest time is forgotten first."""
CELLS = 60
"""The width for which panels are drawn, where only they tell what is on the table."""


class UnreadLines:
    """Every line of the evening, from the moment when it could first be read: each page gets each line once, in order.

    A game may hide lines of earlier rounds (Sioux). A page that was away gets them all the same if it was there before,
    but never twice; one that is new begins with the next line."""

    def __init__(self) -> None:
        self._lines: deque[Told] = deque(maxlen=KEPT)
        self._newest = 0
        self._snapshot = 0
        self._read: dict[Listener, int] = {}

    def add(self, sight: Sight) -> None:
        readable = sight.history
        if sight.snapshot.number <= self._snapshot:  # another referee, which counts its lines from the start
            self._lines.clear()
            self._newest = readable[-1].number if readable else 0
            self._read = dict.fromkeys(self._read, self._newest)
        self._snapshot = sight.snapshot.number
        self._lines.extend(told for told in readable if told.number > self._newest)
        self._newest = max(self._newest, readable[-1].number if readable else 0)

    def since(self, reader: Listener) -> list[Told]:
        """What this page has not read yet. It counts as read from now on."""
        before = self._read.pop(reader, self._newest)
        self._read[reader] = self._newest
        if len(self._read) > LISTENERS:
            self._read.pop(next(iter(self._read)))
        return [told for told in self._lines if told.number > before]


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

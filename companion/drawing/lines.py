"""The lines of an evening, in words: what happened, and where everybody's points come from."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.gamekit.game import Part, Ruling
from companion.gamekit.screen.face import Sight
from companion.gamekit.snapshot import Told
from companion.language.wording import plain

COMPLAINTS = ("refused", "unknown", "foreign")


class HistoryLine(NamedTuple):
    number: int
    sentence: str
    rule: str
    kind: str
    by_hand: bool = False
    """Said on a screen although there are readers."""
    of: Told | Part | Ruling | None = None
    """What the line tells."""


def told_lines(sight: Sight, history: Sequence[Told]) -> list[HistoryLine]:
    """What followed from an action by itself nobody did by hand: only its first line says so, if it may be read."""
    first: dict[int, int] = {}
    for told in sight.snapshot.history:
        first.setdefault(told.entry, told.number)
    readers = sight.snapshot.kit != "none"
    return [
        HistoryLine(
            told.number,
            sight.say(told),
            plain(told.rule or ""),
            told.kind,
            readers and told.how == "screen" and told.kind == "accepted" and first.get(told.entry) == told.number,
            told,
        )
        for told in history
    ]


def reasons(sight: Sight) -> list[HistoryLine]:
    """What broke a tie, why a victory is shared, and why everybody has the points that they have: first what they are
    counted from."""
    ending = sight.snapshot.tie_break, sight.snapshot.shared
    said: list[Ruling | Part] = [each for each in ending if each]
    for score in sight.snapshot.scores:
        said += [*score.notes, *score.parts]
    return [
        HistoryLine(-number, sight.say(each), plain(each.rule or ""), "accepted", of=each)
        for number, each in enumerate(said, 1)
    ]

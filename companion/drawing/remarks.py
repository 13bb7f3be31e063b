"""Small texts around the table: what an undo would take back, what the referee answers, what is not as it should be."""

from collections.abc import Sequence
from typing import TypeAlias

from textual.content import Content

from companion.gamekit.screen.face import Sight
from companion.gamekit.screen.stations import readers
from companion.gamekit.snapshot import Told
from companion.language.speech import _
from companion.language.wording import numeral, plain


def newest(sight: Sight) -> str:
    """What somebody did that an undo would take back."""
    return sight.say(sight.snapshot.newest) if sight.snapshot.newest else ""


def answer(sight: Sight, told: Told, now: bool) -> str:
    """What was said, with its ruling; and, if there is room for it, what to do `now`."""
    sentence = sight.say(told)
    said = _("{sentence} ({rule})").format(sentence=sentence, rule=plain(told.rule)) if told.rule else sentence
    todo = sight.face.headline(sight).sentence if now and not sight.over else ""
    return f"{said}\n► {todo}" if todo else said


Remarks: TypeAlias = Sequence[tuple[str, str]]
"""Words and their style."""


def foot(sight: Sight, first: Remarks = (), then: Remarks = ()) -> Content:
    """The readers, how the match stands, and whether the box is a stand-in. `first` and `then`: before the readers, and
    behind them, whatever else there is to say."""
    parts = [*first, *readers(sight), *then]
    if sight.snapshot.match and not sight.over:
        parts.append((_match(sight), "bold"))
    if getattr(sight.box, "provenance", "") == "stand-in":
        parts.append((_("stand-in box: your cards may differ"), "dim"))
    return Content("  ").join([Content.styled(words, style) for words, style in parts])


def _match(sight: Sight) -> str:
    """Which game of the match this is, and what everybody has from those before it."""
    match = sight.snapshot.match
    sums = [sum(result.totals[seat] for result in match) for seat in range(len(sight.names))]
    marks = ["◆" if total == max(sums) else "" for total in sums]
    standing = "  ".join(
        f"{mark}{plain(name, 6)} {numeral(points)}" for mark, name, points in zip(marks, sight.names, sums, strict=True)
    )
    return _("game {number}, so far: {standing}").format(number=len(match) + 1, standing=standing)

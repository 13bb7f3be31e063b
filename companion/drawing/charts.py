"""A result, drawn: bars of points, who has the most of what, and how a number went in the course of the game."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from rich.cells import cell_len, set_cell_size
from textual.color import Color
from textual.content import Content

from companion.gamekit.game import Part, Score, Seat
from companion.gamekit.screen.face import Sight
from companion.language.speech import _
from companion.language.wording import numeral

NAME = 12
NUMBER = 5
LEVELS = "▁▂▃▄▅▆▇█"


def kinds(sight: Sight) -> list[str]:
    """What gave points, in the game's order."""
    found = dict.fromkeys(part.for_ for score in sight.snapshot.scores for part in score.parts)
    order = {kind: place for place, kind in enumerate(sight.face.order)}
    return sorted(found, key=lambda kind: order.get(kind, len(order)))


def bars(sight: Sight, width: int) -> Content:
    """Everybody's points as a bar: a piece for each kind, in the same order for all; last, as a line, what was lost."""
    scores = sorted(sight.snapshot.scores, key=lambda score: score.seat)
    pieces = {score.seat: _pieces(sight, score) for score in scores}
    most = max((sum(abs(points) for points in some.values()) for some in pieces.values()), default=0)
    room = width - NAME - NUMBER - 3
    rows = [_heading(sight.face.points_by_kind())]
    for score in scores:
        won = score.seat in sight.snapshot.winners
        name = set_cell_size(sight.name(score.seat), NAME)
        rows.append(
            Content.assemble(
                f" {'►' if won else ' '}",
                (name, "bold" if won else ""),
                _bar(sight, pieces[score.seat], room, most),
                (f"{numeral(score.total):>{NUMBER}}", "bold"),
            )
        )
    return Content("\n").join(rows)


def _pieces(sight: Sight, score: Score) -> dict[str, int]:
    """The points of each kind; kinds that a game calls by the same words are one. What was lost comes last."""
    points: dict[str, int] = {}
    first: dict[str, str] = {}
    for kind in kinds(sight):
        same = first.setdefault(sight.face.part(kind), kind)
        points[same] = points.get(same, 0) + sum(part.points for part in score.parts if part.for_ == kind)
    return dict(sorted(points.items(), key=lambda piece: piece[1] < 0))


def _bar(sight: Sight, pieces: Mapping[str, int], room: int, most: int) -> Content:
    """Pieces end where the sum of the points before and in them ends, so that all bars have the same scale."""
    ends = [total * room // max(1, most) for total in accumulate(map(abs, pieces.values()))]
    drawn = Content("")
    for (kind, points), start, end in zip(pieces.items(), [0, *ends], ends, strict=False):
        hue, text = sight.face.hue(kind), _fitting(sight.face.part(kind), points, end - start)
        if points < 0:
            drawn += Content.styled(text.rstrip().ljust(end - start, "━"), hue)
        else:
            drawn += Content.styled(text, f"{_ink(hue)} on {hue}")
    return drawn + Content(" " * (room - drawn.cell_length))


def _fitting(word: str, points: int, size: int) -> str:
    number = numeral(points)
    for text in (f" {word} {number}", f" {number}", number):
        if cell_len(text) <= size:
            return set_cell_size(text, size)
    return " " * size


def _ink(paper: str) -> str:
    return "#000000" if Color.parse(paper).brightness > 0.4 else "#ffffff"


# --- Who has the most -----------------------------------------------------------------------------------------


def majorities(sight: Sight, width: int) -> Content:
    """For each kind that is compared, what everybody has; a mark where it gave points."""
    seats = range(len(sight.names))
    compared = [(kind, counts) for kind in kinds(sight) if (counts := _counts(sight, kind))]
    if not compared:
        return Content("")
    column = max(6, min(16, (width - NAME - 2) // len(seats)))
    head = "".join(set_cell_size(sight.name(seat), column - 1).strip().rjust(column - 1) + " " for seat in seats)
    rows = [_heading(_("Who has the most")), Content.styled(" " + " " * NAME + head, "bold")]
    for kind, counts in compared:
        cells = [_cell(counts[seat], bool(_parts(sight, kind, seat)), column) for seat in seats]
        rows.append(Content.assemble(" " + set_cell_size(sight.face.part(kind), NAME), *cells))
    return Content("\n").join(rows)


def _cell(count: object, scores: bool, column: int) -> tuple[str, str]:
    text = f"{'►' if scores else ''}{count or '·'}"
    return text.rjust(column - 1) + " ", "bold" if scores else ""


def _parts(sight: Sight, kind: str, seat: Seat | None = None) -> list[Part]:
    scores = [score for score in sight.snapshot.scores if seat is None or score.seat == seat]
    return [part for score in scores for part in score.parts if part.for_ == kind]


def _counts(sight: Sight, kind: str) -> tuple[int | str, ...]:
    """What everybody has of this kind, as the points for it tell."""
    for part in _parts(sight, kind):
        counts = part.facts.get("counts")
        if isinstance(counts, tuple) and len(counts) == len(sight.names):
            return counts
    return ()


# --- In the course of the game --------------------------------------------------------------------------------


def course(sight: Sight, width: int) -> Content:
    """A line for everybody; all have the same scale."""
    moments = sight.snapshot.course
    if len(moments) < 2 or len(moments[0]) != len(sight.names):
        return Content("")
    most = max(max(numbers) for numbers in moments)
    title = _("From the beginning to the end: {what} (at most {most})").format(what=sight.face.watched(), most=most)
    rows = [_heading(title)]
    for seat in range(len(sight.names)):
        line = sparks([numbers[seat] for numbers in moments], width - NAME - NUMBER - 3, most)
        name = set_cell_size(sight.name(seat), NAME)
        rows.append(Content.assemble("  ", name, (line, "$text-primary"), (f"{moments[-1][seat]:>{NUMBER}}", "bold")))
    return Content("\n").join(rows)


def sparks(numbers: Sequence[int], width: int, most: int) -> str:
    """`width` columns, each as high as the average of the numbers that fall into it."""
    columns = min(width, len(numbers))
    slices = [numbers[n * len(numbers) // columns : (n + 1) * len(numbers) // columns] for n in range(columns)]
    heights = [sum(some) / len(some) / max(1, most) for some in slices]
    drawn = "".join(LEVELS[min(len(LEVELS) - 1, int(height * len(LEVELS)))] for height in heights)
    return drawn + " " * (width - columns)


def _heading(words: str) -> Content:
    return Content.styled(f" {words}", "$quiet")

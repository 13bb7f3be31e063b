"""The end: who won, and the sheet with everybody's points."""

from rich.cells import set_cell_size
from textual.content import Content

from companion.screen.charts import kinds
from companion.screen.face import Headline, Sight
from companion.screen.text import _, listed

TITLE = 12


def outcome(sight: Sight) -> Headline:
    """Who has won, and what broke a tie."""
    winners = [sight.name(seat) for seat in sight.snapshot.winners]
    names = listed(winners)
    tie = sight.face.tie_break(sight)
    why = f" ({tie.rstrip('.')})" if tie else ""
    if len(winners) == 1:
        sentence = _("{name} wins the game").format(name=names)
        return Headline((_("{name} wins", "big").format(name=names), names), sentence + why)
    return Headline((_("shared", "big"),), _("{names} share the victory").format(names=names) + why)


def sheet(sight: Sight, width: int) -> Content:
    """A row for each thing that gave points, a column for each player; then totals, and the match so far.

    What a game calls by the same words is added up.
    """
    scores = sorted(sight.snapshot.scores, key=lambda score: score.seat)
    column = max(6, min(16, (width - TITLE - 2) // max(1, len(scores))))
    titles = dict.fromkeys(sight.face.part(kind) for kind in kinds(sight))
    lines = [_row("", [sight.name(score.seat) for score in scores], column, "bold")]
    for title in titles:
        points = [sum(part.points for part in score.parts if sight.face.part(part.for_) == title) for score in scores]
        lines.append(_row(title, [str(n) if n else "·" for n in points], column))
    lines.append(_row(_("total"), [str(score.total) for score in scores], column, "bold reverse"))
    match = sight.snapshot.match
    if match:
        sums = [sum(result.totals[score.seat] for result in match) + score.total for score in scores]
        lines.append(_row(_("match"), [str(n) for n in sums], column, "bold"))
    return Content("\n").join(lines)


def _row(title: str, cells: list[str], column: int, style: str = "") -> Content:
    fitted = "".join(set_cell_size(cell, column - 1).strip().rjust(column - 1) + " " for cell in cells)
    return Content.assemble((" " + set_cell_size(title, TITLE) + fitted, style))

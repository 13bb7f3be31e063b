"""The end: who won, and the sheet with everybody's points."""

from rich.cells import set_cell_size
from textual.content import Content

from companion.drawing.charts import kinds
from companion.gamekit.ending import leaders
from companion.gamekit.screen.face import Headline, Sight
from companion.language.speech import _, listed
from companion.language.wording import numeral, plain

TITLE = 12


def outcome(sight: Sight) -> Headline:
    """Who has won, and by which ruling if several had the most points: the reason stands with those for the points."""
    if sight.snapshot.ended and sight.snapshot.match:
        return _match_outcome(sight)
    winners = [sight.name(seat) for seat in sight.snapshot.winners]
    names = listed(winners)
    tie = sight.snapshot.tie_break or sight.snapshot.shared
    why = f" ({plain(tie.rule)})" if tie and tie.rule else ""
    why += _match(sight)
    if len(winners) == 1:
        sentence = _("{name} wins the game").format(name=names)
        return Headline((_("{name} wins", "big").format(name=names), names), sentence + why)
    return Headline((_("shared", "big"),), _("{names} share the victory").format(names=names) + why)


def _match(sight: Sight) -> str:
    """Who leads when all games so far are added up; "" for a single game."""
    if not sight.snapshot.match:
        return ""
    names, points = _best(sight)
    return "; " + _("match: {names} with {points}").format(names=listed(names), points=numeral(points))


def _match_outcome(sight: Sight) -> Headline:
    """L21 The match has ended: who has won it, and the newest game as well."""
    winners, points = _best(sight)
    names, games = listed(winners), len(sight.snapshot.match) + 1
    last = listed([sight.name(seat) for seat in sight.snapshot.winners])
    if len(winners) == 1:
        big: tuple[str, ...] = (_("{name} wins", "big").format(name=names), names)
        sentence = _("{names} wins the match with {points} in {games} games (the last one: {last})")
    else:
        big = (_("shared", "big"),)
        sentence = _("{names} share the match with {points} each in {games} games (the last one: {last})")
    return Headline(big, sentence.format(names=names, points=numeral(points), games=games, last=last))


def _best(sight: Sight) -> tuple[list[str], int]:
    """Who has the most in all games so far together, and how many."""
    totals = [score.total for score in sorted(sight.snapshot.scores, key=lambda score: score.seat)]
    sums, best = leaders([*(result.totals for result in sight.snapshot.match), totals])
    return [sight.name(seat) for seat in best], max(sums)


def can_end(sight: Sight) -> bool:
    """Whether there is a match to end: the result of a single game is its end."""
    return bool(sight.over and sight.persons and sight.snapshot.match and not sight.snapshot.ended)


def sheet(sight: Sight, width: int) -> Content:
    """A row for each thing that gave points, a column for each player; then totals, the match so far, and how long
    everybody has thought.

    What a game calls by the same words is added up.
    """
    scores = sorted(sight.snapshot.scores, key=lambda score: score.seat)
    column = max(6, min(16, (width - TITLE - 2) // max(1, len(scores))))
    titles = dict.fromkeys(sight.face.part(kind) for kind in kinds(sight))
    lines = [_row("", [sight.name(score.seat) for score in scores], column, "bold")]
    for title in titles:
        points = [sum(part.points for part in score.parts if sight.face.part(part.for_) == title) for score in scores]
        lines.append(_row(title, [numeral(n) if n else "·" for n in points], column))
    lines.append(_row(sight.face.total(), [numeral(score.total) for score in scores], column, "bold reverse"))
    match = sight.snapshot.match
    if match:
        sums = [sum(result.totals[score.seat] for result in match) + score.total for score in scores]
        lines.append(_row(_("match"), [numeral(n) for n in sums], column, "bold"))
    thought = sight.snapshot.thought
    if len(thought) == len(scores) and any(seconds >= 1 for seconds in thought):
        lines.append(_row(_("time"), [clock(thought[score.seat]) for score in scores], column, "$quiet"))
    return Content("\n").join(lines)


def clock(seconds: float) -> str:
    """4:05"""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _row(title: str, cells: list[str], column: int, style: str = "") -> Content:
    fitted = "".join(set_cell_size(cell, column - 1).strip().rjust(column - 1) + " " for cell in cells)
    return Content.assemble((" " + set_cell_size(title, TITLE) + fitted, style))

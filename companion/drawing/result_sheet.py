"""The result of a game: who won, the sheet with all points, and charts."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.color import Color
from textual.content import Content

from companion.gamekit.ending import leaders, outcome_of, sides
from companion.gamekit.game import Part, Score, Seat
from companion.gamekit.screen.face import Headline, Sight
from companion.gamekit.sign_table import LEADS, NOTHING
from companion.language.screen_language import _, listed
from companion.language.wording import numeral, plain

# --- Bars -----------------------------------------------------------------------------------------------------

NAME = 12
TEAM_NAME = 20
NUMBER = 5
LEVELS = "▁▂▃▄▅▆▇█"


def side_name(sight: Sight, side: Sequence[Seat]) -> str:
    """Anna, or Anna & Cleo; all players who play together are no list of names."""
    if len(sight.snapshot.teams) == 1:
        return _("together")
    return " & ".join(sight.name(seat) for seat in side)


def short_side_name(sight: Sight, side: Sequence[Seat], room: int) -> str:
    """The names of a team that has not enough room lose their ends alike: Ann & Cle."""
    name = side_name(sight, side)
    if cell_len(name) <= room or len(side) < 2 or len(sight.snapshot.teams) == 1:
        return name
    each = max(1, (room - len(" & ") * (len(side) - 1)) // len(side))
    return " & ".join(set_cell_size(sight.name(seat), each).strip() for seat in side)


def side_scores(sight: Sight) -> dict[tuple[Seat, ...], Score]:
    """The score of each player or team: all players of a team have the same."""
    by_seat = {score.seat: score for score in sight.snapshot.scores}
    every = sides(sight.snapshot.teams, len(sight.names))
    return {side: by_seat[side[0]] for side in every if side[0] in by_seat}


def totals_in_words(sight: Sight) -> list[str]:
    """How many points each player or team has, one sentence each."""
    return [
        _("{name}: {count:point|points}", name=side_name(sight, side), count=score.total)
        for side, score in side_scores(sight).items()
    ]


def _name_width(sight: Sight) -> int:
    return TEAM_NAME if sight.snapshot.teams else NAME


def kinds(sight: Sight) -> list[str]:
    """The kinds of points, in the game's order."""
    found = dict.fromkeys(part.for_ for score in sight.snapshot.scores for part in score.parts)
    order = {kind: place for place, kind in enumerate(sight.face.order)}
    return sorted(found, key=lambda kind: order.get(kind, len(order)))


def bars(sight: Sight, width: int) -> Content:
    """The points of each player or team as a bar: one piece for each kind, in the same order for all; lost points last,
    as a line."""
    scores = side_scores(sight)
    pieces = {score.seat: _pieces(sight, score) for score in scores.values()}
    most = max((sum(abs(points) for points in some.values()) for some in pieces.values()), default=0)
    named = _name_width(sight)
    room = width - named - NUMBER - 3
    fewest = f" ({_('the fewest win')})" if sight.snapshot.lowest_wins else ""
    rows = [_heading(sight.face.points_by_kind() + fewest)]
    for side, score in scores.items():
        won = score.seat in sight.snapshot.winners
        name = set_cell_size(short_side_name(sight, side, named - 1), named)
        rows.append(
            Content.assemble(
                f" {LEADS if won else ' '}",
                (name, "bold" if won else ""),
                _bar(sight, pieces[score.seat], room, most),
                (f"{numeral(score.total):>{NUMBER}}", "bold"),
            )
        )
    return Content("\n").join(rows)


class Lane(NamedTuple):
    """One player or team in the race of bars: the points so far, by what gave them."""

    name: str
    total: int
    won: bool
    pieces: Mapping[str, int]
    """Kind → points."""
    most: int
    """The longest bar of the whole race, so that all steps have one scale."""


def titles(sight: Sight) -> list[str]:
    """The kinds of points in words, in the game's order; each once."""
    return list(dict.fromkeys(sight.face.part(kind) for kind in kinds(sight)))


def lanes(sight: Sight, shown: int) -> list[Lane]:
    """The race after so many kinds of points. Who has won is said when all are shown."""
    known = titles(sight)
    whole = {side: _pieces(sight, score) for side, score in side_scores(sight).items()}
    most = max((sum(map(abs, pieces.values())) for pieces in whole.values()), default=0)
    found = []
    for side, every in whole.items():
        pieces = {kind: n for kind, n in every.items() if sight.face.part(kind) in known[:shown]}
        won = shown >= len(known) and side[0] in sight.snapshot.winners
        found.append(Lane(side_name(sight, side), sum(pieces.values()), won, pieces, most))
    return found


def race(sight: Sight, drawn: Sequence[Lane], width: int, before: Sequence[Lane] = (), part: float = 1.0) -> Content:
    """Bars side by side; `part` of the way from the step `before` to this one."""
    named = _name_width(sight)
    room = width - named - NUMBER - 3
    rows = []
    for number, lane in enumerate(drawn):
        earlier = before[number].pieces if number < len(before) else {}
        pieces = {kind: round(n * (1.0 if kind in earlier else part)) for kind, n in lane.pieces.items()}
        rows.append(
            Content.assemble(
                f" {LEADS if lane.won else ' '}",
                (set_cell_size(lane.name, named), "bold" if lane.won else ""),
                _bar(sight, pieces, room, lane.most),
                (f"{numeral(sum(pieces.values())):>{NUMBER}}", "bold"),
            )
        )
    return Content("\n").join(rows)


def _pieces(sight: Sight, score: Score) -> dict[str, int]:
    """The points of each kind. Kinds with the same words are added up. Lost points come last."""
    points: dict[str, int] = {}
    first: dict[str, str] = {}
    for kind in kinds(sight):
        same = first.setdefault(sight.face.part(kind), kind)
        points[same] = points.get(same, 0) + sum(part.points for part in score.parts if part.for_ == kind)
    return dict(sorted(points.items(), key=lambda piece: piece[1] < 0))


def _bar(sight: Sight, pieces: Mapping[str, int], room: int, most: int) -> Content:
    """Each piece ends at the sum of the points so far, so all bars have the same scale."""
    ends = [total * room // max(1, most) for total in accumulate(map(abs, pieces.values()))]
    drawn = Content("")
    for (kind, points), start, end in zip(pieces.items(), [0, *ends], ends, strict=False):
        hue, text = sight.face.hue(kind), _fitting(sight.face.part(kind), points, end - start)
        if points < 0:
            drawn += Content.styled(text.rstrip().ljust(end - start, "━"), hue)
        else:
            drawn += Content.styled(text, f"{ink_on(hue)} on {hue}")
    return drawn + Content(" " * (room - drawn.cell_length))


def _fitting(word: str, points: int, size: int) -> str:
    number = numeral(points)
    between = ": " if word[-1:].isdigit() else " "  # "winter 1: 3"
    for text in (f" {word}{between}{number}", f" {number}", number):
        if cell_len(text) <= size:
            return set_cell_size(text, size)
    return " " * size


def ink_on(paper: str) -> str:
    """Black or white, whichever can be read there."""
    return "#000000" if Color.parse(paper).brightness > 0.4 else "#ffffff"


# --- Who has the most -----------------------------------------------------------------------------------------


def majorities(sight: Sight, width: int) -> Content:
    """For each kind that is compared, what each player has; a mark where it gave points."""
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
    text = f"{LEADS if scores else ''}{count or NOTHING}"
    return text.rjust(column - 1) + " ", "bold" if scores else ""


def _parts(sight: Sight, kind: str, seat: Seat | None = None) -> list[Part]:
    scores = [score for score in sight.snapshot.scores if seat is None or score.seat == seat]
    return [part for score in scores for part in score.parts if part.for_ == kind]


def _counts(sight: Sight, kind: str) -> tuple[int | str, ...]:
    """What each player has of this kind, taken from the points for it."""
    for part in _parts(sight, kind):
        counts = part.facts.get("counts")
        if isinstance(counts, tuple) and len(counts) == len(sight.names):
            return counts
    return ()


# --- In the course of the game --------------------------------------------------------------------------------


def course(sight: Sight, width: int) -> Content:
    """One line for each player, all on the same scale."""
    moments = sight.snapshot.course
    if len(moments) < 2 or len(moments[0]) != len(sight.names):
        return Content("")
    most = max(max(numbers) for numbers in moments)
    title = _("From the beginning to the end: {what} (at most {most})", what=sight.face.watched(), most=most)
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


TITLE = 12


def outcome(sight: Sight) -> Headline:
    """Who has won. If a tie was broken, the reason is listed with those for the points."""
    if sight.snapshot.ended and sight.snapshot.match:
        return _match_outcome(sight)
    names = listed([sight.name(seat) for seat in sight.snapshot.winners])
    tie = sight.snapshot.tie_break or sight.snapshot.shared
    why = f" ({plain(tie.rule)})" if tie and tie.rule else ""
    why += _match(sight)
    match outcome_of(sight.snapshot.winners, sight.snapshot.teams):
        case "won together":
            return Headline((_("won", "big"),), _("You have won together") + why)
        case "lost together":
            return Headline((_("lost", "big"),), _("You have lost together") + why)
        case "team":
            return Headline(_big_team(sight, sight.snapshot.winners), _("{names} win the game", names=names) + why)
        case "one":
            sentence = _("{name} wins the game", name=names)
            return Headline((_("{name} wins", "big", name=names), names), sentence + why)
    return Headline((_("shared", "big"),), _("{names} share the victory", names=names) + why)


def _big_team(sight: Sight, team: Sequence[Seat]) -> tuple[str, ...]:
    names = side_name(sight, team)
    return _("{names} win", "big", names=names), names


def _match(sight: Sight) -> str:
    """Who leads in the match so far; "" for a single game."""
    if not sight.snapshot.match:
        return ""
    if len(sight.snapshot.teams) == 1:
        return "; " + _together(sight)
    best, points = _best(sight)
    names = listed([sight.name(seat) for seat in best])
    return "; " + _("match: {names} with {points}", names=names, points=numeral(points))


def _together(sight: Sight) -> str:
    """How many games of a match were won together."""
    results = [*(result.winners for result in sight.snapshot.match), sight.snapshot.winners]
    return _("match: {won} of {count:game|games} won", won=sum(map(bool, results)), count=len(results))


def _match_outcome(sight: Sight) -> Headline:
    """L21 The match has ended: who has won it, and who has won its last game."""
    if len(sight.snapshot.teams) == 1:
        return Headline((_("match", "big"),), _together(sight))
    winners, points = _best(sight)
    names, games = listed([sight.name(seat) for seat in winners]), game_number(sight)
    last = listed([sight.name(seat) for seat in sight.snapshot.winners])
    if winners in sight.snapshot.teams and len(winners) > 1:
        sentence = _(
            "{names} win the match with {points} in {games} games (the last one: {last})",
            names=names,
            points=points,
            games=games,
            last=last,
        )
        return Headline(_big_team(sight, winners), sentence)
    if len(winners) == 1:
        sentence = _(
            "{names} wins the match with {points} in {games} games (the last one: {last})",
            names=names,
            points=points,
            games=games,
            last=last,
        )
        return Headline((_("{name} wins", "big", name=names), names), sentence)
    sentence = _(
        "{names} share the match with {points} each in {games} games (the last one: {last})",
        names=names,
        points=points,
        games=games,
        last=last,
    )
    return Headline((_("shared", "big"),), sentence)


def _best(sight: Sight) -> tuple[tuple[Seat, ...], int]:
    """Who has the best total of all games so far, and how many points."""
    matched = [*(result.totals for result in sight.snapshot.match), _totals(sight)]
    sums, best = leaders(matched, sight.snapshot.lowest_wins)
    return best, sums[best[0]]


def _totals(sight: Sight) -> list[int]:
    return [score.total for score in sorted(sight.snapshot.scores, key=lambda score: score.seat)]


def _each(side: Sequence[Seat], sums: Sequence[int]) -> str:
    """One number for a team, unless its players had other partners in the match before."""
    return "/".join(dict.fromkeys(numeral(sums[seat]) for seat in side))


def game_number(sight: Sight) -> int:
    """Which game of the match this is, from 1."""
    return len(sight.snapshot.match) + 1


def can_end(sight: Sight) -> bool:
    """Whether there is a match to end. A single game ends with its result."""
    return bool(sight.over and sight.persons and sight.snapshot.match and not sight.snapshot.ended)


def sheet(sight: Sight, width: int) -> Content:
    """One row for each kind of points, one column for each player or team; then totals, the match so far and the
    thinking times. Kinds with the same words are added up."""
    by_side = side_scores(sight)
    scores = list(by_side.values())
    widest = TEAM_NAME if sight.snapshot.teams else 16
    column = max(6, min(widest, (width - TITLE - 2) // max(1, len(scores))))
    titles = dict.fromkeys(sight.face.part(kind) for kind in kinds(sight))
    lines = [_row("", [short_side_name(sight, side, column - 1) for side in by_side], column, "bold")]
    for title in titles:
        points = [sum(part.points for part in score.parts if sight.face.part(part.for_) == title) for score in scores]
        lines.append(_row(title, [numeral(n) if n else NOTHING for n in points], column))
    lines.append(_row(sight.face.total(), [numeral(score.total) for score in scores], column, "bold reverse"))
    match = sight.snapshot.match
    if match:
        sums, _leading = leaders([*(result.totals for result in match), _totals(sight)])
        lines.append(_row(_("match"), [_each(side, sums) for side in by_side], column, "bold"))
    thought = sight.snapshot.thought
    if len(thought) == len(sight.names) and any(seconds >= 1 for seconds in thought):
        times = [clock(sum(thought[seat] for seat in side)) for side in by_side]
        lines.append(_row(_("time"), times, column, "$quiet"))
    return Content("\n").join(lines)


def clock(seconds: float) -> str:
    """4:05"""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _row(title: str, cells: list[str], column: int, style: str = "") -> Content:
    fitted = "".join(set_cell_size(cell, column - 1).strip().rjust(column - 1) + " " for cell in cells)
    return Content.assemble((" " + set_cell_size(title, TITLE) + fitted, style))

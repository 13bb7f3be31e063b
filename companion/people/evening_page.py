"""An evening as one web page: results, what was special, and links for BG Stats. It loads nothing, so it can be sent by
mail, opened without a network and printed."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape

from companion.gamekit import discovery
from companion.gamekit.ending import outcome_of, sides
from companion.gamekit.parts import texts_of
from companion.language.facts import N_, Translate
from companion.language.screen_language import load
from companion.language.wording import Language, numeral
from companion.people.past_games import PastGame, PastSeat
from companion.people.persons import People, Person
from companion.people.play_files import bg_stats_link
from companion.people.statistics import CountedGame, Record, broken_records, counted, streaks

STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --paper: #fff; --line: #8a94a3; --bar: #2c6e9b; --best: #a5541c }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf3; --paper: #14181e; --line: #76808e; --bar: #6fb1de; --best: #f0a868 }
}
body { margin: 0 auto; padding: 1rem; max-width: 44rem; font: 1.05rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper) }
table { border-collapse: collapse; width: 100% } .wide { overflow-x: auto }
th, td { padding: .35rem .6rem .35rem 0; text-align: left; border-bottom: 1px solid var(--line) }
.number { text-align: right; font-variant-numeric: tabular-nums }
svg { display: block; width: 100%; max-width: 34rem; height: auto; margin: .8rem 0 }
svg text { font: 14px system-ui, sans-serif; fill: var(--ink) } rect { fill: var(--bar) } rect.won { fill: var(--best) }
a { color: inherit } a.button { display: inline-block; padding: .5rem .9rem; border: 2px solid currentColor;
  border-radius: .4rem; text-decoration: none; font-weight: 600 }
@media print { a.button { display: none } body { max-width: none } }
"""
RECORDS = {
    "highest score": N_("Highest score so far: {value} ({names})"),
    "lowest winning score": N_("Lowest score that ever won: {value} ({names})"),
    "lowest score": N_("Lowest score so far: {value} ({names})"),
    "highest winning score": N_("Highest score that ever won: {value} ({names})"),
    "largest lead": N_("Largest lead so far: {value} ({names})"),
    "longest game": N_("Longest game so far: {value} minutes"),
    "shortest game": N_("Shortest game so far: {value} minutes"),
}


def evening_page(games: Sequence[PastGame], past: Iterable[PastGame], people: People, code: str = "en") -> str:
    """The page of an evening with these games, in this language. `past`: all games, for records and streaks."""
    language = load(code)
    _ = language.text
    when = datetime.fromtimestamp(games[0].begun_at, UTC).astimezone()
    title = _("Evening of {day}", day=_day(when, _))
    body = "\n".join(_sections(games, list(past), people, language))
    return (
        f'<!doctype html>\n<html lang="{escape(code)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _day(when: datetime, _: Translate) -> str:
    months = (
        *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July"), _("August")),
        *(_("September"), _("October"), _("November"), _("December")),
    )
    return _("{day} {month} {year}", day=when.day, month=months[when.month - 1], year=str(when.year))


def _sections(games: Sequence[PastGame], past: Sequence[PastGame], people: People, language: Language) -> Iterator[str]:
    _ = language.text
    for game in games:
        yield from _game(game, people, language)
        before = [each for each in past if each.ended_at < game.ended_at or each.id == game.id]
        yield from _special(game, counted(before, people), language)
        if game.finished:
            link = escape(bg_stats_link(game, people))
            yield f'<p><a class="button" href="{link}">{escape(_("Open in BG Stats"))}</a></p>'


def _game(game: PastGame, people: People, language: Language) -> Iterator[str]:
    _ = language.text
    seats = sorted(
        ((_person(game, seat, people, _), seat) for seat in game.seats),
        key=lambda pair: (pair[1].rank, pair[1].score if game.lowest_wins else -pair[1].score),
    )
    yield f"<h2>{escape(discovery.title(game.game))}</h2>"
    if not game.finished:
        yield f"<p>{escape(_('This game was not finished.'))}</p>"
        return
    won = _won(game, [person.name for person, seat in seats if seat.won], language)
    yield f"<p>{escape(won)} {escape(_('It took {count:minute|minutes}.', count=round(game.seconds / 60)))}</p>"
    if game.lowest_wins:
        yield f"<p>{escape(_('The fewest points win.'))}</p>"
    yield _chart(_bars(game, people, _), _("Points"))
    heads = (_("Rank"), _("Player"), _("Points"), _("Thinking time"))
    rows = [(str(seat.rank), person.name, numeral(seat.score), _clock(seat.thought_s)) for person, seat in seats]
    if len(game.teams) == 1:  # no player is ahead of another
        yield _table(heads[1:], [row[1:] for row in rows], words=(0,))
    else:
        yield _table(heads, rows, words=(1, 0))
    yield from _tallies(game, seats, language)


def _person(game: PastGame, seat: PastSeat, people: People, _: Translate) -> Person:
    return (
        Person("", _("{name} (simulated)", name=seat.name)) if seat.simulated else people.who(game.evening, seat.name)
    )


def _won(game: PastGame, winners: Sequence[str], language: Language) -> str:
    _, names = language.text, language.listed(winners)
    match outcome_of([number for number, seat in enumerate(game.seats) if seat.won], game.teams):
        case "one":
            return _("{names} has won.", names=names)
        case "team":
            return _("{names} have won.", names=names)
        case "won together":
            return _("Won together.")
        case "lost together":
            return _("Lost together.")
    return _("{names} share the victory.", names=names)


def _clock(seconds: float) -> str:
    return f"{round(seconds) // 60}:{round(seconds) % 60:02}"


def _tallies(game: PastGame, seats: Sequence[tuple[Person, PastSeat]], language: Language) -> Iterator[str]:
    labels = sorted({label for seat in game.seats for label in seat.tallies})
    if labels:
        _ = language.text
        words = load(language.code, texts_of(game.game).folder) if game.game in discovery.names() else language
        heads = (_("In this game"), *(person.name for person, _seat in seats))
        rows = [(words.text(label), *(numeral(seat.tallies.get(label, 0)) for _who, seat in seats)) for label in labels]
        yield _table(heads, rows, words=(0,))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[int]) -> str:
    """Columns are numbers, but for those in `words`."""

    def cell(tag: str, column: int, text: str) -> str:
        kind = "" if column in words else ' class="number"'
        scope = ' scope="col"' if tag == "th" else ""
        return f"<{tag}{scope}{kind}>{escape(text)}</{tag}>"

    lines = ["".join(cell("th", column, text) for column, text in enumerate(heads))]
    lines += ["".join(cell("td", column, text) for column, text in enumerate(row)) for row in rows]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    scrolls = f'<div class="wide" tabindex="0" role="group" aria-label="{escape(heads[words[0]])}">'  # also by keys
    return f"{scrolls}<table>\n{body}\n</table></div>"


def _bars(game: PastGame, people: People, _: Translate) -> list[tuple[str, PastSeat]]:
    """The name and the points of each player or team, the best first."""
    found = []
    for side in sides(game.teams, len(game.seats)):
        names = [_person(game, game.seats[seat], people, _).name for seat in side]
        found.append((_("together") if len(game.teams) == 1 else " & ".join(names), game.seats[side[0]]))
    return sorted(found, key=lambda bar: (bar[1].rank, bar[1].score if game.lowest_wins else -bar[1].score))


def _chart(shown: Sequence[tuple[str, PastSeat]], title: str) -> str:
    """A bar for each player or team, as SVG. The table below has the same numbers for those who cannot see it."""
    best = max(1, *(seat.score for _, seat in shown))
    bars = []
    for place, (name, seat) in enumerate(shown):
        width = round(190 * max(seat.score, 0) / best)
        kind = ' class="won"' if seat.won else ""
        middle = 28 * place + 19
        bars.append(
            f'<text x="0" y="{middle}">{escape(name)}</text>'
            f'<rect{kind} x="125" y="{28 * place + 4}" width="{width}" height="20"/>'
            f'<text x="{131 + width}" y="{middle}">{numeral(seat.score)}</text>'
        )
    return (
        f'<svg viewBox="0 0 360 {28 * len(shown)}" role="img" aria-label="{escape(title)}">' + "".join(bars) + "</svg>"
    )


def _special(game: PastGame, so_far: Sequence[CountedGame], language: Language) -> Iterator[str]:
    """Records that this game broke, and victories in a row."""
    _ = language.text
    new = next((each for each in so_far if each.past.id == game.id), None)
    if new is None:
        return
    lines = [_record(record, language) for record in broken_records(so_far, new)]
    for person in new.winners:
        own = [each.share(person) > 0 for each in so_far if person in each.people]
        row, _longest = streaks(own)
        if row > 2:
            lines.append(_("{name} has won {count} games in a row.", name=person.name, count=row))
    if lines:
        yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _record(record: Record, language: Language) -> str:
    value = record.value / 60 if "game" in record.what else record.value
    names = language.listed([person.name for person in record.people])
    return language.text(RECORDS[record.what], value=round(value), names=names)

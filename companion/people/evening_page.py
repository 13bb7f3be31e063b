"""An evening as one web page: results, what was special, and links for BG Stats. It loads nothing, so it can be sent by
mail, opened without a network and printed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from textwrap import wrap

from msgspec import Struct

from companion.gamekit import discovery
from companion.gamekit.parts import texts_of
from companion.language.facts import Translate
from companion.language.screen_language import load
from companion.language.wording import Language, numeral
from companion.people.past_games import PastGame, PastSeat
from companion.people.persons import People, Person
from companion.people.play_files import bg_stats_link
from companion.people.recap import GameCourse, recap_lines

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
BAR = 28
"""Pixels for a player in a chart."""
PICTURE_WIDTH = 640
PICTURE_LETTERS = 84
"""How many letters of a sentence fit into a picture's line."""


class EveningResults(Struct, frozen=True):
    """The games of an evening, and what they are compared with."""

    games: Sequence[PastGame]
    past: Sequence[PastGame]
    """All games, for records and victories in a row."""
    people: People
    courses: Mapping[str, GameCourse] = {}
    """How the games went, by their ids."""

    def recap(self, game: PastGame, language: Language) -> list[str]:
        """What was special about one of the games, a sentence each."""
        before = [each for each in self.past if each.ended_at < game.ended_at or each.id == game.id]
        return list(recap_lines(game, self.courses.get(game.id), before, self.people, language))


def evening_page(evening: EveningResults, code: str = "en") -> str:
    """The page of an evening, in this language."""
    language = load(code)
    _ = language.text
    when = datetime.fromtimestamp(evening.games[0].begun_at, UTC).astimezone()
    title = _("Evening of {day}", day=_day(when, _))
    body = "\n".join(_sections(evening, language))
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


def _sections(evening: EveningResults, language: Language) -> Iterator[str]:
    _, people = language.text, evening.people
    for game in evening.games:
        yield from _game(game, people, language)
        lines = evening.recap(game, language)
        if lines:
            yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
        if game.finished:
            link = escape(bg_stats_link(game, people))
            yield f'<p><a class="button" href="{link}">{escape(_("Open in BG Stats"))}</a></p>'


def _game(game: PastGame, people: People, language: Language) -> Iterator[str]:
    _ = language.text
    seats = _ranked(game, people, _)
    yield f"<h2>{escape(discovery.title(game.game))}</h2>"
    if not game.finished:
        yield f"<p>{escape(_('This game was not finished.'))}</p>"
        return
    took = _("It took {count:minute|minutes}.", count=round(game.seconds / 60))
    yield f"<p>{escape(_won(seats, language))} {escape(took)}</p>"
    yield _chart(seats, _("Points"))
    heads = (_("Rank"), _("Player"), _("Points"), _("Thinking time"))
    rows = [(str(seat.rank), person.name, numeral(seat.score), _clock(seat.thought_s)) for person, seat in seats]
    yield _table(heads, rows, words=(1, 0))
    yield from _tallies(game, seats, language)


def _ranked(game: PastGame, people: People, _: Translate) -> list[tuple[Person, PastSeat]]:
    seats = ((_person(game, seat, people, _), seat) for seat in game.seats)
    return sorted(seats, key=lambda pair: (pair[1].rank, -pair[1].score))


def _person(game: PastGame, seat: PastSeat, people: People, _: Translate) -> Person:
    return (
        Person("", _("{name} (simulated)", name=seat.name)) if seat.simulated else people.who(game.evening, seat.name)
    )


def _won(seats: Sequence[tuple[Person, PastSeat]], language: Language) -> str:
    _ = language.text
    winners = [person.name for person, seat in seats if seat.won]
    if len(winners) == 1:
        return _("{names} has won.", names=winners[0])
    return _("{names} share the victory.", names=language.listed(winners))


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


def _chart(seats: Sequence[tuple[Person, PastSeat]], title: str) -> str:
    """A bar for each player, as SVG. The table below has the same numbers for those who cannot see it."""
    size = f"0 0 360 {BAR * len(seats)}"
    return f'<svg viewBox="{size}" role="img" aria-label="{escape(title)}">{"".join(_bars(seats))}</svg>'


def _bars(seats: Sequence[tuple[Person, PastSeat]]) -> Iterator[str]:
    best = max(1, *(seat.score for _, seat in seats))
    for place, (person, seat) in enumerate(seats):
        width = round(190 * max(seat.score, 0) / best)
        kind = ' class="won"' if seat.won else ""
        middle = BAR * place + 19
        yield (
            f'<text x="0" y="{middle}">{escape(person.name)}</text>'
            f'<rect{kind} x="125" y="{BAR * place + 4}" width="{width}" height="20"/>'
            f'<text x="{131 + width}" y="{middle}">{numeral(seat.score)}</text>'
        )


# --- A picture ------------------------------------------------------------------------------------------------

PICTURE_STYLE = """
svg { background: #fff } text { font: 14px system-ui, sans-serif; fill: #1d2530 } .title { font-size: 22px }
.game { font-size: 17px; font-weight: 600 } rect { fill: #2c6e9b } rect.won { fill: #a5541c } .paper { fill: #fff }
"""


def evening_picture(evening: EveningResults, code: str = "en") -> str:
    """The finished games of an evening as one picture (SVG): who won, the points, and what was special."""
    language, people = load(code), evening.people
    _ = language.text
    title = _("Evening of {day}", day=_day(datetime.fromtimestamp(evening.games[0].begun_at, UTC).astimezone(), _))
    drawn, y = [f'<text class="title" x="24" y="44">{escape(title)}</text>'], 60
    for game in evening.games:
        if not game.finished:
            continue
        seats = _ranked(game, people, _)
        heading = f"{discovery.title(game.game)}: {_won(seats, language)}"
        drawn.append(f'<text class="game" x="24" y="{y + 28}">{escape(heading)}</text>')
        drawn.append(f'<g transform="translate(24 {y + 40})">{"".join(_bars(seats))}</g>')
        y += 40 + BAR * len(seats)
        for line in evening.recap(game, language):
            for part in wrap(line, PICTURE_LETTERS):
                y += 20
                drawn.append(f'<text x="24" y="{y}">{escape(part)}</text>')
        y += 16
    body = "\n".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {y + 16}" width="{PICTURE_WIDTH}" '
        f'height="{y + 16}" lang="{escape(code)}">\n<title>{escape(title)}</title>\n<style>{PICTURE_STYLE}</style>\n'
        f'<rect class="paper" width="100%" height="100%"/>\n{body}\n</svg>\n'
    )

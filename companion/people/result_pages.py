"""Results as web pages: an evening, and all that was ever played here; and an evening as one picture. They load
nothing, so they can be sent by mail, opened without a network and printed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from textwrap import wrap

from msgspec import Struct

from companion.errors import JournalError, UsageError
from companion.gamekit import discovery
from companion.gamekit.ending import outcome_of, sides
from companion.gamekit.parts import texts_of
from companion.home.paths import earlier_plays_path, evenings_folder, past_games_path, people_path
from companion.language.facts import Translate
from companion.language.screen_language import load
from companion.language.wording import Language, numeral, plain
from companion.people.past_games import PastGame, PastGames, PastSeat, fold_evening, past_games
from companion.people.persons import People, Person, load_people
from companion.people.play_files import bg_stats_link
from companion.people.ratings import SETTLED_GAMES, ratings
from companion.people.recap import GameCourse, courses, recap_lines, record_line
from companion.people.statistics import PersonTable, counted, game_tables, person_tables

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
@media print { a.button, .back { display: none } body { max-width: none } }
"""
BAR = 28
"""Pixels for a player in a chart."""
LABEL = 15
"""Letters of a name that fit beside its bar."""
MOST_PEOPLE = 40
"""More do not fit on a page that is read on a phone."""
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
    return _page(_title(evening, language), code, _sections(evening, language))


def results_page(evening: EveningResults, code: str = "en") -> str:
    """For the phones of a table: the page of an evening, and below it who leads in all games that were ever played
    here. The code of a result leads to its heading."""
    language = load(code)
    _ = language.text
    title = _title(evening, language) if evening.games else _("Results")
    back = f'<p class="back"><a href="/">{escape(_("Back to the table"))}</a></p>'
    return _page(title, code, (*_sections(evening, language), *_standings(evening, language), back))


def results_of(journal: Path, code: str, most_bytes: int) -> str:
    """The page of the evening in this journal, with all games of its owner. What cannot be read is left out (`companion
    stats` says why), and so are all games if the page would be longer."""
    people, past = People(), PastGames(())
    with suppress(UsageError, JournalError):
        people = load_people(people_path())
        past = past_games(evenings_folder(), past_games_path(), earlier_plays_path())
    evening = EveningResults((), past.games, people)
    with suppress(JournalError):
        folded = fold_evening(journal)
        evening = EveningResults(folded.games, past.games, people, courses(folded))
    page = results_page(evening, code)
    return page if len(page.encode()) <= most_bytes or not evening.games else evening_page(evening, code)


def _title(evening: EveningResults, language: Language) -> str:
    _, when = language.text, datetime.fromtimestamp(evening.games[0].begun_at, UTC).astimezone()
    return _("Evening of {day}", day=_day(when, _))


def _page(title: str, code: str, sections: Iterable[str]) -> str:
    body = "\n".join(sections)
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
    yield f'<h2 id="game-{game.number}">{escape(discovery.title(game.game))}</h2>'
    if not game.finished:
        yield f"<p>{escape(_('This game was not finished.'))}</p>"
        return
    took = _("It took {count:minute|minutes}.", count=round(game.seconds / 60))
    yield f"<p>{escape(_won(game, seats, language))} {escape(took)}</p>"
    yield _chart(_by_side(game, people, _), _("Points"))
    heads = (_("Rank"), _("Player"), _("Points"), _("Thinking time"))
    rows = [(str(seat.rank), person.name, numeral(seat.score), _clock(seat.thought_s)) for person, seat in seats]
    if len(game.teams) == 1:  # no player is ahead of another
        yield _table(heads[1:], [row[1:] for row in rows], words=(0,))
    else:
        yield _table(heads, rows, words=(1, 0))
    yield from _tallies(game, seats, language)


# --- All games ------------------------------------------------------------------------------------------------


def _standings(evening: EveningResults, language: Language) -> Iterator[str]:
    """Who leads, and each game's records."""
    _ = language.text
    games = counted(evening.past, evening.people)
    if not games:
        return
    tables, rated = person_tables(games), {rating.person.id: rating for rating in ratings(games).table}
    yield f"<h2>{escape(_('All games: {count:game|games}', count=len(games)))}</h2>"
    yield _shares(tables, _("Victories, in percent; the line is chance"))
    heads, point = (_("Player"), _("Games"), _("Won"), _("By chance"), _("Rating")), _(".", "decimal point")
    rows = [
        (
            table.person.label,
            numeral(table.games),
            f"{table.wins:.1f}".replace(".", point),
            f"{table.expected:.1f}".replace(".", point),
            str(rated.get(table.person.id, "")).replace(".", point),
        )
        for table in tables[:MOST_PEOPLE]
    ]
    yield _table(heads, rows, words=(0,))
    note = _("A rating is a band until a person has played {count} games.", count=SETTLED_GAMES)
    yield f"<p>{escape(note)}</p>"
    for table in game_tables(games):
        count = _("{count:game|games}", count=table.games)
        yield f"<h3>{escape(discovery.title(table.game))}: {escape(count)}</h3>"
        if table.games > 1:  # every first game is a record
            lines = [record_line(record, language) for record in table.records]
            yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _shares(tables: Sequence[PersonTable], title: str) -> str:
    """Each person's victories as a bar, with a line for what chance would give."""
    drawn = []
    for place, table in enumerate(tables[:MOST_PEOPLE]):
        top, share, chance = BAR * place, table.wins / table.games, table.expected / table.games
        mark = 125 + round(190 * chance)
        drawn.append(
            f"{_swatch(table.person, top + 14)}"
            f'<text x="18" y="{top + 19}">{escape(plain(table.person.label, LABEL))}</text>'
            f'<rect x="125" y="{top + 4}" width="{round(190 * share)}" height="20"/>'
            f'<path d="M{mark} {top + 1}v26" stroke="currentColor" stroke-width="2"/>'
            f'<text x="325" y="{top + 19}">{round(100 * share)}</text>'
        )
    size = f"0 0 360 {BAR * len(drawn)}"
    return f'<svg viewBox="{size}" role="img" aria-label="{escape(title)}">{"".join(drawn)}</svg>'


def _swatch(person: Person, middle: int) -> str:
    """Their colour, if browsers know one of that name."""
    if not re.fullmatch("[A-Za-z]{3,24}", person.colour):
        return ""
    return f'<circle cx="7" cy="{middle}" r="6" fill="{person.colour.lower()}" stroke="currentColor"/>'


# --- A game ---------------------------------------------------------------------------------------------------


def _ranked(game: PastGame, people: People, _: Translate) -> list[tuple[Person, PastSeat]]:
    seats = ((_person(game, seat, people, _), seat) for seat in game.seats)
    return sorted(seats, key=lambda pair: (pair[1].rank, pair[1].score if game.lowest_wins else -pair[1].score))


def _person(game: PastGame, seat: PastSeat, people: People, _: Translate) -> Person:
    return (
        Person("", _("{name} (simulated)", name=seat.name)) if seat.simulated else people.who(game.evening, seat.name)
    )


def _won(game: PastGame, seats: Sequence[tuple[Person, PastSeat]], language: Language) -> str:
    _ = language.text
    won = _winners(game, language.listed([person.name for person, seat in seats if seat.won]), _)
    return f"{won} {_('The fewest points win.')}" if game.lowest_wins else won


def _winners(game: PastGame, names: str, _: Translate) -> str:
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


def _by_side(game: PastGame, people: People, _: Translate) -> list[tuple[Person, PastSeat]]:
    """Each player, or each team by the names of its players, the best first."""
    named = [_person(game, seat, people, _).name for seat in game.seats]
    found = []
    for side in sides(game.teams, len(game.seats)):
        names = _("together") if len(game.teams) == 1 else " & ".join(named[seat] for seat in side)
        found.append((Person("", names), game.seats[side[0]]))
    return sorted(found, key=lambda pair: (pair[1].rank, pair[1].score if game.lowest_wins else -pair[1].score))


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
            f'<text x="0" y="{middle}">{escape(plain(person.name, LABEL))}</text>'
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
    title = _title(evening, language)
    drawn, y = [f'<text class="title" x="24" y="44">{escape(title)}</text>'], 60
    for game in evening.games:
        if not game.finished:
            continue
        seats = _by_side(game, people, _)
        heading = f"{discovery.title(game.game)}: {_won(game, _ranked(game, people, _), language)}"
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

"""The results of an evening as a web page, and as one picture."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from textwrap import wrap

from msgspec import Struct

from companion.gamekit import discovery
from companion.gamekit.ending import outcome_of, sides
from companion.gamekit.parts import texts_of
from companion.language.facts import Translate
from companion.language.screen_language import load, speaking
from companion.language.wording import Language, numeral, plain
from companion.people.analysis_report import MOST_DECISIONS, figure, sections
from companion.people.game_analysis import GameAnalysis
from companion.people.page_parts import BAR, LABEL, chart, clock, day_words, listing, page, table
from companion.people.past_games import PastGame, PastSeat
from companion.people.persons import People, Person
from companion.people.play_files import bg_stats_link
from companion.people.recap import GameCourse, recap_lines

PICTURE_WIDTH = 640
PICTURE_LETTERS, HEADING_LETTERS = 72, 54
"""How many letters of a sentence and of a heading fit into a picture's line, also in a wide font."""


class EveningResults(Struct, frozen=True):
    """The games of an evening, and what they are compared with."""

    games: Sequence[PastGame]
    past: Sequence[PastGame]
    """All games, for records and victories in a row."""
    people: People
    courses: Mapping[str, GameCourse] = {}
    """How the games went, by their ids."""
    analyses: Mapping[str, GameAnalysis] = {}
    """What was found when the games were looked at again, by their ids."""
    is_awaited: bool = False
    """The analysis of the newest game is being made."""

    def recap(self, game: PastGame, language: Language) -> list[str]:
        """What was special about one of the games, a sentence each."""
        before = [each for each in self.past if each.ended_at < game.ended_at or each.id == game.id]
        return list(recap_lines(game, self.courses.get(game.id), before, self.people, language))


def evening_page(evening: EveningResults, code: str = "en") -> str:
    """The page of an evening, in this language."""
    language = load(code)
    return page(evening_title(evening, language), code, evening_sections(evening, language))


def evening_title(evening: EveningResults, language: Language) -> str:
    _ = language.text
    return _("Evening of {day}", day=day_words(evening.games[0].begun_at, _))


def evening_sections(evening: EveningResults, language: Language) -> Iterator[str]:
    _, people = language.text, evening.people
    for game in evening.games:
        yield from _game(game, people, language)
        lines = evening.recap(game, language)
        if lines:
            yield listing(lines)
        yield from _analysis(evening, game, language)
        if game.finished:
            link = escape(bg_stats_link(game, people))
            yield f'<p><a class="button" href="{link}">{escape(_("Open in BG Stats"))}</a></p>'


def _analysis(evening: EveningResults, game: PastGame, language: Language) -> Iterator[str]:
    """Folded up: who was likely to win when, and what each player could have done better."""
    _ = language.text
    analysis, course = evening.analyses.get(game.id), evening.courses.get(game.id)
    if analysis is not None and course is not None:
        with speaking(language.code):
            curves, *others = sections(analysis, course.played, most=MOST_DECISIONS)
            drawn = figure(analysis, course.played)
        told = "".join(f"<h3>{escape(each.title)}</h3>{listing(each.lines)}" for each in others)
        summary = escape(_("Analysis: what else could you have done?"))
        yield f"<details><summary>{summary}</summary><h3>{escape(curves.title)}</h3>{drawn}{told}</details>"
    elif evening.is_awaited and game is evening.games[-1]:
        yield f"<p>{escape(_('This game is being analysed. Open this page again in a minute.'))}</p>"


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
    rows = [(str(seat.rank), person.name, numeral(seat.score), clock(seat.thought_s)) for person, seat in seats]
    if len(game.teams) == 1:  # no player is ahead of another
        yield table(heads[1:], [row[1:] for row in rows], words=(0,))
    else:
        yield table(heads, rows, words=(1, 0))
    yield from _tallies(game, seats, language)


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


def _tallies(game: PastGame, seats: Sequence[tuple[Person, PastSeat]], language: Language) -> Iterator[str]:
    labels = sorted({label for seat in game.seats for label in seat.tallies})
    if labels:
        _ = language.text
        words = load(language.code, texts_of(game.game).folder) if game.game in discovery.names() else language
        heads = (_("In this game"), *(person.name for person, _seat in seats))
        rows = [(words.text(label), *(numeral(seat.tallies.get(label, 0)) for _who, seat in seats)) for label in labels]
        yield table(heads, rows, words=(0,))


def _chart(seats: Sequence[tuple[Person, PastSeat]], title: str) -> str:
    """A bar for each player, as SVG. The table below has the same numbers for those who cannot see it."""
    return chart(BAR * len(seats), title, _bars(seats))


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
    title = evening_title(evening, language)
    drawn, y = [f'<text class="title" x="24" y="44">{escape(title)}</text>'], 60
    for game in evening.games:
        if not game.finished:
            continue
        seats = _by_side(game, people, _)
        heading = f"{discovery.title(game.game)}: {_won(game, _ranked(game, people, _), language)}"
        for part in wrap(heading, HEADING_LETTERS):
            drawn.append(f'<text class="game" x="24" y="{y + 28}">{escape(part)}</text>')
            y += 22
        y -= 22
        drawn.append(f'<g transform="translate(24 {y + 40})">{"".join(_bars(seats))}</g>')
        y += 40 + BAR * len(seats)
        for line in evening.recap(game, language):
            y += 4
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

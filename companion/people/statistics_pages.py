"""Statistics as web pages, for the phones of a table: everything that was ever played here, by person, game and period.
A form chooses; there is no script."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from msgspec import Struct, structs

from companion.errors import JournalError, UsageError
from companion.gamekit import discovery
from companion.gamekit.ending import best_total
from companion.gamekit.parts import texts_of
from companion.home.paths import earlier_plays_path, evenings_folder, past_games_path, people_path
from companion.language.facts import N_
from companion.language.screen_language import load
from companion.language.wording import Language, numeral, plain
from companion.messages.phone_access import ResultsWish
from companion.people.analysis_files import analyses_of
from companion.people.page_parts import amount, curve, day_words, decimal, listing, page, shares, table
from companion.people.past_games import PastGames, day, fold_evening, past_games
from companion.people.persons import People, Person, load_people
from companion.people.ratings import SETTLED_GAMES, Rating, Ratings, ratings
from companion.people.recap import courses, record_line
from companion.people.result_pages import EveningResults, evening_page, evening_sections, evening_title
from companion.people.statistics import (
    CountedGame,
    GameTable,
    PersonTable,
    Selection,
    StartAdvantage,
    counted,
    game_tables,
    h_index,
    lowest_wins,
    person_tables,
)

MOST_PEOPLE = 40
"""More do not fit on a page that is read on a phone."""
MOST_CHOICES = 300
"""People in the form: those who have played most."""
MOST_COLUMNS = 8
"""People in a game's own table."""
LAST_CHANGES = 10
NAME = 60


def results_of(
    journal: Path, wish: ResultsWish, most_bytes: int, analyse: Callable[[int], object] | None = None
) -> str:
    """The page that a phone of this evening asks for. What cannot be read is left out (`companion stats` says why). If
    the page of the evening would be longer, all other games are left out. `analyse`: begins to analyse the game of this
    number; the page says so."""
    people, past = People(), PastGames(())
    with suppress(UsageError, JournalError):
        people = load_people(people_path())
        past = past_games(evenings_folder(), past_games_path(), earlier_plays_path())
    evening = EveningResults((), past.games, people)
    if not wish.is_of_all:
        return statistics_page(evening, wish)
    with suppress(JournalError):
        folded = fold_evening(journal)
        analyses, missing = analyses_of(journal, folded)
        if missing and analyse is not None:
            analyse(missing)
        awaited = bool(missing) and analyse is not None
        evening = EveningResults(folded.games, past.games, people, courses(folded), analyses, awaited)
    text = results_page(evening, wish.language)
    return text if len(text.encode()) <= most_bytes or not evening.games else evening_page(evening, wish.language)


def results_page(evening: EveningResults, code: str = "en") -> str:
    """The page of an evening, and below it who leads in all games that were ever played here. The code of a result
    leads to its heading."""
    language, wish = load(code), ResultsWish(code)
    _ = language.text
    title = evening_title(evening, language) if evening.games else _("Results")
    games = counted(evening.past, evening.people)
    sections = _Sections(language, wish, games, games)
    below = (*sections.of_all(), *sections.form()) if games else ()
    return page(title, code, (*evening_sections(evening, language), *below, _back(language)))


def statistics_page(evening: EveningResults, wish: ResultsWish) -> str:
    """Of a person, a game, a period, or of all that are named."""
    language = load(wish.language)
    _ = language.text
    everything = counted(evening.past, evening.people)
    games = counted(evening.past, evening.people, Selection(wish.game, wish.since, wish.until))
    sections = _Sections(language, wish, everything, games)
    person = next((each for game in games for each in game.people if _id(each) == wish.person), None)
    named = [person.label] if person else []
    named += [discovery.title(wish.game)] if wish.game and games else []
    if not games or (wish.person and person is None):
        body = [f"<p>{escape(_('No finished game fits.'))}</p>"]
    else:
        body = [*(sections.of_person(person) if person else sections.of_all())]
    all_results = (
        f'<p class="back"><a href="{escape(link(ResultsWish(wish.language)))}">{escape(_("All results"))}</a></p>'
    )
    title = ": ".join(named) or _("Statistics")
    return page(title, wish.language, (*body, *sections.form(), all_results, _back(language)))


def link(wish: ResultsWish) -> str:
    """Where this page is."""
    return "/results?" + urlencode({name: value for name, value in structs.asdict(wish).items() if value})


def _back(language: Language) -> str:
    _ = language.text
    return f'<p class="back"><a href="/">{escape(_("Back to the table"))}</a></p>'


def _id(person: Person) -> str:
    """As it stands in a link."""
    return plain(person.id, NAME)


class _Sections(Struct, frozen=True):
    """The parts of a page."""

    language: Language
    wish: ResultsWish
    everything: Sequence[CountedGame]
    games: Sequence[CountedGame]
    """Those that are selected."""

    # --- Choosing ---------------------------------------------------------------------------------------------

    def form(self) -> Iterator[str]:
        _, wish = self.language.text, self.wish
        met = Counter((each.label, _id(each)) for game in self.everything for each in game.people)
        people = sorted(each for each, _games in met.most_common(MOST_CHOICES))
        played = sorted({(discovery.title(game.past.game), game.past.game) for game in self.everything})
        yield f'<form action="/results"><input type="hidden" name="language" value="{escape(wish.language)}">'
        yield _choice("person", _("Player"), _("all players"), [(id_, label) for label, id_ in people], wish.person)
        yield _choice("game", _("Game"), _("all games"), [(name, title) for title, name in played], wish.game)
        for name, label, value in (("since", _("From"), wish.since), ("until", _("Until"), wish.until)):
            yield f'<label>{escape(label)} <input type="date" name="{name}" value="{escape(value)}"></label>'
        yield f"<button>{escape(_('Show statistics'))}</button></form>"

    def _heading(self) -> str:
        """How many games are selected; of a selection, also when they were played."""
        _ = self.language.text
        if self.wish.is_of_all:
            return _("All games: {count:game|games}", count=len(self.games))
        first, last = (day_words(self.games[at].past.ended_at, _) for at in (0, -1))
        return _("{count:game|games}, from {first} to {last}", count=len(self.games), first=first, last=last)

    def _link(self, **selected: str) -> str:
        return link(structs.replace(self.wish, **selected))

    # --- All people -------------------------------------------------------------------------------------------

    def of_all(self) -> Iterator[str]:
        """Who leads, and each game."""
        _ = self.language.text
        tables, rated = person_tables(self.games), _rated(ratings(self.games))
        yield f"<h2>{escape(self._heading())}</h2>"
        bars = [(table.person, *_of_one(table)) for table in tables[:MOST_PEOPLE]]
        yield shares(bars, _("Victories, in percent; the line is chance"))
        rows = [
            (
                table.person.label,
                numeral(table.games),
                decimal(table.wins, self.language),
                decimal(table.expected, self.language),
                self._rating(rated.get(table.person.id)),
            )
            for table in tables[:MOST_PEOPLE]
        ]
        heads = (_("Player"), _("Games"), _("Won"), _("By chance"), _("Rating"))
        yield table(heads, rows, (0,), [self._link(person=_id(each.person)) for each in tables[:MOST_PEOPLE]])
        yield f"<p>{escape(_('A rating is a band until a person has played {count} games.', count=SETTLED_GAMES))}</p>"
        if not self.wish.game:
            index = h_index(each.games for each in game_tables(self.games))
            yield f"<p>{escape(_('H-index: {number}.', number=index))}</p>"
        for each in game_tables(self.games):
            yield from self._game(each) if self.wish.game else self._records(each)

    def _rating(self, rating: Rating | None) -> str:
        _ = self.language.text
        return str(rating or "").replace(".", _(".", "decimal point"))

    # --- A game -----------------------------------------------------------------------------------------------

    def _records(self, found: GameTable) -> Iterator[str]:
        _ = self.language.text
        count = _("{count:game|games}", count=found.games)
        title = f'<a href="{escape(self._link(game=found.game))}">{escape(discovery.title(found.game))}</a>'
        yield f"<h3>{title}: {escape(count)}</h3>"
        if found.games > 1:  # every first game is a record
            yield listing(record_line(record, self.language) for record in found.records)

    def _game(self, found: GameTable) -> Iterator[str]:
        """Scores, the start player, records, and the game's own table."""
        _, language = self.language.text, self.language
        lines = []
        if found.seconds:
            lines.append(_("A game takes {minutes} minutes on average.", minutes=round(found.seconds / 60)))
        if found.won_together is not None:
            lines.append(_("Won together: {won} of {games}.", won=found.won_together, games=found.games))
        lines += self._start(found.start, N_("The start player won {wins} of {games} games, by chance {chance}."))
        lines += [record_line(record, language) for record in found.records if found.games > 1]
        yield listing(lines)
        heads = (_("Players"), _("Games"), _("Mean"), _("Winners"), _("Lowest") if found.lowest_wins else _("Highest"))
        rows = [
            (
                numeral(each.players),
                numeral(each.games),
                decimal(each.mean, language),
                "" if each.winning is None else decimal(each.winning, language),
                numeral(each.best),
            )
            for each in found.scores
        ]
        yield f"<h3>{escape(_('Points'))}</h3>"
        yield table(heads, rows, (0,))
        if found.tallies:
            yield f"<h3>{escape(_('On average in a game'))}</h3>"
            people = [each.person for each in person_tables(self.games)][:MOST_COLUMNS]
            means = [(self._label(found.game, line.label), dict(line.means)) for line in found.tallies]
            own = [
                (label, *(decimal(mean[who], language) if who in mean else "" for who in people))
                for label, mean in means
            ]
            yield table((_("In this game"), *(each.label for each in people)), own, (0,))

    def _start(self, start: StartAdvantage, message: str) -> list[str]:
        if not start.games:
            return []
        chance = amount(start.expected, self.language)
        wins = amount(start.wins, self.language)
        return [self.language.text(message, wins=wins, games=start.games, chance=chance)]

    def _label(self, game: str, label: str) -> str:
        """A line of the game's own table, in its own words."""
        if game not in discovery.names():
            return label
        return load(self.language.code, texts_of(game).folder).text(label)

    # --- A person ---------------------------------------------------------------------------------------------

    def of_person(self, person: Person) -> Iterator[str]:
        """Their habits, opponents, games and ratings."""
        _ = self.language.text
        found = next(each for each in person_tables(self.games) if each.person == person)
        yield f"<h2>{escape(self._heading_of(found))}</h2>"
        yield listing(self._habits(found))
        if found.versus:
            yield f"<h2>{escape(_('Against the others'))}</h2>"
            bars = [(each.person, each.better / each.games, 0.5) for each in found.versus[:MOST_PEOPLE]]
            yield shares(bars, _("Games in which {name} was ahead, in percent; the line is half", name=person.name))
            rows = [
                (each.person.label, *map(numeral, (each.games, each.better, each.equal, each.worse)))
                for each in found.versus[:MOST_PEOPLE]
            ]
            links = [self._link(person=_id(each.person)) for each in found.versus[:MOST_PEOPLE]]
            yield table((_("Player"), _("Games"), _("Ahead"), _("Level"), _("Behind")), rows, (0,), links)
        yield from self._games_of(person)
        yield from self._changes(person, ratings(self.games))

    def _heading_of(self, found: PersonTable) -> str:
        _ = self.language.text
        return _(
            "{count:game|games}, {won} won, by chance {chance}",
            count=found.games,
            won=amount(found.wins, self.language),
            chance=amount(found.expected, self.language),
        )

    def _habits(self, found: PersonTable) -> Iterator[str]:
        _ = self.language.text
        if found.nemesis:
            other = found.nemesis
            name, worse, games = other.person.name, other.worse, other.games
            yield _("Nemesis: {name}, ahead in {worse} of {games} games.", name=name, worse=worse, games=games)
        yield _("Victories in a row: {now} now, {most} at most.", now=found.streak, most=found.longest_streak)
        yield from self._start(found.start, N_("As start player: won {wins} of {games} games, by chance {chance}."))
        yield _("Thinking time: {minutes} minutes a game.", minutes=round(found.thought_s / 60))
        minutes = round(found.seconds / 60)
        yield _("Played in all: {hours} h {minutes} min.", hours=minutes // 60, minutes=f"{minutes % 60:02}")
        yield _("H-index: {number}.", number=found.h_index)

    def _games_of(self, person: Person) -> Iterator[str]:
        _, rows, links = self.language.text, [], []
        for name in (each.game for each in game_tables([game for game in self.games if person in game.people])):
            alike = [game for game in self.games if game.past.game == name]
            own = [game for game in alike if person in game.people]
            scores = [seat.score for game in own for each, seat in game.pairs if each == person]
            won = decimal(sum(game.share(person) for game in own if game.is_contest), self.language)
            best = numeral(best_total(scores, lowest_wins(alike)))
            rating = self._rating(_rated(ratings(alike)).get(person.id))
            rows.append((discovery.title(name), numeral(len(own)), won, best, rating))
            links.append(self._link(game=name))
        yield f"<h2>{escape(_('Games'))}</h2>"
        yield table((_("Game"), _("Games"), _("Won"), _("Best"), _("Rating")), rows, (0,), links)
        if self.wish.game:
            yield from self._own_lines(person)

    def _own_lines(self, person: Person) -> Iterator[str]:
        """The game's own table: this person beside the best one."""
        _ = self.language.text
        rows = []
        for line in next(each.tallies for each in game_tables(self.games)):
            highest, most = line.means[0]
            own = decimal(dict(line.means).get(person, 0.0), self.language)
            rows.append(
                (self._label(self.wish.game, line.label), own, f"{highest.name} {decimal(most, self.language)}")
            )
        if rows:
            yield f"<h2>{escape(_('On average in a game'))}</h2>"
            yield table((_("In this game"), person.label, _("Highest")), rows, (0,))

    def _changes(self, person: Person, found: Ratings) -> Iterator[str]:
        """How the rating went, and what changed it lately."""
        _, language = self.language.text, self.language
        own = [change for change in found.changes if change.person.id == person.id]
        if not own:
            return
        rating = self._rating(_rated(found)[person.id])
        yield f"<h2>{escape(_('Rating {rating}', rating=rating))}</h2>"
        if len(own) > 1:
            yield curve([own[0].before, *(change.after for change in own)], _("The rating after each game"))
        rows = [
            (
                day(change.game.past.ended_at),
                discovery.title(change.game.past.game),
                _("{rank} of {sides}", rank=change.rank, sides=change.sides),
                f"{100 * change.chance:.0f} %",
                f"{'+' if change.after >= change.before else ''}{decimal(change.after - change.before, language)}",
            )
            for change in reversed(own[-LAST_CHANGES:])
        ]
        yield table((_("Day"), _("Game"), _("Rank"), _("Chance", "to win"), _("Change", "of a rating")), rows, (0, 1))


def _choice(name: str, label: str, every: str, options: Iterable[tuple[str, str]], chosen: str) -> str:
    shown = "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in (("", every), *options)
    )
    return f'<label>{escape(label)} <select name="{name}">{shown}</select></label>'


def _of_one(found: PersonTable) -> tuple[float, float]:
    """Victories, and what chance would give, as a share of all games."""
    return found.wins / found.games, found.expected / found.games


def _rated(found: Ratings) -> dict[str, Rating]:
    return {rating.person.id: rating for rating in found.table}

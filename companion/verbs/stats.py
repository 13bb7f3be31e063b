"""`companion stats`: who leads and why, on the terminal; imports earlier plays."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from shutil import get_terminal_size

from msgspec.structs import replace

from companion.errors import UsageError, or_rather
from companion.files import changing, load_text
from companion.gamekit import discovery
from companion.gamekit.ending import best_total
from companion.home.paths import earlier_plays_path, evenings_folder, past_games_path, people_path
from companion.language.wording import counted as counting
from companion.language.wording import indented, listed, plain
from companion.people.past_games import PastGame, day, load_earlier, past_games, store_earlier
from companion.people.persons import People, Person, load_people
from companion.people.play_files import read_plays
from companion.people.ratings import SETTLED_GAMES, Rating, Ratings, ratings
from companion.people.statistics import (
    CountedGame,
    GameTable,
    PersonTable,
    Record,
    Selection,
    TallyLine,
    counted,
    game_tables,
    h_index,
    lowest_wins,
    person_tables,
)

LENGTH = 1000
"""How many letters of a line are printed."""
BAR = 20
"""Cells of a bar, at most."""
BESIDE_PERSON, BESIDE_OPPONENT = 49, 63
"""Cells beside a bar: in the table of people, and in that of opponents."""
NAME = 16
"""Cells of a name."""
LAST_CHANGES = 5
IMPORT_BYTES = 16 * 1024 * 1024


EXAMPLES = ("companion stats --game lascaux", "companion stats Anna --since 2026-01-01")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("person", nargs="?", help="all about this person")
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--since", type=_day, metavar="DAY", help="from this day on: 2026-11-18")
    parser.add_argument("--until", type=_day, metavar="DAY", help="up to this day")
    parser.add_argument("--simulated", action="store_true", help="count games with simulated players, too")
    parser.add_argument(
        "--import", dest="imported", type=Path, metavar="FILE", help="import earlier plays (CSV, docs/statistics.md)"
    )


def _day(text: str) -> str:
    return date.fromisoformat(text).isoformat()


def run(said: Namespace) -> int:
    """Raises UsageError, JournalError."""
    if said.imported is not None:
        return _import(said.imported)
    people = load_people(people_path())
    past = past_games(evenings_folder(), past_games_path(), earlier_plays_path())
    for problem in past.problems:
        print(f"companion: {plain(problem, LENGTH)}", file=sys.stderr)
    game = _game(said.game, past.games) if said.game is not None else ""
    selection = Selection(game, said.since or "", said.until or "", said.simulated)
    games = counted(past.games, people, selection)
    if not games:
        met = {seat.name for each in past.games for seat in each.seats}
        if said.person is not None and said.person not in met and people.called(said.person) is None:
            raise UsageError(f"no game of {plain(said.person)} was played here; `companion people` lists all")
        print(_why_none(past.games, people, selection))
        return 0
    for line in _of_person(said.person, games, game) if said.person is not None else _of_all(games):
        print(indented(line, LENGTH))
    return 0


def _why_none(games: Sequence[PastGame], people: People, selection: Selection) -> str:
    """Why no game counts."""
    if counted(games, people, replace(selection, since="", until="")):
        return "No game was finished in this period."
    if counted(games, people, replace(selection, simulated=True)):
        return "Only games with simulated players were finished. `--simulated` counts them, too."
    return "No finished game yet."


def _game(name: str, games: Sequence[PastGame]) -> str:
    """A game that was played here, by its name or its title."""
    played = sorted({game.game for game in games})
    for each in played:
        if name.casefold() in (each.casefold(), discovery.title(each).casefold()):
            return each
    if not played:
        raise UsageError("no game was played here yet")
    raise UsageError(f"no game of {plain(name)} was played here, only of {listed(played)}{or_rather(name, played)}")


# --- All people -----------------------------------------------------------------------------------------------


def _of_all(games: Sequence[CountedGame]) -> Iterator[str]:
    tables, overall = person_tables(games), _rated(ratings(games))
    plays = [game.past.game for game in games]
    index = h_index(plays.count(name) for name in set(plays))
    yield (
        f"{counting(len(games), 'game')} by {counting(len(tables), 'person', 'people')}, "
        f"{day(games[0].past.ended_at)} to {day(games[-1].past.ended_at)}; H-index {index}"
    )
    yield ""
    width = _bar_width(BESIDE_PERSON)
    yield f"{'':{NAME}}  {'games':>5}  {'won':>5}  {'chance':>6}  {'':{width}}  rating"
    for table in tables:
        rating = overall.get(table.person.id, "")
        shown = bar(table.wins / table.games, table.expected / table.games, width)
        name = plain(table.person.label, NAME)
        yield f"{name:{NAME}}  {table.games:5}  {table.wins:5.1f}  {table.expected:6.1f}  {shown}  {rating!s}".rstrip()
    yield f"█ won, │ by chance; a rating is a band until {SETTLED_GAMES} games"
    for game in game_tables(games):
        yield ""
        yield from _of_game(game)


def _columns() -> int:
    return get_terminal_size().columns


def _bar_width(beside: int) -> int:
    return max(3, min(BAR, _columns() - beside))


def bar(share: float, mark: float, width: int = BAR) -> str:
    """A bar for a share of 1, with a mark."""
    full, at = round(share * width), min(round(mark * width), width - 1)
    return "".join("│" if place == at else "█" if place < full else "·" for place in range(width))


def _amount(number: float) -> str:
    """3, or 2.5"""
    return f"{number:.1f}".removesuffix(".0")


def _rated(found: Ratings) -> dict[str, Rating]:
    return {rating.person.id: rating for rating in found.table}


# --- A game ---------------------------------------------------------------------------------------------------


def _of_game(table: GameTable) -> Iterator[str]:
    took = f", {_minutes(table.seconds)} on average" if table.seconds else ""
    yield f"{discovery.title(table.game)}: {counting(table.games, 'game')}{took}"
    if table.won_together is not None:
        yield f"  won together: {table.won_together} of {table.games}"
    for each in table.scores:
        winning = f"winners {each.winning:.1f}, " if each.winning is not None else ""
        yield (
            f"  with {counting(each.players, 'player')}: mean {each.mean:.1f}, {winning}"
            f"{'lowest' if table.lowest_wins else 'highest'} {each.best} ({counting(each.games, 'game')})"
        )
    if table.start.games:
        start = table.start
        yield f"  the start player won {_amount(start.wins)} of {start.games}, by chance {_amount(start.expected)}"
    for record in table.records if table.games > 1 else ():
        yield f"  {_record(record)}"
    widest = max((len(line.label) for line in table.tallies), default=0)
    for line in table.tallies:
        yield f"  {line.label:{widest}}{_means(line, _columns() - widest - 2)}"


def _means(line: TallyLine, room: int) -> str:
    """As many people as fit, the highest first; at least one."""
    best = max((mean for _, mean in line.means), default=0.0)
    shown = ""
    for person, mean in line.means:
        more = f"  {person.name} {mean:.1f} {_short_bar(mean, best)}".rstrip()
        if shown and len(shown) + len(more) > room:
            break
        shown += more
    return shown


def _short_bar(value: float, best: float) -> str:
    return "█" * round(6 * value / best) if best > 0 < value else ""


def _record(record: Record) -> str:
    value = _minutes(record.value) if "game" in record.what else f"{record.value:.0f}"
    return f"{record.what} {value}: {listed([person.name for person in record.people])}, {day(record.at)}"


def _minutes(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"


# --- A person -------------------------------------------------------------------------------------------------


def _of_person(name: str, games: Sequence[CountedGame], game: str) -> Iterator[str]:
    """`game`: only this one is selected; "": all are."""
    person = _found(name, games)
    own = [game for game in games if person in game.people]
    table = next(table for table in person_tables(games) if table.person == person)
    won = f"{_amount(table.wins)} won, by chance {_amount(table.expected)} ({table.rate:.2f} times as many)"
    yield f"{person.label}: {counting(table.games, 'game')}, {won}"
    yield from _habits(table)
    yield ""
    yield "against"
    for versus in table.versus:
        nemesis = "  ← nemesis" if versus == table.nemesis else ""
        outcome = f"ahead {versus.better}, level {versus.equal}, behind {versus.worse}"
        shown = bar(versus.better / versus.games, 0.5, _bar_width(BESIDE_OPPONENT))
        yield f"  {plain(versus.person.label, NAME):{NAME}}  {shown}  {outcome}{nemesis}"
    yield ""
    yield f"{'games':22}  {'played':>6}  {'won':>5}  {'best':>5}  rating"
    for each in game_tables(own):
        yield _line_of_game(each.game, person, [game for game in games if game.past.game == each.game])
    if game:
        yield from _own_lines(person, games)
    yield from _changes(person, ratings(games))


def _own_lines(person: Person, games: Sequence[CountedGame]) -> Iterator[str]:
    """The game's own table: this person beside the best one."""
    (table,) = game_tables(games)
    lines = [(line, dict(line.means).get(person)) for line in table.tallies]
    widest = max((len(line.label) for line, _mean in lines), default=0)
    if lines:
        yield ""
        yield "on average"
    for line, mean in lines:
        first, highest = line.means[0]
        beside = "the highest" if first == person else f"highest: {first.name} {highest:.1f}"
        yield f"  {line.label:{widest}}  {mean or 0.0:5.1f}  {beside}"


def _found(name: str, games: Sequence[CountedGame]) -> Person:
    people = sorted({person for game in games for person in game.people}, key=lambda each: each.name)
    exactly = [person for person in people if name in (person.name, *person.names)]
    alike = [person for person in people if name.casefold() in map(str.casefold, (person.name, *person.names))]
    for person in (*exactly, *alike):
        return person
    known = listed([person.name for person in people])
    raise UsageError(f"{plain(name)} has played no game that counts here; there are {known}")


def _habits(table: PersonTable) -> Iterator[str]:
    yield f"  {counting(table.streak, 'victory', 'victories')} in a row now, {table.longest_streak} at most"
    if table.start.games:
        start = table.start
        yield f"  won {_amount(start.wins)} of {start.games} as start player, by chance {_amount(start.expected)}"
    played = f"played {_minutes(table.seconds)} in all; H-index {table.h_index}"
    yield f"  thinks {_minutes(table.thought_s)} a game; {played}"


def _line_of_game(name: str, person: Person, games: Sequence[CountedGame]) -> str:
    own = [game for game in games if person in game.people]
    scores = [seat.score for game in own for each, seat in game.pairs if each == person]
    best = best_total(scores, lowest_wins(games))
    won = sum(game.share(person) for game in own)
    rating = _rated(ratings(games)).get(person.id, "")
    return f"  {discovery.title(name):20}  {len(own):6}  {won:5.1f}  {best:5}  {rating!s}".rstrip()


def _changes(person: Person, found: Ratings) -> Iterator[str]:
    rating = _rated(found).get(person.id)
    if rating is None:
        return
    yield ""
    yield f"rating {rating}; the last changes:"
    own = [change for change in found.changes if change.person.id == person.id]
    for change in own[-LAST_CHANGES:]:
        past = change.game.past
        yield f"  {day(past.ended_at)}  {discovery.title(past.game)}: {change.reason}"


# --- Importing ------------------------------------------------------------------------------------------------


def _import(path: Path) -> int:
    """Add plays that are not known yet. Raises UsageError; then nothing has changed."""
    try:
        plays = read_plays(load_text(path, IMPORT_BYTES, "list of plays", UsageError), str(path))
        own = {game.id for game in past_games(evenings_folder(), past_games_path()).games}
        with changing(earlier_plays_path().parent):
            earlier = load_earlier(earlier_plays_path())
            known = {game.id: game for game in earlier}
            for play in plays:
                if play.id in known and not _is_same(play, known[play.id]):
                    other = f"{discovery.title(known[play.id].game)}, {day(known[play.id].begun_at)}"
                    name = f"another play is called {plain(play.evening)} here already ({other})"
                    raise UsageError(f"{path}: {name}; give this one another name. Nothing was imported")
            new = [play for play in plays if play.id not in known.keys() | own]
            store_earlier(earlier_plays_path(), [*earlier, *new])
    except FileNotFoundError:
        raise UsageError(f"{path}: this list of plays is missing: there is no such file") from None
    except OSError as error:
        raise UsageError(f"{earlier_plays_path()}: cannot keep these plays: {error.strerror}") from None
    met = len(plays) - len(new)
    skipped = f"; {met} {'was' if met == 1 else 'were'} known already" if met else ""
    print(f"Imported {counting(len(new), 'play')}{skipped}.")
    return 0


def _is_same(play: PastGame, known: PastGame) -> bool:
    """Whether it is the play that is known under this name. Players may have got other names since."""
    scores = [[seat.score for seat in each.seats] for each in (play, known)]
    return play.game == known.game and abs(play.begun_at - known.begun_at) < 1 and scores[0] == scores[1]

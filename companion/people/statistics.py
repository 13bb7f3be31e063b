"""What the results of many games say about people and games. Pure: results in, tables out.

A victory that several players share counts as a share for each of them. So all wins together are as many as the games,
and so is what chance would give: 1/n of a win to each of n players.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from msgspec import Struct

from companion.gamekit.ending import best_total
from companion.people.past_games import PastGame, PastSeat, day
from companion.people.persons import People, Person

NEMESIS_GAMES = 3
"""A nemesis is named after this many games together."""


class Selection(Struct, frozen=True):
    """Which games count."""

    game: str = ""
    since: str = ""
    """A day, 2026-11-18; so is the next. Both are included."""
    until: str = ""
    simulated: bool = False
    """Games with simulated players count, too, and those players have lines of their own."""


EVERYTHING = Selection()


class CountedGame(Struct, frozen=True):
    """A finished game, and who sat on its seats."""

    past: PastGame
    people: tuple[Person, ...]

    @property
    def winners(self) -> tuple[Person, ...]:
        return tuple(person for person, seat in self.pairs if seat.won)

    @property
    def pairs(self) -> tuple[tuple[Person, PastSeat], ...]:
        return tuple(zip(self.people, self.past.seats, strict=True))

    def share(self, person: Person) -> float:
        """The share of the victory that this person has."""
        return 1 / len(self.winners) if person in self.winners else 0.0


def counted(games: Iterable[PastGame], people: People, selection: Selection = EVERYTHING) -> list[CountedGame]:
    """The finished games that are selected, oldest first. One in which a person would sit twice is left out."""
    found = []
    for past in games:
        if not past.finished or (past.is_simulated and not selection.simulated):
            continue
        if selection.game not in ("", past.game) or not _is_within(day(past.ended_at), selection):
            continue
        sitting = tuple(person_at(past, seat, people) for seat in past.seats)
        if len({person.id for person in sitting}) == len(sitting):
            found.append(CountedGame(past, sitting))
    return found


def person_at(past: PastGame, seat: PastSeat, people: People) -> Person:
    """Who sat there."""
    if seat.simulated:  # never mixed up with a person of that name
        return Person(f"{seat.name} (simulated)", f"{seat.name} (simulated)")
    return people.who(past.evening, seat.name)


def _is_within(when: str, selection: Selection) -> bool:
    return selection.since <= when and (not selection.until or when <= selection.until)


# --- Of a person ----------------------------------------------------------------------------------------------


class Versus(Struct, frozen=True):
    """One person against another, by their ranks in the games that both played."""

    person: Person
    """The other one."""
    better: int
    equal: int
    worse: int

    @property
    def games(self) -> int:
        return self.better + self.equal + self.worse


class StartAdvantage(Struct, frozen=True):
    """How often the player who starts has won, and how often chance would let them."""

    games: int
    wins: float
    expected: float


class PersonTable(Struct, frozen=True):
    person: Person
    games: int
    wins: float
    expected: float
    """What chance would give."""
    streak: int
    """Victories in a row, up to now."""
    longest_streak: int
    start: StartAdvantage
    """Of the games that this person started."""
    thought_s: float
    """For a game, on average."""
    seconds: float
    """All of their games together."""
    h_index: int
    """So many different games were played at least so many times each."""
    versus: tuple[Versus, ...]
    """Those met most often come first."""
    nemesis: Versus | None

    @property
    def rate(self) -> float:
        """How many times what chance would give."""
        return self.wins / self.expected if self.expected else 0.0


def person_tables(games: Sequence[CountedGame]) -> list[PersonTable]:
    """All people, the most successful first."""
    by_person: dict[str, list[CountedGame]] = defaultdict(list)
    for game in games:
        for person in game.people:
            by_person[person.id].append(game)
    tables = [_person_table(id_, played) for id_, played in by_person.items()]
    return sorted(tables, key=lambda table: (-table.rate, -table.games, table.person.name))


def _person_table(id_: str, games: list[CountedGame]) -> PersonTable:
    person = next(person for person in games[-1].people if person.id == id_)
    shares = [game.share(person) for game in games]
    streak, longest = streaks([share > 0 for share in shares])
    versus = _versus(person, games)
    return PersonTable(
        person,
        len(games),
        sum(shares),
        sum(1 / len(game.people) for game in games),
        streak,
        longest,
        start_advantage([game for game in games if game.past.first >= 0 and game.people[game.past.first] == person]),
        fmean(seat.thought_s for game in games for each, seat in game.pairs if each == person),
        sum(game.past.seconds for game in games),
        h_index(Counter(game.past.game for game in games).values()),
        versus,
        _nemesis(versus),
    )


def streaks(won: Iterable[bool]) -> tuple[int, int]:
    """Victories in a row: up to now, and the longest such row."""
    now = longest = 0
    for each in won:
        now = now + 1 if each else 0
        longest = max(longest, now)
    return now, longest


def start_advantage(games: Sequence[CountedGame]) -> StartAdvantage:
    """Of games whose start player is known."""
    known = [game for game in games if game.past.first >= 0]
    wins = sum(game.share(game.people[game.past.first]) for game in known)
    return StartAdvantage(len(known), wins, sum(1 / len(game.people) for game in known))


def h_index(plays: Iterable[int]) -> int:
    """The largest h for which h games were played at least h times each."""
    ranked = sorted(plays, reverse=True)
    return sum(count >= place for place, count in enumerate(ranked, 1))


def _versus(person: Person, games: Iterable[CountedGame]) -> tuple[Versus, ...]:
    others: dict[str, Person] = {}
    outcomes: dict[str, Counter[int]] = defaultdict(Counter)
    for game in games:
        own = next(seat.rank for each, seat in game.pairs if each == person)
        for other, seat in game.pairs:
            if other != person:
                others[other.id] = other
                outcomes[other.id][(own > seat.rank) - (own < seat.rank)] += 1
    found = [Versus(others[id_], counts[-1], counts[0], counts[1]) for id_, counts in outcomes.items()]
    return tuple(sorted(found, key=lambda each: (-each.games, each.person.name)))


def _nemesis(versus: Iterable[Versus]) -> Versus | None:
    """The person who is ahead most clearly."""
    ahead = [each for each in versus if each.games >= NEMESIS_GAMES and each.worse > each.better]
    return max(ahead, key=lambda each: (each.worse - each.better, each.games), default=None)


# --- Of a game ------------------------------------------------------------------------------------------------


class ScoresFor(Struct, frozen=True):
    """The scores of a game with this number of players."""

    players: int
    games: int
    mean: float
    winning: float
    """What the winners had, on average."""
    best: int


class Record(Struct, frozen=True):
    """The best that was ever seen. Only the first one who reached it has it."""

    what: str
    """"highest score", "lowest winning score", "largest lead", "longest game" or "shortest game", in seconds; where the
    fewest points win, "lowest score" and "highest winning score"."""
    value: float
    people: tuple[Person, ...]
    game: str
    """The id of the game in which it was set."""
    at: float


class TallyLine(Struct, frozen=True):
    """A line of the game's own table: for each person the mean, and the most in one game."""

    label: str
    means: tuple[tuple[Person, float], ...]
    """The highest first."""
    most: tuple[Person, int] | None


class GameTable(Struct, frozen=True):
    game: str
    games: int
    seconds: float
    """On average."""
    scores: tuple[ScoresFor, ...]
    start: StartAdvantage
    records: tuple[Record, ...]
    tallies: tuple[TallyLine, ...]
    lowest_wins: bool = False
    """The fewest points win."""


def game_tables(games: Sequence[CountedGame]) -> list[GameTable]:
    """All games, the one played most often first."""
    by_game: dict[str, list[CountedGame]] = defaultdict(list)
    for game in games:
        by_game[game.past.game].append(game)
    tables = [_game_table(name, played) for name, played in by_game.items()]
    return sorted(tables, key=lambda table: (-table.games, table.game))


def _game_table(name: str, games: list[CountedGame]) -> GameTable:
    timed = [game.past.seconds for game in games if game.past.seconds]
    mean_s = fmean(timed) if timed else 0.0
    records = tuple(record for name_, look in _records(games) if (record := _record(name_, look, games)))
    advantage, tallies, fewest = start_advantage(games), _tally_lines(games), lowest_wins(games)
    return GameTable(name, len(games), mean_s, _scores(games), advantage, records, tallies, fewest)


def lowest_wins(games: Iterable[CountedGame]) -> bool:
    """Whether the fewest points win in this game. Plays that were imported before it was installed do not know."""
    return any(game.past.lowest_wins for game in games)


def _scores(games: Sequence[CountedGame]) -> tuple[ScoresFor, ...]:
    by_players: dict[int, list[PastGame]] = defaultdict(list)
    for game in games:
        by_players[len(game.people)].append(game.past)
    return tuple(
        ScoresFor(
            players,
            len(played),
            fmean(seat.score for past in played for seat in past.seats),
            fmean(seat.score for past in played for seat in past.seats if seat.won),
            best_total([seat.score for past in played for seat in past.seats], lowest_wins(games)),
        )
        for players, played in sorted(by_players.items())
    )


def _tally_lines(games: Sequence[CountedGame]) -> tuple[TallyLine, ...]:
    labels = dict.fromkeys(label for game in games for seat in game.past.seats for label in seat.tallies)
    return tuple(_tally_line(label, games) for label in sorted(labels))


def _tally_line(label: str, games: Iterable[CountedGame]) -> TallyLine:
    """A player whom no ruling named has 0, in a game that has this line."""
    values: dict[str, list[int]] = defaultdict(list)
    people: dict[str, Person] = {}
    most: tuple[Person, int] | None = None
    for game in games:
        for person, seat in game.pairs:
            value = seat.tallies.get(label, 0)
            people[person.id] = person
            values[person.id].append(value)
            if value > (most[1] if most else 0):
                most = person, value
    means = sorted(((people[id_], fmean(each)) for id_, each in values.items()), key=lambda mean: -mean[1])
    return TallyLine(label, tuple(means), most)


# --- Records --------------------------------------------------------------------------------------------------

RecordValue = Callable[[CountedGame], tuple[float, tuple[Person, ...]] | None]
"""A game → a value of which the highest is the record, and who has it; None: this game has no such value."""


def _highest(game: CountedGame) -> tuple[float, tuple[Person, ...]]:
    best = max(seat.score for seat in game.past.seats)
    return best, tuple(person for person, seat in game.pairs if seat.score == best)


def _lowest_winning(game: CountedGame) -> tuple[float, tuple[Person, ...]]:
    return -max(seat.score for seat in game.past.seats if seat.won), game.winners


def _lead(game: CountedGame) -> tuple[float, tuple[Person, ...]] | None:
    others = [seat.score for seat in game.past.seats if not seat.won]
    lead = max(seat.score for seat in game.past.seats if seat.won) - max(others) if others else 0
    return (lead, game.winners) if lead > 0 else None


def _lowest(game: CountedGame) -> tuple[float, tuple[Person, ...]]:
    best = min(seat.score for seat in game.past.seats)
    return -best, tuple(person for person, seat in game.pairs if seat.score == best)


def _highest_winning(game: CountedGame) -> tuple[float, tuple[Person, ...]]:
    return min(seat.score for seat in game.past.seats if seat.won), game.winners


def _lead_of_the_lowest(game: CountedGame) -> tuple[float, tuple[Person, ...]] | None:
    others = [seat.score for seat in game.past.seats if not seat.won]
    lead = min(others) - min(seat.score for seat in game.past.seats if seat.won) if others else 0
    return (lead, game.winners) if lead > 0 else None


def _longest(game: CountedGame) -> tuple[float, tuple[Person, ...]] | None:
    return (game.past.seconds, game.people) if game.past.seconds else None


def _shortest(game: CountedGame) -> tuple[float, tuple[Person, ...]] | None:
    return (-game.past.seconds, game.people) if game.past.seconds else None


_MOST_POINTS: dict[str, RecordValue] = {
    "highest score": _highest,
    "lowest winning score": _lowest_winning,
    "largest lead": _lead,
}
_FEWEST_POINTS: dict[str, RecordValue] = {
    "lowest score": _lowest,
    "highest winning score": _highest_winning,
    "largest lead": _lead_of_the_lowest,
}
_TIMES: dict[str, RecordValue] = {"longest game": _longest, "shortest game": _shortest}


def _records(games: Sequence[CountedGame]) -> Iterable[tuple[str, RecordValue]]:
    return ((_FEWEST_POINTS if lowest_wins(games) else _MOST_POINTS) | _TIMES).items()


def _record(what: str, look: RecordValue, games: Iterable[CountedGame]) -> Record | None:
    best: Record | None = None
    highest = float("-inf")
    for game in games:
        found = look(game)
        if found is not None and found[0] > highest:
            highest = found[0]
            value = -highest if what.startswith(("lowest", "shortest")) else highest
            best = Record(what, value, found[1], game.past.id, game.past.ended_at)
    return best


def broken_records(games: Sequence[CountedGame], new: CountedGame) -> list[Record]:
    """The records that this game broke: games before it had others."""
    before = [game for game in games if game.past.game == new.past.game and game.past.id != new.past.id]
    if not before:
        return []
    (table,) = game_tables([*before, new])
    return [record for record in table.records if record.game == new.past.id]

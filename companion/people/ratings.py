"""How strong people are: openskill's Plackett–Luce model, for each game and for all games together.

Ratings are computed from the first game on whenever they are needed. None is stored, so an undo, a correction or a
removed evening leaves no trace in them.
"""

from collections.abc import Iterable

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from companion.people.persons import Person
from companion.people.statistics import CountedGame

SETTLED_GAMES = 20
"""Until then a rating is shown as a band: its order still changes a lot."""
BAND = 2.0
"""A band reaches so many standard deviations up and down: 19 of 20 true values lie in it."""


class Rating(Struct, frozen=True):
    person: Person
    games: int
    mu: float
    sigma: float

    @property
    def is_settled(self) -> bool:
        return self.games >= SETTLED_GAMES

    @property
    def band(self) -> tuple[float, float]:
        return self.mu - BAND * self.sigma, self.mu + BAND * self.sigma

    def __str__(self) -> str:
        """27.3, or 12–38 as long as few games were played."""
        low, high = self.band
        return f"{self.mu:.1f}" if self.is_settled else f"{max(low, 0):.0f}–{high:.0f}"


class RatingChange(Struct, frozen=True):
    """What one game changed for one person, and why."""

    person: Person
    game: CountedGame
    before: float
    after: float
    rank: int
    chance: float
    """How likely a victory was before the game."""

    @property
    def reason(self) -> str:
        """1st of 3, expected to win 33 %: +2.4"""
        of = len(self.game.people)
        tied = sum(seat.rank == self.rank for seat in self.game.past.seats) > 1
        place = f"{'tied for ' if tied else ''}{ordinal(self.rank)} of {of}"
        return f"{place}, chance to win {100 * self.chance:.0f} %: {self.after - self.before:+.1f}"


class Ratings(Struct, frozen=True):
    table: tuple[Rating, ...]
    """The strongest first, by the lower end of their band."""
    changes: tuple[RatingChange, ...]
    """Oldest first."""


def ratings(games: Iterable[CountedGame]) -> Ratings:
    """Of these finished games, oldest first. A game that one person played alone changes nothing."""
    model = PlackettLuce()
    known: dict[str, PlackettLuceRating] = {}
    people: dict[str, Person] = {}
    played: dict[str, int] = {}
    changes: list[RatingChange] = []
    for game in games:
        if len(game.people) < 2:
            continue
        before = [[known.get(person.id) or model.rating()] for person in game.people]
        chances = model.predict_win(before)
        after = model.rate(before, ranks=[float(seat.rank) for seat in game.past.seats])
        for index, (person, seat) in enumerate(game.pairs):
            known[person.id], people[person.id] = after[index][0], person
            played[person.id] = played.get(person.id, 0) + 1
            mu = before[index][0].mu, after[index][0].mu
            changes.append(RatingChange(person, game, *mu, seat.rank, chances[index]))
    table = [Rating(people[id_], played[id_], each.mu, each.sigma) for id_, each in known.items()]
    table.sort(key=lambda each: (-each.band[0], each.person.name))
    return Ratings(tuple(table), tuple(changes))


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th"""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
